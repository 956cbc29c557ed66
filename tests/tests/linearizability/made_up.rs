//! Histories made by hand: the check can say no, and says it for the right reason.

use std::collections::BTreeSet;

use super::{
    histories::History,
    model::{Act, Answer, Said, Seen, Status, Verdict},
};

const FIVE: Said = Said {
    subject: 0,
    value: 0,
};
const NINE: Said = Said {
    subject: 0,
    value: 2,
};

fn accepted(assertion: u32) -> Answer {
    Answer::Judged {
        verdict: Verdict::Accepted,
        stored: Some((assertion, 1)),
        corroborated: false,
        against: BTreeSet::new(),
    }
}

/// One fact, as a reader sees it.
fn listed(status: Status) -> Answer {
    Answer::Listed(BTreeSet::from([Seen {
        revision: (1, 1),
        said: FIVE,
        status,
        challenged: false,
        corroborations: 0,
    }]))
}

fn nothing() -> Answer {
    Answer::Listed(BTreeSet::new())
}

/// Acts one after another.
fn in_turn(acts: Vec<(usize, Act, Answer)>) -> History {
    let mut history = History::default();
    for (by, act, answer) in acts {
        history.called(by, &act);
        history.answered(by, answer);
    }
    history
}

/// Acts under way at the same time.
fn at_once(acts: Vec<(usize, Act, Answer)>) -> History {
    let mut history = History::default();
    for (by, act, _) in &acts {
        history.called(*by, act);
    }
    for (by, _, answer) in acts {
        history.answered(by, answer);
    }
    history
}

#[test]
fn a_read_that_misses_what_was_acknowledged_has_no_order() {
    let acts = || {
        vec![
            (0, Act::Submit(FIVE), accepted(1)),
            (1, Act::Read, nothing()),
        ]
    };
    assert!(in_turn(acts()).explained().is_none());
    assert!(at_once(acts()).explained().is_some());
}

#[test]
fn a_read_that_goes_back_has_no_order() {
    let mut history = History::default();
    history.called(0, &Act::Submit(FIVE));
    for answer in [listed(Status::Proposed), nothing()] {
        history.called(1, &Act::Read);
        history.answered(1, answer);
    }
    history.answered(0, accepted(1));
    assert!(history.explained().is_none());
}

#[test]
fn two_contradictions_that_both_get_in_have_no_order() {
    let acts = vec![
        (0, Act::Submit(FIVE), accepted(1)),
        (1, Act::Submit(NINE), accepted(2)),
    ];
    assert!(at_once(acts).explained().is_none());
}

#[test]
fn a_contradiction_accepted_beside_a_lock_has_no_order() {
    let history = in_turn(vec![
        (0, Act::Submit(FIVE), accepted(1)),
        (0, Act::Seal, Answer::Sealed(BTreeSet::from([(1, 1)]))),
        (1, Act::Read, listed(Status::Locked)),
        (1, Act::Submit(NINE), accepted(2)),
    ]);
    assert!(history.explained().is_none());
}

#[test]
fn two_amendments_of_one_revision_have_no_order() {
    let amended = |new| Answer::Amended {
        new,
        against: BTreeSet::new(),
    };
    let mut history = in_turn(vec![
        (0, Act::Submit(FIVE), accepted(1)),
        (0, Act::Seal, Answer::Sealed(BTreeSet::from([(1, 1)]))),
    ]);
    let amend = Act::Amend((1, 1), NINE);
    history.called(0, &amend);
    history.called(1, &amend);
    history.answered(0, amended((1, 2)));
    history.answered(1, amended((1, 3)));
    assert!(history.explained().is_none());
}
