//! What the board's own rules may decide, worked out again from what the log says of the sources.

use std::collections::BTreeSet;

use super::{Wrong, holds, role};
use crate::{
    board::{Board, Conflict, Revision},
    digest::Digest,
    event::{Challenger, Event, Recorded},
    evolve::lock_mode,
    id::ConflictId,
    module::SealMode,
    rule::Figures,
    status::{ConflictCause, Measure, Role, Rule, Status},
};

/// Operators set the rules; each is named once, the arbiter last, and ranks are those there are.
pub(super) fn set(board: &Board, recorded: &Recorded, wrong: &mut Wrong) {
    let Event::ResolutionRulesSet {
        rules,
        by_address,
        authority,
    } = &recorded.event
    else {
        return;
    };
    role(board, recorded, &[Role::Operator], wrong);
    let distinct: BTreeSet<Rule> = rules.order.iter().copied().collect();
    let arbiter = rules.order.iter().position(|it| *it == Rule::Arbiter);
    let ends = arbiter.is_none_or(|place| place + 1 == rules.order.len());
    holds(
        distinct.len() == rules.order.len() && ends,
        || "its rules are named twice, or go on after the arbiter".into(),
        wrong,
    );
    let ranked = distinct.contains(&Rule::Authority);
    holds(
        ranked == (rules.ranks > 0) && ranked == authority.is_some(),
        || "it ranks sources without the rule of authority, or has none to rank".into(),
        wrong,
    );
    let mut ranks = rules.listed.values().chain(by_address.values());
    holds(
        ranks.all(|rank| (1..=rules.ranks).contains(rank)),
        || "it gives a rank that there is not".into(),
        wrong,
    );
    let registered: BTreeSet<_> = board.sources.values().map(|it| it.position).collect();
    holds(
        by_address
            .keys()
            .all(|position| registered.contains(position)),
        || "it ranks a source that was not registered".into(),
        wrong,
    );
}

/// A decision by a rule is the one the rules in force come to, by the figures it names. A challenger
/// wins only together with all it waits for.
pub(super) fn decided(
    board: &Board,
    id: ConflictId,
    challenger_wins: bool,
    figures: &Figures,
    wrong: &mut Wrong,
) {
    let open: Vec<(ConflictId, &Conflict)> = board.open_conflicts().collect();
    let Some((_, state)) = open.iter().find(|(other, _)| *other == id) else {
        wrong.push(format!("there was no open `{id}`"));
        return;
    };
    let said = judgement(board, state);
    holds(
        said == Some((challenger_wins, *figures)),
        || format!("the board's rules do not decide `{id}` so"),
        wrong,
    );
    if !challenger_wins {
        return;
    }
    let all = open
        .iter()
        .filter(|(_, it)| it.challenger == state.challenger && !it.rescan)
        .all(|(_, it)| judgement(board, it).is_some_and(|(wins, _)| wins));
    holds(
        all,
        || "its challenger waits for something else".into(),
        wrong,
    );
    let Challenger::Revision(challenger) = state.challenger else {
        return;
    };
    let replaces = board.revision(challenger).and_then(|it| it.replaces);
    let ends = board
        .in_place_of(replaces)
        .and_then(|it| board.revision(it));
    holds(
        ends.is_none_or(|it| it.status != Status::Locked),
        || "its challenger would take the place of what is locked".into(),
        wrong,
    );
}

/// What the first rule that can tell says: whether the challenger wins, and by what.
fn judgement(board: &Board, state: &Conflict) -> Option<(bool, Figures)> {
    let Challenger::Revision(challenger) = state.challenger else {
        return None;
    };
    let standing = state.standing?;
    let lock = lock_mode(board, standing);
    let (new, old) = (board.revision(challenger)?, board.revision(standing)?);
    let outside = state.rescan
        || !matches!(state.cause, ConflictCause::Finding(_))
        || lock == Some(SealMode::Soft)
        || new.status != Status::Contested
        || !old.status.stands();
    if outside {
        return None;
    }
    let measures = board
        .resolution
        .rules
        .order
        .iter()
        .flat_map(|rule| match rule {
            Rule::Authority => &[Measure::Rank][..],
            Rule::Recency => &[Measure::ValidTime, Measure::SourceDate],
            Rule::FurtherSource => &[Measure::Sources],
            Rule::Arbiter => &[],
        });
    for measure in measures {
        let (of_new, of_old) = (
            measured(board, *measure, new),
            measured(board, *measure, old),
        );
        let wins = match measure {
            // Without a rank is lower than any.
            Measure::Rank => {
                let (new, old) = (of_new.unwrap_or(i64::MAX), of_old.unwrap_or(i64::MAX));
                (new != old).then_some(new < old)
            }
            Measure::ValidTime | Measure::SourceDate | Measure::Sources => {
                let both = of_new.zip(of_old);
                both.filter(|(new, old)| new != old)
                    .map(|(new, old)| new > old)
            }
        };
        if let Some(wins) = wins {
            let held = wins && lock.is_some();
            let figures = Figures {
                measure: *measure,
                challenger: of_new,
                standing: of_old,
            };
            return (!held).then_some((wins, figures));
        }
    }
    None
}

fn measured(board: &Board, measure: Measure, side: &Revision) -> Option<i64> {
    let mut found: BTreeSet<&Digest> = side.verified_sources.iter().collect();
    found.extend(&side.confirming_sources);
    let vouched = found
        .iter()
        .filter_map(|digest| board.sources.get(digest))
        .filter(|source| source.vouched);
    match measure {
        Measure::ValidTime => side.valid_from.map(|day| i64::from(day.0)),
        Measure::Sources => i64::try_from(found.len()).ok(),
        Measure::SourceDate => {
            let days = vouched.filter_map(|source| source.dated);
            days.map(|day| i64::from(day.0)).max()
        }
        Measure::Rank => {
            let listed = found
                .iter()
                .filter_map(|digest| board.resolution.rules.listed.get(digest).copied());
            let ranks = vouched.filter_map(|source| source.rank).chain(listed);
            ranks.min().map(i64::from)
        }
    }
}
