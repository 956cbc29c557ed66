//! Errors on the wire: `google.rpc.Status` with one `ErrorInfo` of domain `pawl`.

use std::{collections::HashMap, time::Duration};

use pawl_ledger::decide::{Denied, Reason};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::{app::error::AppError, http};

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "pawl";
/// The most bytes of a message; headers of a few KiB are all that clients take.
const MAX_MESSAGE_BYTES: usize = 1_024;
/// The most bytes of a value in the metadata.
const MAX_VALUE_BYTES: usize = 1_024;
/// The most bytes of all values together.
const MAX_METADATA_BYTES: usize = 2_048;

/// When to come back to a server that has too much to do.
const PAUSE_WHEN_OVERLOADED: Duration = Duration::from_secs(1);
/// When to come back to a server that stops.
const PAUSE_WHEN_STOPPING: Duration = Duration::from_secs(5);

impl From<AppError> for Status {
    fn from(error: AppError) -> Self {
        if error.is_internal() {
            tracing::error!(%error, "a call failed inside");
        }
        denied(&error.told())
    }
}

/// Writes a denial as a status.
pub fn denied(denied: &Denied) -> Status {
    let metadata = metadata(denied);
    let field = metadata.get("field").cloned();
    let message = cut(&denied.message, MAX_MESSAGE_BYTES);
    let wait = metadata
        .get("retry_after_ms")
        .and_then(|it| it.parse().ok())
        .map(Duration::from_millis)
        .or_else(|| pause(denied.reason));
    let mut details = ErrorDetails::with_error_info(name(denied.reason), DOMAIN, metadata);
    let code = code(denied.reason);
    if let Some(field) = field.filter(|_| code == Code::InvalidArgument) {
        details.add_bad_request_violation(field, "see the message");
    }
    if let Some(wait) = wait {
        details.set_retry_info(Some(wait));
    }
    Status::with_error_details(code, message, details)
}

/// How long to wait before the same call may succeed; none where waiting alone does not help.
pub fn pause(reason: Reason) -> Option<Duration> {
    match reason {
        Reason::Overloaded => Some(PAUSE_WHEN_OVERLOADED),
        Reason::ShuttingDown => Some(PAUSE_WHEN_STOPPING),
        _ => None,
    }
}

/// A reason as it stands in `ErrorInfo`: without the prefix of the enum.
pub fn name(reason: Reason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("ERROR_REASON_").unwrap_or(name)
}

/// The offending values, cut so that the whole status fits into a header.
pub fn metadata(denied: &Denied) -> HashMap<String, String> {
    let mut room = MAX_METADATA_BYTES;
    let mut metadata = HashMap::new();
    for (key, value) in &denied.metadata {
        let value = cut(value, MAX_VALUE_BYTES.min(room));
        room = room.saturating_sub(value.len());
        metadata.insert((*key).to_owned(), value.to_owned());
    }
    metadata
}

fn cut(text: &str, most_bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(most_bytes))
        .unwrap_or_default()
}

/// The code for each reason: what a client that knows no reasons can still branch on.
pub fn code(reason: Reason) -> Code {
    match reason {
        Reason::TokenMissing
        | Reason::TokenInvalid
        | Reason::TokenExpired
        | Reason::TokenRevoked => Code::Unauthenticated,
        Reason::RoleMissing | Reason::OwnAssertion | Reason::NotAuthor => Code::PermissionDenied,
        Reason::BoardUnknown
        | Reason::ModuleUnknown
        | Reason::AttributeUnknown
        | Reason::SourceUnknown
        | Reason::AssertionUnknown
        | Reason::ConflictUnknown
        | Reason::FlagUnknown
        | Reason::SnapshotUnknown
        | Reason::PrincipalUnknown
        | Reason::TokenUnknown
        | Reason::PhaseUnknown
        | Reason::TableUnknown
        | Reason::AuthorityUnknown => Code::NotFound,
        Reason::AlreadyExists => Code::AlreadyExists,
        Reason::OtherBoard
        | Reason::FieldMissing
        | Reason::FieldTooLong
        | Reason::FieldInvalid
        | Reason::TextInvalid
        | Reason::ConfidenceOutOfRange
        | Reason::ClaimInvalid
        | Reason::CitationMissing
        | Reason::SupportMissing
        | Reason::SupportCycle
        | Reason::ModuleCycle
        | Reason::QuoteNotFound
        | Reason::DigestMismatch
        | Reason::BatchTooLarge
        | Reason::SourceTooLarge
        | Reason::IntakeMalformed
        | Reason::TableInvalid
        | Reason::AuthorityNotAllowed
        | Reason::RequestIdReused
        | Reason::PageTokenInvalid
        | Reason::CursorInvalid => Code::InvalidArgument,
        Reason::BaseInFuture | Reason::CursorInFuture => Code::OutOfRange,
        Reason::StaleBase => Code::Aborted,
        Reason::TransitionIllegal
        | Reason::Locked
        | Reason::NotLocked
        | Reason::ConflictClosed
        | Reason::SealConditions
        | Reason::NothingToSeal
        | Reason::NothingToRollBack
        | Reason::ContradictsLocked
        | Reason::SupportNotStanding
        | Reason::SupportNotLost
        | Reason::FlagClosed
        | Reason::EmbeddingOff
        | Reason::NotArchived
        | Reason::OutOfPhase
        | Reason::PhaseConditions
        | Reason::BoardArchived
        | Reason::SettingsInvalid
        | Reason::SourceCited
        | Reason::TableReadOnly => Code::FailedPrecondition,
        Reason::MessageTooLarge
        | Reason::BoardLimit
        | Reason::Overloaded
        | Reason::QuotaExceeded
        | Reason::StoreFull => Code::ResourceExhausted,
        Reason::StoreFailed | Reason::ShuttingDown | Reason::AuthorityUnavailable => {
            Code::Unavailable
        }
        Reason::Deadline => Code::DeadlineExceeded,
        Reason::EmbedderFailed | Reason::Internal | Reason::Unspecified => Code::Internal,
    }
}

/// Gives a reason to a status that the transport made before any handler saw the call.
pub fn explained(status: Status) -> Status {
    if status.code() == Code::Ok || !status.details().is_empty() {
        return status;
    }
    let text = status.message();
    let told = match status.code() {
        Code::OutOfRange if text.contains("message length too large") => Denied::new(
            Reason::MessageTooLarge,
            format!("{text}; split the request, or upload documents as sources"),
        ),
        Code::Internal if text.contains("UTF-8") => {
            Denied::new(Reason::TextInvalid, format!("{text}; send text as utf-8"))
        }
        Code::Internal if text.contains("decode Protobuf") => Denied::new(
            Reason::FieldInvalid,
            format!("{text}; send the message as package `pawl.v1` defines it"),
        ),
        Code::DeadlineExceeded | Code::Unknown | Code::Internal
            if text.contains(http::TOO_SLOW) =>
        {
            Denied::new(Reason::Deadline, http::TOO_SLOW)
        }
        Code::DeadlineExceeded => Denied::new(Reason::Deadline, text),
        Code::Internal => {
            tracing::warn!(error = text, "the transport failed");
            Denied::new(Reason::Internal, "the call could not be read or answered")
        }
        _ => return status,
    };
    denied(&told)
}

#[cfg(test)]
mod tests;
