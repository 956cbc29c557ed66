//! Random histories against what must hold after every step, worked out from scratch.

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    board::Board,
    command::{Command, PairFinding, Repeat, StandingPair},
    decide::rollback_plan,
    digest::Digest,
    event::{Challenger, Event, ModuleDeclaration, Rescan},
    evolve::locked,
    finding::{FindingKind, Score},
    id::{AssertionId, ConflictId, FlagId, RefusalId, RevisionId},
    module::{SealMode, SealPolicy},
    phase::Phase,
    rule::{Day, ResolutionRules},
    status::{ConflictState, Level, QuoteCheck, Rule, Status},
};
use proptest::{collection::vec, option, prelude::*, sample::select, test_runner::RngSeed};

use crate::world::{World, digest, lax, name};

const MODULES: [&str; 3] = ["market", "outlook", "own"];
const ACTORS: [&str; 6] = ["ann", "ben", "art", "axel", "vera", "olga"];

#[derive(Clone, Debug)]
struct Item {
    module: &'static str,
    replaces: Option<u8>,
    supports: Vec<u8>,
    findings: Vec<(u8, FindingKind, u16)>,
    sources: Vec<(u8, QuoteCheck)>,
    day: Option<u8>,
    same: Option<u8>,
    repeats: bool,
    confidence: u16,
}

#[derive(Clone, Debug)]
enum Act {
    Submit(Vec<Item>),
    Validate(u8),
    Retract(u8),
    Reaffirm(u8, Vec<u8>),
    Flag(u8),
    CloseFlag(u8),
    Resolve(u8, bool),
    Dismiss(u8),
    Appeal(u8),
    Seal(&'static str, Option<u8>, SealMode),
    Amend(u8, Item),
    Rollback(u8, Option<(u8, u8, FindingKind)>),
    Declare(&'static str, Option<SealMode>, bool, Option<&'static str>),
    /// Narrow, in its levels and modules, or wide.
    Phases(bool),
    Enter(u8, bool),
    Source(u8),
    Remove(u8),
    /// Archives, tries something, reopens.
    Pause(Vec<Item>),
    Rules(Vec<Rule>),
    ApplyRules(u8),
    Rescan(Option<&'static str>, Vec<(u8, u8, u16)>, bool),
    Attribute,
}

#[derive(Clone, Debug)]
struct Step {
    /// Who tries it; none: who has the role.
    who: Option<&'static str>,
    after_ms: u64,
    act: Act,
}

fn finding_kind() -> impl Strategy<Value = FindingKind> {
    let kinds = [
        FindingKind::ClaimKey,
        FindingKind::Opposite,
        FindingKind::Quantity,
    ];
    select(kinds.to_vec())
}

fn item() -> impl Strategy<Value = Item> {
    let finding = (any::<u8>(), finding_kind(), 5_000..=10_000_u16);
    let what = (select(MODULES.to_vec()), option::weighted(0.3, any::<u8>()));
    let rests = (vec(any::<u8>(), 0..3), vec(finding, 0..3));
    let sources = vec((1..=5_u8, select(QuoteCheck::ALL)), 1..4);
    let sources = (sources, option::weighted(0.3, 0..4_u8));
    let report = (
        option::weighted(0.1, any::<u8>()),
        any::<bool>(),
        8_000..=10_000_u16,
    );
    (what, rests, sources, report).prop_map(|(what, rests, sources, report)| Item {
        module: what.0,
        replaces: what.1,
        supports: rests.0,
        findings: rests.1,
        sources: sources.0,
        day: sources.1,
        same: report.0,
        repeats: report.1,
        confidence: report.2,
    })
}

fn mode() -> impl Strategy<Value = SealMode> {
    select(vec![SealMode::Hard, SealMode::Soft])
}

fn act() -> impl Strategy<Value = Act> {
    let module = || select(MODULES.to_vec());
    prop_oneof![
        8 => vec(item(), 1..4).prop_map(Act::Submit),
        6 => any::<u8>().prop_map(Act::Validate),
        2 => any::<u8>().prop_map(Act::Retract),
        2 => (any::<u8>(), vec(any::<u8>(), 0..2)).prop_map(|(id, on)| Act::Reaffirm(id, on)),
        1 => any::<u8>().prop_map(Act::Flag),
        1 => any::<u8>().prop_map(Act::CloseFlag),
        4 => (any::<u8>(), any::<bool>()).prop_map(|(id, wins)| Act::Resolve(id, wins)),
        2 => any::<u8>().prop_map(Act::Dismiss),
        1 => any::<u8>().prop_map(Act::Appeal),
        3 => (module(), option::of(any::<u8>()), mode())
            .prop_map(|(module, only, mode)| Act::Seal(module, only, mode)),
        2 => (any::<u8>(), item()).prop_map(|(old, item)| Act::Amend(old, item)),
        2 => (any::<u8>(), option::weighted(0.2, (any::<u8>(), any::<u8>(), finding_kind())))
            .prop_map(|(to, finding)| Act::Rollback(to, finding)),
        1 => (module(), option::of(mode()), any::<bool>(), option::of(select(vec!["ann", "ben"])))
            .prop_map(|(module, automatic, validated, owner)| {
                Act::Declare(module, automatic, validated, owner)
            }),
        1 => any::<bool>().prop_map(Act::Phases),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(to, says_why)| Act::Enter(to, says_why)),
        1 => (1..=9_u8).prop_map(Act::Source),
        1 => (1..=9_u8).prop_map(Act::Remove),
        1 => vec(item(), 1..2).prop_map(Act::Pause),
        1 => rules().prop_map(Act::Rules),
        1 => any::<u8>().prop_map(Act::ApplyRules),
        2 => (option::of(module()), vec((any::<u8>(), any::<u8>(), 5_000..=10_000_u16), 0..3), any::<bool>())
            .prop_map(|(module, found, done)| Act::Rescan(module, found, done)),
        1 => Just(Act::Attribute),
    ]
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let order = Just(Rule::ALL.to_vec()).prop_shuffle();
    (order, 0..=4_usize).prop_map(|(order, length)| order[..length].to_vec())
}

fn step() -> impl Strategy<Value = Step> {
    let who = option::weighted(0.15, select(ACTORS.to_vec()));
    (who, 0..2_000_u64, act()).prop_map(|(who, after_ms, act)| Step { who, after_ms, act })
}

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
fn take(world: &mut World, step: &Step) {
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

/// What each source is cited by, worked out from the log.
fn check_citations(world: &World) {
    let mut cited: BTreeMap<Digest, BTreeSet<RevisionId>> = BTreeMap::new();
    for (recorded, _) in &world.log {
        let (subject, citations) = match &recorded.event {
            Event::Submitted(it) => (it.revision, &it.citations),
            Event::Corroborated {
                revision,
                citations,
            }
            | Event::Flagged {
                revision,
                citations,
                ..
            } => (*revision, citations),
            Event::Validated { revision, evidence } => (*revision, evidence),
            Event::Amended { new, evidence, .. } => (*new, evidence),
            _ => continue,
        };
        for citation in citations {
            cited.entry(citation.source).or_default().insert(subject);
        }
    }
    for (source, state) in &world.board.sources {
        let expected = cited.remove(source).unwrap_or_default();
        assert_eq!(state.cited_by, expected, "what cites {source}");
    }
    assert!(cited.is_empty(), "cited and removed: {cited:?}");
}

/// The revision whose end took a support away, by the definition.
fn lost(board: &Board, id: RevisionId) -> Option<RevisionId> {
    let supports = &board.revision(id).unwrap().supports;
    supports.iter().find_map(|support| {
        if board.revision(*support).unwrap().status.stands() {
            lost(board, *support)
        } else {
            Some(*support)
        }
    })
}

fn check_counts(board: &Board) {
    let mut counts: BTreeMap<Status, u32> = BTreeMap::new();
    let mut standing: BTreeMap<&str, BTreeSet<RevisionId>> = BTreeMap::new();
    let mut contested: BTreeMap<&str, BTreeSet<RevisionId>> = BTreeMap::new();
    for (id, state) in board.revisions() {
        *counts.entry(state.status).or_default() += 1;
        let module = state.module.as_str();
        if state.status.stands() {
            standing.entry(module).or_default().insert(id);
        }
        if state.status == Status::Contested {
            contested.entry(module).or_default().insert(id);
        }
        assert_eq!(state.support_lost, lost(board, id), "what {id} lost");
        let challenged = board.conflicts.iter().filter(|it| {
            let sides = [
                it.standing
                    .filter(|_| matches!(it.challenger, Challenger::Revision(_))),
                match it.challenger {
                    Challenger::Revision(challenger) if it.rescan => Some(challenger),
                    _ => None,
                },
            ];
            it.state == ConflictState::Open && sides.contains(&Some(id))
        });
        assert_eq!(
            state.challenged as usize,
            challenged.count(),
            "challenges of {id}"
        );
    }
    for status in Status::ALL {
        let expected = counts.get(status).copied().unwrap_or_default();
        assert_eq!(board.count(*status), expected, "{status}");
    }
    for (name, module) in &board.modules {
        let of = |all: &BTreeMap<&str, BTreeSet<RevisionId>>| {
            all.get(name.as_str()).cloned().unwrap_or_default()
        };
        assert_eq!(module.standing, of(&standing), "standing in {name}");
        assert_eq!(module.contested, of(&contested), "contested in {name}");
    }
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

fn check_lives(board: &Board) {
    let mut standing: BTreeMap<u32, u32> = BTreeMap::new();
    for (id, state) in board.revisions() {
        if state.status.stands() {
            *standing.entry(id.assertion.0).or_default() += 1;
        }
        let open = board
            .open_conflicts()
            .filter(|(_, it)| it.challenger == Challenger::Revision(id) && !it.rescan);
        let waits = open.count() > 0;
        assert_eq!(
            state.status == Status::Contested,
            waits,
            "{id} is {}",
            state.status
        );
    }
    for (assertion, count) in standing {
        assert_eq!(count, 1, "{count} revisions of a{assertion} stand");
    }
    for (id, conflict) in board.open_conflicts() {
        let stands = conflict
            .standing
            .is_none_or(|it| board.revision(it).unwrap().status.stands());
        let refusal = matches!(conflict.challenger, Challenger::Refusal(_));
        let both = conflict
            .standing
            .is_some_and(|it| board.revision(it).unwrap().status == Status::Contested);
        assert!(stands || refusal || both, "what {id} is against has ended");
    }
}

/// The same histories in every run, so that a change is judged by what it changes; other ones with
/// `PROPTEST_RNG_SEED=n`.
fn histories() -> ProptestConfig {
    let config = ProptestConfig::default();
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(2026),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    ProptestConfig {
        cases: 2_000,
        max_shrink_iters: 20_000,
        rng_seed,
        ..config
    }
}

proptest! {
    #![proptest_config(histories())]
    #[test]
    fn what_must_hold_holds_after_every_step(steps in vec(step(), 1..80)) {
        let mut world = World::new();
        world.declare("market", crate::world::with_policy(lax()));
        world.declare("own", crate::world::owned_by("ben"));
        for step in &steps {
            let (locked, from) = (world.board.count(Status::Locked), world.log.len());
            take(&mut world, step);
            let amended = world.log[from..].iter().any(|(it, _)| {
                matches!(it.event, Event::Amended { .. } | Event::RolledBack { .. })
            });
            assert!(world.board.count(Status::Locked) >= locked || amended, "a lock was lost");
            check_counts(&world.board);
            check_lives(&world.board);
            let board = &world.board;
            assert_eq!(board.phase.is_some(), !board.phases.is_empty());
            assert_eq!(board.phase.is_some(), board.current_phase().is_some());
        }
        check_citations(&world);
        world.check();
    }
}
