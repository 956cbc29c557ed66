//! Counts what passes, on all three sides: where it is sent, where it is kept, where it is read.
//! So the three have to agree.

use std::collections::BTreeMap;

use super::{
    manifest::{BoardHead, Ending},
    record::split,
};
use crate::{
    id::BoardName,
    ledger::read_head,
    log::tree::NodeHash,
    store::keys::{self, BoardNumber, read},
};

/// What has passed so far.
#[derive(Default)]
pub struct Tally {
    records: u64,
    bytes: u64,
    digest: blake3::Hasher,
    last: Vec<u8>,
    names: BTreeMap<BoardNumber, BoardName>,
    heads: BTreeMap<BoardNumber, (u64, NodeHash)>,
}

impl Tally {
    /// Takes note of some whole records. An error says what is wrong with them.
    pub fn take(&mut self, chunk: &[u8]) -> Result<(), String> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let (key, value, after) =
                split(rest).ok_or_else(|| format!("no record after {} of them", self.records))?;
            self.record(key, value)?;
            rest = after;
        }
        self.bytes += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        self.digest.update(chunk);
        Ok(())
    }

    /// What all that passed comes to.
    pub fn ending(&self) -> Ending {
        let boards = self.names.iter().filter_map(|(number, name)| {
            let (entries, root) = self.heads.get(number)?;
            Some(BoardHead {
                name: name.to_string(),
                entries: *entries,
                tree_root: hex(&root.0),
            })
        });
        Ending {
            records: self.records,
            bytes: self.bytes,
            digest: self.digest.finalize().to_hex().to_string(),
            boards: boards.collect(),
        }
    }

    fn record(&mut self, key: &[u8], value: &[u8]) -> Result<(), String> {
        if self.last.as_slice() >= key {
            return Err(format!(
                "record {} is out of order: `{}`",
                self.records,
                key.escape_ascii()
            ));
        }
        self.last.clear();
        self.last.extend_from_slice(key);
        self.records += 1;
        if let (Some(name), Ok(number)) = (read_name(key), value.try_into()) {
            let number = BoardNumber(u32::from_be_bytes(number));
            self.names.insert(number, name);
        } else if let Some(number) = read::number(key)
            && key == keys::head(number)
            && let Some(head) = read_head(value)
        {
            self.heads.insert(number, head);
        }
        Ok(())
    }
}

/// The board of a board's record.
fn read_name(key: &[u8]) -> Option<BoardName> {
    let name = read::board_name(key)?;
    (keys::board(&name) == key).then_some(name)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::write_record, *};

    fn records(pairs: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (key, value) in pairs {
            write_record(key, value, &mut bytes);
        }
        bytes
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Tally::default().take(&bytes);
        }

        #[test]
        fn changed_records_never_come_to_the_same(
            pairs in proptest::collection::btree_map(
                proptest::collection::vec(any::<u8>(), 1..9),
                proptest::collection::vec(any::<u8>(), 0..20),
                1..8,
            ),
            place: prop::sample::Index,
            flip in 1_u8..=255,
        ) {
            let bytes = records(&pairs);
            let mut tally = Tally::default();
            prop_assert!(tally.take(&bytes).is_ok());
            let good = tally.ending();
            prop_assert_eq!(good.records, u64::try_from(pairs.len()).unwrap());
            let mut changed = bytes.clone();
            changed[place.index(bytes.len())] ^= flip;
            for wrong in [&changed[..], &bytes[..place.index(bytes.len())]] {
                let mut tally = Tally::default();
                prop_assert!(tally.take(wrong).is_err() || tally.ending() != good);
            }
            // The same in two parts comes to the same.
            let (first, rest) = pairs.iter().next().map(|(key, value)| {
                let mut first = Vec::new();
                write_record(key, value, &mut first);
                let rest = bytes[first.len()..].to_vec();
                (first, rest)
            }).unwrap();
            let mut parts = Tally::default();
            prop_assert!(parts.take(&first).is_ok() && parts.take(&rest).is_ok());
            prop_assert_eq!(parts.ending(), good);
            prop_assert!(parts.take(&first).is_err(), "out of order");
        }
    }
}
