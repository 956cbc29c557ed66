//! The enums of the API as words of the command line.

use clap::ValueEnum;
use pawl_proto::v1;

/// What a principal may do on a board.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Reads, briefs, watches and checks.
    Reader,
    /// Submits, revises, flags, uploads.
    Agent,
    /// Validates and reaffirms what others proposed.
    Verifier,
    /// Resolves conflicts, seals, amends.
    Arbiter,
    /// Reads everything and replays.
    Auditor,
    /// Declares modules and attributes, sets the policy, grants roles.
    Operator,
}

impl From<Role> for v1::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Reader => Self::Reader,
            Role::Agent => Self::Agent,
            Role::Verifier => Self::Verifier,
            Role::Arbiter => Self::Arbiter,
            Role::Auditor => Self::Auditor,
            Role::Operator => Self::Operator,
        }
    }
}

/// Where a revision stands in its life.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Status {
    Proposed,
    Validated,
    Locked,
    Contested,
    Rejected,
    Superseded,
    Retracted,
    RolledBack,
}

impl From<Status> for v1::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Proposed => Self::Proposed,
            Status::Validated => Self::Validated,
            Status::Locked => Self::Locked,
            Status::Contested => Self::Contested,
            Status::Rejected => Self::Rejected,
            Status::Superseded => Self::Superseded,
            Status::Retracted => Self::Retracted,
            Status::RolledBack => Self::RolledBack,
        }
    }
}

/// How far an assertion goes beyond its source.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Level {
    /// A single data point.
    Data,
    /// A statement.
    Statement,
    /// An inference; names its supports.
    Inference,
}

impl From<Level> for v1::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Data => Self::Data,
            Level::Statement => Self::Statement,
            Level::Inference => Self::Inference,
        }
    }
}

/// What sort of thing an assertion states.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Something that is so.
    Fact,
    /// Something that was decided.
    Decision,
    /// Something that has to be.
    Requirement,
    /// Something taken to be so for now.
    Assumption,
    /// A figure that somebody estimated.
    Estimate,
    /// Something said of the future.
    Forecast,
}

impl From<Kind> for v1::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Fact => Self::Fact,
            Kind::Decision => Self::Decision,
            Kind::Requirement => Self::Requirement,
            Kind::Assumption => Self::Assumption,
            Kind::Estimate => Self::Estimate,
            Kind::Forecast => Self::Forecast,
        }
    }
}

/// How firmly a seal holds.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Mode {
    /// Ends only by an amendment or a rollback.
    Hard,
    /// A challenger with strictly more distinct verified sources wins.
    Soft,
}

impl From<Mode> for v1::SealMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hard => Self::Hard,
            Mode::Soft => Self::Soft,
        }
    }
}

/// The type of an attribute's values.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum ValueType {
    /// An exact decimal.
    Decimal,
    /// Free text.
    Text,
    /// True or false.
    Boolean,
    /// An ISO 8601 year, month or day.
    Date,
    /// A range of decimals.
    Range,
    /// One word of a closed list.
    Enum,
}

impl From<ValueType> for v1::ValueType {
    fn from(value_type: ValueType) -> Self {
        match value_type {
            ValueType::Decimal => Self::Decimal,
            ValueType::Text => Self::Text,
            ValueType::Boolean => Self::Boolean,
            ValueType::Date => Self::Date,
            ValueType::Range => Self::Range,
            ValueType::Enum => Self::Enum,
        }
    }
}
