//! An amendment: checked like a submission, but for the revision it replaces.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::vocabulary::Vocabulary;
use pawl_ledger::{
    command::{Command, PairFinding, Proposal, Report},
    decide::{Denied, Reason, decide},
    digest::{Commitment, Digest, Words},
    event::{Citation, Event, Recorded},
    finding::Score,
    id::{Position, RevisionId},
    ledger::Transaction,
};
use prost::Message;

use super::{
    Draft, ReportedFinding, SupportDraft, blocking,
    check::{Compared, compare},
    decide::as_proposal,
    outcome::{Standing, is_conflict},
    prepare::{Prepared, cite, keep, prepare},
    record::{Told, check_record, strongest},
    references::{self, with_tables},
};
use crate::{
    app::{
        self, App,
        boards::{LiveBoard, Repeat},
        error::AppError,
        judge::{Judge, LoadError},
        settling,
        sources::CitationDraft,
    },
    auth::Caller,
};

/// What is asked for.
#[derive(Debug)]
pub struct Amendment {
    /// The locked revision.
    pub old: RevisionId,
    /// What takes its place.
    pub draft: Draft,
    /// Why.
    pub reason: String,
    /// What it rests on besides the draft's citations.
    pub evidence: Vec<CitationDraft>,
    /// What its author had read up to.
    pub base: Option<Position>,
}

/// What an amendment made.
#[derive(Debug)]
pub struct Amended {
    /// The new revision.
    pub revision: RevisionId,
    /// The new snapshot.
    pub snapshot: Digest,
    /// What rested on the old revision.
    pub support_lost: Vec<RevisionId>,
    /// What the checker found against everything but the old revision.
    pub findings: Vec<ReportedFinding>,
}

/// An amendment with its quotes looked up and its text parsed.
struct Ready {
    old: RevisionId,
    item: Prepared,
    /// What its text was understood by.
    vocabulary: Arc<Vocabulary>,
    base: Option<Position>,
    reason: Commitment,
    evidence: Vec<Citation>,
    words: BTreeMap<Commitment, Words>,
}

impl App {
    /// Amends a locked revision.
    pub async fn amend<A: Message + Default>(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        repeat: Option<Repeat>,
        amendment: Amendment,
        answer: impl FnOnce(&Amended) -> A,
    ) -> Result<A, AppError> {
        let ready = self.ready(live, amendment).await?;
        let done = self.execute(live, caller, repeat, |transaction| {
            Ok(answer(&self.write_amendment(transaction, live, ready)?))
        });
        Ok(done.await?.answer)
    }

    async fn ready(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        amendment: Amendment,
    ) -> Result<Ready, AppError> {
        let Amendment {
            old,
            draft,
            reason,
            evidence,
            base,
        } = amendment;
        if let Some(place) = draft.supports.iter().find_map(SupportDraft::item) {
            return Err(Denied::new(
                Reason::FieldInvalid,
                format!("field `supports`: `#{place}` names an item of a batch; name a revision"),
            )
            .with("field", "supports")
            .with("value", format!("#{place}"))
            .into());
        }
        let (app, board) = (self.clone(), live.clone());
        let prepared = blocking(move || {
            let cited = cite(&app, &board, &draft.citations)?;
            let evidence = cite(&app, &board, &evidence)?;
            let vocabulary = board.judge.read().vocabulary.clone();
            let prepared = prepare(&app, &board, vec![Ok((draft, cited))], &vocabulary)?;
            Ok((prepared, evidence, vocabulary))
        });
        let missing = || Err(AppError::Internal("an amendment without its draft".into()));
        let (mut prepared, evidence, vocabulary) = prepared.await?;
        let item = prepared.pop().map_or_else(missing, |item| Ok(item?))?;
        let mut words = item.words.clone();
        for quote in evidence.words {
            keep(&mut words, quote);
        }
        let reason = keep(&mut words, app::words(reason.into_bytes())?);
        Ok(Ready {
            old,
            item,
            vocabulary,
            base,
            reason,
            evidence: evidence.citations,
            words,
        })
    }

    fn write_amendment(
        &self,
        transaction: &mut Transaction<'_>,
        live: &LiveBoard,
        ready: Ready,
    ) -> Result<Amended, AppError> {
        let Ready {
            old,
            mut item,
            vocabulary,
            base,
            reason,
            evidence,
            mut words,
        } = ready;
        let mut judge = live.judge.write();
        let board = transaction.board();
        if !Arc::ptr_eq(&vocabulary, &judge.vocabulary) {
            item.understand(board, &judge.vocabulary);
        }
        let (since, policy) = (board.position(), board.policy);
        let compared = compared(&judge, &item, old)?;
        let rows = with_tables(&judge.tables, &item.known.statement, &judge.vocabulary);
        let told = strongest(&judge.vocabulary, policy, &item.known, &compared);
        let check = check_record(board, &judge, since, &item, &compared, &told, &rows)?;
        let mut proposal = proposal(&item, base, &check, &compared);
        (proposal.report.references, _) = references::report(&rows);
        let command = Command::Amend {
            old,
            proposal: Box::new(proposal),
            reason,
            evidence,
        };
        let events = decide(board, transaction.context(), &command)?;
        let dependents = board.all_dependents(old);
        keep(&mut words, check);
        let findings = findings(policy.conflict, &compared, told);
        self.keep_vector(transaction, &item);
        let (revision, snapshot) = made(transaction.apply(events, &words)?)?;
        judge.learn(transaction, revision, item.known.clone());
        settling::follow(transaction, &mut judge, since)?;
        let lost = |id: &RevisionId| {
            transaction
                .board()
                .revision(*id)
                .is_some_and(|it| it.support_lost.is_some())
        };
        Ok(Amended {
            revision,
            snapshot,
            support_lost: dependents.into_iter().filter(lost).collect(),
            findings,
        })
    }
}

fn compared(
    judge: &Judge,
    item: &Prepared,
    old: RevisionId,
) -> Result<BTreeMap<RevisionId, Arc<Compared>>, LoadError> {
    let standing = judge.likely(&item.known)?.into_iter();
    let others = standing.filter(|(id, _)| *id != old);
    Ok(others
        .map(|(id, standing)| {
            (
                id,
                Arc::new(compare(&judge.vocabulary, &item.known, &standing)),
            )
        })
        .collect())
}

fn proposal(
    item: &Prepared,
    base: Option<Position>,
    check: &Words,
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
) -> Proposal {
    let supports = item
        .draft
        .supports
        .iter()
        .filter_map(|support| match support {
            SupportDraft::Revision(revision) => Some(*revision),
            SupportDraft::Item(_) => None,
        });
    let findings = compared.iter().flat_map(|(standing, pair)| {
        pair.findings.iter().map(|(kind, score)| PairFinding {
            standing: *standing,
            kind: *kind,
            score: *score,
        })
    });
    let report = Report {
        findings: findings.collect(),
        ..Report::default()
    };
    as_proposal(item, supports.collect(), base, check, report)
}

fn findings(
    conflict: Score,
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
    told: Vec<Told>,
) -> Vec<ReportedFinding> {
    let content = |id| compared.get(&id).map(|it| it.standing.statement.content());
    told.into_iter()
        .map(|(standing, judgement)| ReportedFinding {
            standing: Standing::Revision(standing),
            standing_content: content(standing).unwrap_or_default().to_owned(),
            is_conflict: is_conflict(&judgement, conflict),
            judgement,
        })
        .collect()
}

fn made(applied: &[Recorded]) -> Result<(RevisionId, Digest), AppError> {
    let revision = applied.iter().find_map(|recorded| match &recorded.event {
        Event::Amended { new, .. } => Some(*new),
        _ => None,
    });
    let snapshot = applied.iter().find_map(|recorded| match &recorded.event {
        Event::SnapshotTaken { id, .. } => Some(*id),
        _ => None,
    });
    revision
        .zip(snapshot)
        .ok_or_else(|| AppError::Internal("an amendment made no snapshot".into()))
}
