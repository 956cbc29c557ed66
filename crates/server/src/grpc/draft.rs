//! Drafts off the wire: every field looked at, every text accepted, nothing half read.

mod claim;

use pawl_ledger::{
    decide::{Denied, Reason},
    finding::Score,
    id::{BoardName, ModuleName},
    log::wire::WireEnum,
    status::{Kind, Level},
};
use pawl_proto::v1 as proto;

use super::names;
use crate::app::{
    claims,
    error::{AppError, invalid_id},
    sources::{CitationDraft, locator},
    submission::{Draft, SupportDraft},
    text::{self, Accepted},
};

/// The longest content, in characters.
pub(super) const MAX_CONTENT_CHARACTERS: usize = 4_000;
/// The longest rationale, in characters.
pub(super) const MAX_RATIONALE_CHARACTERS: usize = 8_000;
/// The longest name of an entity, a tag, a subject, an attribute, a unit or a qualifier, in
/// characters.
pub(super) const MAX_LABEL_CHARACTERS: usize = 512;
/// The longest reason, in characters.
pub(super) const MAX_REASON_CHARACTERS: usize = 4_000;
/// The most citations, entities, tags or qualifiers of an assertion.
pub(super) const MAX_LISTED: usize = 64;
/// The most supports of an assertion.
pub(super) const MAX_SUPPORTS: usize = 64;

/// Reads a draft.
pub fn draft(board: &BoardName, wire: &proto::Draft) -> Result<Draft, Denied> {
    read(board, wire).map_err(|error| error.told())
}

fn read(board: &BoardName, wire: &proto::Draft) -> Result<Draft, AppError> {
    within("citations", wire.citations.len(), MAX_LISTED)?;
    within("entities", wire.entities.len(), MAX_LISTED)?;
    within("tags", wire.tags.len(), MAX_LISTED)?;
    within("supports", wire.supports.len(), MAX_SUPPORTS)?;
    let mut warnings = Vec::new();
    let content = accept_some("content", &wire.content, MAX_CONTENT_CHARACTERS)?;
    let content = told("content", content, &mut warnings);
    let rationale = accept("rationale", &wire.rationale, MAX_RATIONALE_CHARACTERS)?;
    let labels = |field, labels: &[String]| -> Result<Vec<String>, AppError> {
        let accepted = labels
            .iter()
            .map(|it| accept_some(field, it, MAX_LABEL_CHARACTERS));
        accepted.map(|it| Ok(it?.text)).collect()
    };
    let (entities, tags) = (
        labels("entities", &wire.entities)?,
        labels("tags", &wire.tags)?,
    );
    let (valid_from, valid_to) = validity(wire)?;
    let claim = wire.claim.as_ref();
    let claim = claim
        .map(|it| self::claim::read(it, &mut warnings))
        .transpose()?;
    Ok(Draft {
        module: module(&wire.module)?,
        content,
        rationale: told("rationale", rationale, &mut warnings),
        citations: citations(&wire.citations)?,
        level: or_default(wire.level, "level", Level::Statement)?,
        kind: or_default(wire.kind, "kind", Kind::Fact)?,
        confidence: confidence(wire.confidence)?,
        entities,
        tags,
        claim,
        valid_from,
        valid_to,
        supports: wire
            .supports
            .iter()
            .map(|support| support_of(board, support))
            .collect::<Result<_, _>>()?,
        replaces: match wire.replaces.as_str() {
            "" => None,
            replaces => Some(names::revision(board, "replaces", replaces)?),
        },
        warnings,
    })
}

/// Refuses a list that is too long.
pub(super) fn within(field: &'static str, length: usize, limit: usize) -> Result<(), Denied> {
    if length <= limit {
        return Ok(());
    }
    Err(Denied::new(
        Reason::FieldTooLong,
        format!("`{field}` has {length} members, at most {limit}; split the assertion"),
    )
    .with("field", field)
    .with("limit", limit))
}

/// Accepts a text of at most so many characters.
pub(super) fn accept(
    field: &'static str,
    text: &str,
    most_characters: usize,
) -> Result<Accepted, AppError> {
    let characters = text.chars().count();
    if characters > most_characters {
        return Err(Denied::new(
            Reason::FieldTooLong,
            format!(
                "field `{field}` has {characters} characters, at most {most_characters}; shorten it"
            ),
        )
        .with("field", field)
        .with("characters", characters)
        .with("limit", most_characters)
        .into());
    }
    text::accept(field, text, text.len())
}

/// Accepts a text of at most so many characters that says something.
pub(super) fn accept_some(
    field: &'static str,
    text: &str,
    most_characters: usize,
) -> Result<Accepted, AppError> {
    let accepted = accept(field, text, most_characters)?;
    if accepted.text.trim().is_empty() {
        return Err(crate::app::error::missing(field, "a text"));
    }
    Ok(accepted)
}

fn told(field: &str, accepted: Accepted, warnings: &mut Vec<String>) -> String {
    if !accepted.stripped.is_empty() {
        let stripped: Vec<String> = accepted.stripped.iter().map(ToString::to_string).collect();
        warnings.push(format!(
            "invisible characters were taken out of `{field}`: {}",
            stripped.join(", ")
        ));
    }
    accepted.text
}

fn module(text: &str) -> Result<ModuleName, AppError> {
    if text.is_empty() {
        return Err(crate::app::error::missing("module", "the name of a module"));
    }
    text.parse().map_err(|error| invalid_id("module", &error))
}

fn or_default<T: WireEnum>(number: i32, field: &'static str, default: T) -> Result<T, AppError> {
    if number == 0 {
        Ok(default)
    } else {
        Ok(T::from_wire(number, field)?)
    }
}

/// Reads a confidence; it is rounded to ten-thousandths.
fn confidence(wire: Option<f64>) -> Result<Score, AppError> {
    let Some(number) = wire else {
        return Err(crate::app::error::missing(
            "confidence",
            "a number from 0 to 1",
        ));
    };
    if !(0.0..=1.0).contains(&number) {
        return Err(Denied::new(
            Reason::ConfidenceOutOfRange,
            format!("confidence `{number}` is not from 0 to 1"),
        )
        .with("confidence", number)
        .into());
    }
    // In range, so that the nearest integer fits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let ten_thousandths = (number * 10_000.0).round() as u16;
    Ok(Score::clamped(ten_thousandths))
}

fn validity(wire: &proto::Draft) -> Result<(String, String), AppError> {
    let date = |field: &'static str, text: &str| -> Result<String, AppError> {
        if text.is_empty() {
            return Ok(String::new());
        }
        claims::date_of(text).map_err(|error| {
            Denied::new(
                Reason::FieldInvalid,
                format!("`{field}` is `{text}`: {}", error.expected),
            )
            .with("field", field)
            .with("value", &error.value)
            .into()
        })
    };
    let (from, to) = (
        date("valid_from", &wire.valid_from)?,
        date("valid_to", &wire.valid_to)?,
    );
    let shorter = from.len().min(to.len());
    if let (Some(start), Some(end)) = (from.get(..shorter), to.get(..shorter))
        && start > end
    {
        return Err(Denied::new(
            Reason::FieldInvalid,
            format!("`valid_to` is `{to}`, before `valid_from`, which is `{from}`"),
        )
        .with("field", "valid_to")
        .with("value", &to)
        .into());
    }
    Ok((from, to))
}

fn support_of(board: &BoardName, text: &str) -> Result<SupportDraft, AppError> {
    if let Some(place) = text.strip_prefix('#') {
        let parsed = place.parse().ok().filter(|_| !place.starts_with('+'));
        return parsed.map(SupportDraft::Item).ok_or_else(|| {
            Denied::new(
                Reason::FieldInvalid,
                format!("support `{text}` names no item; use `#` and its place from 0"),
            )
            .with("field", "supports")
            .with("value", text)
            .into()
        });
    }
    names::revision(board, "supports", text).map(SupportDraft::Revision)
}

/// Reads citations; whether their quotes stand is looked up later.
pub(super) fn citations(wire: &[proto::Citation]) -> Result<Vec<CitationDraft>, AppError> {
    within("citations", wire.len(), MAX_LISTED)?;
    wire.iter().map(citation).collect()
}

fn citation(wire: &proto::Citation) -> Result<CitationDraft, AppError> {
    if wire.source.is_empty() {
        return Err(crate::app::error::missing(
            "source",
            "a source's digest or address",
        ));
    }
    let locator = wire.locator.as_ref().map(locator::from_wire).transpose()?;
    Ok(CitationDraft {
        source: wire.source.clone(),
        quote: wire.quote.clone(),
        prefix: wire.prefix.clone(),
        suffix: wire.suffix.clone(),
        locator: locator.flatten(),
    })
}

/// Reads the drafts of an intake document; `module` stands in where an item names none.
pub(super) fn intake_item(
    board: &BoardName,
    module: &str,
    item: &pawl_checker::intake::Item,
) -> Result<Draft, Denied> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let wire = proto::Draft {
        module: item.module.clone().unwrap_or_else(|| module.to_owned()),
        content: item.content.clone(),
        rationale: text(&item.rationale),
        citations: item.citations.iter().map(intake_citation).collect(),
        level: i32::from(item.level),
        kind: kind_of(item.kind.as_deref())?,
        confidence: Some(item.confidence.ratio()),
        entities: item.entities.clone(),
        tags: item.tags.clone(),
        claim: item.claim.as_ref().map(claims::to_wire),
        valid_from: text(&item.valid_from),
        valid_to: text(&item.valid_to),
        supports: item.supports.iter().map(ToString::to_string).collect(),
        replaces: item.replaces.map(|it| it.to_string()).unwrap_or_default(),
    };
    draft(board, &wire)
}

fn kind_of(text: Option<&str>) -> Result<i32, Denied> {
    let Some(text) = text else { return Ok(0) };
    let kind = Kind::ALL.iter().find(|kind| kind.as_str() == text);
    kind.map(|kind| kind.to_wire()).ok_or_else(|| {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        Denied::new(
            Reason::FieldInvalid,
            format!("kind `{text}` is none of {}", known.join(", ")),
        )
        .with("field", "kind")
        .with("value", text)
    })
}

fn intake_citation(citation: &pawl_checker::intake::Citation) -> proto::Citation {
    proto::Citation {
        source: citation.source.clone(),
        quote: citation.quote.exact().to_owned(),
        prefix: citation.quote.prefix().to_owned(),
        suffix: citation.quote.suffix().to_owned(),
        locator: citation.locator.as_ref().map(locator::to_wire),
        check: 0,
        drifted: false,
    }
}
