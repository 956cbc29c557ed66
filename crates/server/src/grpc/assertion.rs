//! Assertions: submit, check, read, validate, flag, retract, reaffirm.

use std::sync::Arc;

use pawl_checker::intake;
use pawl_ledger::{
    board::Board,
    command::Command,
    decide::{Denied, Reason},
    digest::Words,
    event::Citation,
    id::{BoardName, FlagId, Position, RevisionId},
    log::wire::WireEnum,
    status::Status as RevisionStatus,
};
use pawl_proto::v1::{self as proto, assertion_service_server::AssertionService};
use tonic::{Request, Response, Status};

use super::{
    draft::{MAX_REASON_CHARACTERS, accept_some, citations, draft, intake_item},
    names,
    page::{self, Page},
    parse, verdicts,
    views::{Drifted, SeenRevision, Teller},
};
use crate::{
    app::{
        self, App,
        boards::{LiveBoard, Repeat, apply},
        error::{AppError, missing},
        settling,
        sources::CitationDraft,
        submission::Batch,
    },
    auth::Caller,
};

/// The most revisions in an evidence chain.
const MAX_EVIDENCE_NODES: usize = 1_000;

/// The assertion service.
pub(super) struct Assertions(pub(super) Arc<App>);

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl AssertionService for Assertions {
    async fn submit(
        &self,
        request: Request<proto::SubmitRequest>,
    ) -> Answer<proto::SubmitResponse> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(submit(&self.0, &caller, request).await?))
    }

    async fn submit_intake(
        &self,
        request: Request<proto::SubmitIntakeRequest>,
    ) -> Answer<proto::SubmitResponse> {
        let (caller, request) = parse::open(request)?;
        Ok(Response::new(
            submit_intake(&self.0, &caller, request).await?,
        ))
    }

    async fn get_intake_schema(
        &self,
        request: Request<proto::GetIntakeSchemaRequest>,
    ) -> Answer<proto::GetIntakeSchemaResponse> {
        parse::caller(&request)?;
        let schema = intake::schema().to_owned();
        Ok(Response::new(proto::GetIntakeSchemaResponse { schema }))
    }

    async fn check(&self, request: Request<proto::CheckRequest>) -> Answer<proto::SubmitResponse> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let base = base(&live, request.base, "")?;
        let batch = batch(&self.0, &live.name, &request.items, base, false)?;
        let outcome = self.0.check(&live, &caller, batch).await?;
        Ok(Response::new(verdicts::response(&live.name, &outcome)))
    }

    async fn get_assertion(
        &self,
        request: Request<proto::GetAssertionRequest>,
    ) -> Answer<proto::Assertion> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let seen = self
            .0
            .read(&live, &caller, |board| {
                seen(
                    board,
                    names::latest_revision(board, "assertion", &request.assertion)?,
                )
            })
            .await?;
        let teller = Teller {
            app: &self.0,
            live: &live,
        };
        Ok(Response::new(teller.assertion(&seen)?))
    }

    async fn list_assertions(
        &self,
        request: Request<proto::ListAssertionsRequest>,
    ) -> Answer<proto::ListAssertionsResponse> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        Ok(Response::new(
            list(&self.0, &caller, &live, &request).await?,
        ))
    }

    async fn get_evidence(
        &self,
        request: Request<proto::GetEvidenceRequest>,
    ) -> Answer<proto::GetEvidenceResponse> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let chain = self
            .0
            .read(&live, &caller, |board| {
                let id = names::latest_revision(board, "assertion", &request.assertion)?;
                chain(board, id)
            })
            .await?;
        let teller = Teller {
            app: &self.0,
            live: &live,
        };
        let nodes = chain.iter().map(|(depth, seen)| {
            Ok(proto::EvidenceNode {
                depth: *depth,
                assertion: Some(teller.assertion(seen)?),
                validation: teller.validation(seen)?,
            })
        });
        let nodes = nodes.collect::<Result<_, AppError>>()?;
        Ok(Response::new(proto::GetEvidenceResponse { nodes }))
    }

    async fn validate(&self, request: Request<proto::ValidateRequest>) -> Answer<proto::Assertion> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let revision = names::revision(&live.name, "assertion", &request.assertion)?;
        let (evidence, words) = cite(&self.0, &live, &citations(&request.evidence)?).await?;
        let repeat = Repeat::new(&caller, "Validate", &request.request_id, &request)?;
        let command = Command::Validate { revision, evidence };
        Ok(Response::new(
            act(&self.0, &live, &caller, repeat, revision, command, words).await?,
        ))
    }

    async fn flag(&self, request: Request<proto::FlagRequest>) -> Answer<proto::FlagRecord> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let revision = names::revision(&live.name, "assertion", &request.assertion)?;
        let reason = reason(&request.reason)?;
        let (citations, mut words) = cite(&self.0, &live, &citations(&request.citations)?).await?;
        let command = Command::Flag {
            revision,
            reason: reason.commitment(),
            citations,
        };
        words.push(reason);
        let repeat = Repeat::new(&caller, "Flag", &request.request_id, &request)?;
        let done = self
            .0
            .execute(&live, &caller, repeat, |transaction| {
                apply(transaction, &command, words)?;
                let count = transaction.board().flags.len();
                let flag = FlagId(u32::try_from(count).unwrap_or(u32::MAX));
                Ok(named_flag(&live.name, flag))
            })
            .await?;
        Ok(Response::new(
            told_flag(&self.0, &live, &caller, &done.answer.name).await?,
        ))
    }

    async fn close_flag(
        &self,
        request: Request<proto::CloseFlagRequest>,
    ) -> Answer<proto::FlagRecord> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let flag = names::flag(&live.name, &request.flag)?;
        let reason = reason(&request.reason)?;
        let command = Command::CloseFlag {
            flag,
            reason: reason.commitment(),
        };
        let repeat = Repeat::new(&caller, "CloseFlag", &request.request_id, &request)?;
        let done = self
            .0
            .execute(&live, &caller, repeat, |transaction| {
                apply(transaction, &command, [reason])?;
                Ok(named_flag(&live.name, flag))
            })
            .await?;
        Ok(Response::new(
            told_flag(&self.0, &live, &caller, &done.answer.name).await?,
        ))
    }

    async fn list_flags(
        &self,
        request: Request<proto::ListFlagsRequest>,
    ) -> Answer<proto::ListFlagsResponse> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let flags = self
            .0
            .read(&live, &caller, |board| {
                let flags = (1..).map(FlagId).zip(board.flags.iter().cloned());
                Ok(flags
                    .filter(|(_, flag)| request.all || flag.closed.is_none())
                    .collect::<Vec<_>>())
            })
            .await?;
        let teller = Teller {
            app: &self.0,
            live: &live,
        };
        let flags = flags.iter().map(|(id, flag)| teller.flag(*id, flag));
        let flags = flags.collect::<Result<_, AppError>>()?;
        Ok(Response::new(proto::ListFlagsResponse { flags }))
    }

    async fn retract(&self, request: Request<proto::RetractRequest>) -> Answer<proto::Assertion> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let revision = names::revision(&live.name, "assertion", &request.assertion)?;
        let reason = reason(&request.reason)?;
        let command = Command::Retract {
            revision,
            reason: reason.commitment(),
        };
        let repeat = Repeat::new(&caller, "Retract", &request.request_id, &request)?;
        let words = vec![reason];
        Ok(Response::new(
            act(&self.0, &live, &caller, repeat, revision, command, words).await?,
        ))
    }

    async fn reaffirm(&self, request: Request<proto::ReaffirmRequest>) -> Answer<proto::Assertion> {
        let (caller, request) = parse::open(request)?;
        let live = self
            .0
            .board_for(&caller, &parse::board(&request.board)?)
            .await?;
        let revision = names::revision(&live.name, "assertion", &request.assertion)?;
        super::draft::within(
            "supports",
            request.supports.len(),
            super::draft::MAX_SUPPORTS,
        )
        .map_err(AppError::from)?;
        let supports = request.supports.iter();
        let supports = supports.map(|it| names::revision(&live.name, "supports", it));
        let supports = supports.collect::<Result<_, AppError>>()?;
        let reason = reason(&request.reason)?;
        let command = Command::Reaffirm {
            revision,
            supports,
            reason: reason.commitment(),
        };
        let repeat = Repeat::new(&caller, "Reaffirm", &request.request_id, &request)?;
        let words = vec![reason];
        Ok(Response::new(
            act(&self.0, &live, &caller, repeat, revision, command, words).await?,
        ))
    }
}

async fn submit(
    app: &Arc<App>,
    caller: &Caller,
    request: proto::SubmitRequest,
) -> Result<proto::SubmitResponse, AppError> {
    let live = app
        .board_for(caller, &parse::board(&request.board)?)
        .await?;
    let base = base(&live, request.base, &request.base_snapshot)?;
    let batch = batch(app, &live.name, &request.items, base, request.all_or_none)?;
    if request.validate_only {
        let outcome = app.check(&live, caller, batch).await?;
        return Ok(verdicts::response(&live.name, &outcome));
    }
    let repeat = Repeat::new(caller, "Submit", &request.request_id, &request)?;
    let answer = |outcome: &_| verdicts::response(&live.name, outcome);
    app.submit(&live, caller, repeat, batch, answer).await
}

async fn submit_intake(
    app: &Arc<App>,
    caller: &Caller,
    request: proto::SubmitIntakeRequest,
) -> Result<proto::SubmitResponse, AppError> {
    let live = app
        .board_for(caller, &parse::board(&request.board)?)
        .await?;
    let limits = intake::Limits {
        assertions: app.limits.batch_items,
        ..Default::default()
    };
    let document = intake::parse(&request.document, &limits).map_err(|problems| {
        let told = serde_json::to_string(&problems).unwrap_or_default();
        Denied::new(
            Reason::IntakeMalformed,
            format!("the intake document is not well formed: {problems}"),
        )
        .with("problems", told)
    })?;
    let mut items: Vec<_> = document
        .items
        .iter()
        .map(|item| intake_item(&live.name, &request.module, item))
        .collect();
    for notice in &document.notices {
        let stripped: Vec<String> = notice.stripped.iter().map(ToString::to_string).collect();
        let place = notice
            .pointer
            .split('/')
            .nth(2)
            .and_then(|place| place.parse::<usize>().ok());
        if let Some(Ok(draft)) = place.and_then(|place| items.get_mut(place)) {
            draft.warnings.push(format!(
                "invisible characters were taken out of `{}`: {}",
                notice.pointer,
                stripped.join(", ")
            ));
        }
    }
    let batch = Batch {
        items,
        base: base(&live, request.base, &request.base_snapshot)?,
        all_or_none: request.all_or_none,
    };
    if request.validate_only {
        let outcome = app.check(&live, caller, batch).await?;
        return Ok(verdicts::response(&live.name, &outcome));
    }
    let repeat = Repeat::new(caller, "SubmitIntake", &request.request_id, &request)?;
    let answer = |outcome: &_| verdicts::response(&live.name, outcome);
    app.submit(&live, caller, repeat, batch, answer).await
}

fn batch(
    app: &App,
    board: &BoardName,
    items: &[proto::Draft],
    base: Option<Position>,
    all_or_none: bool,
) -> Result<Batch, AppError> {
    let limit = app.limits.batch_items;
    if items.is_empty() {
        return Err(missing("items", "at least one assertion"));
    }
    if items.len() > limit {
        return Err(Denied::new(
            Reason::BatchTooLarge,
            format!(
                "the batch has {} items, at most {limit}; send it in parts",
                items.len()
            ),
        )
        .with("items", items.len())
        .with("limit", limit)
        .into());
    }
    Ok(Batch {
        items: items.iter().map(|item| draft(board, item)).collect(),
        base,
        all_or_none,
    })
}

/// What an author had read up to: a log position, or a snapshot, which stands for the position after
/// its entry.
fn base(
    live: &LiveBoard,
    position: Option<u64>,
    snapshot: &str,
) -> Result<Option<Position>, AppError> {
    if snapshot.is_empty() {
        return Ok(position.map(Position));
    }
    if position.is_some() {
        return Err(Denied::new(
            Reason::FieldInvalid,
            "both `base` and `base_snapshot` are given; give one of them",
        )
        .with("field", "base_snapshot")
        .into());
    }
    let digits = parse::on_board(&live.name, "snapshots", snapshot)?;
    let board = live.open.state.read();
    let node = super::seal::find(&board, digits)?;
    Ok(Some(Position(node.snapshot.position.0 + 1)))
}

/// Accepts a reason and salts it.
pub(super) fn reason(text: &str) -> Result<Words, AppError> {
    let accepted = accept_some("reason", text, MAX_REASON_CHARACTERS)?;
    app::words(accepted.text.into_bytes())
}

/// Looks citations up.
pub(super) async fn cite(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    drafts: &[CitationDraft],
) -> Result<(Vec<Citation>, Vec<Words>), AppError> {
    let mut found = (Vec::new(), Vec::new());
    for draft in drafts {
        let (citation, words) = app.check_citation(live, draft).await?;
        found.0.push(citation);
        found.1.push(words);
    }
    Ok(found)
}

/// Carries out a command on one revision and tells what became of it.
async fn act(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    caller: &Caller,
    repeat: Option<Repeat>,
    revision: RevisionId,
    command: Command,
    words: Vec<Words>,
) -> Result<proto::Assertion, AppError> {
    let done = app.execute(live, caller, repeat, |transaction| {
        let mut judge = live.judge.write();
        let since = transaction.board().position();
        apply(transaction, &command, words)?;
        settling::follow(transaction, &mut judge, since)?;
        Ok(proto::Assertion {
            name: names::full(&live.name, "assertions", revision),
            ..Default::default()
        })
    });
    done.await?;
    let seen = app
        .read(live, caller, |board| seen(board, revision))
        .await?;
    Teller { app, live }.assertion(&seen)
}

/// Takes what is needed of a revision, or says that there is none.
pub(super) fn seen(board: &Board, id: RevisionId) -> Result<SeenRevision, AppError> {
    SeenRevision::new(board, id, &Drifted::of(board)).ok_or_else(|| {
        Denied::new(
            Reason::AssertionUnknown,
            format!(
                "board `{}` has no revision `{id}`; list the board's assertions",
                board.name
            ),
        )
        .with("assertion", id)
        .into()
    })
}

async fn list(
    app: &Arc<App>,
    caller: &Caller,
    live: &Arc<LiveBoard>,
    request: &proto::ListAssertionsRequest,
) -> Result<proto::ListAssertionsResponse, AppError> {
    let mut statuses = Vec::new();
    for status in &request.statuses {
        statuses.push(RevisionStatus::from_wire(*status, "statuses")?);
    }
    let module = match request.module.as_str() {
        "" => None,
        module => Some(
            module
                .parse()
                .map_err(|e| app::error::invalid_id("module", &e))?,
        ),
    };
    let size = parse::page_items(request.page_size);
    let list = format!(
        "assertions {} {} {:?}",
        live.name, request.module, request.statuses
    );
    let after = page::parse(&list, &request.page_token)?.map(|page| page.after);
    let (found, position) = app
        .read(live, caller, |board| {
            if let Some(module) = &module
                && !board.modules.contains_key(module)
            {
                return Err(Denied::new(
                    Reason::ModuleUnknown,
                    format!(
                        "board `{}` has no module `{module}`; list the modules",
                        board.name
                    ),
                )
                .with("module", module)
                .into());
            }
            let wanted = |status: RevisionStatus| match statuses.as_slice() {
                [] => status.stands() || status == RevisionStatus::Contested,
                some => some.contains(&status),
            };
            let mut found: Vec<(Position, RevisionId)> = board
                .revisions()
                .filter(|(_, it)| after.is_none_or(|after| it.position.0 > after))
                .filter(|(_, it)| module.as_ref().is_none_or(|module| it.module == *module))
                .filter(|(_, it)| wanted(it.status))
                .map(|(id, it)| (it.position, id))
                .collect();
            found.sort_unstable();
            found.truncate(size + 1);
            let drifted = Drifted::of(board);
            let seen = found
                .iter()
                .filter_map(|(_, id)| SeenRevision::new(board, *id, &drifted));
            Ok((seen.collect::<Vec<_>>(), board.position()))
        })
        .await?;
    let teller = Teller { app, live };
    let last = found
        .get(size.saturating_sub(1))
        .filter(|_| found.len() > size);
    let next = last.map(|last| {
        page::token(
            &list,
            Page {
                view: position.0,
                after: last.state.position.0,
            },
        )
    });
    let assertions = found.iter().take(size).map(|seen| teller.assertion(seen));
    Ok(proto::ListAssertionsResponse {
        assertions: assertions.collect::<Result<_, AppError>>()?,
        next_page_token: next.unwrap_or_default(),
        position: position.0,
    })
}

/// A revision and everything it rests on, breadth first, with how far each is away.
fn chain(board: &Board, id: RevisionId) -> Result<Vec<(u32, SeenRevision)>, AppError> {
    let drifted = Drifted::of(board);
    let mut found = vec![(0, seen(board, id)?)];
    let mut next = 0;
    while let Some((depth, at)) = found.get(next) {
        let (depth, supports) = (*depth, at.state.supports.clone());
        for support in supports {
            let known = found.iter().any(|(_, other)| other.id == support);
            if !known && found.len() < MAX_EVIDENCE_NODES {
                let support = SeenRevision::new(board, support, &drifted);
                found.extend(support.map(|it| (depth + 1, it)));
            }
        }
        next += 1;
    }
    Ok(found)
}

fn named_flag(board: &BoardName, flag: FlagId) -> proto::FlagRecord {
    proto::FlagRecord {
        name: names::full(board, "flags", flag),
        ..Default::default()
    }
}

async fn told_flag(
    app: &Arc<App>,
    live: &Arc<LiveBoard>,
    caller: &Caller,
    name: &str,
) -> Result<proto::FlagRecord, AppError> {
    let flag = names::flag(&live.name, name)?;
    let state = app
        .read(live, caller, |board| Ok(board.flag(flag).cloned()))
        .await?;
    let state = state.ok_or_else(|| AppError::Internal(format!("flag `{flag}` is gone")))?;
    Teller { app, live }.flag(flag, &state)
}
