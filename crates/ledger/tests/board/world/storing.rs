//! Puts a board in a store and checks it there.

use std::collections::BTreeMap;

use pawl_ledger::{
    evolve::{begin, evolve},
    id::PrincipalName,
    store::{Batch, MemoryStore, Store, keys},
    verify::verify,
};

use super::{NUMBER, World, digest};

impl World {
    /// Puts the log and everything beside it in a store.
    pub(crate) fn store(&self) -> MemoryStore {
        let mut batch = Batch::default();
        let mut written: BTreeMap<PrincipalName, [u64; 3]> = BTreeMap::new();
        for (recorded, bytes) in &self.log {
            let usage = written.entry(recorded.principal.clone()).or_default();
            let key = keys::entry(NUMBER, recorded.position);
            usage[0] += 1;
            usage[1] += (key.len() + bytes.len()) as u64;
            batch.put(key, bytes.clone());
            for commitment in recorded.event.commitments() {
                let words = self.words[&commitment].to_stored();
                let key = keys::words(NUMBER, recorded.position, commitment);
                usage[2] += (key.len() + words.len()) as u64;
                batch.put(key, words);
            }
        }
        for (principal, usage) in written {
            let bytes = usage.iter().flat_map(|it| it.to_be_bytes()).collect();
            batch.put(keys::usage(NUMBER, &principal), bytes);
        }
        for source in self.board.sources.keys() {
            let number = (1..=9).find(|number| digest(*number) == *source).unwrap();
            batch.put(keys::source(*source, 0), vec![number]);
        }
        let tree = self.board.tree();
        let head = [tree.size().to_be_bytes().as_slice(), &tree.root().0].concat();
        batch.put(keys::head(NUMBER), head);
        batch.put(
            keys::board(&self.board.name),
            NUMBER.0.to_be_bytes().to_vec(),
        );
        let store = MemoryStore::new();
        store.commit(&batch).unwrap();
        store
    }

    /// Checks that the log folds to the state again, and that `verify` finds nothing.
    pub(crate) fn check(&self) {
        let mut board = begin(&self.log[0].0).unwrap();
        for (recorded, _) in &self.log[1..] {
            evolve(&mut board, recorded).unwrap();
        }
        assert!(board == self.board, "the log folds to another state");
        let report = verify(&self.store()).unwrap();
        assert!(report.is_clean(), "{report}");
        assert_eq!(report.entries, self.board.position().0);
    }
}
