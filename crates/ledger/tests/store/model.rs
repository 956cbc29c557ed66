//! Random histories, judged by a map.

use std::collections::BTreeMap;

use pawl_ledger::store::Batch;
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};

use crate::{Place, everything, for_each_store, range};

for_each_store!(behaves_like_a_map);

type Bytes = Vec<u8>;

#[derive(Clone, Debug)]
enum Step {
    Commit {
        puts: Vec<(Bytes, Bytes)>,
        deletes: Vec<Bytes>,
    },
    Scan {
        from: Bytes,
        to: Bytes,
    },
    Get(Bytes),
    Reopen,
}

fn behaves_like_a_map(place: &mut Place) {
    let config = Config {
        cases: 32,
        failure_persistence: None,
        ..Config::default()
    };
    let play = |steps| {
        play(place.fresh(), steps);
        Ok(())
    };
    TestRunner::new(config)
        .run(&vec(step(), 1..40), play)
        .unwrap();
}

fn play(mut place: Place, steps: Vec<Step>) {
    let mut model = BTreeMap::<Bytes, Bytes>::new();
    let mut store = place.open();
    for step in steps {
        match step {
            Step::Commit { puts, deletes } => {
                deletes.iter().for_each(|key| drop(model.remove(key)));
                model.extend(puts.iter().cloned());
                store.commit(&Batch { puts, deletes }).unwrap();
            }
            Step::Scan { from, to } => {
                let within = |(key, _): &(&Bytes, &Bytes)| from <= **key && **key < to;
                let pairs = |(key, value): (&Bytes, &Bytes)| (key.clone(), value.clone());
                let expected = model.iter().filter(within).map(pairs).collect::<Vec<_>>();
                assert_eq!(range(&*store, &from, &to), expected);
            }
            Step::Get(key) => assert_eq!(store.get(&key).unwrap().as_ref(), model.get(&key)),
            Step::Reopen => {
                drop(store);
                store = place.open();
            }
        }
    }
    drop(store);
    assert_eq!(
        everything(&*place.open()),
        model.into_iter().collect::<Vec<_>>()
    );
}

fn step() -> impl Strategy<Value = Step> {
    let commit = (vec((key(), value()), 0..12), vec(key(), 0..6));
    prop_oneof![
        6 => commit.prop_map(|(puts, deletes)| Step::Commit { puts, deletes }),
        2 => (key(), key()).prop_map(|(from, to)| Step::Scan { from, to }),
        2 => key().prop_map(Step::Get),
        1 => Just(Step::Reopen),
    ]
}

/// Few enough that histories meet, with the bytes at both ends.
fn key() -> impl Strategy<Value = Bytes> {
    vec(
        prop_oneof![Just(0), Just(b'a'), Just(b'b'), Just(0xfe)],
        1..4,
    )
}

fn value() -> impl Strategy<Value = Bytes> {
    prop_oneof![8 => vec(any::<u8>(), 0..40), 1 => vec(Just(7), 3_000..9_000)]
}
