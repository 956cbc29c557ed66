//! Documents on the wire.

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::{
    document::{Kind, MAX_BYTES, Passage},
    quote::MediaType,
};
use pawl_ledger::{id::BoardName, log::wire::WireEnum};
use pawl_proto::v1::{self as proto, document_service_server::DocumentService};
use tonic::{Request, Response, Status};

use super::{live, names::full, parse, verdicts};
use crate::{
    app::{
        App,
        documents::{BackedBy, CheckedDocument, Standing, TracedPassage},
        error::AppError,
        text,
    },
    auth::Caller,
};

/// The door to the checking of documents.
pub(super) struct Documents(pub(super) Arc<App>);

#[tonic::async_trait]
impl DocumentService for Documents {
    async fn check_document(
        &self,
        request: Request<proto::CheckDocumentRequest>,
    ) -> Result<Response<proto::CheckDocumentResponse>, Status> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(check(&self.0, &caller, request).await?))
    }
}

async fn check(
    app: &Arc<App>,
    caller: &Caller,
    request: proto::CheckDocumentRequest,
) -> Result<proto::CheckDocumentResponse, AppError> {
    let live = live(app, caller, &request.board).await?;
    let modules = parse::ids("modules", &request.modules)?;
    // The text stays as it is, since places in it are told.
    text::accept_some("text", &request.text, MAX_BYTES)?;
    let media_type = match request.media_type.as_str() {
        "" => MediaType::Markdown,
        named => MediaType::parse(named),
    };
    let source = request.text.clone();
    let checked = app
        .check_document(&live, caller, (request.text, media_type), &modules)
        .await?;
    Ok(response(Some(&live.name), &source, &checked))
}

/// Writes what was found in a text that was checked against itself only.
pub(crate) fn alone(source: &str, checked: &CheckedDocument) -> proto::CheckDocumentResponse {
    response(None, source, checked)
}

fn response(
    board: Option<&BoardName>,
    source: &str,
    checked: &CheckedDocument,
) -> proto::CheckDocumentResponse {
    let places = Places::of(source);
    let passages = checked.document.passages.iter();
    let statements = passages
        .zip(&checked.traced)
        .map(|(passage, traced)| proto::DocumentStatement {
            standing: standing(traced.standing).into(),
            ..match board {
                Some(board) => traced_statement(board, &places, passage, traced),
                None => proto::DocumentStatement {
                    notes: traced.notes.clone(),
                    ..statement(&places, passage)
                },
            }
        })
        .collect();
    proto::CheckDocumentResponse {
        position: checked.position.0,
        statements,
        self_contradictions: self_contradictions(checked),
        summary: Some(summary(checked)),
        with_model: checked.with_model,
    }
}

fn statement(places: &Places<'_>, passage: &Passage) -> proto::DocumentStatement {
    proto::DocumentStatement {
        range: Some(places.range(passage)),
        text: passage.text.clone(),
        compared: passage.compared.clone(),
        kind: kind(passage.kind).into(),
        headings: passage.headings.clone(),
        ..Default::default()
    }
}

fn traced_statement(
    board: &BoardName,
    places: &Places<'_>,
    passage: &Passage,
    traced: &TracedPassage,
) -> proto::DocumentStatement {
    let named = |id| full(board, "assertions", id);
    let superseded = traced.superseded.as_ref();
    let findings = traced.findings.iter();
    proto::DocumentStatement {
        backing: traced.backing.iter().map(|by| backing(board, by)).collect(),
        bare_figures: traced.bare_figures.clone(),
        findings: findings.map(|it| verdicts::finding(board, it)).collect(),
        superseded: superseded.map(|(id, content, by)| proto::Superseded {
            assertion: named(*id),
            content: content.clone(),
            replaced_by: named(*by),
        }),
        notes: traced.notes.clone(),
        ..statement(places, passage)
    }
}

fn backing(board: &BoardName, by: &BackedBy) -> proto::Backing {
    proto::Backing {
        assertion: full(board, "assertions", by.revision),
        content: by.content.clone(),
        status: by.status.to_wire(),
        same: by.is_same,
        coverage: u32::from(by.coverage_percent) * 100,
        similarity: by.cosine.map(i32::from),
        figures: by.figures.clone(),
        challenged: by.challenged,
        support_lost: by.support_lost,
    }
}

fn self_contradictions(checked: &CheckedDocument) -> Vec<proto::SelfContradiction> {
    let earlier = |place: usize| {
        let passage = checked.document.passages.get(place);
        passage.map(|it| it.compared.clone()).unwrap_or_default()
    };
    let found = checked.contradictions.iter();
    found
        .map(|it| proto::SelfContradiction {
            first: number(it.first),
            second: number(it.second),
            finding: Some(proto::Finding {
                standing: String::new(),
                standing_content: earlier(it.first),
                ..verdicts::judgement(&it.judgement)
            }),
        })
        .collect()
}

fn summary(checked: &CheckedDocument) -> proto::DocumentSummary {
    let count = |standing| {
        let traced = checked.traced.iter();
        number(traced.filter(|it| it.standing == standing).count())
    };
    let passages = checked.document.passages.iter();
    proto::DocumentSummary {
        statements: number(checked.traced.len()),
        backed: count(Standing::Backed),
        partly_backed: count(Standing::PartlyBacked),
        unbacked: count(Standing::Unbacked),
        contradicted: count(Standing::Contradicted),
        outdated: count(Standing::Outdated),
        not_claims: count(Standing::NotAClaim),
        self_contradictions: number(checked.contradictions.len()),
        not_compared: number(passages.filter(|it| it.is_not_compared()).count()),
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn kind(kind: Kind) -> proto::StatementKind {
    match kind {
        Kind::Sentence => proto::StatementKind::Sentence,
        Kind::Item => proto::StatementKind::Item,
        Kind::Cell => proto::StatementKind::Cell,
        Kind::Quote => proto::StatementKind::Quote,
    }
}

fn standing(standing: Standing) -> proto::Standing {
    match standing {
        Standing::NotTraced => proto::Standing::Unspecified,
        Standing::Backed => proto::Standing::Backed,
        Standing::PartlyBacked => proto::Standing::PartlyBacked,
        Standing::Unbacked => proto::Standing::Unbacked,
        Standing::Contradicted => proto::Standing::Contradicted,
        Standing::Outdated => proto::Standing::Outdated,
        Standing::NotAClaim => proto::Standing::NotAClaim,
    }
}

/// The lines of a text, so that places can be told as people count them.
struct Places<'a> {
    source: &'a str,
    /// The number of each line by its first byte.
    lines: BTreeMap<usize, usize>,
}

impl<'a> Places<'a> {
    fn of(source: &'a str) -> Self {
        let starts = source.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).zip(1..).collect();
        Self { source, lines }
    }

    fn range(&self, passage: &Passage) -> proto::TextRange {
        let start = passage.range.start;
        let (from, line) = self.lines.range(..=start).next_back().unwrap_or((&0, &1));
        let before = self.source.get(*from..start).unwrap_or_default();
        proto::TextRange {
            start: number(start),
            end: number(passage.range.end),
            line: number(*line),
            column: number(before.chars().count() + 1),
        }
    }
}
