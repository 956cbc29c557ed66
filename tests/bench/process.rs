//! A server as a process of its own, so that its memory and its start can be measured.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::site::Caller;

/// Built beside the measurements.
const PAWL: &str = env!("CARGO_BIN_EXE_pawl-under-test");

/// Quotas that a measurement does not run into.
const SETTINGS: &str =
    "[limits.quotas]\nentries_per_second = 1000000\nentries_burst = 1000000000\n";

pub(crate) struct Process {
    child: Child,
    address: SocketAddr,
    data: PathBuf,
}

impl Process {
    /// Starts it on a data directory and waits until it listens.
    pub(crate) fn start(data: &Path, with_model: bool) -> Self {
        let mut command = Command::new(PAWL);
        let settings = data.join("measured.toml");
        std::fs::write(&settings, SETTINGS).unwrap();
        command.arg("serve").arg("--config").arg(settings);
        command.args(["--log-format", "json", "--listen", "127.0.0.1:0", "--data"]);
        command.arg(data).env_remove("RUST_LOG");
        if !with_model {
            command.arg("--no-embedding");
        }
        let mut child = command
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server ended").unwrap();
            let told: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
            if let Some(address) = told["fields"]["address"].as_str() {
                break address.parse().unwrap();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            address,
            data: data.to_owned(),
        }
    }

    /// The first operator, who may read every board.
    pub(crate) fn operator(&self) -> Caller {
        let token = std::fs::read_to_string(self.data.join("operator.token")).unwrap();
        Caller::new(&format!("http://{}", self.address), token.trim())
    }

    /// Memory that is its own and not files', in bytes.
    pub(crate) fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("RssAnon:"))
            .unwrap();
        let kib: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kib * 1_024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the kernel forget what it has read of files.
pub(crate) fn forget_files() -> bool {
    let synced = Command::new("sync").status().is_ok_and(|it| it.success());
    synced && std::fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}
