//! What a list is narrowed by. What the board's state knows is asked under its lock; what stands in
//! the words is asked after, of those that are left.

use std::sync::Arc;

use pawl_checker::hygiene::comparison_form;
use pawl_ledger::{
    board::{Board, Revision},
    decide::{Denied, Reason},
    digest::Digest,
    id::{AssertionId, AttributeName, ModuleName, PrincipalName, RevisionId, Timestamp},
    log::wire::WireEnum,
    status::{Kind, Level, Status},
};
use pawl_proto::v1 as proto;

use super::super::{draft, parse};
use crate::app::{
    App,
    boards::{LiveBoard, check_modules},
    claims,
    error::AppError,
    error::invalid_id,
};
use crate::auth::Caller;

/// The most ids, and the most words and phrases of a text.
const MAX_IDS: usize = 1_000;
const MAX_PIECES: usize = 64;

/// What has to hold of a revision in a list.
pub(super) struct Filter {
    ids: Vec<Named>,
    module: Option<ModuleName>,
    statuses: Vec<Status>,
    levels: Vec<Level>,
    kinds: Vec<Kind>,
    principal: Option<PrincipalName>,
    created_from: Option<Timestamp>,
    created_to: Option<Timestamp>,
    support_lost: Option<bool>,
    challenged: Option<bool>,
    pub(super) pieces: Vec<Piece>,
    words: Words,
}

/// A revision, or all of an assertion.
enum Named {
    Revision(RevisionId),
    Assertion(AssertionId),
}

/// What is asked of the words.
#[derive(Default)]
struct Words {
    entity: Option<String>,
    tag: Option<String>,
    subject: Option<String>,
    attribute: Option<AttributeName>,
    source: Option<Digest>,
    valid_at: Option<String>,
}

/// A word or a phrase that has to stand in a text, in lower case.
pub(super) struct Piece(String);

impl Filter {
    /// Reads what a request narrows its list by.
    pub(super) async fn read(
        app: &Arc<App>,
        caller: &Caller,
        live: &LiveBoard,
        asked: &proto::ListAssertionsRequest,
    ) -> Result<Self, AppError> {
        draft::within("ids", asked.ids.len(), MAX_IDS)?;
        let ids = asked.ids.iter().map(|id| named(live, id));
        let source = match asked.source.as_str() {
            "" => None,
            source => Some(app.source(live, caller, source).await?.digest),
        };
        let (created_from, created_to) = (
            time("created_from", asked.created_from)?,
            time("created_to", asked.created_to)?,
        );
        if let (Some(from), Some(to)) = (created_from, created_to)
            && from > to
        {
            return Err(invalid("created_to", "", "it is before `created_from`"));
        }
        Ok(Self {
            ids: ids.collect::<Result<_, _>>()?,
            module: optional("module", &asked.module)?,
            statuses: words("statuses", &asked.statuses)?,
            levels: words("levels", &asked.levels)?,
            kinds: words("kinds", &asked.kinds)?,
            principal: optional("principal", &asked.principal)?,
            created_from,
            created_to,
            support_lost: asked.support_lost,
            challenged: asked.challenged,
            pieces: pieces(&asked.text)?,
            words: Words {
                entity: label("entity", &asked.entity)?,
                tag: label("tag", &asked.tag)?,
                subject: label("subject", &asked.subject)?,
                attribute: optional("attribute", &asked.attribute)?,
                source,
                valid_at: day(&asked.valid_at)?,
            },
        })
    }

    /// Refuses a module that the board does not have.
    pub(super) fn check(&self, board: &Board) -> Result<(), Denied> {
        check_modules(board, &self.module)
    }

    /// Says whether the state of a revision is as asked for.
    pub(super) fn wants(&self, id: RevisionId, it: &Revision) -> bool {
        let named = self.ids.iter().any(|named| match named {
            Named::Revision(revision) => *revision == id,
            Named::Assertion(assertion) => *assertion == id.assertion,
        });
        let status = if !self.statuses.is_empty() {
            self.statuses.contains(&it.status)
        } else {
            !self.ids.is_empty() || it.status.stands() || it.status == Status::Contested
        };
        status
            && (self.ids.is_empty() || named)
            && self
                .module
                .as_ref()
                .is_none_or(|module| it.module == *module)
            && (self.levels.is_empty() || self.levels.contains(&it.level))
            && (self.kinds.is_empty() || self.kinds.contains(&it.kind))
            && self
                .principal
                .as_ref()
                .is_none_or(|author| it.author == *author)
            && self.created_from.is_none_or(|from| it.at >= from)
            && self.created_to.is_none_or(|to| it.at < to)
            && self
                .support_lost
                .is_none_or(|lost| it.support_lost.is_some() == lost)
            && self
                .challenged
                .is_none_or(|challenged| (it.challenged > 0) == challenged)
    }

    /// Says whether a revision's words are as asked for, its content excepted.
    pub(super) fn wants_words(&self, revision: &Revision, draft: &proto::Draft) -> bool {
        let Words {
            entity,
            tag,
            subject,
            attribute,
            source,
            valid_at,
        } = &self.words;
        let claim = draft.claim.as_ref();
        let among = |labels: &[String], wanted: &str| labels.iter().any(|it| form(it) == wanted);
        let cites = |digest: &Digest| {
            let name = digest.to_string();
            revision.verified_sources.contains(digest)
                || draft.citations.iter().any(|it| it.source == name)
        };
        entity.as_ref().is_none_or(|it| among(&draft.entities, it))
            && tag.as_ref().is_none_or(|it| among(&draft.tags, it))
            && subject
                .as_ref()
                .is_none_or(|it| claim.is_some_and(|claim| form(&claim.subject) == *it))
            && attribute.as_ref().is_none_or(|it| {
                revision.attribute.as_ref() == Some(it)
                    || claim.is_some_and(|claim| claim.attribute == it.as_str())
            })
            && source.as_ref().is_none_or(cites)
            && valid_at
                .as_ref()
                .is_none_or(|day| holds_on(day, &draft.valid_from, &draft.valid_to))
    }

    /// Says whether a content has all words and phrases that were asked for.
    pub(super) fn wants_text(&self, content: &str) -> bool {
        if self.pieces.is_empty() {
            return true;
        }
        let content = form(content);
        self.pieces.iter().all(|piece| piece.is_in(&content))
    }
}

impl Piece {
    /// Says whether it stands in a text as a whole: no letter or digit goes on before or after it,
    /// but in scripts without spaces.
    fn is_in(&self, text: &str) -> bool {
        let Self(piece) = self;
        let begins = piece.chars().next().is_some_and(is_of_word);
        let ends = piece.chars().next_back().is_some_and(is_of_word);
        text.match_indices(piece.as_str()).any(|(place, _)| {
            let before = text.get(..place).and_then(|it| it.chars().next_back());
            let after = text
                .get(place + piece.len()..)
                .and_then(|it| it.chars().next());
            let goes_on = begins && before.is_some_and(is_of_word);
            !(goes_on || ends && after.is_some_and(is_of_word))
        })
    }
}

/// A letter or digit of a script that parts words by spaces.
fn is_of_word(character: char) -> bool {
    let without_spaces = matches!(
        u32::from(character),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff
            | 0xf900..=0xfaff | 0x20000..=0x3ffff
    );
    character.is_alphanumeric() && !without_spaces
}

/// The form in which labels and texts are compared.
fn form(text: &str) -> String {
    comparison_form(text).to_lowercase()
}

fn holds_on(day: &str, from: &str, to: &str) -> bool {
    // Dates are `2024`, `2024-06` or `2024-06-30`: the day's first so many characters are as precise.
    let part = |date: &str| day.get(..date.len()).unwrap_or(day).to_owned();
    (from.is_empty() || part(from).as_str() >= from) && (to.is_empty() || part(to).as_str() <= to)
}

fn pieces(text: &str) -> Result<Vec<Piece>, AppError> {
    let accepted = draft::accept("text", text, draft::MAX_CONTENT_CHARACTERS)?.text;
    let mut pieces = Vec::new();
    for (number, part) in accepted.split('"').enumerate() {
        if number % 2 == 1 {
            pieces.push(Piece(form(part)));
        } else {
            pieces.extend(part.split_whitespace().map(|word| Piece(form(word))));
        }
    }
    pieces.retain(|piece| !piece.0.is_empty());
    draft::within("text", pieces.len(), MAX_PIECES)?;
    if pieces.is_empty() && !text.trim().is_empty() {
        return Err(invalid("text", text, "it names no word"));
    }
    Ok(pieces)
}

fn named(live: &LiveBoard, text: &str) -> Result<Named, AppError> {
    let id = parse::on_board(&live.name, "assertions", text)?;
    match id.parse() {
        Ok(assertion) => Ok(Named::Assertion(assertion)),
        Err(_) => parse::id("ids", id).map(Named::Revision),
    }
}

fn optional<T: std::str::FromStr<Err = pawl_ledger::id::IdError>>(
    field: &'static str,
    text: &str,
) -> Result<Option<T>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    let read = text.parse().map_err(|error| invalid_id(field, &error))?;
    Ok(Some(read))
}

fn words<T: WireEnum>(field: &'static str, numbers: &[i32]) -> Result<Vec<T>, AppError> {
    numbers
        .iter()
        .map(|it| Ok(T::from_wire(*it, field)?))
        .collect()
}

fn label(field: &'static str, text: &str) -> Result<Option<String>, AppError> {
    let accepted = draft::accept(field, text, draft::MAX_LABEL_CHARACTERS)?;
    let form = form(&accepted.text);
    if form.is_empty() && !text.is_empty() {
        return Err(invalid(field, text, "it is empty"));
    }
    Ok((!form.is_empty()).then_some(form))
}

fn day(text: &str) -> Result<Option<String>, AppError> {
    if text.is_empty() {
        return Ok(None);
    }
    match claims::date_of(text) {
        Ok(day) if day.len() == 10 => Ok(Some(day)),
        _ => Err(invalid("valid_at", text, "give a day as `2024-06-30`")),
    }
}

fn time(
    field: &'static str,
    at: Option<prost_types::Timestamp>,
) -> Result<Option<Timestamp>, AppError> {
    let Some(at) = at else {
        return Ok(None);
    };
    let milliseconds = u64::try_from(at.seconds)
        .ok()
        .and_then(|seconds| seconds.checked_mul(1_000))
        .zip(
            u64::try_from(at.nanos)
                .ok()
                .filter(|nanos| *nanos < 1_000_000_000),
        );
    match milliseconds {
        // A part of a millisecond is let be: what the board tells has none.
        Some((whole, nanos)) => Ok(Some(Timestamp(whole.saturating_add(nanos / 1_000_000)))),
        None => Err(invalid(
            field,
            &at.seconds.to_string(),
            "it is no time from 1970 on",
        )),
    }
}

fn invalid(field: &'static str, value: &str, what: &str) -> AppError {
    let value: String = value.chars().take(80).collect();
    Denied::new(
        Reason::FieldInvalid,
        format!("field `{field}` is `{value}`: {what}"),
    )
    .with("field", field)
    .with("value", value)
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_whole_and_phrases_together() {
        let check = |text: &str, content: &str, expected: bool| {
            let content = form(content);
            let pieces = pieces(text).unwrap();
            let all = pieces.iter().all(|piece| piece.is_in(&content));
            assert_eq!(all, expected, "{text} in {content}");
        };
        check("solar capacity", "The capacity of Solar plants", true);
        check("\"solar capacity\"", "The capacity of solar plants", false);
        check("\"Solar  Capacity\"", "its solar capacity.", true);
        check("cap", "The capacity", false);
        check("24", "it was 24.8 GW", true);
        check("24", "it was 124 GW, or 240", false);
        check("装机", "光伏装机容量", true);
        check("gw", "24.8GW", false);
        check("\"\"x", "x", true);
        check("\"open", "it is open", true);
    }

    #[test]
    fn days_are_compared_as_precisely_as_they_are_given() {
        let check = |from: &str, to: &str, expected: bool| {
            assert_eq!(holds_on("2024-06-30", from, to), expected, "{from}..{to}");
        };
        check("", "", true);
        check("2024", "2024", true);
        check("2024-06", "2024-06", true);
        check("2024-07", "", false);
        check("2024-06-30", "2024-06-30", true);
        check("", "2024-06-29", false);
        check("", "2023", false);
        check("2025", "", false);
    }
}
