//! The small closed lists a board works with.

use serde::{Deserialize, Serialize};

use crate::finding::{FindingKind, Score};

macro_rules! closed_lists {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Every one of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word for it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    )*};
}

closed_lists! {
    /// What a principal may do on a board.
    Role {
        /// Reads, briefs, watches and checks.
        Reader = "reader",
        /// Submits, revises and retracts its own, flags, uploads sources.
        Agent = "agent",
        /// Validates what others proposed, reaffirms what lost a support.
        Verifier = "verifier",
        /// Resolves, dismisses, seals, amends.
        Arbiter = "arbiter",
        /// Reads everything and replays.
        Auditor = "auditor",
        /// Declares modules and attributes, sets the policy, grants roles.
        Operator = "operator",
    }

    /// How far an assertion goes beyond its source.
    Level {
        /// A single data point.
        Data = "data",
        /// A statement.
        Statement = "statement",
        /// An inference from other assertions.
        Inference = "inference",
    }

    /// What sort of thing an assertion states.
    Kind {
        /// Something that is so.
        Fact = "fact",
        /// Something that was decided.
        Decision = "decision",
        /// Something that has to be.
        Requirement = "requirement",
        /// Something taken to be so for now.
        Assumption = "assumption",
        /// A figure that somebody estimated.
        Estimate = "estimate",
        /// Something said of the future.
        Forecast = "forecast",
    }

    /// Where a revision stands in its life.
    Status {
        /// Accepted, not yet validated.
        Proposed = "proposed",
        /// Confirmed by somebody else than its author.
        Validated = "validated",
        /// Sealed.
        Locked = "locked",
        /// Challenges what stands and waits for a resolution.
        Contested = "contested",
        /// Lost a conflict.
        Rejected = "rejected",
        /// Replaced by a later revision.
        Superseded = "superseded",
        /// Taken back by its author.
        Retracted = "retracted",
        /// Was locked, until its module went back to a snapshot from before that.
        RolledBack = "rolled_back",
    }

    /// What the board answers to a submission that was stored.
    Verdict {
        /// Stored and standing.
        Accepted = "accepted",
        /// Stored in quarantine.
        Contested = "contested",
        /// Not stored as an assertion.
        Refused = "refused",
    }

    /// Whether a quote was found in its source.
    QuoteCheck {
        /// Character by character.
        Exact = "exact",
        /// Up to Unicode normal form, white space and line breaks.
        Normalised = "normalised",
        /// It could not be checked.
        Unverified = "unverified",
    }

    /// The type of an attribute's values.
    ValueType {
        /// An exact decimal.
        Decimal = "decimal",
        /// Free text.
        Text = "text",
        /// True or false.
        Boolean = "boolean",
        /// An ISO 8601 date.
        Date = "date",
        /// A range of decimals.
        Range = "range",
        /// One word of a closed list.
        Enum = "enum",
    }

    /// What becomes of a submission while an authority cannot be asked.
    WhenUnavailable {
        /// It goes on, and its author is told.
        Note = "note",
        /// It is not processed.
        Refuse = "refuse",
    }

    /// By what a board decides a conflict by itself.
    Rule {
        /// The side that quotes the source of the higher rank.
        Authority = "authority",
        /// The side that holds from a later day, else the one with the later source.
        Recency = "recency",
        /// The side with more distinct sources in which its quotes were found.
        FurtherSource = "further source",
        /// No side: the conflict waits for an arbiter.
        Arbiter = "arbiter",
    }

    /// What a rule measures.
    Measure {
        /// The highest rank of a source quoted.
        Rank = "rank",
        /// The day from which the assertion holds.
        ValidTime = "valid time",
        /// The day of the latest source quoted.
        SourceDate = "source date",
        /// The number of distinct sources quoted.
        Sources = "sources",
    }

    /// Where a conflict stands in its life.
    ConflictState {
        /// Waits for a resolution.
        Open = "open",
        /// Decided for one side.
        Resolved = "resolved",
        /// Found to be none.
        Dismissed = "dismissed",
    }
}

impl Status {
    /// Says whether a revision of this status is in force.
    pub fn stands(self) -> bool {
        matches!(self, Self::Proposed | Self::Validated | Self::Locked)
    }

    /// The statuses a revision can go to from here, and by which act.
    pub fn legal_transitions(self) -> &'static str {
        match self {
            Self::Proposed => "validate, revise, retract, or lose a conflict",
            Self::Validated => "seal, revise, retract, or lose a conflict",
            Self::Locked => "amend, roll its module back, or flag it as a potential issue",
            Self::Contested => "resolve or dismiss its conflicts, or retract it",
            Self::Rejected | Self::Superseded | Self::Retracted | Self::RolledBack => {
                "none; submit a new revision or assertion"
            }
        }
    }
}

/// What a conflict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConflictCause {
    /// A finding of the checker.
    Finding(FindingKind),
    /// The module belongs to somebody else, who has to agree.
    Ownership,
    /// It replaces an assertion of another principal.
    Replacement,
    /// It rewords what its author was refused before.
    Rewording,
}

/// The settings of a board that decide verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The score from which a scored finding contests.
    pub conflict: Score,
    /// The score from which a finding is noted.
    pub note: Score,
}

impl Default for Policy {
    /// What is shipped, chosen for few false alarms: a scored finding contests from 0.6 and is noted
    /// from 0.35, as in the checker's own thresholds.
    fn default() -> Self {
        Self {
            conflict: Score::clamped(6_000),
            note: Score::clamped(3_500),
        }
    }
}
