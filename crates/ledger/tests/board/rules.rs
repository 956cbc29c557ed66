//! Conflicts that a board decides by its own rules: each rule alone, several in order, and what no
//! rule may do.

mod unlawful;
mod weighing;

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    command::{Command, Proposal},
    decide::opinions,
    event::{Event, Grounds},
    finding::FindingKind,
    id::{ConflictId, RevisionId},
    module::SealMode,
    rule::{Day, Figures, ResolutionRules},
    status::{ConflictState, QuoteCheck, Rule, Status, Verdict},
};

use crate::world::{World, digest, owned_by};

/// A world with rules in an order; the sources 1 and 2 have the ranks 1 and 2.
fn ruled(order: &[Rule]) -> World {
    let mut world = World::new();
    set(&mut world, order).unwrap();
    world
}

fn set(world: &mut World, order: &[Rule]) -> Result<Vec<Event>, pawl_ledger::decide::Denied> {
    let ranked = order.contains(&Rule::Authority);
    let listed = (1..=2_u8).filter(|_| ranked);
    let rules = ResolutionRules {
        order: order.to_vec(),
        ranks: if ranked { 2 } else { 0 },
        listed: listed.map(|it| (digest(it), u32::from(it))).collect(),
    };
    let authority = ranked.then(|| world.says("1, then 2"));
    world.act(
        "olga",
        Command::SetResolutionRules {
            rules,
            by_address: BTreeMap::new(),
            authority,
        },
    )
}

/// What one side says: its sources, and the day from which it holds.
type Side<'a> = (&'a [u8], Option<i32>);

fn citing(world: &mut World, mut proposal: Proposal, (sources, day): Side<'_>) -> Proposal {
    let quotes = sources.iter();
    proposal.citations = quotes
        .map(|source| world.cites(*source, QuoteCheck::Exact))
        .collect();
    proposal.valid_from = day.map(Day);
    proposal
}

/// Ann says one thing and ben contradicts it.
fn dispute(world: &mut World, ann: Side<'_>, ben: Side<'_>) -> (RevisionId, RevisionId) {
    let proposal = world.statement("market");
    let proposal = citing(world, proposal, ann);
    let standing = world.accept("ann", proposal);
    (standing, challenge(world, "ben", &[standing], ben))
}

fn challenge(world: &mut World, who: &str, against: &[RevisionId], side: Side<'_>) -> RevisionId {
    let findings: Vec<_> = against
        .iter()
        .map(|it| (*it, FindingKind::ClaimKey))
        .collect();
    let proposal = world.against("market", &findings);
    let proposal = citing(world, proposal, side);
    let decision = world.submit(who, proposal).unwrap();
    assert_eq!(decision.verdict, Verdict::Contested);
    decision.revision.unwrap()
}

/// The figures by which the first conflict was decided.
fn decided_by(world: &World) -> Option<Figures> {
    world
        .log
        .iter()
        .find_map(|(recorded, _)| match recorded.event {
            Event::ConflictResolved {
                grounds: Grounds::Rule(figures),
                ..
            } => Some(figures),
            _ => None,
        })
}

const STAYS: (Status, Status) = (Status::Proposed, Status::Contested);
const FOR_CHALLENGER: (Status, Status) = (Status::Rejected, Status::Proposed);
const FOR_STANDING: (Status, Status) = (Status::Proposed, Status::Rejected);

#[track_caller]
fn check(order: &[Rule], ann: Side<'_>, ben: Side<'_>, expected: (Status, Status)) -> World {
    let mut world = ruled(order);
    let (standing, challenger) = dispute(&mut world, ann, ben);
    let got = (world.status(standing), world.status(challenger));
    assert_eq!(got, expected, "{ann:?} against {ben:?} by {order:?}");
    assert_eq!(decided_by(&world).is_some(), expected != STAYS);
    world.check();
    world
}

/// Registers source 6, 7 or 8 with a date, as somebody.
fn dated(world: &mut World, who: &str, number: u8, day: i32) {
    let mut command = world.source(number);
    if let Command::RegisterSource { dated, .. } = &mut command {
        *dated = Some(Day(day));
    }
    world.act(who, command).unwrap();
}

#[test]
fn without_rules_everything_waits_for_an_arbiter() {
    check(&[], (&[1], None), (&[1, 2, 3], Some(9)), STAYS);
    check(&[Rule::Arbiter], (&[3], None), (&[1], None), STAYS);
}

#[test]
fn setting_rules_decides_nothing_before_it_is_asked_for() {
    let mut world = World::new();
    let (standing, challenger) = dispute(&mut world, (&[3], None), (&[4, 5], None));
    set(&mut world, &[Rule::FurtherSource]).unwrap();
    assert_eq!(world.status(challenger), Status::Contested);
    let waiting = pawl_ledger::decide::waiting_challengers(&world.board);
    assert_eq!(waiting, BTreeSet::from([challenger]));
    world.act("olga", Command::ApplyRules(challenger)).unwrap();
    assert_eq!(world.status(challenger), Status::Proposed);
    assert_eq!(world.status(standing), Status::Rejected);
    world.check();
}

#[test]
fn a_challenger_wins_against_all_or_against_none() {
    let mut world = ruled(&[Rule::FurtherSource]);
    let mut facts = Vec::new();
    for sources in [&[1_u8][..], &[1, 2, 3]] {
        let proposal = world.statement("market");
        let proposal = citing(&mut world, proposal, (sources, None));
        facts.push(world.accept("ann", proposal));
    }
    let lost = challenge(&mut world, "ben", &facts, (&[4, 5], None));
    assert_eq!(world.status(lost), Status::Rejected);
    let even = challenge(&mut world, "ben", &facts, (&[1, 4, 5], None));
    assert_eq!(world.status(even), Status::Contested);
    for fact in &facts {
        assert_eq!(world.status(*fact), Status::Proposed);
    }
    let won = challenge(&mut world, "art", &facts, (&[1, 2, 3, 4], None));
    assert_eq!(world.status(won), Status::Proposed);
    for fact in &facts {
        assert_eq!(world.status(*fact), Status::Rejected);
    }
    // The other challenger was turned against what won, and lost by the same rule.
    assert_eq!(world.status(even), Status::Rejected);
    assert_eq!(world.board.open_conflicts().count(), 0);
    world.check();
}

#[test]
fn no_rule_takes_others_agreement_for_granted() {
    let mut world = ruled(&[Rule::FurtherSource]);
    let standing = world.accepted("ann", "market");
    world.declare("market", owned_by("ann"));
    let challenger = challenge(&mut world, "ben", &[standing], (&[3, 4], None));
    assert_eq!(world.status(standing), Status::Proposed);
    assert_eq!(world.status(challenger), Status::Contested);
    // Once the owner agrees, the rule decides the rest.
    world.resolve("ann", ConflictId(2), challenger).unwrap();
    assert_eq!(world.status(standing), Status::Rejected);
    assert_eq!(world.status(challenger), Status::Proposed);
    world.check();
}

#[test]
fn what_is_locked_never_loses_by_a_rule() {
    let mut world = ruled(&[Rule::FurtherSource]);
    let hard = world.locked("market", SealMode::Hard);
    let findings = [(hard, FindingKind::Opposite)];
    let proposal = world.against("market", &findings);
    let proposal = citing(&mut world, proposal, (&[2, 3, 4], None));
    let challenger = world.submit("ben", proposal).unwrap().revision.unwrap();
    assert_eq!(world.status(hard), Status::Locked);
    assert_eq!(world.status(challenger), Status::Contested);
    let conflict = world.board.conflict(ConflictId(1)).unwrap();
    assert!(opinions(&world.board, conflict)[0].is_held_by_lock);
    // For what is locked a rule decides.
    let proposal = world.against("market", &findings);
    let proposal = citing(&mut world, proposal, (&[5], None));
    let weaker = world.submit("ben", proposal).unwrap().revision.unwrap();
    assert_eq!(world.status(weaker), Status::Rejected);
    world.check();
}

#[test]
fn a_challenger_of_what_was_locked_meanwhile_wins_by_no_rule() {
    let mut world = ruled(&[Rule::FurtherSource]);
    let old = world.accepted("ann", "market");
    let other = world.accepted("ben", "market");
    let proposal = world.against("market", &[(other, FindingKind::ClaimKey)]);
    let mut proposal = citing(&mut world, proposal, (&[3], None));
    proposal.replaces = Some(old);
    let new = world.submit("ann", proposal).unwrap().revision.unwrap();
    world.validate(old);
    world
        .seal_only("axel", "market", Some(old), SealMode::Hard)
        .unwrap();
    let mut again = world.statement("market");
    again.report.same = Some(new);
    again.citations = vec![world.cites(4, QuoteCheck::Exact)];
    world.submit("ann", again).unwrap();
    assert_eq!(world.status(new), Status::Contested);
    assert_eq!(world.status(other), Status::Proposed);
    world.check();
}

#[test]
fn a_soft_lock_keeps_its_own_rule() {
    let mut world = ruled(&[Rule::Authority]);
    let soft = world.locked("market", SealMode::Soft);
    let findings = [(soft, FindingKind::ClaimKey)];
    let proposal = world.against("market", &findings);
    let proposal = citing(&mut world, proposal, (&[5], None));
    let weaker = world.submit("ben", proposal).unwrap().revision.unwrap();
    assert_eq!(
        world.status(weaker),
        Status::Contested,
        "rank none against 1"
    );
    let proposal = world.against("market", &findings);
    let proposal = citing(&mut world, proposal, (&[4, 5], None));
    let stronger = world.submit("ben", proposal).unwrap().revision.unwrap();
    assert_eq!(world.status(stronger), Status::Locked, "more sources");
    assert_eq!(decided_by(&world), None);
    world.check();
}

#[test]
fn a_refusal_is_not_decided_by_rules() {
    let mut world = ruled(&[Rule::FurtherSource]);
    let hard = world.locked("market", SealMode::Hard);
    let proposal = world.against("market", &[(hard, FindingKind::ClaimKey)]);
    let proposal = citing(&mut world, proposal, (&[2, 3, 4], None));
    let decision = world.submit("ben", proposal).unwrap();
    assert_eq!(decision.verdict, Verdict::Refused);
    let conflict = world.board.conflict(decision.conflicts[0]).unwrap();
    assert_eq!(conflict.state, ConflictState::Open);
    assert!(opinions(&world.board, conflict).is_empty());
    world.check();
}
