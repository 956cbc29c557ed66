//! Conflicts that a board decides by its own rules: each rule alone, several in order, and what no
//! rule may do.

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    command::{Command, Proposal},
    decide::{Reason, opinions},
    event::{Event, Grounds},
    finding::FindingKind,
    id::{ConflictId, RevisionId},
    module::SealMode,
    rule::{Day, Figures, ResolutionRules},
    status::{ConflictState, Measure, QuoteCheck, Role, Rule, Status, Verdict},
    verify::verify,
};

use crate::world::{World, denied, digest, name, owned_by};

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

#[test]
fn without_rules_everything_waits_for_an_arbiter() {
    check(&[], (&[1], None), (&[1, 2, 3], Some(9)), STAYS);
    check(&[Rule::Arbiter], (&[3], None), (&[1], None), STAYS);
}

#[test]
fn authority() {
    let rule = &[Rule::Authority];
    let world = check(rule, (&[2], None), (&[1], None), FOR_CHALLENGER);
    let figures = Figures {
        measure: Measure::Rank,
        challenger: Some(1),
        standing: Some(2),
    };
    assert_eq!(decided_by(&world), Some(figures));
    check(rule, (&[1], None), (&[2], None), FOR_STANDING);
    check(rule, (&[1, 3], None), (&[3, 2], None), FOR_STANDING);
    check(rule, (&[3], None), (&[2], None), FOR_CHALLENGER);
    check(rule, (&[2], None), (&[3, 4, 5], None), FOR_STANDING);
    check(rule, (&[2], None), (&[2], None), STAYS);
    check(rule, (&[3], None), (&[4, 5], None), STAYS);
}

#[test]
fn recency_by_the_day_from_which_it_holds() {
    let rule = &[Rule::Recency];
    check(rule, (&[1], Some(10)), (&[1], Some(11)), FOR_CHALLENGER);
    check(rule, (&[1], Some(11)), (&[1], Some(10)), FOR_STANDING);
    check(rule, (&[1], Some(11)), (&[1], Some(11)), STAYS);
    check(rule, (&[1], None), (&[1], Some(11)), STAYS);
    check(rule, (&[1], Some(11)), (&[1], None), STAYS);
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
fn recency_by_the_date_of_the_source_that_somebody_other_than_an_agent_gave() {
    for (who, expected) in [
        ("olga", FOR_CHALLENGER),
        ("vera", FOR_CHALLENGER),
        ("axel", FOR_CHALLENGER),
        ("ben", STAYS),
    ] {
        let mut world = ruled(&[Rule::Recency]);
        dated(&mut world, "olga", 6, 100);
        dated(&mut world, who, 7, 101);
        let (standing, challenger) = dispute(&mut world, (&[6, 1], None), (&[7], None));
        let got = (world.status(standing), world.status(challenger));
        assert_eq!(got, expected, "dated by {who}");
        world.check();
    }
}

#[test]
fn the_rank_of_an_address_counts_where_somebody_other_than_an_agent_gave_it() {
    for (who, expected) in [("olga", FOR_CHALLENGER), ("ben", STAYS)] {
        let mut world = ruled(&[Rule::Authority]);
        let mut command = world.source(6);
        if let Command::RegisterSource { rank, .. } = &mut command {
            *rank = Some(1);
        }
        world.act(who, command).unwrap();
        let (standing, challenger) = dispute(&mut world, (&[3], None), (&[6], None));
        let got = (world.status(standing), world.status(challenger));
        assert_eq!(got, expected, "registered by {who}");
        world.check();
    }
}

#[test]
fn addresses_are_ranked_anew_with_the_rules() {
    let mut world = World::new();
    let (standing, challenger) = dispute(&mut world, (&[3], None), (&[4], None));
    let position = world.board.sources[&digest(4)].position;
    let authority = Some(world.says("the office"));
    let rules = ResolutionRules {
        order: vec![Rule::Authority],
        ranks: 1,
        listed: BTreeMap::new(),
    };
    let command = Command::SetResolutionRules {
        rules,
        by_address: BTreeMap::from([(position, 1)]),
        authority,
    };
    world.act("olga", command).unwrap();
    assert_eq!(world.board.rank(&digest(4)), Some(1));
    world.act("olga", Command::ApplyRules(challenger)).unwrap();
    assert_eq!(world.status(standing), Status::Rejected);
    world.check();
    set(&mut world, &[]).unwrap();
    assert_eq!(world.board.rank(&digest(4)), None);
    world.check();
}

#[test]
fn a_further_source() {
    let rule = &[Rule::FurtherSource];
    check(rule, (&[1], None), (&[2, 3], None), FOR_CHALLENGER);
    check(rule, (&[1, 2], None), (&[3], None), FOR_STANDING);
    check(rule, (&[1, 2], None), (&[3, 4], None), STAYS);
    // The same bytes twice are one source.
    check(rule, (&[1], None), (&[2, 2, 2], None), STAYS);
}

#[test]
fn quotes_that_were_not_found_count_for_no_rule() {
    for order in [Rule::Authority, Rule::FurtherSource] {
        let mut world = ruled(&[order]);
        let standing = world.accepted("ann", "market");
        let mut proposal = world.against("market", &[(standing, FindingKind::ClaimKey)]);
        proposal.citations = vec![world.cites(3, QuoteCheck::Exact)];
        for source in 1..=5 {
            let unchecked = world.cites(source, QuoteCheck::Unverified);
            proposal.citations.push(unchecked);
        }
        // What stands has rank 1 and one source, the challenger no rank and one source.
        let challenger = world.submit("ben", proposal).unwrap().revision.unwrap();
        let expected = match order {
            Rule::Authority => Status::Rejected,
            _ => Status::Contested,
        };
        assert_eq!(world.status(challenger), expected, "{order}");
        world.check();
    }
}

#[test]
fn the_first_rule_that_can_tell_decides() {
    use Rule::{Arbiter, Authority, FurtherSource, Recency};
    let all = &[Authority, Recency, FurtherSource, Arbiter];
    let measured = |world: &World| decided_by(world).map(|it| it.measure);
    // Rank 1 against none, though it is older and has fewer sources.
    let world = check(all, (&[3, 4], Some(9)), (&[1], Some(1)), FOR_CHALLENGER);
    assert_eq!(measured(&world), Some(Measure::Rank));
    let world = check(all, (&[3, 4], Some(1)), (&[5], Some(9)), FOR_CHALLENGER);
    assert_eq!(measured(&world), Some(Measure::ValidTime));
    let world = check(all, (&[3, 4], None), (&[5], Some(9)), FOR_STANDING);
    assert_eq!(measured(&world), Some(Measure::Sources));
    check(all, (&[3], None), (&[5], Some(9)), STAYS);
    let world = check(
        &[FurtherSource, Authority],
        (&[3, 4], None),
        (&[1], None),
        FOR_STANDING,
    );
    assert_eq!(measured(&world), Some(Measure::Sources));
}

#[test]
fn an_opinion_says_why_each_rule_passes() {
    let mut world = ruled(&[Rule::Authority, Rule::Recency, Rule::FurtherSource]);
    let (_, _) = dispute(&mut world, (&[3], None), (&[4], Some(7)));
    let conflict = world.board.conflict(ConflictId(1)).unwrap();
    let told: Vec<(Rule, Vec<String>, Option<bool>)> = opinions(&world.board, conflict)
        .into_iter()
        .map(|it| {
            let figures = it.figures.iter().map(ToString::to_string);
            (it.rule, figures.collect(), it.challenger_wins)
        })
        .collect();
    let text = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            (Rule::Authority, text(&["rank none on both sides"]), None),
            (
                Rule::Recency,
                text(&[
                    "holds from 1970-01-08 against none",
                    "source of none on both sides"
                ]),
                None
            ),
            (
                Rule::FurtherSource,
                text(&["sources: 1 on both sides"]),
                None
            ),
        ]
    );
}

#[test]
fn a_corroboration_and_a_validation_turn_the_scale() {
    let mut world = ruled(&[Rule::FurtherSource]);
    let (standing, challenger) = dispute(&mut world, (&[1], None), (&[3], None));
    let mut again = world.statement("market");
    again.report.same = Some(challenger);
    again.citations = vec![world.cites(3, QuoteCheck::Exact)];
    world.submit("ben", again.clone()).unwrap();
    assert_eq!(
        world.status(challenger),
        Status::Contested,
        "the same source"
    );
    again.citations = vec![world.cites(4, QuoteCheck::Exact)];
    world.submit("ben", again).unwrap();
    assert_eq!(world.status(challenger), Status::Proposed);
    assert_eq!(world.status(standing), Status::Rejected);
    world.check();

    let mut world = ruled(&[Rule::FurtherSource]);
    let (standing, challenger) = dispute(&mut world, (&[1], None), (&[3], None));
    world.validate(standing);
    assert_eq!(world.status(challenger), Status::Rejected);
    world.check();
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

#[test]
fn rules_are_an_operators_to_set_and_make_sense() {
    let mut world = World::new();
    for who in ["ann", "vera", "axel", "rita", "aude"] {
        let command = Command::SetResolutionRules {
            rules: ResolutionRules {
                order: vec![Rule::Recency],
                ..ResolutionRules::default()
            },
            by_address: BTreeMap::new(),
            authority: None,
        };
        assert_eq!(denied(world.act(who, command)), Reason::RoleMissing);
    }
    let twice = set(&mut world, &[Rule::Recency, Rule::Recency]);
    assert_eq!(denied(twice), Reason::FieldInvalid);
    let behind = set(&mut world, &[Rule::Arbiter, Rule::Recency]);
    assert_eq!(denied(behind), Reason::FieldInvalid);
    let ranks = |order: Vec<Rule>, ranks| Command::SetResolutionRules {
        rules: ResolutionRules {
            order,
            ranks,
            ..ResolutionRules::default()
        },
        by_address: BTreeMap::new(),
        authority: None,
    };
    let unranked = world.act("olga", ranks(vec![Rule::Authority], 0));
    assert_eq!(denied(unranked), Reason::FieldMissing);
    let unused = world.act("olga", ranks(vec![Rule::Recency], 1));
    assert_eq!(denied(unused), Reason::FieldInvalid);
    let many = world.act("olga", ranks(vec![Rule::Authority], 257));
    assert_eq!(denied(many), Reason::FieldTooLong);
    assert!(set(&mut world, &[]).unwrap().is_empty(), "nothing changes");
}

#[test]
fn a_decision_that_the_rules_do_not_come_to_is_unlawful() {
    let even = Figures {
        measure: Measure::Sources,
        challenger: Some(2),
        standing: Some(1),
    };
    let unruled = World::new();
    let ruled = ruled(&[Rule::FurtherSource]);
    type Change = fn(&mut World);
    let changes: [(World, Change); 3] = [
        (unruled, |_| {}),
        (ruled.clone(), |_| {}),
        (ruled, |world| {
            world.declare("market", owned_by("ann"));
        }),
    ];
    for (place, (mut world, change)) in changes.into_iter().enumerate() {
        let standing = world.accepted("ann", "market");
        change(&mut world);
        let sources: &[u8] = if place == 1 { &[3] } else { &[3, 4] };
        let challenger = challenge(&mut world, "ben", &[standing], (sources, None));
        assert_eq!(world.status(challenger), Status::Contested);
        world.check();
        let position = world.board.position();
        let event = Event::ConflictResolved {
            conflict: ConflictId(1),
            challenger_wins: true,
            grounds: Grounds::Rule(even),
        };
        world.write("ben", event);
        let report = verify(&world.store()).unwrap();
        assert_eq!(report.first_wrong_entry().unwrap().1, position, "{place}");
    }
}

#[test]
fn rules_that_nobody_could_set_are_unlawful() {
    let event =
        |order: &[Rule], ranks, listed: BTreeMap<_, _>, authority| Event::ResolutionRulesSet {
            rules: ResolutionRules {
                order: order.to_vec(),
                ranks,
                listed,
            },
            by_address: BTreeMap::new(),
            authority,
        };
    let mut world = World::new();
    let words = Some(world.says("1"));
    let one = BTreeMap::from([(digest(1), 2)]);
    for (who, event) in [
        ("axel", event(&[Rule::Recency], 0, BTreeMap::new(), None)),
        (
            "olga",
            event(&[Rule::Recency, Rule::Recency], 0, BTreeMap::new(), None),
        ),
        (
            "olga",
            event(&[Rule::Arbiter, Rule::Recency], 0, BTreeMap::new(), None),
        ),
        ("olga", event(&[Rule::Authority], 1, one, words)),
        ("olga", event(&[Rule::Authority], 0, BTreeMap::new(), None)),
    ] {
        let mut world = world.clone();
        let position = world.board.position();
        world.write(who, event);
        let report = verify(&world.store()).unwrap();
        assert_eq!(report.first_wrong_entry().unwrap().1, position, "{report}");
    }
}

#[test]
fn whoever_holds_a_role_only_later_did_not_vouch_before() {
    let mut world = ruled(&[Rule::Recency]);
    dated(&mut world, "olga", 6, 100);
    dated(&mut world, "ben", 7, 101);
    world
        .act("olga", Command::GrantRole(name("ben"), Role::Verifier))
        .unwrap();
    let (_, challenger) = dispute(&mut world, (&[6], None), (&[7], None));
    assert_eq!(world.status(challenger), Status::Contested);
    world.check();
}
