//! `pawl submit`, `pawl check` and `pawl schema`

use clap::Args;
use pawl_proto::v1::{
    CheckRequest, GetIntakeSchemaRequest, SubmitIntakeRequest, SubmitRequest, SubmitResponse,
    Verdict,
};

use super::{
    items::{Items, Read, contents_of, contents_of_document},
    reason::Repeat,
};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

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
                    ..Default::default()
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
}
