//! A disk that fills up under a server, and gets space again.

use tonic_types::StatusExt;

use crate::{
    Outcome, SETTINGS,
    caller::{Caller, draft, submission},
    disk::Disk,
    process::{Process, verify},
    texts,
    writers::listed,
};
use pawl_proto::v1::Role;

const DISK_BYTES: u64 = 256 << 20;
/// What lies on the disk beside the store until space is needed.
const BALLAST_BYTES: usize = 96 << 20;
/// How long a fact is, so that the disk is full soon.
const PADDING: usize = 7_000;
const TOGETHER: usize = 50;

/// Writes until the disk is full, reads, frees space, writes on.
pub(crate) async fn fill(engine: &str) -> Outcome {
    let what = format!("full disk, freed again, {engine}");
    let directory = tempfile::tempdir().unwrap();
    let disk = match Disk::make(directory.path(), DISK_BYTES) {
        Ok(disk) => disk,
        Err(why) => {
            return Outcome {
                what,
                times: None,
                looked_at: why,
                lost: Vec::new(),
            };
        }
    };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![7; BALLAST_BYTES]).unwrap();
    let data = disk.path().join("data");
    let mut process = Process::start(&data, SETTINGS, &["--no-embedding", "--engine", engine]);
    let operator = Caller::new(&process.url(), &process.token());
    operator.make_board().await;
    let agent = operator.somebody("writer", Role::Agent).await;
    let source = agent.upload("What the writer notes.".to_owned()).await;

    let mut lost = Vec::new();
    let (mut acknowledged, mut number) = (0, 0);
    let refused = loop {
        match write(&agent, &source, number).await {
            Ok(()) => acknowledged += TOGETHER,
            Err(status) => break status,
        }
        number += TOGETHER;
    };
    let reason = refused.get_details_error_info().map(|it| it.reason);
    if reason.as_deref() != Some("STORE_FULL") {
        lost.push(format!("a full disk was told as {refused:?}"));
    }
    let read = listed(&operator).await.len();
    if read < acknowledged {
        lost.push(format!(
            "{read} of {acknowledged} facts are read while the disk is full"
        ));
    }
    std::fs::remove_file(&ballast).unwrap();
    match written_on(&agent, &source, number).await {
        Ok(()) => acknowledged += TOGETHER,
        Err(status) => lost.push(format!("with space again: {status:?}")),
    }
    process.again(false);
    let read = listed(&operator).await.len();
    if read < acknowledged {
        lost.push(format!(
            "{read} of {acknowledged} facts are there after a restart"
        ));
    }
    process.end(false);
    lost.extend(verify(&data).err());
    drop(process);
    Outcome {
        what,
        times: Some(1),
        looked_at: format!(
            "{acknowledged} acknowledged facts, reads meanwhile, writing on without a restart, verify"
        ),
        lost,
    }
}

/// What has been refused may take a moment to be let in again: the engine notices by itself that there is space.
async fn written_on(agent: &Caller, source: &str, number: usize) -> Result<(), tonic::Status> {
    let mut last = Ok(());
    for attempt in 0..50 {
        last = write(agent, source, number + attempt * TOGETHER).await;
        if last.is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    last
}

async fn write(agent: &Caller, source: &str, first: usize) -> Result<(), tonic::Status> {
    let items = (first..first + TOGETHER).map(|number| {
        let noise = texts::scrambled(number as u64);
        let padding: String = (0..PADDING as u64 / 16)
            .map(|place| format!("{:016x}", texts::scrambled(noise ^ place)))
            .collect();
        let mut draft = draft(&format!("Note {number} of the writer: {padding}"), source);
        draft.citations[0].quote = "What the writer notes.".to_owned();
        draft
    });
    let request = submission(items.collect());
    agent.assertions().submit(request).await.map(|_| ())
}
