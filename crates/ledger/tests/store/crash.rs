//! What was acknowledged survives kill -9, whole.
//!
//! A child process commits numbered batches and prints the number of each once `commit` returned.
//! Batch `n` puts its own keys, deletes those of the batch `KEPT` before it and writes `n` under
//! `last`: so what has to be in the store follows from `last` alone.

use std::{
    env,
    io::{self, BufRead, BufReader, Write},
    ops::ControlFlow,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use pawl_ledger::store::{self, Batch, Engine, Store, StoreError};
use tempfile::TempDir;

use crate::{Pairs, everything};

const KEPT: u64 = 40;
const KEYS: u64 = 5;
const ROUNDS: u64 = 5;
const DIRECTORY: &str = "PAWL_TEST_STORE";
const ENGINE: &str = "PAWL_TEST_ENGINE";

#[test]
fn fjall_keeps_what_it_acknowledged() {
    keeps_what_it_acknowledged(Engine::Fjall);
}

#[cfg(feature = "sled")]
#[test]
fn sled_keeps_what_it_acknowledged() {
    keeps_what_it_acknowledged(Engine::Sled);
}

#[test]
fn a_store_of_another_process_is_in_use_until_it_ends() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = Writer::start(directory.path(), Engine::Fjall);
    writer.acknowledged();
    let refused = store::open(directory.path(), None).map(drop);
    assert!(
        matches!(refused, Err(StoreError::InUse { .. })),
        "{refused:?}"
    );
    let target = tempfile::tempdir().unwrap();
    let refused = store::copy_for_reading(directory.path(), target.path());
    assert!(
        matches!(refused, Err(StoreError::InUse { .. })),
        "{refused:?}"
    );
    writer.kill();
    store::open(directory.path(), None).unwrap();
}

/// Not a test of its own: what the child process runs.
#[test]
fn child() {
    if let (Some(directory), Ok(engine)) = (env::var_os(DIRECTORY), env::var(ENGINE)) {
        write_until_killed(Path::new(&directory), engine.parse().unwrap());
    }
}

fn keeps_what_it_acknowledged(engine: Engine) {
    let directory = TempDir::new().unwrap();
    let mut last_before = 0;
    for round in 0..ROUNDS {
        let mut writer = Writer::start(directory.path(), engine);
        // Spread over the rounds, from the first batches to after the first table was written.
        let batches = [1, 9, 200, 1_100, 37][usize::try_from(round).unwrap()];
        for _ in 0..batches {
            writer.acknowledged();
        }
        let acknowledged = writer.kill().max(last_before);
        let store = store::open(directory.path(), Some(engine)).unwrap();
        let last = last_number(&*store);
        assert!(
            last >= acknowledged,
            "batch {acknowledged} was acknowledged, {last} is there"
        );
        assert!(
            last <= acknowledged + 1,
            "there is {last} after {acknowledged}"
        );
        assert!(
            everything(&*store) == contents(last),
            "a batch is not whole in round {round}"
        );
        last_before = last;
    }
}

fn write_until_killed(directory: &Path, engine: Engine) {
    let store = store::open(directory, Some(engine)).unwrap();
    let mut output = io::stdout().lock();
    for number in last_number(&*store) + 1.. {
        let mut batch = Batch::default();
        batch.put(b"last".to_vec(), number.to_be_bytes().to_vec());
        (0..KEYS).for_each(|index| batch.put(key(number, index), value(number, index)));
        if let Some(old) = number.checked_sub(KEPT) {
            batch.deletes.extend((0..KEYS).map(|index| key(old, index)));
        }
        store.commit(&batch).unwrap();
        writeln!(output, "\nacknowledged {number}").unwrap();
        output.flush().unwrap();
    }
}

fn last_number(store: &dyn Store) -> u64 {
    let bytes = store.get(b"last").unwrap();
    bytes.map_or(0, |bytes| u64::from_be_bytes(bytes.try_into().unwrap()))
}

fn contents(last: u64) -> Pairs {
    let numbers = last.saturating_sub(KEPT - 1).max(1)..=last;
    let of_batch = |number| (0..KEYS).map(move |index| (key(number, index), value(number, index)));
    let mut pairs = numbers.flat_map(of_batch).collect::<Pairs>();
    if last > 0 {
        pairs.push((b"last".to_vec(), last.to_be_bytes().to_vec()));
    }
    pairs.sort();
    pairs
}

/// Scattered, so that a batch touches many places.
fn key(number: u64, index: u64) -> Vec<u8> {
    let scattered = (number * KEYS + index).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [scattered.to_be_bytes(), number.to_be_bytes()].concat()
}

fn value(number: u64, index: u64) -> Vec<u8> {
    let length = (number * 31 + index * 677) % 3_000;
    (0..length)
        .map(|at| (number + index + at).to_le_bytes()[0])
        .collect()
}

/// A child process that writes.
struct Writer {
    process: Child,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Writer {
    fn start(directory: &Path, engine: Engine) -> Self {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", "crash::child", "--nocapture"])
            .env(DIRECTORY, directory)
            .env(ENGINE, engine.name())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self {
            process,
            output,
            last: 0,
        }
    }

    /// Waits for the next acknowledged number.
    #[track_caller]
    fn acknowledged(&mut self) {
        assert!(
            self.next().is_continue(),
            "the writer ended after {}",
            self.last
        );
    }

    /// Kills it and gives the last number it had acknowledged by then.
    fn kill(mut self) -> u64 {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        while self.next().is_continue() {}
        self.last
    }

    fn next(&mut self) -> ControlFlow<()> {
        let mut line = String::new();
        while self.output.read_line(&mut line).unwrap() > 0 {
            // A line that the kill cut off was not acknowledged in full, and may be short a digit.
            if let Some(number) = line
                .strip_prefix("acknowledged ")
                .filter(|_| line.ends_with('\n'))
            {
                self.last = number.trim_end().parse().unwrap();
                return ControlFlow::Continue(());
            }
            line.clear();
        }
        ControlFlow::Break(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // It has ended already unless the test failed.
        let _ended = self.process.kill().and_then(|()| self.process.wait());
    }
}
