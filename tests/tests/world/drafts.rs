//! Drafts, and what becomes of them.

use std::collections::{BTreeMap, HashMap};

use pawl_proto::v1::{self as proto, Citation, Claim, Draft, Outcome, Verdict};
use tonic::Status;
use tonic_types::StatusExt;

use super::MODULE;

/// A citation of a whole sentence.
pub(crate) fn cite(source: &str, quote: &str) -> Citation {
    Citation {
        source: source.to_owned(),
        quote: quote.to_owned(),
        ..Default::default()
    }
}

/// A statement with one citation.
pub(crate) fn cited(content: &str, citation: Citation) -> Draft {
    Draft {
        module: MODULE.to_owned(),
        content: content.to_owned(),
        citations: vec![citation],
        confidence: Some(0.95),
        ..Default::default()
    }
}

/// An inference that rests on revisions alone.
pub(crate) fn inference(content: &str, supports: &[&str]) -> Draft {
    Draft {
        module: MODULE.to_owned(),
        content: content.to_owned(),
        level: proto::Level::Inference.into(),
        confidence: Some(0.95),
        supports: supports.iter().map(ToString::to_string).collect(),
        ..Default::default()
    }
}

/// The capacity of something in GW, as a claim.
pub(crate) fn capacity(subject: &str, gigawatts: &str) -> Claim {
    Claim {
        subject: subject.to_owned(),
        attribute: "capacity".to_owned(),
        value: Some(proto::claim::Value::Decimal(proto::DecimalValue {
            value: gigawatts.to_owned(),
            unit: "GW".to_owned(),
        })),
        qualifiers: BTreeMap::new(),
    }
}

/// A draft with a claim.
pub(crate) fn claiming(draft: Draft, claim: Claim) -> Draft {
    Draft {
        claim: Some(claim),
        ..draft
    }
}

/// The last part of a resource name.
pub(crate) fn short(name: &str) -> String {
    name.rsplit('/').next().unwrap().to_owned()
}

/// The revision of an outcome that has to be accepted.
pub(crate) fn accepted(outcome: &Outcome) -> String {
    assert_eq!(outcome.verdict(), Verdict::Accepted, "{outcome:#?}");
    short(&outcome.assertion)
}

/// The revision and the first conflict of an outcome that has to be contested.
pub(crate) fn contested(outcome: &Outcome) -> (String, String) {
    assert_eq!(outcome.verdict(), Verdict::Contested, "{outcome:#?}");
    (short(&outcome.assertion), short(&outcome.conflicts[0]))
}

/// The first conflict of an outcome that has to be refused.
pub(crate) fn refused(outcome: &Outcome) -> String {
    assert_eq!(outcome.verdict(), Verdict::Refused, "{outcome:#?}");
    assert_eq!(outcome.assertion, "");
    short(&outcome.conflicts[0])
}

/// The metadata of an item that could not be processed for this reason.
pub(crate) fn item_error(outcome: &Outcome, reason: &str) -> BTreeMap<String, String> {
    let error = outcome.error.as_ref();
    let error = error.unwrap_or_else(|| panic!("no {reason}: {outcome:#?}"));
    assert_eq!(error.reason, reason, "{error:#?}");
    assert_eq!(outcome.verdict(), Verdict::Unspecified);
    assert_eq!(outcome.assertion, "");
    error.metadata.clone()
}

/// The metadata of a status with this reason.
pub(crate) fn denied(status: &Status, reason: &str) -> HashMap<String, String> {
    assert_eq!(reason_of(status), reason, "{status:?}");
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.domain, "pawl");
    info.metadata
}

/// The reason code in a status.
pub(crate) fn reason_of(status: &Status) -> String {
    status
        .get_details_error_info()
        .map(|info| info.reason)
        .unwrap_or_default()
}
