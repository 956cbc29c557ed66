//! What a submission is compared with besides revisions: rows of tables, answers of authorities.

use std::collections::BTreeMap;

use pawl_checker::{
    compare::Judgement,
    statement::Statement,
    table::{Judged, judge_row},
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    decide::Denied,
    finding::Score,
    id::{LookupId, ModuleName},
    reference::{Against, FreshAnswer, Reference, ReferenceFinding},
    status::WhenUnavailable,
};
use pawl_proto::v1 as proto;

use super::{prepare::Prepared, record::finding_record};
use crate::app::{
    App, LiveBoard,
    authorities::{self, Answer, Round, Spec},
    judge::{GivenRow, Judge, Tables},
};

/// What was compared, and what came out.
#[derive(Clone, Debug)]
pub(in crate::app) struct ComparedReference {
    pub(in crate::app) given: Given,
    /// What was found; none where the two say the same.
    pub(in crate::app) judgement: Option<Judgement>,
}

/// A row, or an answer with its place among the item's answers.
#[derive(Clone, Debug)]
pub(in crate::app) enum Given {
    Row(Box<GivenRow>),
    Answer {
        place: usize,
        answer: Box<Answer>,
        recorded: Option<LookupId>,
    },
}

impl Given {
    /// As it is told.
    pub(in crate::app) fn told(&self, board: &Board, vocabulary: &Vocabulary) -> proto::Reference {
        match self {
            Self::Row(row) => authorities::row_to_wire(&board.name, row, vocabulary),
            Self::Answer {
                answer, recorded, ..
            } => authorities::answer_to_wire(&board.name, answer, *recorded, vocabulary),
        }
    }
}

/// Compares a text with the tables.
pub(super) fn with_tables(
    tables: &Tables,
    new: &Statement,
    vocabulary: &Vocabulary,
) -> Vec<ComparedReference> {
    let judged = tables.judge(new, vocabulary).into_iter();
    judged
        .map(|(row, judged)| compared(Given::Row(Box::new(row)), judged))
        .collect()
}

/// Compares an item with what authorities answered that are still asked.
pub(super) fn with_answers(
    board: &Board,
    judge: &Judge,
    item: &Prepared,
) -> Vec<ComparedReference> {
    let answers = item.answers.iter().enumerate();
    let asked = answers.filter(|(_, it)| board.is_asked(&it.authority, it.declared));
    asked
        .filter_map(|(place, answer)| {
            let judged = judge_row(&item.known.statement, &answer.row, &judge.vocabulary)?;
            let given = Given::Answer {
                place,
                answer: Box::new(answer.clone()),
                recorded: judge.recorded(answer),
            };
            Some(compared(given, judged))
        })
        .collect()
}

fn compared(given: Given, judged: Judged) -> ComparedReference {
    let judgement = match judged {
        Judged::Agrees => None,
        Judged::Excludes(judgement) => Some(*judgement),
    };
    ComparedReference { given, judgement }
}

/// What the rules are told of it.
pub(super) fn report(compared: &[ComparedReference]) -> (Vec<ReferenceFinding>, Vec<FreshAnswer>) {
    // Only answers that were compared and are not recorded yet get an entry.
    let mut fresh: Vec<(usize, FreshAnswer)> = Vec::new();
    for it in compared {
        if let Given::Answer {
            place,
            answer,
            recorded: None,
        } = &it.given
        {
            fresh.push((
                *place,
                FreshAnswer {
                    authority: answer.authority.clone(),
                    declared: answer.declared,
                    answer: answer.words.commitment(),
                },
            ));
        }
    }
    let against = |given: &Given| match given {
        Given::Row(row) => Some(Against::Known(row.reference())),
        Given::Answer {
            recorded: Some(lookup),
            ..
        } => Some(Against::Known(Reference::Answer(*lookup))),
        Given::Answer { place, .. } => {
            let place = fresh.iter().position(|(it, _)| it == place);
            place.map(Against::Fresh)
        }
    };
    let findings = compared.iter().filter_map(|it| {
        let judgement = it.judgement.as_ref()?;
        Some(ReferenceFinding {
            against: against(&it.given)?,
            kind: judgement.kind,
            score: judgement.score,
        })
    });
    let findings = findings.collect();
    (findings, fresh.into_iter().map(|(_, it)| it).collect())
}

/// What is kept of it with the verdict.
pub(super) fn records(
    board: &Board,
    compared: &[ComparedReference],
    vocabulary: &Vocabulary,
    least: Score,
) -> Vec<proto::ReferenceRecord> {
    let kept = compared.iter().filter(|it| {
        it.judgement
            .as_ref()
            .is_none_or(|found| found.score >= least)
    });
    kept.map(|it| proto::ReferenceRecord {
        reference: Some(it.given.told(board, vocabulary)),
        agrees: it.judgement.is_none(),
        finding: it.judgement.as_ref().map(finding_record),
    })
    .collect()
}

/// Asks authorities about the claims of a batch. Blocks. An item that has to be checked with one
/// that did not answer is an error; else its author is told.
pub(super) fn ask_authorities(
    app: &App,
    live: &LiveBoard,
    vocabulary: &Vocabulary,
    prepared: &mut [Result<Prepared, Denied>],
) {
    let authorities = live.judge.read().authorities.clone();
    if authorities.is_empty() {
        return;
    }
    let mut round = Round::new(&app.client, &app.remembered);
    for item in prepared.iter_mut() {
        if let Ok(ready) = item
            && let Err(denied) = ask_about(&mut round, &authorities, vocabulary, ready)
        {
            *item = Err(denied);
        }
    }
}

fn ask_about(
    round: &mut Round<'_>,
    authorities: &BTreeMap<ModuleName, Spec>,
    vocabulary: &Vocabulary,
    item: &mut Prepared,
) -> Result<(), Denied> {
    let (Some(attribute), Some(claim)) = (&item.attribute, &item.draft.claim) else {
        return Ok(());
    };
    let asked = authorities.iter();
    for (name, spec) in asked.filter(|(_, spec)| spec.attributes.contains(attribute)) {
        match round.ask((name, spec), (&claim.subject, attribute), vocabulary) {
            Ok(answer) => item.answers.extend(answer),
            Err(why) if spec.when_unavailable == WhenUnavailable::Refuse => {
                return Err(authorities::unavailable(name, &why));
            }
            Err(why) => item
                .warnings
                .push(format!("authority `{name}` could not be asked: {why}")),
        }
    }
    Ok(())
}
