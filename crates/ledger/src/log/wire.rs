//! The closed lists and policies in their protobuf form, in both directions.

use pawl_proto::v1 as proto;

use crate::{
    finding::{FindingKind, Score},
    id::{AssertionId, ModuleName, RevisionId},
    module::{SealFigures, SealMode, SealPolicy},
    phase::{Conditions, Movers, Phase},
    quota::Quotas,
    rule::Figures,
    snapshot::SnapshotCause,
    status::{
        ConflictCause, ConflictState, Kind, Level, Measure, Policy, QuoteCheck, Role, Rule, Status,
        ValueType, Verdict, WhenUnavailable,
    },
};

/// A protobuf field that holds no valid value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field `{field}` is missing or invalid")]
pub struct WireError {
    /// The field's name.
    pub field: &'static str,
}

/// Makes a [`WireError`] for a field.
pub fn invalid(field: &'static str) -> WireError {
    WireError { field }
}

/// Has a protobuf enum of its own.
pub trait WireEnum: Sized {
    /// The protobuf number.
    fn to_wire(self) -> i32;
    /// Reads the protobuf number; `field` names it in the error.
    fn from_wire(number: i32, field: &'static str) -> Result<Self, WireError>;
}

macro_rules! wire_enums {
    ($($name:ident { $($variant:ident)* })*) => {$(
        impl WireEnum for $name {
            fn to_wire(self) -> i32 {
                match self { $(Self::$variant => proto::$name::$variant as i32,)* }
            }

            fn from_wire(number: i32, field: &'static str) -> Result<Self, WireError> {
                match proto::$name::try_from(number) {
                    $(Ok(proto::$name::$variant) => Ok(Self::$variant),)*
                    _ => Err(invalid(field)),
                }
            }
        }
    )*};
}

wire_enums! {
    Role { Reader Agent Verifier Arbiter Auditor Operator }
    Level { Data Statement Inference }
    Kind { Fact Decision Requirement Assumption Estimate Forecast }
    Status { Proposed Validated Locked Contested Rejected Superseded Retracted RolledBack }
    Verdict { Accepted Contested Refused }
    QuoteCheck { Exact Normalised Unverified }
    ValueType { Decimal Text Boolean Date Range Enum }
    ConflictState { Open Resolved Dismissed }
    WhenUnavailable { Note Refuse }
    SealMode { Hard Soft }
    SnapshotCause { Seal Amendment Rollback }
    FindingKind {
        ClaimKey Quantity ExclusiveSet Invariant Opposite Negation Quantifier Modality Number
        Category
    }
}

macro_rules! renamed_enums {
    ($($name:ident as $wire:ident { $($variant:ident)* })*) => {$(
        impl WireEnum for $name {
            fn to_wire(self) -> i32 {
                match self { $(Self::$variant => proto::$wire::$variant as i32,)* }
            }

            fn from_wire(number: i32, field: &'static str) -> Result<Self, WireError> {
                match proto::$wire::try_from(number) {
                    $(Ok(proto::$wire::$variant) => Ok(Self::$variant),)*
                    _ => Err(invalid(field)),
                }
            }
        }
    )*};
}

renamed_enums! {
    Rule as ResolutionRule { Authority Recency FurtherSource Arbiter }
    Measure as RuleMeasure { Rank ValidTime SourceDate Sources }
}

impl WireEnum for ConflictCause {
    fn to_wire(self) -> i32 {
        match self {
            Self::Finding(kind) => kind.to_wire(),
            Self::Ownership => proto::FindingKind::Ownership as i32,
            Self::Replacement => proto::FindingKind::Replacement as i32,
            Self::Rewording => proto::FindingKind::Rewording as i32,
        }
    }

    fn from_wire(number: i32, field: &'static str) -> Result<Self, WireError> {
        match proto::FindingKind::try_from(number) {
            Ok(proto::FindingKind::Ownership) => Ok(Self::Ownership),
            Ok(proto::FindingKind::Replacement) => Ok(Self::Replacement),
            Ok(proto::FindingKind::Rewording) => Ok(Self::Rewording),
            _ => FindingKind::from_wire(number, field).map(Self::Finding),
        }
    }
}

/// Reads a score in ten-thousandths.
pub fn score(number: u32, field: &'static str) -> Result<Score, WireError> {
    u16::try_from(number)
        .ok()
        .and_then(Score::new)
        .ok_or(invalid(field))
}

/// Writes a score in ten-thousandths.
pub fn score_to_wire(score: Score) -> u32 {
    u32::from(score.ten_thousandths())
}

/// Writes what a rule compared.
pub fn figures_to_wire(figures: Figures) -> proto::RuleFigures {
    proto::RuleFigures {
        measure: figures.measure.to_wire(),
        challenger: figures.challenger,
        standing: figures.standing,
    }
}

/// Reads what a rule compared.
pub fn figures(wire: &proto::RuleFigures) -> Result<Figures, WireError> {
    Ok(Figures {
        measure: Measure::from_wire(wire.measure, "measure")?,
        challenger: wire.challenger,
        standing: wire.standing,
    })
}

/// Writes a revision's id.
pub fn revision_to_wire(revision: RevisionId) -> proto::RevisionRef {
    proto::RevisionRef {
        assertion: revision.assertion.0,
        revision: revision.revision,
    }
}

/// Reads a revision's id.
pub fn revision(wire: &proto::RevisionRef) -> RevisionId {
    RevisionId {
        assertion: AssertionId(wire.assertion),
        revision: wire.revision,
    }
}

/// Writes a board's policy.
pub fn policy_to_wire(policy: Policy) -> proto::BoardPolicy {
    proto::BoardPolicy {
        conflict_threshold: score_to_wire(policy.conflict),
        note_threshold: score_to_wire(policy.note),
    }
}

/// Reads a board's policy.
pub fn policy(wire: &proto::BoardPolicy) -> Result<Policy, WireError> {
    let policy = Policy {
        conflict: score(wire.conflict_threshold, "conflict_threshold")?,
        note: score(wire.note_threshold, "note_threshold")?,
    };
    if policy.note > policy.conflict {
        return Err(invalid("note_threshold"));
    }
    Ok(policy)
}

/// Writes a seal policy with every field set.
pub fn seal_policy_to_wire(policy: &SealPolicy) -> proto::SealPolicy {
    proto::SealPolicy {
        validated: Some(policy.validated),
        confidence: Some(score_to_wire(policy.confidence)),
        completeness: Some(score_to_wire(policy.completeness)),
        stable_submissions: policy.stable_submissions,
        stable_seconds: policy.stable_seconds,
        automatic: policy.automatic.is_some(),
        automatic_mode: policy.automatic.map_or(0, WireEnum::to_wire),
    }
}

/// Reads a seal policy; what is absent takes its default.
pub fn seal_policy(wire: &proto::SealPolicy) -> Result<SealPolicy, WireError> {
    let default = SealPolicy::default();
    let automatic = match (wire.automatic, wire.automatic_mode) {
        (false, _) => None,
        (true, 0) => Some(SealMode::Soft),
        (true, mode) => Some(SealMode::from_wire(mode, "automatic_mode")?),
    };
    Ok(SealPolicy {
        validated: wire.validated.unwrap_or(default.validated),
        confidence: wire
            .confidence
            .map_or(Ok(default.confidence), |number| score(number, "confidence"))?,
        completeness: wire
            .completeness
            .map_or(Ok(default.completeness), |number| {
                score(number, "completeness")
            })?,
        stable_submissions: wire.stable_submissions,
        stable_seconds: wire.stable_seconds,
        automatic,
    })
}

/// Writes what a module measured.
pub fn seal_figures_to_wire(figures: SealFigures) -> proto::SealFigures {
    proto::SealFigures {
        members: figures.members,
        validated: figures.validated,
        least_confidence: score_to_wire(figures.least_confidence),
        completeness: score_to_wire(figures.completeness),
        challengers_left_out: figures.challengers_left_out,
    }
}

/// Reads what a module measured.
pub fn seal_figures(wire: &proto::SealFigures) -> Result<SealFigures, WireError> {
    Ok(SealFigures {
        members: wire.members,
        validated: wire.validated,
        least_confidence: score(wire.least_confidence, "least_confidence")?,
        completeness: score(wire.completeness, "completeness")?,
        challengers_left_out: wire.challengers_left_out,
    })
}

/// Writes a phase.
pub fn phase_to_wire(phase: &Phase) -> proto::PhaseDeclaration {
    let words = |names: &[ModuleName]| names.iter().map(ToString::to_string).collect();
    proto::PhaseDeclaration {
        phase: phase.name.to_string(),
        levels: phase.levels.iter().map(|it| it.to_wire()).collect(),
        kinds: phase.kinds.iter().map(|it| it.to_wire()).collect(),
        modules: words(&phase.modules),
        mover_roles: phase.movers.roles.iter().map(|it| it.to_wire()).collect(),
        movers: phase
            .movers
            .principals
            .iter()
            .map(ToString::to_string)
            .collect(),
        sealed: words(&phase.conditions.sealed),
        no_open_conflicts: phase.conditions.no_open_conflicts,
        no_open_flags: phase.conditions.no_open_flags,
    }
}

/// Reads a phase.
pub fn phase(wire: &proto::PhaseDeclaration) -> Result<Phase, WireError> {
    Ok(Phase {
        name: wire.phase.parse().map_err(|_| invalid("phase"))?,
        levels: words(&wire.levels, "levels")?,
        kinds: words(&wire.kinds, "kinds")?,
        modules: names(&wire.modules, "modules")?,
        movers: Movers {
            roles: words(&wire.mover_roles, "mover_roles")?,
            principals: names(&wire.movers, "movers")?,
        },
        conditions: Conditions {
            sealed: names(&wire.sealed, "sealed")?,
            no_open_conflicts: wire.no_open_conflicts,
            no_open_flags: wire.no_open_flags,
        },
    })
}

/// Writes quotas.
pub fn quotas_to_wire(quotas: &Quotas) -> proto::Quotas {
    proto::Quotas {
        entries_per_second: quotas.entries_per_second,
        entries_burst: quotas.entries_burst,
        word_bytes: quotas.word_bytes,
        sources: quotas.sources,
        source_bytes: quotas.source_bytes,
        refusals_per_hour: quotas.refusals_per_hour,
    }
}

/// Reads quotas.
pub fn quotas(wire: &proto::Quotas) -> Quotas {
    Quotas {
        entries_per_second: wire.entries_per_second,
        entries_burst: wire.entries_burst,
        word_bytes: wire.word_bytes,
        sources: wire.sources,
        source_bytes: wire.source_bytes,
        refusals_per_hour: wire.refusals_per_hour,
    }
}

fn words<T: WireEnum>(numbers: &[i32], field: &'static str) -> Result<Vec<T>, WireError> {
    numbers
        .iter()
        .map(|number| T::from_wire(*number, field))
        .collect()
}

fn names<T: std::str::FromStr>(texts: &[String], field: &'static str) -> Result<Vec<T>, WireError> {
    texts
        .iter()
        .map(|text| text.parse().map_err(|_| invalid(field)))
        .collect()
}
