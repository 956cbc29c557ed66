//! `pawl submit`, `pawl check` and `pawl schema`

use clap::Args;
use pawl_proto::v1::{
    CheckRequest, Draft, GetIntakeSchemaRequest, SubmitIntakeRequest, SubmitRequest,
    SubmitResponse, Verdict,
};

use super::{
    draft::{self, DraftOptions},
    reason::Repeat,
    resource::Resource,
};
use crate::cli::{
    exit_code::Answer,
    failure::Failure,
    input::{self, DOCUMENT_LIMIT_BYTES},
    render,
    session::Session,
    text,
};

/// What is submitted or checked.
#[derive(Args, Debug)]
struct Items {
    /// The intake document (JSON, see `pawl schema`), or `-` for standard input; else one assertion by options.
    #[arg(conflicts_with = "replaces", conflicts_with_all = draft::GROUPS)]
    file: Option<String>,
    /// The module; for a document, that of the items that name none.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    module: String,
    /// The revision it takes the place of, `a3@1`.
    #[arg(long, value_name = "REVISION")]
    replaces: Option<Resource>,
    /// The log position read up to before; the present unless given.
    #[arg(long, value_name = "POSITION")]
    base: Option<u64>,
    #[command(flatten)]
    draft: DraftOptions,
}

/// Submits assertions.
#[derive(Args, Debug)]
pub(crate) struct Submit {
    /// Answer only, write nothing.
    #[arg(long)]
    validate_only: bool,
    /// Write nothing unless every item is accepted.
    #[arg(long)]
    all_or_none: bool,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    items: Items,
}

/// Gives verdicts.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    items: Items,
}

/// Prints the schema.
#[derive(Args, Debug)]
pub(crate) struct Schema {}

/// What was given: a document as it is, or one assertion.
enum Read {
    Document(SubmitIntakeRequest),
    One(CheckRequest),
}

/// The answer, and what the items say, for people to see beside it.
struct Submission {
    answer: SubmitResponse,
    contents: Vec<String>,
}

impl Submit {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let (validate_only, all_or_none) = (self.validate_only, self.all_or_none);
        let request_id = self.repeat.request_id;
        let submission = match self.items.read(session)? {
            Read::Document(request) => {
                let request = SubmitIntakeRequest {
                    request_id,
                    validate_only,
                    all_or_none,
                    ..request
                };
                Submission::of_document(request, session).await?
            }
            Read::One(CheckRequest { board, items, base }) => {
                let contents = contents_of(&items);
                let request = SubmitRequest {
                    board,
                    items,
                    base,
                    request_id,
                    validate_only,
                    all_or_none,
                };
                let answer = session
                    .assertions()
                    .await?
                    .submit(request)
                    .await?
                    .into_inner();
                Submission { answer, contents }
            }
        };
        submission.tell(session)
    }
}

impl Check {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let submission = match self.items.read(session)? {
            Read::Document(request) => {
                let request = SubmitIntakeRequest {
                    validate_only: true,
                    ..request
                };
                Submission::of_document(request, session).await?
            }
            Read::One(request) => {
                let contents = contents_of(&request.items);
                let answer = session
                    .assertions()
                    .await?
                    .check(request)
                    .await?
                    .into_inner();
                Submission { answer, contents }
            }
        };
        submission.tell(session)
    }
}

impl Schema {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = GetIntakeSchemaRequest {};
        let answer = session
            .assertions()
            .await?
            .get_intake_schema(request)
            .await?
            .into_inner();
        let schema: serde_json::Value = serde_json::from_str(&answer.schema)
            .map_err(|error| Failure::Answer(format!("the schema is no JSON: {error}")))?;
        session.output.document(&schema)?;
        Ok(Answer::Yes)
    }
}

impl Items {
    fn read(self, session: &Session) -> Result<Read, Failure> {
        let (board, module, base) = (session.board()?, self.module, self.base);
        if let Some(file) = &self.file {
            let document = input::read(file, DOCUMENT_LIMIT_BYTES)?;
            let request = SubmitIntakeRequest {
                board,
                module,
                document,
                base,
                ..Default::default()
            };
            return Ok(Read::Document(request));
        }
        if !self.draft.has_content() {
            let usage = "nothing to submit: name a file, `-`, or pass --content";
            return Err(Failure::Usage(usage.to_owned()));
        }
        let replaces = self
            .replaces
            .map(|resource| resource.id_on(&board))
            .transpose()?;
        let draft = Draft {
            module,
            replaces: replaces.unwrap_or_default(),
            ..self.draft.into_message(&board)?
        };
        Ok(Read::One(CheckRequest {
            board,
            items: vec![draft],
            base,
        }))
    }
}

impl Submission {
    async fn of_document(request: SubmitIntakeRequest, session: &Session) -> Result<Self, Failure> {
        let contents = contents_of_document(&request.document);
        let answer = session
            .assertions()
            .await?
            .submit_intake(request)
            .await?
            .into_inner();
        Ok(Self { answer, contents })
    }

    fn tell(self, session: &mut Session) -> Result<Answer, Failure> {
        let contents = self.contents;
        session.output.message(&self.answer, |answer, page| {
            render::outcome::submission(answer, &contents, page)
        })?;
        Ok(answer(&self.answer))
    }
}

/// Sums a submission up: an item that could not be processed weighs more than one that was turned down.
fn answer(answer: &SubmitResponse) -> Answer {
    if answer
        .outcomes
        .iter()
        .any(|outcome| outcome.error.is_some())
    {
        Answer::Unprocessed
    } else if answer
        .outcomes
        .iter()
        .all(|outcome| outcome.verdict() == Verdict::Accepted)
    {
        Answer::Yes
    } else {
        Answer::No
    }
}

fn contents_of(items: &[Draft]) -> Vec<String> {
    items
        .iter()
        .map(|draft| text::harmless(&draft.content))
        .collect()
}

/// Reads the contents of an intake document as far as it can be read; the server judges it.
fn contents_of_document(document: &[u8]) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_slice(document).unwrap_or_default();
    let items = document
        .get("assertions")
        .and_then(serde_json::Value::as_array);
    let content = |item: &serde_json::Value| {
        let content = item.get("content").and_then(serde_json::Value::as_str);
        text::harmless(content.unwrap_or_default())
    };
    items.into_iter().flatten().map(content).collect()
}

#[cfg(test)]
mod tests {
    use pawl_proto::v1::{ItemError, Outcome};

    use super::*;

    #[test]
    fn the_worst_item_decides() {
        let item = |verdict: Verdict| Outcome {
            verdict: verdict.into(),
            ..Outcome::default()
        };
        let failed = || Outcome {
            error: Some(ItemError::default()),
            ..Outcome::default()
        };
        let check = |outcomes: Vec<Outcome>, expected| {
            let response = SubmitResponse {
                outcomes,
                ..SubmitResponse::default()
            };
            assert_eq!(answer(&response), expected);
        };
        check(vec![], Answer::Yes);
        check(vec![item(Verdict::Accepted)], Answer::Yes);
        check(
            vec![item(Verdict::Accepted), item(Verdict::Contested)],
            Answer::No,
        );
        check(vec![item(Verdict::Refused)], Answer::No);
        check(vec![item(Verdict::Refused), failed()], Answer::Unprocessed);
    }

    #[test]
    fn a_document_goes_with_no_option_for_one_assertion() {
        #[derive(clap::Parser, Debug)]
        struct Line {
            #[command(flatten)]
            _items: Items,
        }
        for option in [
            "--content",
            "--rationale",
            "--replaces",
            "--subject",
            "--quote",
        ] {
            let line = ["pawl", "batch.json", option, "x"];
            let error = <Line as clap::Parser>::try_parse_from(line).expect_err(option);
            assert_eq!(
                error.kind(),
                clap::error::ErrorKind::ArgumentConflict,
                "{option}"
            );
        }
    }

    #[test]
    fn contents_are_read_where_they_can_be() {
        assert_eq!(
            contents_of_document(br#"{"assertions":[{"content":"a"},{"x":1},7]}"#),
            ["a", "", ""]
        );
        assert!(contents_of_document(b"{").is_empty());
    }
}
