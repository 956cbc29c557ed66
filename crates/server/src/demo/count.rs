//! What the log holds, counted, and what the checker says of every pair of facts that stand.

use std::{collections::BTreeMap, sync::Arc};

use pawl_ledger::{
    event::{Event, Submitted},
    id::{BoardName, ModuleName, Position},
    log::decode,
    status::Verdict,
};
use serde::Serialize;

use super::{DemoError, act::Answer};
use crate::app::{App, error::AppError, pairs::Pairs};

/// The figures the story ends with.
#[derive(Debug, Default, Serialize)]
struct Figures {
    /// Entries of the log.
    entries: u64,
    /// What agents handed in and the board judged; what cites a quote that is not there never gets so far.
    submitted: u64,
    accepted: u64,
    contested: u64,
    refused: u64,
    /// Said again word for word.
    corroborated: u64,
    /// Conflicts that were opened, and how they ended.
    conflicts: u64,
    resolved: u64,
    dismissed: u64,
    validated: u64,
    amended: u64,
    reaffirmed: u64,
    flagged: u64,
    /// Snapshots, and the locked facts in the last one of each module.
    snapshots: u64,
    sealed: u64,
    /// Facts that stand, and pairs of them that were compared.
    standing: usize,
    pairs_compared: usize,
    /// Pairs that the checker would not let stand together.
    contradictions_let_in: usize,
    /// Which.
    contradictions: Vec<String>,
    #[serde(skip)]
    members: BTreeMap<ModuleName, u64>,
}

/// Counts.
pub(crate) async fn count(app: &Arc<App>, board: &str) -> Result<Answer, DemoError> {
    let name: BoardName = board
        .parse()
        .map_err(|_| DemoError::Nobody(board.to_owned()))?;
    let mut figures = Figures::default();
    let live = app.board(&name).await?;
    let end = live.open.state.read().position();
    for position in (0..end.0).map(Position) {
        let bytes = app.ledger.entry(live.open.number, position);
        let bytes = bytes.map_err(AppError::from)?;
        let recorded = bytes.as_deref().and_then(|bytes| decode(bytes).ok());
        let recorded = recorded
            .ok_or_else(|| AppError::Internal(format!("the entry at {position} cannot be read")))?;
        figures.add(&recorded.event);
    }
    figures.compare(&app.compare_all(&name).await?);
    Ok(Answer {
        text: figures.told(),
        value: serde_json::to_value(&figures)?,
    })
}

impl Figures {
    fn add(&mut self, event: &Event) {
        self.entries += 1;
        match event {
            Event::Submitted(submitted) => self.add_submitted(submitted),
            Event::Corroborated { .. } => {
                self.submitted += 1;
                self.corroborated += 1;
            }
            Event::Refused { .. } => {
                self.submitted += 1;
                self.refused += 1;
            }
            Event::ConflictOpened { .. } => self.conflicts += 1,
            Event::ConflictResolved { .. } => self.resolved += 1,
            Event::ConflictDismissed { .. } => self.dismissed += 1,
            Event::Validated { .. } => self.validated += 1,
            Event::Reaffirmed { .. } => self.reaffirmed += 1,
            Event::Flagged { .. } => self.flagged += 1,
            Event::Amended { .. } => {
                // The revision an amendment brings is no agent's submission.
                self.submitted -= 1;
                self.accepted -= 1;
                self.amended += 1;
            }
            Event::SnapshotTaken { snapshot, .. } => {
                self.snapshots += 1;
                let count = u64::from(snapshot.member_count);
                self.members.insert(snapshot.module.clone(), count);
                self.sealed = self.members.values().sum();
            }
            _ => {}
        }
    }

    fn add_submitted(&mut self, submitted: &Submitted) {
        self.submitted += 1;
        match submitted.verdict {
            Verdict::Contested => self.contested += 1,
            _ => self.accepted += 1,
        }
    }

    fn compare(&mut self, pairs: &Pairs) {
        self.standing = pairs.standing;
        self.pairs_compared = pairs.compared;
        self.contradictions_let_in = pairs.contradictions.len();
        self.contradictions = pairs
            .contradictions
            .iter()
            .map(|(new, old)| format!("{new} against {old}"))
            .collect();
    }

    fn told(&self) -> String {
        format!(
            "submitted               {}\n  accepted              {}\n  corroborated          {}\n  \
             contested             {}\n  refused               {}\nsealed                  {}\n\
             amended                 {}\nentries in the log      {}\nfacts that stand        {}\n\
             pairs compared          {}\ncontradictions let in   {}\n",
            self.submitted,
            self.accepted,
            self.corroborated,
            self.contested,
            self.refused,
            self.sealed,
            self.amended,
            self.entries,
            self.standing,
            self.pairs_compared,
            self.contradictions_let_in,
        )
    }
}
