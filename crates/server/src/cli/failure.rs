//! Why a command could not be carried out, and how that is told.

use std::{collections::BTreeMap, error::Error, io};

use pawl_ledger::backup::BackupError;
use tonic::Code;
use tonic_types::StatusExt;

use super::{connection::explained, credentials::CredentialsError, exit_code, remedy};

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
    #[error("could not write `{file}`: {cause}")]
    Written { file: String, cause: io::Error },
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error("`{file}` has more than {limit_bytes} bytes")]
    FileTooLong { file: String, limit_bytes: u64 },
    /// What was given cannot be used, found out here.
    #[error("{0}")]
    Input(String),
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    #[error("`{server}` is no address of a server: {cause}")]
    Address { server: String, cause: String },
    #[error(
        "could not reach `{server}`: {cause}; start a server with `pawl serve`, or name another with --server"
    )]
    Unreachable { server: String, cause: String },
    #[error("could not speak TLS with `{server}`: {cause}")]
    Tls { server: String, cause: String },
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
    pub(crate) metadata: BTreeMap<String, String>,
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
        // The server closed the connection before it took the call, as where it missed a certificate.
        _ if !has_details && status.code() == Code::Cancelled => {
            "the connection ended before the answer came; where the server asks for a client \
             certificate, give `--client-certificate` and `--client-key`"
                .to_owned()
        }
        ("", None) => status.code().description().to_lowercase(),
        (message, Some(cause)) if !has_details => {
            format!("{message}: {}", explained(innermost(cause)))
        }
        (message, _) => message.to_owned(),
    }
}

/// Whether time ran out: here, or in a library there, where either calls it a cancellation.
fn is_late(status: &tonic::Status) -> bool {
    match status.code() {
        Code::DeadlineExceeded => true,
        Code::Cancelled => status.message().to_lowercase().contains("timeout"),
        _ => false,
    }
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
            Self::File { .. } | Self::FileTooLong { .. } | Self::Input(_) => exit_code::INPUT,
            Self::Backup(BackupError::Io { .. } | BackupError::Broken(_))
            | Self::Written { .. } => exit_code::SERVER,
            Self::Backup(_) => exit_code::INPUT,
            Self::Credentials(_) => exit_code::NOT_ALLOWED,
            Self::Server(error) => error.exit_code(),
            Self::Unreachable { .. }
            | Self::Tls { .. }
            | Self::Answer(_)
            | Self::Output(_)
            | Self::Runtime(_)
            | Self::Local(_) => exit_code::SERVER,
        }
    }
}

impl ServerError {
    /// Says what to do, where there is more to say than the message.
    pub(crate) fn remedy(&self) -> Option<String> {
        self.remedy.clone().or_else(|| {
            let value = |key: &str| self.metadata.get(key);
            remedy::for_reason(&self.reason, value).map(str::to_owned)
        })
    }

    /// The reason, or the status code's name where none came with it.
    pub(crate) fn reason(&self) -> String {
        if self.reason.is_empty() {
            code_name(self.code)
        } else {
            self.reason.clone()
        }
    }

    fn exit_code(&self) -> u8 {
        match self.reason.as_str() {
            "SEAL_CONDITIONS" | "CONTRADICTS_LOCKED" => return exit_code::NO,
            "BATCH_TOO_LARGE" | "MESSAGE_TOO_LARGE" | "SOURCE_TOO_LARGE" | "BOARD_LIMIT"
            | "QUOTA_EXCEEDED" => return exit_code::INPUT,
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
pub(crate) mod tests {
    use tonic::Status;
    use tonic_types::ErrorDetails;

    use super::*;

    pub(crate) fn refusal(code: Code, reason: &str) -> Failure {
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
}
