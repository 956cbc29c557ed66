//! Takes a step: makes the command that an act stands for of what there is.

use pawl_ledger::{
    command::{Command, PairFinding, Repeat, StandingPair},
    decide::rollback_plan,
    event::{Challenger, ModuleDeclaration, Rescan},
    evolve::locked,
    finding::{FindingKind, Score},
    id::{AssertionId, ConflictId, FlagId, RefusalId, RevisionId},
    module::SealPolicy,
    phase::Phase,
    rule::{Day, ResolutionRules},
    status::{Level, QuoteCheck, Rule, Status},
};

use super::acts::{Act, Item, Step};
use crate::world::{World, digest, lax, name};

/// The revision that a number stands for; one that is not there where the board is empty.
fn pick(world: &World, number: u8) -> RevisionId {
    let all: Vec<RevisionId> = world.board.revisions().map(|(id, _)| id).collect();
    let place = usize::from(number).checked_rem(all.len());
    place.map_or(
        RevisionId {
            assertion: AssertionId(1),
            revision: 1,
        },
        |place| all[place],
    )
}

fn proposal(world: &mut World, item: &Item) -> pawl_ledger::command::Proposal {
    let findings: Vec<(RevisionId, FindingKind)> = item
        .findings
        .iter()
        .map(|(id, kind, _)| (pick(world, *id), *kind))
        .collect();
    let mut proposal = world.against(item.module, &findings);
    for (finding, (_, _, score)) in proposal.report.findings.iter_mut().zip(&item.findings) {
        finding.score = Score::clamped(*score);
    }
    proposal.supports = item.supports.iter().map(|it| pick(world, *it)).collect();
    if !proposal.supports.is_empty() {
        proposal.level = Level::Inference;
    }
    proposal.citations = item
        .sources
        .iter()
        .map(|(source, check)| world.cites(*source, *check))
        .collect();
    proposal.replaces = item.replaces.map(|it| pick(world, it));
    if let Some(old) = proposal.replaces.and_then(|old| world.board.revision(old)) {
        proposal.module = old.module.clone();
    }
    proposal.valid_from = item.day.map(|day| Day(day.into()));
    proposal.report.same = item.same.map(|it| pick(world, it));
    proposal.confidence = Score::clamped(item.confidence);
    if item.repeats && !world.board.refusals.is_empty() {
        proposal.report.repeats = vec![Repeat {
            refusal: RefusalId(1),
            same_words: true,
        }];
    }
    proposal
}

/// Who has the role for an act, so that most steps get as far as the other rules.
fn entitled(world: &World, step: &Step) -> String {
    let who = match &step.act {
        Act::Submit(_) if step.after_ms.is_multiple_of(2) => "ben",
        Act::Submit(_) | Act::Flag(_) | Act::Appeal(_) => "ann",
        Act::Validate(_) | Act::Reaffirm(..) => "vera",
        Act::Declare(..)
        | Act::Phases(_)
        | Act::Source(_)
        | Act::Remove(_)
        | Act::Pause(_)
        | Act::Rules(_)
        | Act::Attribute => "olga",
        Act::Retract(id) => {
            let state = world.board.revision(pick(world, *id));
            return state.map_or("ann".into(), |it| it.author.to_string());
        }
        _ => "axel",
    };
    who.to_owned()
}

/// Takes a step, which the rules may refuse.
pub(super) fn take(world: &mut World, step: &Step) {
    let who = step
        .who
        .map_or_else(|| entitled(world, step), str::to_owned);
    let who = who.as_str();
    world.now += step.after_ms;
    let conflict = |number: &u8| {
        let count = world.board.conflicts.len().max(1);
        ConflictId(u32::try_from(usize::from(*number) % count).unwrap() + 1)
    };
    let command = match &step.act {
        Act::Submit(items) => {
            let proposals: Vec<_> = items.iter().map(|item| proposal(world, item)).collect();
            let _ = world.submit_all(who, proposals);
            return;
        }
        Act::Validate(id) => Command::Validate {
            revision: pick(world, *id),
            evidence: vec![world.cites(2, QuoteCheck::Exact)],
        },
        Act::Retract(id) => Command::Retract {
            revision: pick(world, *id),
            reason: world.says("w"),
        },
        Act::Reaffirm(id, on) => Command::Reaffirm {
            revision: pick(world, *id),
            supports: on.iter().map(|it| pick(world, *it)).collect(),
            reason: world.says("w"),
        },
        Act::Flag(id) => Command::Flag {
            revision: pick(world, *id),
            reason: world.says("w"),
            citations: Vec::new(),
        },
        Act::CloseFlag(flag) => {
            let flag = FlagId(u32::from(flag % 4) + 1);
            Command::CloseFlag {
                flag,
                reason: world.says("w"),
            }
        }
        Act::Resolve(id, challenger_wins) => {
            let id = conflict(id);
            let winner = world.board.conflict(id).and_then(|it| match it.challenger {
                Challenger::Revision(challenger) if *challenger_wins => Some(challenger),
                _ => it.standing,
            });
            let Some(winner) = winner else { return };
            Command::Resolve {
                conflict: id,
                winner,
                reason: world.says("w"),
            }
        }
        Act::Dismiss(id) => Command::Dismiss {
            conflict: conflict(id),
            reason: world.says("w"),
        },
        Act::Appeal(id) => Command::Appeal {
            conflict: conflict(id),
            reason: world.says("w"),
        },
        Act::Seal(module, only, mode) => Command::Seal {
            module: name(module),
            only: only.map(|it| pick(world, it)),
            mode: *mode,
        },
        Act::Amend(old, item) => Command::Amend {
            old: pick(world, *old),
            proposal: Box::new(proposal(world, item)),
            reason: world.says("w"),
            evidence: Vec::new(),
        },
        Act::Rollback(to, finding) => return roll_back(world, who, *to, *finding),
        Act::Attribute => Command::DeclareAttribute {
            attribute: name("price"),
            value_type: pawl_ledger::status::ValueType::Decimal,
            multi_valued: false,
            definition: world.says("w"),
        },
        Act::ApplyRules(id) => Command::ApplyRules(pick(world, *id)),
        Act::Rules(order) => set_rules(world, order),
        Act::Rescan(module, found, done) => rescan(world, *module, found, *done),
        Act::Declare(module, automatic, validated, owner) => {
            let policy = SealPolicy {
                automatic: *automatic,
                validated: *validated,
                ..lax()
            };
            let mut declaration = ModuleDeclaration {
                policy,
                owners: owner.map(name).into_iter().collect(),
                ..ModuleDeclaration::default()
            };
            if *module == "outlook" {
                declaration.depends_on = vec![name("market")];
            }
            Command::DeclareModule(name(module), declaration)
        }
        Act::Phases(narrow) => Command::DeclarePhases(phases(*narrow)),
        Act::Enter(to, says_why) => Command::EnterPhase {
            phase: name(PHASES[usize::from(*to) % PHASES.len()]),
            reason: says_why.then(|| world.says("w")),
        },
        Act::Source(number) => world.source(*number),
        Act::Remove(number) => Command::RemoveSource(digest(*number)),
        Act::Pause(items) => {
            let reason = world.says("w");
            let paused = world.act(who, Command::Archive { reason }).is_ok();
            let position = world.board.position();
            let proposals: Vec<_> = items.iter().map(|item| proposal(world, item)).collect();
            let _ = world.submit_all("ann", proposals);
            assert!(
                !paused || world.board.position() == position,
                "it took something"
            );
            Command::Reopen { reason }
        }
    };
    let _ = world.act(who, command);
}

/// Takes a module back to any snapshot there is, and compares what that did with what was foretold
/// and with what the snapshot holds.
fn roll_back(world: &mut World, who: &str, to: u8, finding: Option<(u8, u8, FindingKind)>) {
    let count = world.board.snapshots.iter().count();
    let Some(place) = usize::from(to).checked_rem(count) else {
        return;
    };
    let node = world.board.snapshots.iter().nth(place).unwrap().clone();
    let module = node.snapshot.module.clone();
    let findings = finding.into_iter().map(|(back, standing, kind)| {
        let standing = PairFinding {
            standing: pick(world, standing),
            kind,
            score: Score::MAX,
        };
        (pick(world, back), standing)
    });
    let findings: Vec<_> = findings.collect();
    let plan = rollback_plan(&world.board, &world.context(who), &module, &node.id);
    let before = world.board.clone();
    let done = world.rollback_with(who, module.as_str(), node.id, findings);
    assert!(
        done.is_err() || plan.is_ok(),
        "what is refused was foretold"
    );
    let (Ok(_), Ok(plan)) = (done, plan) else {
        return;
    };
    let board = &world.board;
    assert_eq!(locked(board, &module), node.members);
    let mut ended = locked(&before, &module);
    ended.retain(|id| !node.members.contains(id));
    assert_eq!(plan.exchange.ended, ended);
    for id in ended {
        assert_eq!(board.revision(id).unwrap().status, Status::RolledBack);
    }
    for (id, state) in board.revisions() {
        let was = before.revision(id).unwrap();
        let foretold = plan.support_lost.contains(&id);
        let lost = state.status.stands() && state.support_lost.is_some();
        let had = was.status.stands() && was.support_lost.is_some();
        // What comes out of quarantine by it is not foretold: whether it stands is still open.
        if was.status != Status::Contested {
            assert_eq!(lost && !had, foretold, "{id} loses a support");
            let back = was.status.stands() && had && state.status.stands() && !lost;
            assert_eq!(back, plan.support_back.contains(&id), "{id} rests again");
        }
    }
}

const PHASES: [&str; 3] = ["gather", "align", "conclude"];

fn phases(narrow: bool) -> Vec<Phase> {
    let mut phases: Vec<Phase> = PHASES.iter().map(|it| Phase::open(name(it))).collect();
    if narrow {
        phases[0].levels = vec![Level::Data, Level::Statement];
        phases[0].conditions.no_open_flags = true;
        phases[1].modules = vec![name("market"), name("own")];
        phases[1].conditions.no_open_conflicts = true;
        phases[2].levels = vec![Level::Inference];
        phases[1].movers.principals = vec![name("axel")];
    }
    phases
}

/// The sources 1 and 2 have the ranks 1 and 2, and source 3 by its address, like source 2.
fn set_rules(world: &mut World, order: &[Rule]) -> Command {
    let ranked = order.contains(&Rule::Authority);
    let ranks = if ranked { 2 } else { 0 };
    let listed = (1..=ranks).map(|rank| (digest(u8::try_from(rank).unwrap()), rank));
    let third = world.board.sources.get(&digest(3)).map(|it| it.position);
    Command::SetResolutionRules {
        rules: ResolutionRules {
            order: order.to_vec(),
            ranks,
            listed: listed.collect(),
        },
        by_address: third
            .filter(|_| ranked)
            .map(|it| (it, 2))
            .into_iter()
            .collect(),
        authority: ranked.then(|| world.says("w")),
    }
}

fn rescan(
    world: &World,
    module: Option<&'static str>,
    found: &[(u8, u8, u16)],
    done: bool,
) -> Command {
    let found = found.iter().map(|(one, other, score)| StandingPair {
        sides: (pick(world, *one), pick(world, *other)),
        kind: FindingKind::Opposite,
        score: Score::clamped(*score),
    });
    let done = done.then(|| Rescan {
        module: module.map(name),
        from: world.board.position(),
        checker: "1".to_owned(),
        vocabulary: digest(1),
        model: None,
        compared: 1,
        opened: 0,
    });
    Command::Rescan {
        module: module.map(name),
        found: found.collect(),
        done,
    }
}
