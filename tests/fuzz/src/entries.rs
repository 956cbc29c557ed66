//! The bytes of entries and snapshots.

use pawl_ledger::{
    board::Board,
    log::{Header, decode, decode_snapshot, encode, encode_snapshot, tree::leaf_hash},
    narrate::narrate,
    status::Policy,
};

/// Nothing is read that would be written otherwise, and what is read can be told.
pub(crate) fn entry(bytes: &[u8]) {
    let Ok(recorded) = decode(bytes) else { return };
    assert_eq!(recorded.leaf, leaf_hash(bytes));
    let told = narrate(
        &Board::new(recorded.board.clone(), Policy::default()),
        &recorded,
        &|_| None,
    );
    assert!(!told.summary.is_empty());
    let header = Header {
        board: recorded.board,
        position: recorded.position,
        at: recorded.at,
        principal: recorded.principal,
    };
    assert_eq!(encode(&header, &recorded.event), bytes);
}

pub(crate) fn snapshot(bytes: &[u8]) {
    if let Ok(snapshot) = decode_snapshot(bytes) {
        assert_eq!(encode_snapshot(&snapshot), bytes);
    }
}
