//! One call of the API: the request from the story, the answer as JSON and as a person reads it.

use pawl_proto::v1::{
    ReplayResponse, SourceEnd, SourceHeader, SubmitIntakeRequest, UploadSourceRequest,
    upload_source_request::Part,
};
use prost::Name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tonic::Request;

use super::{
    files,
    names::Names,
    short,
    story::{Call, Method},
};
use crate::cli::{
    failure::Failure, json as messages, output::Page, render, report, session::Session,
};

/// What came of something that was done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// As data.
    pub(crate) value: Value,
    /// For people.
    pub(crate) text: String,
}

/// Makes a call, or several one after the other. A failure is an answer too.
pub(crate) async fn perform(call: &Call, names: &Names, session: &Session, page: Page) -> Answer {
    let Value::Array(requests) = &call.request else {
        return one(call.method, &call.request, names, session, page).await;
    };
    let (mut values, mut text) = (Vec::new(), String::new());
    for request in requests {
        let answer = one(call.method, request, names, session, page).await;
        values.push(answer.value);
        text.push_str(&answer.text);
    }
    Answer {
        value: Value::Array(values),
        text,
    }
}

impl Answer {
    fn of<M: Name + Default>(message: &M, page: Page, render: fn(&M, Page) -> String) -> Self {
        Self {
            value: messages::from_message(message),
            text: render(&messages::harmless(message), page),
        }
    }

    /// Tells that something did not work.
    pub(crate) fn failed(failure: &Failure) -> Self {
        Self {
            value: report::as_data(failure),
            text: report::for_people(failure),
        }
    }
}

async fn one(
    method: Method,
    request: &Value,
    names: &Names,
    session: &Session,
    page: Page,
) -> Answer {
    let answer = match names.resolve(request) {
        Ok(request) => call(method, request, names, session, page).await,
        Err(unbound) => Err(Failure::Local(Box::new(unbound))),
    };
    answer.unwrap_or_else(|failure| Answer::failed(&failure))
}

/// Reads the request, makes the call and tells the answer.
macro_rules! ask {
    ($client:ident.$method:ident($request:ident), $page:ident, $render:path) => {{
        let request = Request::new(messages::to_message($request)?);
        let answer = $client.$method(request).await?.into_inner();
        Ok(Answer::of(&answer, $page, $render))
    }};
}

async fn call(
    method: Method,
    request: Value,
    names: &Names,
    session: &Session,
    page: Page,
) -> Result<Answer, Failure> {
    let request = on_board(request, session)?;
    match method {
        Method::DeclareModule | Method::DeclareAttribute => {
            let mut boards = session.boards().await?;
            match method {
                Method::DeclareModule => ask!(boards.declare_module(request), page, short::module),
                _ => ask!(boards.declare_attribute(request), page, short::attribute),
            }
        }
        Method::Upload => upload(&request, session, page).await,
        Method::SubmitIntake => submit(&request, names, session, page).await,
        Method::Replay => replay(request, session, page).await,
        Method::GetBrief => {
            let mut log = session.log().await?;
            ask!(log.get_brief(request), page, short::brief)
        }
        Method::ListConflicts | Method::Resolve | Method::Dismiss | Method::Appeal => {
            judge(method, request, session, page).await
        }
        Method::Seal => {
            let mut seals = session.seals().await?;
            ask!(seals.seal(request), page, short::snapshot)
        }
        Method::Amend => {
            let mut seals = session.seals().await?;
            ask!(seals.amend(request), page, short::amendment)
        }
        _ => assertion(method, request, session, page).await,
    }
}

async fn assertion(
    method: Method,
    request: Value,
    session: &Session,
    page: Page,
) -> Result<Answer, Failure> {
    let mut assertions = session.assertions().await?;
    match method {
        Method::Validate => ask!(assertions.validate(request), page, short::assertion),
        Method::Reaffirm => ask!(assertions.reaffirm(request), page, short::assertion),
        Method::GetEvidence => {
            ask!(
                assertions.get_evidence(request),
                page,
                render::evidence::evidence
            )
        }
        Method::Flag => ask!(assertions.flag(request), page, render::flag::flag),
        Method::CloseFlag => ask!(assertions.close_flag(request), page, render::flag::flag),
        _ => ask!(
            assertions.get_assertion(request),
            page,
            render::assertion::assertion
        ),
    }
}

async fn judge(
    method: Method,
    request: Value,
    session: &Session,
    page: Page,
) -> Result<Answer, Failure> {
    let mut conflicts = session.conflicts().await?;
    match method {
        Method::Resolve => ask!(conflicts.resolve(request), page, short::conflict),
        Method::Dismiss => ask!(conflicts.dismiss(request), page, short::conflict),
        Method::Appeal => ask!(conflicts.appeal(request), page, short::conflict),
        _ => ask!(
            conflicts.list_conflicts(request),
            page,
            render::conflict::conflicts
        ),
    }
}

async fn submit(
    request: &Value,
    names: &Names,
    session: &Session,
    page: Page,
) -> Result<Answer, Failure> {
    let document = files::document(text_of(request, "document")?)?;
    let document = names
        .resolve(&document)
        .map_err(|unbound| Failure::Local(Box::new(unbound)))?;
    let contents = short::contents(&document);
    let request = SubmitIntakeRequest {
        board: session.board()?,
        module: text_of(request, "module")?.to_owned(),
        document: document.to_string().into_bytes(),
        ..SubmitIntakeRequest::default()
    };
    let mut assertions = session.assertions().await?;
    let answer = assertions.submit_intake(request).await?.into_inner();
    let harmless = messages::harmless(&answer);
    Ok(Answer {
        text: render::outcome::submission(&harmless, &contents, page),
        value: messages::from_message(&answer),
    })
}

async fn upload(request: &Value, session: &Session, page: Page) -> Result<Answer, Failure> {
    let report = files::report(text_of(request, "report")?)?;
    let header = SourceHeader {
        board: session.board()?,
        media_type: report.media_type.to_owned(),
        uri: report.name.to_owned(),
        title: text_of(request, "title")?.to_owned(),
        digest: blake3::hash(report.text.as_bytes()).to_hex().to_string(),
        date: String::new(),
    };
    let chunk = Part::Chunk(report.text.into());
    let parts = [Part::Header(header), chunk, Part::End(SourceEnd {})]
        .map(|part| UploadSourceRequest { part: Some(part) });
    let mut sources = session.source_streams().await?;
    let parts = tokio_stream::iter(parts);
    let answer = sources.upload_source(parts).await?.into_inner();
    Ok(Answer::of(&answer, page, short::source))
}

async fn replay(request: Value, session: &Session, page: Page) -> Result<Answer, Failure> {
    let mut log = session.log_streams().await?;
    let request = Request::new(messages::to_message(request)?);
    let mut stream = log.replay(request).await?.into_inner();
    let mut all = ReplayResponse::default();
    while let Some(answer) = stream.message().await? {
        all.records.extend(answer.records);
    }
    Ok(Answer::of(&all, page, short::records))
}

/// Fills in the board.
fn on_board(mut request: Value, session: &Session) -> Result<Value, Failure> {
    if let Some(fields) = request.as_object_mut() {
        fields.insert("board".to_owned(), json!(session.board()?));
    }
    Ok(request)
}

fn text_of<'a>(request: &'a Value, field: &str) -> Result<&'a str, Failure> {
    let text = request.get(field).and_then(Value::as_str);
    text.ok_or_else(|| Failure::Local(format!("the story's request has no `{field}`").into()))
}
