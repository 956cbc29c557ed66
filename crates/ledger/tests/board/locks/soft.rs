//! Soft locks give way to more sources, hard ones to none.

use pawl_ledger::{
    event::Event,
    finding::FindingKind,
    module::SealMode,
    status::{QuoteCheck, Status},
};

use crate::world::World;

#[test]
fn a_soft_lock_gives_way_to_strictly_more_sources_and_records_an_amendment() {
    for (sources, wins) in [(vec![2], false), (vec![2, 2], false), (vec![2, 3], true)] {
        let mut world = World::new();
        let old = world.locked("market", SealMode::Soft);
        let mut proposal = world.against("market", &[(old, FindingKind::Quantity)]);
        proposal.citations = sources
            .iter()
            .map(|it| world.cites(*it, QuoteCheck::Exact))
            .collect();
        let new = world.submit("ben", proposal).unwrap().revision.unwrap();
        assert_eq!(world.status(new) == Status::Locked, wins, "{sources:?}");
        assert_eq!(world.status(old) == Status::Superseded, wins, "{sources:?}");
        let amended = world
            .log
            .iter()
            .any(|(it, _)| matches!(it.event, Event::Amended { .. }));
        assert_eq!(amended, wins);
        world.check();
    }
}

#[test]
fn a_corroboration_can_turn_the_scale_and_unverified_quotes_cannot() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Soft);
    let (challenger, _) = world.contested("ben", old);
    for (check, wins) in [
        (QuoteCheck::Unverified, false),
        (QuoteCheck::Normalised, true),
    ] {
        let mut proposal = world.statement("market");
        proposal.report.same = Some(challenger);
        proposal.citations = vec![world.cites(4, check)];
        world.submit("art", proposal).unwrap();
        assert_eq!(world.status(challenger) == Status::Locked, wins);
        world.check();
    }
}

#[test]
fn two_soft_locks_give_way_in_one_batch() {
    let mut world = World::new();
    let (one, two) = (
        world.locked("market", SealMode::Soft),
        world.locked("market", SealMode::Soft),
    );
    let mut batch = Vec::new();
    for (standing, sources) in [(one, vec![2]), (one, vec![2, 3]), (two, vec![4, 5])] {
        let mut proposal = world.against("market", &[(standing, FindingKind::Quantity)]);
        proposal.citations = sources
            .iter()
            .map(|it| world.cites(*it, QuoteCheck::Exact))
            .collect();
        batch.push(proposal);
    }
    let decisions = world.submit_all("ben", batch).unwrap();
    let statuses: Vec<Status> = decisions
        .iter()
        .map(|it| world.status(it.revision.unwrap()))
        .collect();
    assert_eq!(
        statuses,
        [Status::Contested, Status::Locked, Status::Locked]
    );
    world.check();
}

#[test]
fn a_hard_lock_does_not_give_way_to_any_number_of_sources() {
    let mut world = World::new();
    let old = world.locked("market", SealMode::Hard);
    let mut proposal = world.against("market", &[(old, FindingKind::Opposite)]);
    proposal.citations = (2..=5)
        .map(|it| world.cites(it, QuoteCheck::Exact))
        .collect();
    let new = world.submit("ben", proposal).unwrap().revision.unwrap();
    assert_eq!(
        (world.status(old), world.status(new)),
        (Status::Locked, Status::Contested)
    );
    world.check();
}
