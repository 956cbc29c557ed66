//! How each statement of a text stands to the facts it was laid beside.

use std::{cell::RefCell, cmp::Reverse, collections::HashMap, rc::Rc};

use pawl_checker::document::{Backing, Document, Passage, trace};
use pawl_ledger::{
    finding::Certainty,
    id::{Position, RevisionId},
    status::Status,
};

use super::{
    BackedBy, Moment, Standing, TracedPassage,
    gather::{Beside, Fact},
};
use crate::app::{
    App,
    boards::LiveBoard,
    error::AppError,
    judge::{self, Known},
    stop::Stop,
    submission::{self, ReportedFinding, is_conflict},
};

/// The most assertions that are told of one statement; with the findings few enough for an answer to
/// 2,000 statements to fit into one message.
const MAX_BACKING: usize = 3;
/// The most findings that are told of one statement.
const MAX_FINDINGS: usize = 4;

/// The most characters of a word that is told; Chinese text has no spaces between words.
const MAX_WORD_CHARACTERS: usize = 12;

/// Lays the statements of a text beside a board.
pub(super) struct Tracer<'a> {
    pub(super) app: &'a App,
    pub(super) live: &'a LiveBoard,
    pub(super) document: &'a Document,
    pub(super) beside: &'a Beside,
    pub(super) moment: &'a Moment,
    pub(super) stop: &'a Stop,
}

/// Superseded texts that were read.
type Replaced = RefCell<HashMap<RevisionId, Option<Rc<Known>>>>;

impl Tracer<'_> {
    /// Traces every statement.
    pub(super) fn trace_all(&self, known: &[Known]) -> Result<Vec<TracedPassage>, AppError> {
        let replaced = Replaced::default();
        let passages = self.document.passages.iter().zip(known);
        passages
            .zip(&self.beside.candidates)
            .map(|((passage, known), candidates)| {
                self.stop.check()?;
                self.trace(passage, known, candidates, &replaced)
            })
            .collect()
    }

    fn trace(
        &self,
        passage: &Passage,
        known: &Known,
        candidates: &[RevisionId],
        replaced: &Replaced,
    ) -> Result<TracedPassage, AppError> {
        if !passage.is_claim {
            return Ok(TracedPassage {
                standing: Standing::NotAClaim,
                ..TracedPassage::default()
            });
        }
        if passage.is_not_compared() {
            return Ok(not_compared(passage));
        }
        let (mut backing, mut findings) = (Vec::new(), Vec::new());
        for id in candidates {
            let Some(fact) = self.beside.facts.get(id) else {
                continue;
            };
            let (by, found) = self.beside_fact(passage, known, *id, fact);
            backing.extend(by.map(|by| (*id, fact, by)));
            findings.extend(found);
        }
        backing.sort_by_key(|(id, fact, by)| {
            let much = (by.is_same, by.figures.len(), by.coverage_percent);
            (strength(fact.status), Reverse(much), *id)
        });
        let all: Vec<&Backing> = backing.iter().map(|(_, _, by)| by).collect();
        let bare_figures = passage.bare_figures(&known.statement, &all);
        let is_whole = !all.is_empty() && bare_figures.is_empty();
        let superseded = if is_whole {
            note_scored(&mut findings);
            None
        } else {
            self.superseded(passage, known, &findings, replaced)?
        };
        let standing = match (superseded.is_some(), is_whole) {
            (true, _) => Standing::Outdated,
            _ if findings.iter().any(|it| it.is_conflict) => Standing::Contradicted,
            (_, true) => Standing::Backed,
            _ if !backing.is_empty() => Standing::PartlyBacked,
            _ => Standing::Unbacked,
        };
        findings.sort_by_key(|it| {
            (
                Reverse((it.is_conflict, it.judgement.score)),
                it.standing.revision(),
            )
        });
        findings.truncate(MAX_FINDINGS);
        let told = backing.iter().take(MAX_BACKING);
        let backing: Vec<BackedBy> = told
            .map(|(id, fact, by)| backed_by(known, *id, fact, by))
            .collect();
        Ok(TracedPassage {
            standing,
            notes: backing.iter().flat_map(notes).collect(),
            bare_figures: match standing {
                Standing::PartlyBacked => bare_figures,
                _ => Vec::new(),
            },
            backing,
            findings,
            superseded,
        })
    }

    /// Lays a statement beside one fact.
    fn beside_fact(
        &self,
        passage: &Passage,
        known: &Known,
        id: RevisionId,
        fact: &Fact,
    ) -> (Option<Backing>, Vec<ReportedFinding>) {
        let traced = self.compare(passage, known, &fact.known);
        let policy = self.moment.policy;
        let findings = traced.findings.into_iter();
        let findings = findings
            .filter(|judgement| judgement.score >= policy.note)
            .map(|judgement| ReportedFinding {
                standing: submission::Standing::Revision(id),
                standing_content: fact.known.statement.content().to_owned(),
                is_conflict: is_conflict(&judgement, policy.conflict),
                judgement,
            });
        (traced.backing, findings.collect())
    }

    fn compare(
        &self,
        passage: &Passage,
        known: &Known,
        standing: &Known,
    ) -> pawl_checker::document::Traced {
        let (_, cosine) = known.likeness(standing);
        trace(
            self.document,
            passage,
            &known.statement,
            &standing.statement,
            cosine,
            &self.moment.vocabulary,
        )
    }

    /// The superseded revision that a statement says, where it disagrees with what took its place.
    fn superseded(
        &self,
        passage: &Passage,
        known: &Known,
        findings: &[ReportedFinding],
        replaced: &Replaced,
    ) -> Result<Option<(RevisionId, String, RevisionId)>, AppError> {
        for finding in findings {
            let Some(standing) = finding.standing.revision() else {
                continue;
            };
            let Some(fact) = self.beside.facts.get(&standing) else {
                continue;
            };
            for (id, position) in &fact.predecessors {
                let Some(before) = self.read(*id, *position, replaced)? else {
                    continue;
                };
                let backing = self.compare(passage, known, &before).backing;
                if backing.is_some_and(|it| passage.is_whole(&known.statement, &[&it])) {
                    let content = before.statement.content().to_owned();
                    return Ok(Some((*id, content, standing)));
                }
            }
        }
        Ok(None)
    }

    fn read(
        &self,
        id: RevisionId,
        position: Position,
        replaced: &Replaced,
    ) -> Result<Option<Rc<Known>>, AppError> {
        if let Some(known) = replaced.borrow().get(&id) {
            return Ok(known.clone());
        }
        let known = judge::read_known(
            &self.app.ledger,
            self.live.open.number,
            position,
            self.app.embedder.as_ref(),
            &self.moment.vocabulary,
        )?;
        let known = known.map(Rc::new);
        replaced.borrow_mut().insert(id, known.clone());
        Ok(known)
    }
}

/// What is told of a statement that was compared with nothing.
pub(super) fn not_compared(passage: &Passage) -> TracedPassage {
    let word = passage.text.split_whitespace().next().unwrap_or_default();
    let word: String = word.chars().take(MAX_WORD_CHARACTERS).collect();
    TracedPassage {
        notes: vec![format!(
            "not compared: what `{word}` stands for was not found out; name it"
        )],
        ..TracedPassage::default()
    }
}

/// Makes notes of scored findings: the board holds the fact that says all of a statement beside the others.
fn note_scored(findings: &mut [ReportedFinding]) {
    for finding in findings {
        finding.is_conflict &= finding.judgement.kind.certainty() == Certainty::Exact;
    }
}

/// Locked facts come first, then validated ones.
fn strength(status: Status) -> u8 {
    match status {
        Status::Locked => 0,
        Status::Validated => 1,
        _ => 2,
    }
}

fn backed_by(known: &Known, id: RevisionId, fact: &Fact, by: &Backing) -> BackedBy {
    let content = known.statement.content();
    BackedBy {
        revision: id,
        content: fact.known.statement.content().to_owned(),
        status: fact.status,
        is_same: by.is_same,
        coverage_percent: by.coverage_percent,
        cosine: known.likeness(&fact.known).1,
        figures: by
            .figures
            .iter()
            .filter_map(|it| content.get(it.clone()))
            .map(str::to_owned)
            .collect(),
        challenged: fact.challenged,
        support_lost: fact.support_lost,
    }
}

fn notes(by: &BackedBy) -> Vec<String> {
    let revision = by.revision;
    let challenged = by
        .challenged
        .then(|| format!("`{revision}`, which bears it out, is challenged by an open conflict"));
    let lost = by
        .support_lost
        .then(|| format!("`{revision}`, which bears it out, has lost a support"));
    challenged.into_iter().chain(lost).collect()
}
