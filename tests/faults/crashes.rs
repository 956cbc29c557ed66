//! Servers that end at any moment: killed, or with the power cut under their disk.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::{
    Outcome, SETTINGS,
    disk::Disk,
    process::{Process, verify},
    writers::Writers,
};

/// The most bytes of the disk whose power is cut.
const DISK_BYTES: u64 = 2 << 30;

fn arguments(engine: &str) -> [&str; 3] {
    ["--no-embedding", "--engine", engine]
}

/// Kills a server under writers at random moments, each time on what it left the last time.
pub(crate) async fn kills(engine: &str, rounds: u32, seed: u64) -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let mut process = Process::start(&data, SETTINGS, &arguments(engine));
    let writers = Writers::settle(&process).await;
    let mut moments = fastrand::Rng::with_seed(seed);
    let mut lost = Vec::new();
    for _ in 0..rounds {
        let writing = writers.write(&Arc::default());
        tokio::time::sleep(Duration::from_millis(moments.u64(50..600))).await;
        tokio::task::block_in_place(|| process.again(true));
        for writer in writing {
            writer.await.unwrap();
        }
        lost.extend(writers.lost(&process).await);
    }
    process.end(true);
    lost.extend(verify(&data).err());
    Outcome {
        what: format!("kill -9 under 32 writers, {engine}"),
        times: Some(rounds as usize),
        looked_at: format!(
            "{} acknowledged submissions of 3, verify",
            writers.acknowledged()
        ),
        lost,
    }
}

/// Cuts the power of the disk under writers: the file system is shut down without its journal being written.
///
/// Only what was acknowledged before the cut counts. Each round mounts the same disk again.
pub(crate) async fn power_cuts(engine: &str, rounds: u32, seed: u64) -> Outcome {
    let what = format!("power cut (ext4 shut down), {engine}");
    let directory = tempfile::tempdir().unwrap();
    let mut disk = match Disk::make(directory.path(), DISK_BYTES) {
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
    let data = disk.path().join("data");
    let mut process = Process::start(&data, SETTINGS, &arguments(engine));
    let writers = Writers::settle(&process).await;
    let mut moments = fastrand::Rng::with_seed(seed);
    let mut lost = Vec::new();
    for _ in 0..rounds {
        let end = Arc::new(AtomicBool::new(false));
        writers.late.store(false, Ordering::SeqCst);
        let writing = writers.write(&end);
        tokio::time::sleep(Duration::from_millis(moments.u64(50..600))).await;
        // What is acknowledged from here on may have been so before or after the cut.
        writers.late.store(true, Ordering::SeqCst);
        disk.cut();
        end.store(true, Ordering::Relaxed);
        process.end(true);
        for writer in writing {
            writer.await.unwrap();
        }
        tokio::task::block_in_place(|| disk.mount_again());
        process = Process::start_at(process.port(), &data, SETTINGS, &arguments(engine));
        lost.extend(writers.lost(&process).await);
    }
    process.end(true);
    lost.extend(verify(&data).err());
    drop(process);
    Outcome {
        what,
        times: Some(rounds as usize),
        looked_at: format!(
            "{} acknowledged submissions of 3, verify",
            writers.acknowledged()
        ),
        lost,
    }
}
