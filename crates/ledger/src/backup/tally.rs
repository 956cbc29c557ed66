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
