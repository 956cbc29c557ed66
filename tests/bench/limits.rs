//! The raw limits of this machine.

use std::{
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use pawl_checker::embedder::{Embedder, ModelFiles};

/// Synced appends of 4 KiB to one file, in a second.
pub(crate) fn synced_appends(directory: &Path, stretch: Duration) -> f64 {
    let path = directory.join("appended");
    let mut file = std::fs::File::create(&path).unwrap();
    let block = [0xa5; 4_096];
    let (begun, mut count) = (Instant::now(), 0);
    while begun.elapsed() < stretch {
        file.write_all(&block).unwrap();
        file.sync_data().unwrap();
        count += 1;
    }
    let rate = f64::from(count) / begun.elapsed().as_secs_f64();
    std::fs::remove_file(path).unwrap();
    rate
}

/// The sentence model with some sessions.
pub(crate) fn embedder(sessions: usize) -> Embedder {
    let models = pawl_server::config::models_directory().unwrap();
    Embedder::open(&ModelFiles::under(&models), sessions).unwrap()
}

/// Texts that as many threads as the embedder has sessions embed in a second, and nothing else.
pub(crate) fn embedded(embedder: &Embedder, threads: usize, texts: &[String]) -> f64 {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for part in texts.chunks(texts.len().div_ceil(threads)) {
            scope.spawn(move || {
                for text in part {
                    embedder.embed(&[text]).unwrap();
                }
            });
        }
    });
    texts.len() as f64 / begun.elapsed().as_secs_f64()
}
