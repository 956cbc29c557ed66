//! What is refused, what is only noted, and what comes of a refusal.

use pawl_ledger::{
    command::{Command, Repeat},
    decide::Reason,
    finding::FindingKind,
    id::{ConflictId, RefusalId, RevisionId},
    module::SealMode,
    status::{ConflictCause, Verdict},
};

use crate::world::{World, denied};

/// Refuses ann's submission against a hard lock.
fn refused(world: &mut World, locked: RevisionId) -> (RefusalId, ConflictId) {
    let proposal = world.against("market", &[(locked, FindingKind::ClaimKey)]);
    let decision = world.submit("ann", proposal).unwrap();
    assert_eq!(
        (decision.verdict, decision.revision),
        (Verdict::Refused, None)
    );
    (
        RefusalId(u32::try_from(world.board.refusals.len()).unwrap()),
        decision.conflicts[0],
    )
}

#[test]
fn only_exact_findings_against_hard_locks_refuse() {
    let mut world = World::new();
    let (hard, soft) = (
        world.locked("market", SealMode::Hard),
        world.locked("outlook", SealMode::Soft),
    );
    let open = world.accepted("ben", "market");
    for (standing, kind, verdict) in [
        (hard, FindingKind::ClaimKey, Verdict::Refused),
        (hard, FindingKind::Quantity, Verdict::Refused),
        (hard, FindingKind::Opposite, Verdict::Contested),
        (hard, FindingKind::Number, Verdict::Contested),
        (soft, FindingKind::ClaimKey, Verdict::Contested),
        (open, FindingKind::ClaimKey, Verdict::Contested),
    ] {
        let proposal = world.against("market", &[(standing, kind)]);
        let decision = world.submit("ann", proposal).unwrap();
        assert_eq!(decision.verdict, verdict, "{standing} {kind:?}");
    }
    world.check();
}

#[test]
fn a_weak_finding_is_only_noted() {
    let mut world = World::new();
    let standing = world.accepted("ben", "market");
    let mut proposal = world.against("market", &[(standing, FindingKind::Opposite)]);
    proposal.report.findings[0].score = pawl_ledger::finding::Score::clamped(6_999);
    assert_eq!(
        world.submit("ann", proposal).unwrap().verdict,
        Verdict::Accepted
    );
}

#[test]
fn a_refusal_is_appealed_by_its_author_and_passes_once_dismissed() {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let (refusal, conflict) = refused(&mut world, locked);
    for (who, expected) in [("ben", Some(Reason::NotAuthor)), ("ann", None)] {
        let reason = world.says("look again");
        let result = world.act(who, Command::Appeal { conflict, reason });
        assert_eq!(result.err().map(|it| it.reason), expected);
    }
    assert_eq!(
        denied(world.resolve(
            "axel",
            conflict,
            RevisionId {
                revision: 9,
                ..locked
            }
        )),
        Reason::FieldInvalid
    );
    world.dismiss("axel", conflict).unwrap();
    for (same_words, verdict) in [(true, Verdict::Accepted), (false, Verdict::Refused)] {
        let mut proposal = world.against("market", &[(locked, FindingKind::ClaimKey)]);
        proposal.report.repeats = vec![Repeat {
            refusal,
            same_words,
        }];
        assert_eq!(world.submit("ann", proposal).unwrap().verdict, verdict);
    }
    world.check();
}

#[test]
fn a_rewording_of_what_was_refused_is_contested() {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let (refusal, _) = refused(&mut world, locked);
    let mut proposal = world.statement("market");
    proposal.report.repeats = vec![Repeat {
        refusal,
        same_words: false,
    }];
    let decision = world.submit("ann", proposal).unwrap();
    assert_eq!(decision.verdict, Verdict::Contested);
    let conflict = world.board.conflict(decision.conflicts[0]).unwrap();
    assert_eq!(
        (conflict.cause, conflict.standing),
        (ConflictCause::Rewording, Some(locked))
    );
    world.check();
}

#[test]
fn attempts_are_counted() {
    let mut world = World::new();
    let locked = world.locked("market", SealMode::Hard);
    let (refusal, _) = refused(&mut world, locked);
    let mut proposal = world.against("market", &[(locked, FindingKind::ClaimKey)]);
    proposal.report.repeats = vec![Repeat {
        refusal,
        same_words: true,
    }];
    assert_eq!(world.submit("ann", proposal).unwrap().earlier_attempts, 1);
    assert_eq!(world.board.refusals[1].earlier_attempts, 1);
    world.check();
}
