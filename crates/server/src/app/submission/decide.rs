//! Under the board's lock: what changed since the check is compared too, then each item is decided
//! with the items before it in mind.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use pawl_ledger::{
    board::Board,
    command::{Context, PairFinding, Proposal, Report},
    decide::{Decision, Denied, Pending, Reason, decide_submission},
    digest::Words,
    id::{Position, RevisionId},
    status::Verdict,
};

use super::{
    Stored,
    check::{Checked, CheckedItem, Compared, compare, compare_late},
    draft::SupportDraft,
    prepare::Prepared,
    record::{self, Told},
    references::{self, ComparedReference, with_answers, with_tables},
    rewording,
};
use crate::app::{
    App,
    error::AppError,
    judge::{Judge, LoadError},
    quotas::{Left, refusal_unrecorded},
    sources::day_of,
};

/// What was decided of one item, with what decided it.
#[derive(Debug)]
pub(super) struct DecidedItem {
    pub(super) decision: Result<Decision, Denied>,
    pub(super) compared: BTreeMap<RevisionId, Arc<Compared>>,
    /// What is said of it.
    pub(super) told: Vec<Told>,
    pub(super) references: Vec<ComparedReference>,
    pub(super) check: Option<Words>,
}

impl DecidedItem {
    pub(super) fn is_accepted(&self) -> bool {
        self.decision
            .as_ref()
            .is_ok_and(|decision| decision.verdict == Verdict::Accepted)
    }

    fn failed(error: Denied) -> Self {
        Self {
            decision: Err(error),
            compared: BTreeMap::new(),
            told: Vec::new(),
            references: Vec::new(),
            check: None,
        }
    }
}

/// How a batch is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// What its author had read up to; none: the present.
    pub(super) base: Option<Position>,
    /// Only verdicts are asked for.
    pub(super) asking: bool,
    /// How many refusals are recorded, where anything is.
    pub(super) refusals_left: Option<Left>,
}

/// Decides a batch. Changes nothing.
pub(super) fn decide_batch(
    board: &Board,
    judge: &Judge,
    context: &Context,
    prepared: &[Result<Prepared, Denied>],
    checked: &Checked,
    batch: &Asked,
    app: &App,
) -> Result<Vec<DecidedItem>, AppError> {
    let late = late_changes(board, checked.position);
    let mut pending = if batch.asking {
        Pending::asking()
    } else {
        Pending::default()
    };
    let mut stored: Stored = Vec::new();
    let mut refused = 0;
    let mut decided = Vec::with_capacity(prepared.len());
    for (place, (item, checked_item)) in prepared.iter().zip(&checked.items).enumerate() {
        let item = match item {
            Ok(item) => item,
            Err(error) => {
                decided.push(DecidedItem::failed(error.clone()));
                stored.push(None);
                continue;
            }
        };
        let compared = compared_now(board, judge, item, checked_item, late.as_ref(), &stored)?;
        let references = references_now(board, judge, item, checked_item, checked);
        let mut report = report(board, judge, context, prepared, item, &compared, &stored)?;
        (report.references, report.answers) = references::report(&references);
        let position = checked.position;
        let told = record::strongest(&judge.vocabulary, board.policy, &item.known, &compared);
        let check =
            record::check_record(board, judge, position, item, &compared, &told, &references)?;
        let outcome = supports(item, &stored, place).and_then(|supports| {
            let proposal = as_proposal(item, supports, batch.base, &check, report);
            let before = pending.clone();
            let decision = decide_submission(board, context, &proposal, &mut pending)
                .map_err(|denied| with_missed_facts(denied, judge))?;
            refused += u64::from(decision.verdict == Verdict::Refused);
            match batch.refusals_left {
                // As if it had not been there: later items are not numbered after it.
                Some(left) if decision.verdict == Verdict::Refused && refused > left.now => {
                    pending = before;
                    let quotas = app.quotas(board);
                    Err(refusal_unrecorded(&context.principal, quotas, left))
                }
                _ => Ok(decision),
            }
        });
        let revision = outcome
            .as_ref()
            .ok()
            .filter(|it| !it.corroborated)
            .and_then(|it| it.revision);
        stored.push(revision);
        decided.push(DecidedItem {
            decision: outcome,
            compared,
            told,
            references,
            check: Some(check),
        });
    }
    Ok(decided)
}

/// Tells an author who missed something what it says.
fn with_missed_facts(denied: Denied, judge: &Judge) -> Denied {
    let missed = denied.metadata.iter().find(|(name, _)| *name == "missed");
    let Some((_, missed)) = missed.filter(|_| denied.reason == Reason::StaleBase) else {
        return denied;
    };
    let facts: Vec<String> = missed
        .split(',')
        .filter_map(|id| {
            // Where one cannot be read, its id has to do.
            let known = judge.known(id.parse().ok()?).ok()??;
            Some(format!("{id}: {}", known.statement.content()))
        })
        .collect();
    denied.with("facts", facts.join("\n"))
}

/// What has come into force since the check; none where the whole board has to be looked at again.
fn late_changes(board: &Board, checked: Position) -> Option<BTreeSet<RevisionId>> {
    if board.rules_changed >= checked {
        None
    } else {
        board.changed_since(checked)
    }
}

/// The rows and answers an item was compared with, as of now: tables that were mounted since the
/// check are looked in too.
fn references_now(
    board: &Board,
    judge: &Judge,
    item: &Prepared,
    checked_item: &CheckedItem,
    checked: &Checked,
) -> Vec<ComparedReference> {
    let same = Arc::ptr_eq(&judge.tables, &checked.tables)
        && Arc::ptr_eq(&judge.vocabulary, &checked.vocabulary);
    let mut compared = if same {
        checked_item.rows.clone()
    } else {
        with_tables(&judge.tables, &item.known.statement, &judge.vocabulary)
    };
    compared.extend(with_answers(board, judge, item));
    compared
}

/// Everything an item was compared with, as of now.
fn compared_now(
    board: &Board,
    judge: &Judge,
    item: &Prepared,
    checked: &CheckedItem,
    late: Option<&BTreeSet<RevisionId>>,
    stored: &Stored,
) -> Result<BTreeMap<RevisionId, Arc<Compared>>, LoadError> {
    let mut compared = BTreeMap::new();
    if let Some(late) = late {
        compared = checked.compared.clone();
        for id in late.iter().filter(|id| !checked.compared.contains_key(id)) {
            let standing = judge.known(*id)?;
            let with = standing.and_then(|it| compare_late(&judge.vocabulary, &item.known, &it));
            compared.extend(with.map(|it| (*id, Arc::new(it))));
        }
    } else {
        for (id, standing) in judge.likely(&item.known)? {
            let with = compare(&judge.vocabulary, &item.known, &standing);
            compared.insert(id, Arc::new(with));
        }
    }
    compared.retain(|id, _| {
        board
            .revision(*id)
            .is_some_and(|state| state.status.stands())
    });
    compared.extend(
        checked
            .in_batch
            .iter()
            .filter_map(|(place, earlier)| Some(((*stored.get(*place)?)?, earlier.clone()))),
    );
    Ok(compared)
}

fn report(
    board: &Board,
    judge: &Judge,
    context: &Context,
    prepared: &[Result<Prepared, Denied>],
    item: &Prepared,
    compared: &BTreeMap<RevisionId, Arc<Compared>>,
    stored: &Stored,
) -> Result<Report, LoadError> {
    let findings = compared.iter().flat_map(|(standing, pair)| {
        pair.findings.iter().map(|(kind, score)| PairFinding {
            standing: *standing,
            kind: *kind,
            score: *score,
        })
    });
    Ok(Report {
        same: same(board, judge, prepared, item, stored)?,
        findings: findings.collect(),
        same_key: judge.same_key(&item.known),
        repeats: rewording::repeats(judge, context, &item.known),
        ..Report::default()
    })
}

/// The revision that says the same word for word, on the board or earlier in the batch. The same
/// words with another claim are another assertion: the claims are compared like any.
fn same(
    board: &Board,
    judge: &Judge,
    prepared: &[Result<Prepared, Denied>],
    item: &Prepared,
    stored: &Stored,
) -> Result<Option<RevisionId>, LoadError> {
    let stands = |id: &RevisionId| board.revision(*id).is_some_and(|it| it.status.stands());
    let on_board = judge
        .same(&item.draft.module, &item.known)?
        .into_iter()
        .filter(|same| board.revision(*same).is_some() && item.draft.replaces != Some(*same))
        .min_by_key(|same| !stands(same));
    Ok(on_board.or_else(|| {
        prepared.iter().zip(stored).find_map(|(other, revision)| {
            let other = other.as_ref().ok()?;
            let same =
                other.draft.module == item.draft.module && other.known.says_all_of(&item.known);
            same.then_some((*revision)?)
        })
    }))
}

/// The supports of an item; those named by their place in the batch have to come before it.
fn supports(item: &Prepared, stored: &Stored, place: usize) -> Result<Vec<RevisionId>, Denied> {
    item.draft
        .supports
        .iter()
        .map(|support| match support {
            SupportDraft::Revision(revision) => Ok(*revision),
            SupportDraft::Item(other) if *other >= place => Err(Denied::new(
                Reason::SupportCycle,
                format!("item `#{place}` rests on `#{other}`; an item rests on items before it"),
            )
            .with("support", format!("#{other}"))),
            SupportDraft::Item(other) => stored.get(*other).copied().flatten().ok_or_else(|| {
                Denied::new(
                    Reason::SupportNotStanding,
                    format!("item `#{other}` was not stored and supports nothing"),
                )
                .with("support", format!("#{other}"))
            }),
        })
        .collect()
}

/// What is proposed by an item, with what was found of it.
pub(super) fn as_proposal(
    item: &Prepared,
    supports: Vec<RevisionId>,
    base: Option<Position>,
    check: &Words,
    report: Report,
) -> Proposal {
    Proposal {
        module: item.draft.module.clone(),
        level: item.draft.level,
        kind: item.draft.kind,
        confidence: item.draft.confidence,
        content: item.content,
        words: item.submission_words,
        citations: item.citations.clone(),
        supports,
        replaces: item.draft.replaces,
        attribute: item.attribute.clone(),
        base,
        check: check.commitment(),
        report,
        valid_from: day_of(&item.draft.valid_from),
    }
}
