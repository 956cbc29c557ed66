//! The words of the API as people read them: enums, names, times, shares.

use pawl_proto::v1::{
    ConflictState, FindingKind, Kind, Level, ResolutionRule, Role, SealMode, SnapshotCause,
    Standing, Status, ValueType, Verdict,
};
use prost_types::Timestamp;

use crate::cli::tone::Tone;

/// Takes the id out of a resource name: `a3@1` of `boards/b/assertions/a3@1`.
pub(crate) fn id(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Shortens a digest to its first 12 digits.
pub(crate) fn digest(name: &str) -> &str {
    let digest = id(name);
    digest.get(..12).unwrap_or(digest)
}

/// Shortens what is a digest and leaves what is an address.
pub(crate) fn digest_or_address(source: &str) -> &str {
    let is_digest = source.len() == 64 && source.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest { digest(source) } else { source }
}

/// Tells a time in UTC to the second; nothing for no time.
pub(crate) fn time(timestamp: Option<Timestamp>) -> String {
    timestamp
        .and_then(|timestamp| jiff::Timestamp::from_second(timestamp.seconds).ok())
        .map(|time| time.to_string())
        .unwrap_or_default()
}

/// Tells a share in ten-thousandths as a fraction.
pub(crate) fn share(ten_thousandths: u32) -> String {
    format!(
        "{}.{:04}",
        ten_thousandths / 10_000,
        ten_thousandths % 10_000
    )
    .trim_end_matches('0')
    .trim_end_matches('.')
    .to_owned()
}

/// Joins words, or puts a dash where there are none.
pub(crate) fn list(words: &[String]) -> String {
    if words.is_empty() {
        "–".to_owned()
    } else {
        words.join(", ")
    }
}

pub(crate) fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

pub(crate) fn status(number: i32) -> (String, Tone) {
    let status = Status::try_from(number).unwrap_or_default();
    let tone = match status {
        Status::Proposed => Tone::Plain,
        Status::Validated => Tone::Good,
        Status::Locked => Tone::Locked,
        Status::Contested => Tone::Warning,
        Status::Rejected => Tone::Bad,
        Status::Superseded | Status::Retracted | Status::RolledBack | Status::Unspecified => {
            Tone::Faint
        }
    };
    (word(status.as_str_name(), "STATUS_"), tone)
}

pub(crate) fn verdict(number: i32) -> (String, Tone) {
    let verdict = Verdict::try_from(number).unwrap_or_default();
    let tone = match verdict {
        Verdict::Accepted => Tone::Good,
        Verdict::Contested => Tone::Warning,
        Verdict::Refused => Tone::Bad,
        Verdict::Unspecified => Tone::Faint,
    };
    (word(verdict.as_str_name(), "VERDICT_"), tone)
}

pub(crate) fn standing(standing: Standing) -> (String, Tone) {
    let tone = match standing {
        Standing::Backed => Tone::Good,
        Standing::PartlyBacked | Standing::Unbacked => Tone::Warning,
        Standing::Contradicted | Standing::Outdated => Tone::Bad,
        Standing::NotAClaim | Standing::Unspecified => Tone::Faint,
    };
    let word = match standing {
        Standing::Unspecified => "not traced".to_owned(),
        Standing::NotAClaim => "no claim".to_owned(),
        standing => word(standing.as_str_name(), "STANDING_"),
    };
    (word, tone)
}

pub(crate) fn conflict_state(number: i32) -> (String, Tone) {
    let state = ConflictState::try_from(number).unwrap_or_default();
    let tone = match state {
        ConflictState::Open => Tone::Warning,
        ConflictState::Resolved => Tone::Good,
        ConflictState::Dismissed | ConflictState::Unspecified => Tone::Faint,
    };
    (word(state.as_str_name(), "CONFLICT_STATE_"), tone)
}

pub(crate) fn rule(number: i32) -> String {
    word(
        ResolutionRule::try_from(number)
            .unwrap_or_default()
            .as_str_name(),
        "RESOLUTION_RULE_",
    )
}

pub(crate) fn finding_kind(number: i32) -> String {
    word(
        FindingKind::try_from(number)
            .unwrap_or_default()
            .as_str_name(),
        "FINDING_KIND_",
    )
}

pub(crate) fn level(number: i32) -> String {
    word(
        Level::try_from(number).unwrap_or_default().as_str_name(),
        "LEVEL_",
    )
}

pub(crate) fn kind(number: i32) -> String {
    word(
        Kind::try_from(number).unwrap_or_default().as_str_name(),
        "KIND_",
    )
}

pub(crate) fn role(number: i32) -> String {
    word(
        Role::try_from(number).unwrap_or_default().as_str_name(),
        "ROLE_",
    )
}

pub(crate) fn roles(numbers: &[i32]) -> String {
    numbers
        .iter()
        .map(|number| role(*number))
        .collect::<Vec<_>>()
        .join(", ")
}

pub(crate) fn seal_mode(number: i32) -> String {
    word(
        SealMode::try_from(number).unwrap_or_default().as_str_name(),
        "SEAL_MODE_",
    )
}

pub(crate) fn snapshot_cause(number: i32) -> String {
    word(
        SnapshotCause::try_from(number)
            .unwrap_or_default()
            .as_str_name(),
        "SNAPSHOT_CAUSE_",
    )
}

pub(crate) fn value_type(number: i32) -> String {
    word(
        ValueType::try_from(number)
            .unwrap_or_default()
            .as_str_name(),
        "VALUE_TYPE_",
    )
}

/// Turns `FINDING_KIND_CLAIM_KEY` into `claim key`, and what is unset into a dash.
fn word(name: &str, prefix: &str) -> String {
    match name.strip_prefix(prefix).unwrap_or(name) {
        "UNSPECIFIED" => "–".to_owned(),
        word => word.to_lowercase().replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        let check = |number, expected| assert_eq!(share(number), expected);
        check(0, "0");
        check(9_000, "0.9");
        check(10_000, "1");
        check(8_725, "0.8725");
        check(10, "0.001");
    }

    #[test]
    fn names_are_shortened() {
        assert_eq!(id("boards/b/assertions/a3@1"), "a3@1");
        assert_eq!(id("a3@1"), "a3@1");
        assert_eq!(digest("boards/b/sources/0123456789abcdef"), "0123456789ab");
        assert_eq!(finding_kind(1), "claim key");
        assert_eq!(status(99).0, "–");
    }
}
