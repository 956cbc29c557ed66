//! The checker's index of one board.

use pawl_checker::embedder::Embedder;
use pawl_ledger::ledger::{Ledger, OpenBoard};

use super::error::AppError;

/// What the checker holds of a board.
#[derive(Debug)]
pub struct Judge;

impl Judge {
    /// Builds it from what the board holds.
    pub fn load(
        _ledger: &Ledger,
        _open: &OpenBoard,
        _embedder: Option<&Embedder>,
    ) -> Result<Self, AppError> {
        Ok(Self)
    }
}
