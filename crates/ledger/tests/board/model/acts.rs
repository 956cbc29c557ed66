//! What may be tried, at random.

use pawl_ledger::{
    finding::FindingKind,
    module::SealMode,
    status::{QuoteCheck, Rule},
};
use proptest::{collection::vec, option, prelude::*, sample::select};

const MODULES: [&str; 3] = ["market", "outlook", "own"];
const ACTORS: [&str; 6] = ["ann", "ben", "art", "axel", "vera", "olga"];

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) module: &'static str,
    pub(super) replaces: Option<u8>,
    pub(super) supports: Vec<u8>,
    pub(super) findings: Vec<(u8, FindingKind, u16)>,
    pub(super) sources: Vec<(u8, QuoteCheck)>,
    pub(super) day: Option<u8>,
    pub(super) same: Option<u8>,
    pub(super) repeats: bool,
    pub(super) confidence: u16,
}

#[derive(Clone, Debug)]
pub(super) enum Act {
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
pub(super) struct Step {
    /// Who tries it; none: who has the role.
    pub(super) who: Option<&'static str>,
    pub(super) after_ms: u64,
    pub(super) act: Act,
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

pub(super) fn step() -> impl Strategy<Value = Step> {
    let who = option::weighted(0.15, select(ACTORS.to_vec()));
    (who, 0..2_000_u64, act()).prop_map(|(who, after_ms, act)| Step { who, after_ms, act })
}
