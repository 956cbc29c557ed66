//! How failures are told: on standard error, for people or as JSON.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use anstream::AutoStream;

use super::{exit_code, failure::Failure, json, options::Options, text, tone::Tone};

/// How the caller wants failures told.
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

/// Tells a failure to a person.
pub(crate) fn for_people(failure: &Failure) -> String {
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
    json::escaped(&as_data(failure).to_string()) + "\n"
}

/// Tells a failure as data.
pub(crate) fn as_data(failure: &Failure) -> serde_json::Value {
    let server = match failure {
        Failure::Server(error) => Some(error),
        _ => None,
    };
    serde_json::json!({"error": {
        "message": failure.to_string(),
        "reason": server.map(|error| error.reason()),
        "metadata": server.map(|error| &error.metadata),
        "remedy": server.and_then(|error| error.remedy()),
        "exit_code": failure.exit_code(),
    }})
}

#[cfg(test)]
mod tests {
    use tonic::{Code, Status};

    use super::*;
    use crate::cli::failure::tests::refusal;

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
