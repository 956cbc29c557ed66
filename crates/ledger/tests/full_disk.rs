//! A disk that runs full loses nothing acknowledged, and writing goes on once there is space.
//!
//! Runs only when asked for by name, as it mounts a small disk in a namespace of its own (Linux;
//! no rights are needed where user namespaces are permitted). It fails where it cannot do that.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

use std::{
    collections::BTreeMap,
    env, fs,
    ops::ControlFlow,
    path::Path,
    process::{Command, exit},
};

use pawl_ledger::store::{self, Batch, Engine, Store, StoreError};

const DISK: &str = "size=160m";
const MOUNT: &str = r#"mount -t tmpfs -o "$3" tmpfs "$2" && exec "$1" inside "$2""#;
const MEBIBYTE: u64 = 1 << 20;

fn main() {
    let arguments = env::args().collect::<Vec<_>>();
    if let [_, inside, disk] = arguments.as_slice()
        && inside == "inside"
    {
        return on_every_engine(Path::new(disk));
    }
    let disk = tempfile::tempdir().unwrap();
    let status = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "--",
            "sh",
            "-euc",
            MOUNT,
            "sh",
        ])
        .args([env::current_exe().unwrap().as_path(), disk.path()])
        .arg(DISK)
        .status()
        .expect("this test needs the program `unshare`");
    exit(status.code().unwrap_or(1));
}

fn on_every_engine(disk: &Path) {
    for engine in [Engine::Fjall, Engine::Sled] {
        // Full at once, and full while tables are written in the background.
        for left in [MEBIBYTE, 5 * MEBIBYTE, 20 * MEBIBYTE] {
            let path = disk.join(engine.name());
            let refused = fill_and_free(&path, &disk.join("filler"), engine, left);
            fs::remove_dir_all(&path).unwrap();
            println!("{engine} with {left} bytes left: refused {refused} commits, lost none");
        }
    }
}

fn fill_and_free(path: &Path, filler: &Path, engine: Engine, left: u64) -> u64 {
    let mut history = History::new(path, engine);
    (0..50).for_each(|_| history.commit().unwrap());
    fill(filler, left);
    let mut refused = 0;
    for _ in 0..2_000 {
        match history.commit() {
            Ok(()) => {}
            Err(StoreError::Full { .. }) => refused += 1,
            Err(error) => panic!("{engine} said `{error}` when the disk was full"),
        }
        if refused == 10 || history.unread.is_some() {
            break;
        }
    }
    assert!(refused > 0, "the disk did not run full");
    assert!(
        history.unread.is_none(),
        "{engine} cannot be read while the disk is full"
    );
    history.check();
    fs::remove_file(filler).unwrap();
    history.check();
    (0..50).for_each(|_| history.commit().unwrap());
    history.check();
    let History { store, model, .. } = history;
    drop(store);
    let store = store::open(path, Some(engine)).unwrap();
    assert!(
        everything(&*store) == model,
        "{engine} lost something or made something up"
    );
    refused
}

/// Writes a file until only so much is left.
fn fill(filler: &Path, left: u64) {
    let block = vec![1; usize::try_from(MEBIBYTE / 4).unwrap()];
    let mut file = fs::File::create(filler).unwrap();
    let mut length = 0;
    while std::io::Write::write_all(&mut file, &block).is_ok() {
        length += MEBIBYTE / 4;
    }
    file.set_len(length - left).unwrap();
}

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// What was committed, and what a failed commit turned out to have done.
struct History {
    store: std::sync::Arc<dyn Store>,
    model: Model,
    next: u64,
    /// A failed batch, while nothing can be read: so nothing may be written either.
    unread: Option<Batch>,
}

impl History {
    fn new(path: &Path, engine: Engine) -> Self {
        let store = store::open(path, Some(engine)).unwrap();
        Self {
            store,
            model: Model::new(),
            next: 0,
            unread: None,
        }
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        for index in 0..3_u8 {
            let key = [&self.next.to_be_bytes()[..], &[index]].concat();
            batch.put(key, vec![self.next.to_le_bytes()[0]; 20_000]);
        }
        self.next += 1;
        let committed = self.store.commit(&batch);
        if committed.is_ok() {
            self.model.extend(batch.puts);
        } else {
            self.unread = Some(batch);
            self.look();
        }
        committed
    }

    /// Finds out what became of the batch that failed: all of it is there or nothing.
    fn look(&mut self) {
        let Some(batch) = &self.unread else { return };
        let found = batch.puts.iter().map(|(key, _)| self.store.get(key));
        let Ok(found) = found.collect::<Result<Vec<_>, _>>() else {
            return;
        };
        let there = found.iter().flatten().count();
        assert!(
            there == 0 || there == batch.puts.len(),
            "half a batch is there"
        );
        if there > 0 {
            self.model.extend(batch.puts.iter().cloned());
        }
        self.unread = None;
    }

    fn check(&mut self) {
        self.look();
        assert!(
            everything(&*self.store) == self.model,
            "what is there is not what was committed"
        );
    }
}

fn everything(store: &dyn Store) -> Model {
    let mut pairs = Model::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        pairs.insert(key.to_vec(), value.to_vec());
        ControlFlow::Continue(())
    };
    store.scan(&[], &[0xff; 16], &mut visit).unwrap();
    pairs
}
