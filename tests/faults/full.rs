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
/// The words of 17 bytes in a document: half a MiB.
const DOCUMENT_WORDS: usize = (1 << 19) / 17;
const TOGETHER: usize = 5;

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

    let mut lost = Vec::new();
    let (mut acknowledged, mut number) = (0, 0);
    let refused = loop {
        match write(&agent, number).await {
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
    match written_on(&agent, number).await {
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
async fn written_on(agent: &Caller, number: usize) -> Result<(), tonic::Status> {
    let mut last = Ok(());
    for attempt in 0..50 {
        last = write(agent, number + attempt * TOGETHER).await;
        if last.is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    last
}

/// Writes a document, so that the disk is full soon, and facts from it.
async fn write(agent: &Caller, first: usize) -> Result<(), tonic::Status> {
    let facts: Vec<String> = (first..first + TOGETHER).map(texts::fact).collect();
    let noise =
        (0..DOCUMENT_WORDS as u64).map(|place| texts::scrambled((first as u64) << 32 | place));
    let padding: String = noise.map(|word| format!("{word:016x}\n")).collect();
    let source = agent.try_upload(facts.join("\n") + "\n" + &padding).await?;
    let items = facts.iter().map(|fact| draft(fact, &source));
    let answer = agent
        .assertions()
        .submit(submission(items.collect()))
        .await?;
    assert!(
        answer.into_inner().committed,
        "the facts of {first} were not accepted"
    );
    Ok(())
}
