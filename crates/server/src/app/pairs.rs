//! Every pair of standing facts, compared: the check of the check, which trusts no index.

use std::sync::Arc;

use pawl_ledger::{
    board::Board,
    event::Challenger,
    finding::Certainty,
    id::{BoardName, RevisionId},
    status::ConflictState,
};

use super::{App, error::AppError};

/// What comparing every pair gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// How many revisions stand.
    pub standing: usize,
    /// How many pairs of them were compared.
    pub compared: usize,
    /// The pairs that the checker would not let stand together, and no arbiter said may.
    pub contradictions: Vec<(RevisionId, RevisionId)>,
}

impl App {
    /// Compares every pair of standing revisions of a board, the later with the earlier.
    ///
    /// A pair counts where an exact finding is made, or a scored one at the board's threshold or over
    /// it, unless an arbiter dismissed a conflict of the two. Quadratic, under the board's lock: for
    /// boards of hundreds, not of millions.
    pub async fn compare_all(self: &Arc<Self>, name: &BoardName) -> Result<Pairs, AppError> {
        let live = self.board(name).await?;
        let board = live.open.state.read();
        let judge = live.judge.read();
        let mut standing = Vec::new();
        for (id, revision) in board.revisions().filter(|(_, it)| it.status.stands()) {
            let known = judge.known(id)?;
            standing.extend(known.map(|known| (id, revision.position, known)));
        }
        let mut pairs = Pairs {
            standing: standing.len(),
            ..Pairs::default()
        };
        for (new, position, text) in &standing {
            let earlier = standing.iter().filter(|(_, other, _)| other < position);
            for (old, _, known) in earlier {
                pairs.compared += 1;
                let (_, cosine) = text.likeness(known);
                let comparison = pawl_checker::compare::compare(
                    &text.statement,
                    &known.statement,
                    cosine,
                    &judge.vocabulary,
                );
                let contradicts = comparison.findings.iter().any(|judgement| {
                    judgement.kind.certainty() == Certainty::Exact
                        || judgement.score >= board.policy.conflict
                });
                if contradicts && !dismissed(&board, *new, *old) {
                    pairs.contradictions.push((*new, *old));
                }
            }
        }
        Ok(pairs)
    }
}

fn dismissed(board: &Board, new: RevisionId, old: RevisionId) -> bool {
    let pair = (Challenger::Revision(new), Some(old));
    board.conflicts.iter().any(|conflict| {
        conflict.state == ConflictState::Dismissed
            && (conflict.challenger, conflict.standing) == pair
    })
}
