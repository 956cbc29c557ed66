//! Asking: what is remembered for a minute, what is recorded, and what becomes of those who do not
//! answer.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use pawl_checker::{
    table::{Row, answer, digest, typed},
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    decide::{Denied, Reason},
    digest::{Digest, Words},
    id::{AttributeName, ModuleName, Position},
    status::WhenUnavailable,
};
use pawl_proto::v1::LookupWords;

use super::client::Client;
use crate::app::{error::AppError, message_words, now};

/// How long an answer is remembered.
const REMEMBERED: Duration = Duration::from_secs(60);
/// The most answers that are remembered.
const MAX_REMEMBERED: usize = 4_096;
/// The most questions that one check asks; what is remembered is not asked.
const MAX_ASKED: usize = 16;

/// How an authority is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Where it was declared.
    pub declared: Position,
    /// The address.
    pub url: String,
    /// What it is asked about.
    pub attributes: BTreeSet<AttributeName>,
    /// What becomes of a submission while it cannot be asked.
    pub when_unavailable: WhenUnavailable,
    /// For people.
    pub description: String,
}

/// What an authority answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Who answered.
    pub authority: ModuleName,
    /// The declaration it was asked under.
    pub declared: Position,
    /// What it said, as a row.
    pub row: Row,
    /// What is kept of it.
    pub words: Words,
}

impl Answer {
    /// What tells an answer from another one.
    pub fn said(&self) -> Digest {
        said(&self.row)
    }
}

/// What tells what was answered from something else; when it was said does not count.
pub fn said(row: &Row) -> Digest {
    Digest(digest(std::slice::from_ref(row)))
}

/// The answers of the last minute, by the address that was asked.
#[derive(Debug, Default)]
pub struct Remembered(Mutex<HashMap<String, (Instant, Said)>>);

/// What was said, and what is kept of it; none where nothing is known.
type Said = Option<(Row, Words)>;

impl Remembered {
    fn get(&self, url: &str) -> Option<Said> {
        let kept = self.0.lock();
        let (at, said) = kept.get(url)?;
        (at.elapsed() < REMEMBERED).then(|| said.clone())
    }

    fn put(&self, url: String, said: Said) {
        let mut kept = self.0.lock();
        if kept.len() >= MAX_REMEMBERED {
            kept.retain(|_, (at, _)| at.elapsed() < REMEMBERED);
        }
        if kept.len() < MAX_REMEMBERED {
            kept.insert(url, (Instant::now(), said));
        }
    }
}

/// One round of questions.
pub struct Round<'a> {
    client: &'a Client,
    remembered: &'a Remembered,
    asked: usize,
    /// Who did not answer in this round, and why: not asked again in it.
    failed: BTreeMap<ModuleName, String>,
}

impl<'a> Round<'a> {
    /// Begins a round.
    pub fn new(client: &'a Client, remembered: &'a Remembered) -> Self {
        Self {
            client,
            remembered,
            asked: 0,
            failed: BTreeMap::new(),
        }
    }

    /// Asks one authority about one thing; none where it does not know. Blocks.
    pub fn ask(
        &mut self,
        (authority, spec): (&ModuleName, &Spec),
        (subject, attribute): (&str, &AttributeName),
        vocabulary: &Vocabulary,
    ) -> Result<Option<Answer>, String> {
        let url = question(&spec.url, subject, attribute);
        let answer = |(row, words)| Answer {
            authority: authority.clone(),
            declared: spec.declared,
            row,
            words,
        };
        if let Some(said) = self.remembered.get(&url) {
            return Ok(said.map(answer));
        }
        if let Some(why) = self.failed.get(authority) {
            return Err(why.clone());
        }
        if self.asked == MAX_ASKED {
            return Err(format!("one check asks at most {MAX_ASKED} questions"));
        }
        self.asked += 1;
        let said = self.fetch(&url, (subject, attribute), vocabulary);
        match said {
            Ok(said) => {
                self.remembered.put(url, said.clone());
                Ok(said.map(answer))
            }
            Err(why) => {
                self.failed.insert(authority.clone(), why.clone());
                Err(why)
            }
        }
    }

    fn fetch(
        &self,
        url: &str,
        (subject, attribute): (&str, &AttributeName),
        vocabulary: &Vocabulary,
    ) -> Result<Said, String> {
        let Some(body) = self.client.get(url)? else {
            return Ok(None);
        };
        let no_answer = |what: String| format!("it does not answer as it should: {what}");
        let row = answer(subject, attribute.as_str(), &body)
            .map_err(|error| no_answer(error.to_string()))?;
        typed(&row, vocabulary).map_err(|problem| no_answer(problem.to_string()))?;
        let words = message_words(&LookupWords {
            subject: subject.to_owned(),
            attribute: attribute.to_string(),
            url: url.to_owned(),
            body,
            at_ms: now().0,
        })
        .map_err(|_| "its answer could not be kept".to_owned())?;
        Ok(Some((row, words)))
    }
}

/// Says that an authority that has to be asked did not answer.
pub fn unavailable(authority: &ModuleName, why: &str) -> Denied {
    Denied::new(
        Reason::AuthorityUnavailable,
        format!(
            "authority `{authority}` could not be asked, and this board takes nothing in without \
             it: {why}; try again"
        ),
    )
    .with("authority", authority)
}

/// The address of a question.
fn question(url: &str, subject: &str, attribute: &AttributeName) -> String {
    let mark = if url.contains('?') { '&' } else { '?' };
    format!(
        "{url}{mark}subject={}&attribute={}",
        encoded(subject),
        encoded(attribute.as_str())
    )
}

/// A text as a part of a query: all but unreserved characters in percent form (RFC 3986).
fn encoded(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Reads the bytes of an answer that was kept.
pub fn kept(words: &LookupWords) -> Result<Row, AppError> {
    answer(&words.subject, &words.attribute, &words.body)
        .map_err(|error| AppError::Internal(format!("a kept answer cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_stays_within_its_part_of_the_address() {
        let attribute = "solar_capacity".parse().unwrap();
        assert_eq!(
            question("https://example.org/v1", "a&b=c #я", &attribute),
            "https://example.org/v1?subject=a%26b%3Dc%20%23%D1%8F&attribute=solar_capacity"
        );
        assert_eq!(
            question("https://example.org/?key=1", "a", &attribute),
            "https://example.org/?key=1&subject=a&attribute=solar_capacity"
        );
    }
}
