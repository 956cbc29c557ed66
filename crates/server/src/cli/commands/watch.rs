//! `pawl watch`

use clap::Args;
use pawl_proto::v1::{GetBoardRequest, WatchRequest};

use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session, text};

/// Follows what happens.
#[derive(Args, Debug)]
pub(crate) struct Watch {
    /// From this log position on; from now on unless given.
    #[arg(long, value_name = "POSITION", group = "start")]
    from: Option<u64>,
    /// From where an earlier watch ended.
    #[arg(long, value_name = "CURSOR", group = "start")]
    cursor: Option<String>,
    /// Of this module only; may be repeated.
    #[arg(long = "module", value_name = "NAME", value_delimiter = ',')]
    modules: Vec<String>,
    /// Of this kind only, such as `submitted` or `snapshot_taken`; may be repeated.
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Stay and tell what comes; the default.
    #[arg(long, overrides_with = "no_follow")]
    follow: bool,
    /// End when all that was there at the beginning has been told.
    #[arg(long, requires = "start")]
    no_follow: bool,
}

impl Watch {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let end = if self.no_follow {
            Some(entries(session, &board).await?)
        } else {
            None
        };
        let is_told = |next: u64| end.is_some_and(|end| next >= end);
        if self.from.is_some_and(is_told) {
            return Ok(Answer::Yes);
        }
        let request = WatchRequest {
            board,
            from: self.from,
            cursor: self.cursor.unwrap_or_default(),
            modules: self.modules,
            kinds: self.kinds,
        };
        let mut stream = session
            .log_streams()
            .await?
            .watch(request)
            .await?
            .into_inner();
        let mut cursor = String::new();
        loop {
            let answer = match stream.message().await {
                Ok(Some(answer)) => answer,
                Ok(None) => return Err(broken_off(ended(), &cursor)),
                Err(status) => return Err(broken_off(status, &cursor)),
            };
            cursor.clone_from(&answer.cursor);
            session
                .output
                .stream_item(&answer, render::record::watched)?;
            // What a filter hides has no record; then the first heartbeat says that there is no more.
            let last = answer.records.last().map(|record| record.position + 1);
            if last.is_some_and(is_told) || (self.no_follow && answer.heartbeat) {
                return Ok(Answer::Yes);
            }
        }
    }
}

/// Asks how many entries the board has now.
async fn entries(session: &Session, board: &str) -> Result<u64, Failure> {
    let request = GetBoardRequest {
        board: board.to_owned(),
        as_of: None,
    };
    Ok(session
        .boards()
        .await?
        .get_board(request)
        .await?
        .into_inner()
        .entries)
}

/// Says that a stream which has no end came to one, as when the server shuts down.
fn ended() -> tonic::Status {
    tonic::Status::unavailable("the server ended the stream")
}

/// Tells with the failure how to go on from where the stream broke off.
fn broken_off(status: tonic::Status, cursor: &str) -> Failure {
    let failure = Failure::from(status);
    if cursor.is_empty() {
        return failure;
    }
    failure.with_remedy(format!(
        "go on with `pawl watch --cursor {}`",
        text::harmless(cursor)
    ))
}
