//! What a person at the command line can do about each reason.

use pawl_proto::v1::ErrorReason;

/// Says what to do about a reason as it stands in `ErrorInfo`, where there is more to say than its message.
pub(crate) fn for_reason<'values>(
    reason: &str,
    value: impl Fn(&str) -> Option<&'values String>,
) -> Option<&'static str> {
    let reason = ErrorReason::from_str_name(&format!("ERROR_REASON_{reason}"))?;
    about_values(reason, value)
        .or_else(|| about_caller(reason))
        .or_else(|| about_names(reason))
        .or_else(|| about_request(reason))
        .or_else(|| about_state(reason))
        .or_else(|| about_server(reason))
}

/// What to do where it hangs on the values that came with the reason.
fn about_values<'values>(
    reason: ErrorReason,
    value: impl Fn(&str) -> Option<&'values String>,
) -> Option<&'static str> {
    let is = |key, expected: &[&str]| {
        value(key).is_some_and(|found| {
            let essence = found.split(';').next().unwrap_or_default().trim();
            expected.contains(&essence.to_lowercase().as_str())
        })
    };
    Some(match reason {
        ErrorReason::RoleMissing if is("role", &["server operator"]) => {
            "call as a server operator, with --as or --token; one makes another with `pawl principal add NAME --server-operator`"
        }
        ErrorReason::QuoteNotFound if is("media_type", SHOWN) => {
            "copy the quote from the document as it shows, not from its bytes; a nearest passage told above is from its text"
        }
        ErrorReason::BaseInFuture if value("as_of").is_some() || value("until").is_some() => {
            "give a position up to the present one, which is told above"
        }
        _ => return None,
    })
}

/// The media types whose bytes are not what a reader sees.
const SHOWN: &[&str] = &["text/html", "application/xhtml+xml", "application/pdf"];

fn about_caller(reason: ErrorReason) -> Option<&'static str> {
    Some(match reason {
        ErrorReason::TokenMissing => "pass --as NAME, --token, or set PAWL_TOKEN",
        ErrorReason::TokenInvalid => {
            "check the token and the server; `pawl token issue NAME` makes a new one"
        }
        ErrorReason::TokenExpired | ErrorReason::TokenRevoked => {
            "have an operator run `pawl token issue NAME --keep`"
        }
        ErrorReason::RoleMissing => {
            "see your roles with `pawl whoami`; an operator grants one with `pawl role grant NAME ROLE`"
        }
        ErrorReason::OwnAssertion => {
            "let another principal do it: nobody validates or reaffirms their own"
        }
        ErrorReason::NotAuthor => "only its author may do this; raise a doubt with `pawl flag`",
        _ => return None,
    })
}

fn about_names(reason: ErrorReason) -> Option<&'static str> {
    Some(match reason {
        ErrorReason::BoardUnknown => "list your boards with `pawl board list`",
        ErrorReason::ModuleUnknown => {
            "see `pawl module list`; an operator declares one with `pawl module declare`"
        }
        ErrorReason::AttributeUnknown => {
            "see `pawl attribute list`; an operator declares one with `pawl attribute declare`"
        }
        ErrorReason::SourceUnknown => {
            "see `pawl source list`; upload it with `pawl source add FILE`"
        }
        ErrorReason::AssertionUnknown => {
            "list what there is with `pawl list`; ids look like `a3@1`"
        }
        ErrorReason::ConflictUnknown => "list them with `pawl conflicts --all`; ids look like `c1`",
        ErrorReason::FlagUnknown => "list them with `pawl flags --all`; ids look like `f1`",
        ErrorReason::SnapshotUnknown => {
            "list them with `pawl snapshots`; give at least the first 8 digits"
        }
        ErrorReason::PrincipalUnknown => {
            "see `pawl principal list`; make one with `pawl principal add NAME`"
        }
        ErrorReason::TokenUnknown => {
            "list tokens with `pawl token list`; give the id, not the secret"
        }
        ErrorReason::TableUnknown => "see `pawl table list`; mount one with `pawl table mount`",
        ErrorReason::AuthorityUnknown => {
            "see `pawl authority list`; declare one with `pawl authority declare`"
        }
        ErrorReason::AlreadyExists => "choose another name",
        ErrorReason::OtherBoard => "pass the board it belongs to with --board",
        ErrorReason::PhaseUnknown => {
            "see `pawl phase list`; an operator declares one with `pawl phase declare`"
        }
        _ => return None,
    })
}

fn about_request(reason: ErrorReason) -> Option<&'static str> {
    Some(match reason {
        ErrorReason::CitationMissing => {
            "cite a source with --source and --quote, or give --support for an inference"
        }
        ErrorReason::SupportMissing => "name what the inference rests on with --support a3@1",
        ErrorReason::QuoteNotFound => {
            "copy the quote from the source as it stands: `pawl source read DIGEST`"
        }
        ErrorReason::DigestMismatch => {
            "the bytes changed on the way or the digest is of another file; send it again"
        }
        ErrorReason::BaseInFuture => {
            "use the position of the last brief, list or submission as base"
        }
        ErrorReason::BatchTooLarge => "split the batch; at most 256 items go in one",
        ErrorReason::MessageTooLarge => {
            "split the batch, or upload the text as a source and quote from it"
        }
        ErrorReason::TableInvalid => {
            "mend the rows named, upload the source again, and mount that one"
        }
        ErrorReason::AuthorityNotAllowed => {
            "have the server's operator add the host to `authorities.allowed_hosts`"
        }
        ErrorReason::IntakeMalformed => "see what is expected with `pawl schema`",
        ErrorReason::RequestIdReused => "use a new request id for another request",
        ErrorReason::PageTokenInvalid => "start again without --page-token",
        ErrorReason::CursorInvalid | ErrorReason::CursorInFuture => {
            "start from a position instead: `pawl watch --from 0`"
        }
        _ => return None,
    })
}

fn about_state(reason: ErrorReason) -> Option<&'static str> {
    Some(match reason {
        ErrorReason::StaleBase => {
            "read what changed with `pawl brief --since BASE`, then submit on the new base"
        }
        ErrorReason::Locked => {
            "raise a doubt with `pawl flag`; an arbiter changes it with `pawl amend`"
        }
        ErrorReason::NotLocked => "replace it with `pawl submit --replaces` instead",
        ErrorReason::SealConditions => {
            "meet the conditions named, or change them with `pawl module declare`"
        }
        ErrorReason::NothingToSeal => "see what stands with `pawl list --module NAME`",
        ErrorReason::ContradictsLocked => {
            "amend the locked fact itself, or raise a doubt with `pawl flag`"
        }
        ErrorReason::NotArchived => "archive it first with `pawl board archive`",
        ErrorReason::OutOfPhase => {
            "see `pawl phase list`; whoever may moves the board on with `pawl phase advance`"
        }
        ErrorReason::PhaseConditions => "see what stands in the way with `pawl phase list`",
        ErrorReason::BoardArchived => {
            "read it, or have an operator of it run `pawl board reopen --reason …`"
        }
        ErrorReason::SourceCited => "see what may go with `pawl source list --uncited`",
        ErrorReason::QuotaExceeded => "see what is left with `pawl board usage`",
        ErrorReason::TableReadOnly => {
            "submit to a module; look the table up with `pawl table rows NAME`"
        }
        ErrorReason::SupportNotStanding => "see what stands with `pawl list` and rest on that",
        _ => return None,
    })
}

fn about_server(reason: ErrorReason) -> Option<&'static str> {
    Some(match reason {
        ErrorReason::Deadline => {
            "wait longer with --timeout; a submission with --request-id may be sent again"
        }
        ErrorReason::AuthorityUnavailable => {
            "try again in a moment; an operator can declare it to be noted only"
        }
        ErrorReason::ShuttingDown | ErrorReason::Overloaded => "try again in a moment",
        ErrorReason::EmbeddingOff => "search with --text, or start the server with its model",
        ErrorReason::StoreFull => "free room on the server's disk",
        ErrorReason::StoreFailed | ErrorReason::EmbedderFailed | ErrorReason::Internal => {
            "see the server's log"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_another_version_are_let_be() {
        assert_eq!(for_reason("NO_SUCH_REASON", |_| None), None);
        assert_eq!(for_reason("", |_| None), None);
    }

    #[test]
    fn every_question_of_identity_has_an_answer() {
        for number in 1..=7 {
            let reason = ErrorReason::try_from(number).expect("declared");
            assert!(about_caller(reason).is_some(), "{reason:?}");
        }
        for number in 20..=31 {
            let reason = ErrorReason::try_from(number).expect("declared");
            assert!(about_names(reason).is_some(), "{reason:?}");
        }
    }
}
