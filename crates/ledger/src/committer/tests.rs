//! Writers at once, on their own threads and on the committer's.

use std::ops::ControlFlow;

use super::*;
use crate::store::MemoryStore;

const WRITERS: u64 = 8;
const BATCHES: u64 = 300;

fn batch(writer: u64, number: u64) -> Batch {
    let mut batch = Batch::default();
    let key = [writer.to_be_bytes(), number.to_be_bytes()].concat();
    batch.put(key, number.to_be_bytes().to_vec());
    batch.put(writer.to_be_bytes().to_vec(), number.to_be_bytes().to_vec());
    batch
}

fn write_all(committer: &Committer, writer: u64) {
    let line = Arc::new(Line::new(Position(0)));
    for number in 1..=BATCHES {
        let handed_in = committer.hand_in(
            batch(writer, number),
            Some((line.clone(), Position(number))),
        );
        match (writer + number) % 4 {
            // Nobody waits.
            0 => drop(handed_in),
            1 => {
                let mut handed_in = handed_in;
                handed_in.write_here();
            }
            2 => {
                handed_in.done_here().unwrap();
                assert!(line.durable() >= Position(number));
            }
            _ => {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap();
                runtime.block_on(handed_in.done()).unwrap();
                assert!(line.durable() >= Position(number));
            }
        }
    }
}

#[test]
fn whoever_writes_nothing_is_left_and_each_in_its_order() {
    let store = MemoryStore::new();
    let committer = Committer::start(Arc::new(store.clone()), Box::new(|_| {})).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let committer = &committer;
            scope.spawn(move || write_all(committer, writer));
        }
    });
    drop(committer);
    let (mut batches, mut last) = (0, Vec::new());
    let mut visit = |key: &[u8], value: &[u8]| {
        if key.len() == 8 {
            last.push(value.to_vec());
        } else {
            batches += 1;
        }
        ControlFlow::Continue(())
    };
    store.scan(&[], &[0xff; 9], &mut visit).unwrap();
    assert_eq!(batches, WRITERS * BATCHES);
    // What a later batch put is not overwritten by an earlier one.
    assert_eq!(
        last,
        vec![BATCHES.to_be_bytes().to_vec(); usize::try_from(WRITERS).unwrap()]
    );
}

#[test]
fn after_a_failure_nothing_of_the_same_board_is_written_by_anybody() {
    let store = MemoryStore::new();
    let committer = Committer::start(Arc::new(store.clone()), Box::new(|_| {})).unwrap();
    let line = Arc::new(Line::new(Position(0)));
    line.fail();
    let here = committer.hand_in(batch(1, 1), Some((line.clone(), Position(1))));
    assert!(matches!(here.done_here(), Err(CommitError::Aborted)));
    let other = committer.hand_in(batch(2, 1), None);
    other.done_here().unwrap();
    assert!(store.get(&1_u64.to_be_bytes()).unwrap().is_none());
    assert!(store.get(&2_u64.to_be_bytes()).unwrap().is_some());
}
