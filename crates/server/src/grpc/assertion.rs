//! Assertions: submit, check, read, validate, flag, retract, reaffirm.

mod filter;
mod reading;
mod search;
mod submissions;

pub(super) use reading::seen;
use reading::{chain, list};
use search::search;
use submissions::{base, batch, submit, submit_intake};

use std::sync::Arc;

use pawl_checker::intake;
use pawl_ledger::{
    command::Command,
    digest::Words,
    event::Citation,
    id::{BoardName, FlagId, RevisionId},
};
use pawl_proto::v1::{self as proto, assertion_service_server::AssertionService};
use tonic::{Request, Response, Status};

use super::{
    draft::{MAX_REASON_CHARACTERS, accept_some, citations},
    live, names, parse, verdicts,
    views::Teller,
};
use crate::{
    app::{
        self, App,
        boards::{LiveBoard, Repeat, apply},
        error::AppError,
        rules, settling,
        sources::{Checked, CitationDraft},
    },
    auth::Caller,
};

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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let live = live(&self.0, &caller, &request.board).await?;
        let seen = self
            .0
            .read_as_of(&live, &caller, request.as_of, |board| {
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
        let live = live(&self.0, &caller, &request.board).await?;
        Ok(Response::new(
            list(&self.0, &caller, &live, &request).await?,
        ))
    }

    async fn search_assertions(
        &self,
        request: Request<proto::SearchAssertionsRequest>,
    ) -> Answer<proto::SearchAssertionsResponse> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        Ok(Response::new(
            search(&self.0, &caller, &live, &request).await?,
        ))
    }

    async fn get_evidence(
        &self,
        request: Request<proto::GetEvidenceRequest>,
    ) -> Answer<proto::GetEvidenceResponse> {
        let (caller, request) = parse::open(request)?;
        let live = live(&self.0, &caller, &request.board).await?;
        let chain = self
            .0
            .read_as_of(&live, &caller, request.as_of, |board| {
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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let live = live(&self.0, &caller, &request.board).await?;
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
        let Checked {
            citation, words, ..
        } = app.check_citation(live, draft).await?;
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
        if let Command::Validate { revision, .. } = &command {
            let waiting = rules::challengers_of(transaction.board(), *revision);
            settling::meet(transaction, &mut judge, &waiting)?;
        }
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
