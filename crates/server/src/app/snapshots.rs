//! What the checker says of revisions that snapshots hold, in force or not.

use std::{collections::BTreeMap, sync::Arc};

use pawl_ledger::{
    id::{Position, RevisionId},
    status::Policy,
};

use super::{
    App,
    boards::LiveBoard,
    error::AppError,
    judge::{self, Known},
    submission::{ReportedFinding, Standing, blocking, compare, is_conflict},
};

/// Texts by their revisions.
pub type Texts = BTreeMap<RevisionId, Arc<Known>>;

impl App {
    /// Reads the texts of revisions by the positions of their entries.
    pub async fn texts(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        positions: Vec<(RevisionId, Position)>,
    ) -> Result<Texts, AppError> {
        let (app, live) = (self.clone(), live.clone());
        blocking(move || {
            let vocabulary = live.judge.read().vocabulary.clone();
            let (number, embedder) = (live.open.number, app.embedder.as_ref());
            let texts = judge::texts_at(&app.ledger, number, embedder, &vocabulary, &positions)?;
            Ok(texts.into_iter().collect())
        })
        .await
    }
}

/// What the checker says of a revision against one that stood before it, from the score on that a
/// board notes; the strongest first.
pub fn findings_between(
    live: &LiveBoard,
    policy: Policy,
    (old, standing): (RevisionId, &Arc<Known>),
    new: &Known,
) -> Vec<ReportedFinding> {
    let vocabulary = live.judge.read().vocabulary.clone();
    let mut judgements = compare(&vocabulary, new, standing).told(&vocabulary, new);
    judgements.retain(|judgement| judgement.score >= policy.note);
    judgements.sort_by_key(|judgement| (std::cmp::Reverse(judgement.score), judgement.kind));
    let findings = judgements.into_iter().map(|judgement| ReportedFinding {
        standing: Standing::Revision(old),
        standing_content: standing.statement.content().to_owned(),
        is_conflict: is_conflict(&judgement, policy.conflict),
        judgement,
    });
    findings.collect()
}
