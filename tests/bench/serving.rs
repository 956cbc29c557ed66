//! A server in a process of its own whose memory and start are measured.

use std::{path::Path, process::Command};

use crate::{caller::Caller, memory, process::Process};

/// Quotas that a measurement does not run into.
const SETTINGS: &str =
    "[limits.quotas]\nentries_per_second = 1000000\nentries_burst = 1000000000\n";

/// Starts it on a data directory and waits until it listens.
pub(crate) fn start(data: &Path, with_model: bool) -> Process {
    let arguments: &[&str] = if with_model { &[] } else { &["--no-embedding"] };
    Process::start(data, SETTINGS, arguments)
}

/// Opens boards that no server wrote to, so that what finds their texts is kept, as it is of those that one wrote.
pub(crate) fn open_once(data: &Path, with_model: bool, boards: &[&str]) {
    let mut process = start(data, with_model);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        for board in boards {
            memory::check(&process, board).await;
        }
    });
    process.end(false);
}

/// The first operator, who may read every board.
pub(crate) fn operator(process: &Process) -> Caller {
    Caller::new(&process.url(), &process.token())
}

/// Makes the kernel forget what it has read of files.
pub(crate) fn forget_files() -> bool {
    let synced = Command::new("sync").status().is_ok_and(|it| it.success());
    synced && std::fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}
