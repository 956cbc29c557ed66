//! What each rule weighs, and which of them decides.

use std::collections::BTreeMap;

use pawl_ledger::{
    command::Command,
    decide::opinions,
    finding::FindingKind,
    id::ConflictId,
    rule::{Figures, ResolutionRules},
    status::{Measure, QuoteCheck, Rule, Status},
};

use super::{FOR_CHALLENGER, FOR_STANDING, STAYS, check, dated, decided_by, dispute, ruled, set};
use crate::world::{World, digest};

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
