//! When a module may be sealed.

use serde::{Deserialize, Serialize};

use crate::finding::Score;

/// The condition under which a module may be sealed; confidence alone never seals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealPolicy {
    /// Every member has been validated by another principal.
    pub validated: bool,
    /// The least confidence of every member.
    pub confidence: Score,
    /// The least share of the expected attributes that are present.
    pub completeness: Score,
    /// No change of the module in this many last submissions to the board; 0: no condition.
    pub stable_submissions: u32,
    /// No change of the module for this many seconds; 0: no condition.
    pub stable_seconds: u32,
    /// Seal as soon as the conditions hold, in this mode.
    pub automatic: Option<SealMode>,
}

impl Default for SealPolicy {
    fn default() -> Self {
        Self {
            validated: true,
            confidence: Score::clamped(9_000),
            completeness: Score::clamped(8_000),
            stable_submissions: 0,
            stable_seconds: 0,
            automatic: None,
        }
    }
}

/// How a lock can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SealMode {
    /// By an amendment or a rollback only.
    Hard,
    /// Also by a challenger with strictly more distinct verified sources, recorded as an amendment.
    Soft,
}

/// What a module measured when its seal was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealFigures {
    /// Members that would be sealed.
    pub members: u32,
    /// Of these, validated or locked.
    pub validated: u32,
    /// The least confidence among them.
    pub least_confidence: Score,
    /// The share of the expected attributes present.
    pub completeness: Score,
    /// Challengers left out.
    pub challengers_left_out: u32,
}
