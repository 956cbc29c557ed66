//! Why a command could not be carried out, and how that is told.

use std::{collections::BTreeMap, error::Error, fmt::Write as _, io, io::Write as _};

use anstream::AutoStream;
use tonic::Code;
use tonic_types::StatusExt;

use super::{
    credentials::CredentialsError, exit_code, json, options::Options, remedy, text, tone::Tone,
};

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(
        "no board: pass `--board NAME` or set PAWL_BOARD; `pawl board list` shows what there is"
    )]
    BoardMissing,
    #[error("{0}")]
    Usage(String),
    #[error("could not read `{file}`: {cause}")]
    File { file: String, cause: io::Error },
    #[error("`{file}` has more than {limit_bytes} bytes")]
    FileTooLong { file: String, limit_bytes: u64 },
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    #[error("`{server}` is no address of a server: {cause}")]
    Address { server: String, cause: String },
    #[error(
        "could not reach `{server}`: {cause}; start a server with `pawl serve`, or name another with --server"
    )]
    Unreachable { server: String, cause: String },
    #[error("{}", .0.message)]
    Server(Box<ServerError>),
    #[error("the server's answer cannot be used: {0}")]
    Answer(String),
    #[error("could not write the output: {0}")]
    Output(io::Error),
    #[error("could not start: {0}")]
    Runtime(io::Error),
    /// What a command that is no client reports: the server itself, the verification, the demonstration.
    #[error("{0}")]
    Local(Box<dyn Error + Send + Sync>),
}

impl From<Box<dyn Error + Send + Sync>> for Failure {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        Self::Local(error)
    }
}

/// What the server answered instead of a result.
#[derive(Debug)]
pub(crate) struct ServerError {
    code: Code,
    message: String,
    /// The stable reason, empty where none came with it.
    reason: String,
    metadata: BTreeMap<String, String>,
    /// What to do, where the command knows better than the reason alone says.
    remedy: Option<String>,
}

impl From<tonic::Status> for Failure {
    fn from(status: tonic::Status) -> Self {
        let info = status.get_details_error_info();
        let message = message(&status, info.is_some());
        let code = status.code();
        let (reason, metadata) = match info {
            Some(info) => (info.reason, info.metadata.into_iter().collect()),
            // The caller's own patience ended; the server's deadline has the same reason.
            None if is_late(&status) => ("DEADLINE".to_owned(), BTreeMap::new()),
            None => (String::new(), BTreeMap::new()),
        };
        Self::Server(Box::new(ServerError {
            code,
            message,
            reason,
            metadata,
            remedy: None,
        }))
    }
}

/// Takes the server's message; what breaks on the way has no details but a cause, which says what broke.
fn message(status: &tonic::Status, has_details: bool) -> String {
    match (status.message(), status.source()) {
        _ if !has_details && is_late(status) => "no answer in time".to_owned(),
        ("", None) => status.code().description().to_lowercase(),
        (message, Some(cause)) if !has_details => format!("{message}: {}", innermost(cause)),
        (message, _) => message.to_owned(),
    }
}

/// Whether time ran out: here, or in a library there, where either calls it a cancellation.
fn is_late(status: &tonic::Status) -> bool {
    matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled)
}

impl Failure {
    /// Tells the caller what to do about what the server answered.
    pub(crate) fn with_remedy(mut self, remedy: String) -> Self {
        if let Self::Server(error) = &mut self {
            error.remedy = Some(remedy);
        }
        self
    }

    /// Says what the process ends with.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => exit_code::YES,
            Self::BoardMissing | Self::Usage(_) | Self::Address { .. } => exit_code::USAGE,
            Self::File { .. } | Self::FileTooLong { .. } => exit_code::INPUT,
            Self::Credentials(_) => exit_code::NOT_ALLOWED,
            Self::Server(error) => error.exit_code(),
            Self::Unreachable { .. }
            | Self::Answer(_)
            | Self::Output(_)
            | Self::Runtime(_)
            | Self::Local(_) => exit_code::SERVER,
        }
    }
}

impl ServerError {
    fn remedy(&self) -> Option<String> {
        self.remedy
            .clone()
            .or_else(|| remedy::for_reason(&self.reason).map(str::to_owned))
    }

    /// The reason, or the status code's name where none came with it.
    fn reason(&self) -> String {
        if self.reason.is_empty() {
            code_name(self.code)
        } else {
            self.reason.clone()
        }
    }

    fn exit_code(&self) -> u8 {
        match self.reason.as_str() {
            "SEAL_CONDITIONS" | "CONTRADICTS_LOCKED" => return exit_code::NO,
            "BATCH_TOO_LARGE" | "MESSAGE_TOO_LARGE" | "SOURCE_TOO_LARGE" | "BOARD_LIMIT" => {
                return exit_code::INPUT;
            }
            _ => {}
        }
        match self.code {
            Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::FailedPrecondition
            | Code::OutOfRange
            | Code::Aborted => exit_code::INPUT,
            Code::Unauthenticated | Code::PermissionDenied => exit_code::NOT_ALLOWED,
            _ => exit_code::SERVER,
        }
    }
}

/// How failures are told: for people or as JSON, always on standard error.
pub(crate) struct Report {
    json: bool,
    color: anstream::ColorChoice,
}

impl Report {
    /// Takes over what the command line says.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            json: options.json,
            color: options.color.into(),
        }
    }

    /// Tells a failure; a closed pipe is none.
    pub(crate) fn print(&self, failure: &Failure) {
        if failure.exit_code() == exit_code::YES {
            return;
        }
        let told = if self.json {
            as_json(failure)
        } else {
            for_people(failure)
        };
        // Where standard error is closed too there is nobody left to tell.
        let _ = AutoStream::new(io::stderr(), self.color).write_all(told.as_bytes());
    }
}

fn for_people(failure: &Failure) -> String {
    let message = text::harmless(&failure.to_string());
    let mut told = format!("{} {message}\n", Tone::Bad.paint("error:"));
    if let Failure::Server(error) = failure {
        let reason = text::harmless(&error.reason());
        let _ = writeln!(told, "{} {reason}", Tone::Faint.paint("reason:"));
        for (key, value) in &error.metadata {
            let key = Tone::Faint.paint(format!("{}:", text::harmless(key)));
            let _ = writeln!(told, "  {key} {}", text::harmless(value));
        }
        if let Some(remedy) = error.remedy() {
            let _ = writeln!(told, "{} {remedy}", Tone::Good.paint("try:"));
        }
    }
    told
}

fn as_json(failure: &Failure) -> String {
    let server = match failure {
        Failure::Server(error) => Some(error),
        _ => None,
    };
    let error = serde_json::json!({"error": {
        "message": failure.to_string(),
        "reason": server.map(|error| error.reason()),
        "metadata": server.map(|error| &error.metadata),
        "remedy": server.and_then(|error| error.remedy()),
        "exit_code": failure.exit_code(),
    }});
    json::escaped(&error.to_string()) + "\n"
}

/// Takes the message of the error everything began with; the outer ones only say "transport error".
pub(crate) fn innermost(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string().to_lowercase()
}

/// Spells a status code as gRPC does, for answers that carry no reason of ours.
fn code_name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use tonic::Status;
    use tonic_types::ErrorDetails;

    use super::*;

    fn refusal(code: Code, reason: &str) -> Failure {
        let metadata = [("assertion".to_owned(), "a9@1\u{1b}[2J".to_owned())];
        let details = ErrorDetails::with_error_info(reason, "pawl", metadata);
        Status::with_error_details(code, "there is no `a9@1`", details).into()
    }

    #[test]
    fn codes_and_reasons_become_exit_codes() {
        let check = |code, reason, expected| {
            assert_eq!(
                refusal(code, reason).exit_code(),
                expected,
                "{code:?} {reason}"
            );
        };
        check(Code::NotFound, "ASSERTION_UNKNOWN", exit_code::INPUT);
        check(Code::FailedPrecondition, "STALE_BASE", exit_code::INPUT);
        check(Code::FailedPrecondition, "SEAL_CONDITIONS", exit_code::NO);
        check(
            Code::FailedPrecondition,
            "CONTRADICTS_LOCKED",
            exit_code::NO,
        );
        check(
            Code::Unauthenticated,
            "TOKEN_EXPIRED",
            exit_code::NOT_ALLOWED,
        );
        check(
            Code::PermissionDenied,
            "ROLE_MISSING",
            exit_code::NOT_ALLOWED,
        );
        check(
            Code::ResourceExhausted,
            "MESSAGE_TOO_LARGE",
            exit_code::INPUT,
        );
        check(Code::ResourceExhausted, "OVERLOADED", exit_code::SERVER);
        check(Code::Unavailable, "", exit_code::SERVER);
        check(Code::DeadlineExceeded, "", exit_code::SERVER);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let failure = Failure::Output(io::ErrorKind::BrokenPipe.into());
        assert_eq!(failure.exit_code(), exit_code::YES);
    }

    #[test]
    fn people_get_reason_values_and_a_way_on() {
        let told = for_people(&refusal(Code::NotFound, "ASSERTION_UNKNOWN"));
        insta::assert_snapshot!(anstream::adapter::strip_str(&told), @r"
        error: there is no `a9@1`
        reason: ASSERTION_UNKNOWN
          assertion: a9@1?[2J
        try: list what there is with `pawl list`; ids look like `a3@1`
        ");
    }

    #[test]
    fn programs_get_the_same_as_json() {
        insta::assert_snapshot!(as_json(&refusal(Code::NotFound, "ASSERTION_UNKNOWN")), @r#"{"error":{"exit_code":3,"message":"there is no `a9@1`","metadata":{"assertion":"a9@1\u001b[2J"},"reason":"ASSERTION_UNKNOWN","remedy":"list what there is with `pawl list`; ids look like `a3@1`"}}"#);
    }

    #[test]
    fn a_status_without_details_is_named_by_its_code() {
        let check = |status: Status| {
            let told = for_people(&status.into());
            anstream::adapter::strip_str(&told).to_string()
        };
        insta::assert_snapshot!(check(Status::unimplemented("")), @r"
        error: operation is not implemented or not supported
        reason: UNIMPLEMENTED
        ");
        insta::assert_snapshot!(check(Status::cancelled("Timeout expired")), @r"
        error: no answer in time
        reason: DEADLINE
        try: wait longer with --timeout; a submission with --request-id may be sent again
        ");
    }
}
