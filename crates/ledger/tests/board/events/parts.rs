//! What events are made of.

use pawl_ledger::{
    digest::{Commitment, Digest},
    event::{Challenger, Citation, Event, Grounds, Rescan},
    finding::{FindingKind, Score},
    id::{AssertionId, LookupId, ModuleName, Position, PrincipalName, RefusalId, RevisionId},
    module::{SealMode, SealPolicy},
    phase::{Conditions, Movers, Phase},
    quota::Quotas,
    reference::{Reference, RowRef},
    rule::{Day, Figures, ResolutionRules},
    status::{ConflictCause, Kind, Level, Measure, Policy, QuoteCheck, Role, Rule},
};
use proptest::{
    collection::{btree_map, vec},
    option,
    prelude::*,
    sample::select,
};

pub(super) fn named<T: std::str::FromStr<Err: std::fmt::Debug> + std::fmt::Debug>()
-> impl Strategy<Value = T> {
    "[a-z][a-z0-9-]{0,62}".prop_map(|text| text.parse().unwrap())
}

pub(super) fn module() -> impl Strategy<Value = ModuleName> {
    named()
}

pub(super) fn principal() -> impl Strategy<Value = PrincipalName> {
    named()
}

pub(super) fn digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 32]>().prop_map(Digest)
}

pub(super) fn commitment() -> impl Strategy<Value = Commitment> {
    digest().prop_map(Commitment)
}

pub(super) fn revision() -> impl Strategy<Value = RevisionId> {
    (any::<u32>(), any::<u32>()).prop_map(|(assertion, revision)| RevisionId {
        assertion: AssertionId(assertion),
        revision,
    })
}

pub(super) fn score() -> impl Strategy<Value = Score> {
    (0..=10_000_u16).prop_map(Score::clamped)
}

pub(super) fn policy() -> impl Strategy<Value = Policy> {
    (score(), score()).prop_map(|(one, other)| Policy {
        conflict: one.max(other),
        note: one.min(other),
    })
}

pub(super) fn mode() -> impl Strategy<Value = SealMode> {
    select(&[SealMode::Hard, SealMode::Soft][..])
}

pub(super) fn seal_policy() -> impl Strategy<Value = SealPolicy> {
    let fields = (
        any::<bool>(),
        score(),
        score(),
        any::<u32>(),
        any::<u32>(),
        option::of(mode()),
    );
    fields.prop_map(
        |(validated, confidence, completeness, submissions, seconds, automatic)| SealPolicy {
            validated,
            confidence,
            completeness,
            stable_submissions: submissions,
            stable_seconds: seconds,
            automatic,
        },
    )
}

pub(super) fn citations() -> impl Strategy<Value = Vec<Citation>> {
    let citation = (digest(), commitment(), select(QuoteCheck::ALL));
    let citation = citation.prop_map(|(source, quote, check)| Citation {
        source,
        quote,
        check,
    });
    vec(citation, 0..4)
}

pub(super) fn cause() -> impl Strategy<Value = ConflictCause> {
    use FindingKind::{
        Category, ClaimKey, ExclusiveSet, Invariant, Modality, Negation, Number, Opposite,
        Quantifier, Quantity,
    };
    const KINDS: [FindingKind; 10] = [
        ClaimKey,
        Quantity,
        ExclusiveSet,
        Invariant,
        Opposite,
        Negation,
        Quantifier,
        Modality,
        Number,
        Category,
    ];
    prop_oneof![
        select(&KINDS[..]).prop_map(ConflictCause::Finding),
        Just(ConflictCause::Ownership),
        Just(ConflictCause::Replacement),
        Just(ConflictCause::Rewording),
    ]
}

pub(super) fn day() -> impl Strategy<Value = Day> {
    any::<i32>().prop_map(Day)
}

pub(super) fn grounds() -> impl Strategy<Value = Grounds> {
    let figures = (
        select(Measure::ALL),
        option::of(any::<i64>()),
        option::of(any::<i64>()),
    );
    let figures = figures.prop_map(|(measure, challenger, standing)| Figures {
        measure,
        challenger,
        standing,
    });
    prop_oneof![
        commitment().prop_map(Grounds::Reason),
        figures.prop_map(Grounds::Rule),
    ]
}

pub(super) fn rescan() -> impl Strategy<Value = Rescan> {
    let made = (digest(), option::of(digest()), "[0-9a-z.]{0,20}");
    let counted = (any::<u64>(), any::<u64>(), any::<u32>());
    (option::of(module()), made, counted).prop_map(|(module, made, counted)| Rescan {
        module,
        from: Position(counted.0),
        checker: made.2,
        vocabulary: made.0,
        model: made.1,
        compared: counted.1,
        opened: counted.2,
    })
}

pub(super) fn rules() -> impl Strategy<Value = Event> {
    let listed = btree_map(digest(), 1..9_u32, 0..4);
    let by_address = btree_map(any::<u64>().prop_map(Position), 1..9_u32, 0..6);
    let order = vec(select(Rule::ALL), 0..4);
    let rest = (any::<u32>(), option::of(commitment()));
    (order, listed, by_address, rest).prop_map(|(order, listed, by_address, rest)| {
        Event::ResolutionRulesSet {
            rules: ResolutionRules {
                order,
                ranks: rest.0,
                listed,
            },
            by_address,
            authority: rest.1,
        }
    })
}

pub(super) fn challenger() -> impl Strategy<Value = Challenger> {
    prop_oneof![
        revision().prop_map(Challenger::Revision),
        any::<u32>().prop_map(|number| Challenger::Refusal(RefusalId(number))),
    ]
}

fn reference() -> impl Strategy<Value = Reference> {
    prop_oneof![
        (any::<u64>(), any::<u32>()).prop_map(|(mounted, line)| {
            Reference::Row(RowRef {
                mounted: Position(mounted),
                line,
            })
        }),
        any::<u32>().prop_map(|number| Reference::Answer(LookupId(number))),
    ]
}

/// What stands in a conflict: a revision, something that is given, or nothing.
pub(super) fn side() -> impl Strategy<Value = (Option<RevisionId>, Option<Reference>)> {
    prop_oneof![
        option::of(revision()).prop_map(|standing| (standing, None)),
        reference().prop_map(|given| (None, Some(given))),
    ]
}

pub(super) fn phase() -> impl Strategy<Value = Phase> {
    let takes = (
        vec(select(Level::ALL), 0..3),
        vec(select(Kind::ALL), 0..3),
        vec(module(), 0..3),
    );
    let moved = (vec(select(Role::ALL), 0..3), vec(principal(), 0..3));
    let conditions = (vec(module(), 0..3), any::<bool>(), any::<bool>());
    (named(), takes, moved, conditions).prop_map(|(name, takes, moved, conditions)| Phase {
        name,
        levels: takes.0,
        kinds: takes.1,
        modules: takes.2,
        movers: Movers {
            roles: moved.0,
            principals: moved.1,
        },
        conditions: Conditions {
            sealed: conditions.0,
            no_open_conflicts: conditions.1,
            no_open_flags: conditions.2,
        },
    })
}

pub(super) fn quotas() -> impl Strategy<Value = Quotas> {
    vec(option::of(any::<u64>()), 6).prop_map(|all| Quotas {
        entries_per_second: all[0],
        entries_burst: all[1],
        word_bytes: all[2],
        sources: all[3],
        source_bytes: all[4],
        refusals_per_hour: all[5],
    })
}
