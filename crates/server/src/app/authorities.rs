//! Authorities: who is asked over HTTP what an attribute of a subject is, and what was answered.
//!
//! An answer is asked for outside the board's lock, remembered for a minute, and recorded when it
//! was used: the entry commits to the bytes as they came.

mod ask;
mod client;

use std::{collections::BTreeMap, sync::Arc};

use pawl_checker::{
    table::{Row, sentence, typed},
    vocabulary::Vocabulary,
};
use pawl_ledger::{
    board::Board,
    command::Command,
    decide::{Denied, Reason},
    id::{AttributeName, BoardName, LookupId, ModuleName},
    ledger::Ledger,
    status::WhenUnavailable,
    store::{StoreError, keys::BoardNumber},
};
use pawl_proto::v1::{self as proto, AuthorityWords, LookupWords};
use prost::Message;

pub use ask::{Answer, Remembered, Round, Spec, kept, said, unavailable};
pub use client::{Client, Unfit};

use super::{
    App, LiveBoard,
    boards::apply,
    claims,
    error::AppError,
    judge::{GivenRow, Judge},
    message_words,
    submission::blocking,
    tables::{MAX_DESCRIPTION_BYTES, may_mount},
    text,
};
use crate::auth::Caller;

/// The longest address of an authority, in bytes.
const MAX_URL_BYTES: usize = 1_024;
/// The most rows and answers that are found at once.
const MAX_FOUND: usize = 100;

/// An authority that is to be declared.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub authority: ModuleName,
    /// What it is asked about; empty to remove it.
    pub attributes: Vec<AttributeName>,
    /// What becomes of a submission while it cannot be asked.
    pub when_unavailable: WhenUnavailable,
    /// How it is asked.
    pub words: AuthorityWords,
}

/// What a look-up found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Rows and answers.
    pub given: Vec<proto::Reference>,
    /// Who could not be asked, and why.
    pub unavailable: Vec<String>,
}

impl App {
    /// Declares an authority, declares it anew, or removes it.
    pub async fn declare_authority(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        declaration: Declaration,
    ) -> Result<(), AppError> {
        let Declaration {
            authority,
            attributes,
            when_unavailable,
            words,
        } = declaration;
        may_mount(&live.open.state.read(), caller)?;
        let words = if attributes.is_empty() {
            AuthorityWords::default()
        } else {
            self.accept_words(&words)?
        };
        let spec = Spec {
            declared: live.open.state.read().position(),
            url: words.url.clone(),
            attributes: attributes.iter().cloned().collect(),
            when_unavailable,
            description: words.description.clone(),
        };
        let definition = message_words(&words)?;
        let command = Command::DeclareAuthority {
            authority: authority.clone(),
            attributes,
            when_unavailable,
            definition: definition.commitment(),
        };
        self.execute::<()>(live, caller, None, |transaction| {
            let mut judge = live.judge.write();
            let since = transaction.board().position();
            apply(transaction, &command, [definition])?;
            judge.declare_authority(
                authority,
                Spec {
                    declared: since,
                    ..spec
                },
            );
            super::settling::follow(transaction, &mut judge, since)?;
            Ok(())
        })
        .await?;
        Ok(())
    }

    /// The authorities by name.
    pub async fn authorities(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<BTreeMap<ModuleName, Spec>, AppError> {
        self.read(live, caller, |_| {
            Ok((*live.judge.read().authorities).clone())
        })
        .await
    }

    /// What tables and authorities say of an attribute of a subject. Nothing is recorded.
    pub async fn look_up(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        (subject, attribute): (String, String),
    ) -> Result<Found, AppError> {
        self.read(live, caller, |_| Ok(())).await?;
        let (app, live) = (self.clone(), live.clone());
        blocking(move || {
            let (vocabulary, tables, authorities) = {
                let judge = live.judge.read();
                (
                    judge.vocabulary.clone(),
                    judge.tables.clone(),
                    judge.authorities.clone(),
                )
            };
            let rows = tables.about(&subject, &attribute, &vocabulary);
            let rows = rows.map(|row| row_to_wire(&live.name, &row, &vocabulary));
            let mut found = Found {
                given: rows.take(MAX_FOUND).collect(),
                ..Found::default()
            };
            let declared = vocabulary.declared_attribute(&attribute);
            let Some(attribute) = declared.and_then(|it| it.parse::<AttributeName>().ok()) else {
                return Ok(found);
            };
            let mut round = Round::new(&app.client, &app.remembered);
            let asked = authorities.iter();
            for (name, spec) in asked.filter(|(_, spec)| spec.attributes.contains(&attribute)) {
                match round.ask((name, spec), (&subject, &attribute), &vocabulary) {
                    Ok(Some(answer)) => {
                        let told = answer_to_wire(&live.name, &answer, None, &vocabulary);
                        found.given.push(told);
                    }
                    Ok(None) => {}
                    Err(why) => found.unavailable.push(format!("{name}: {why}")),
                }
            }
            Ok(found)
        })
        .await
    }

    fn accept_words(&self, words: &AuthorityWords) -> Result<AuthorityWords, AppError> {
        let url = text::accept_some("url", &words.url, MAX_URL_BYTES)?.text;
        let shown: String = url.chars().take(120).collect();
        self.client.check(&url).map_err(|unfit| {
            let reason = match unfit {
                Unfit::NoAddress => Reason::FieldInvalid,
                Unfit::NotAllowed(_) => Reason::AuthorityNotAllowed,
            };
            Denied::new(reason, format!("field `url` is `{shown}`: {unfit}"))
                .with("field", "url")
                .with("value", &shown)
        })?;
        let description = &words.description;
        Ok(AuthorityWords {
            url,
            description: text::accept("description", description, MAX_DESCRIPTION_BYTES)?.text,
        })
    }
}

impl Judge {
    /// Takes over a declaration; one without attributes removes.
    fn declare_authority(&mut self, authority: ModuleName, spec: Spec) {
        let authorities = Arc::make_mut(&mut self.authorities);
        if spec.attributes.is_empty() {
            authorities.remove(&authority);
        } else {
            authorities.insert(authority, spec);
        }
    }

    /// The number under which an answer is recorded already.
    pub fn recorded(&self, answer: &Answer) -> Option<LookupId> {
        let key = (answer.authority.clone(), answer.declared, answer.said());
        self.recorded.get(&key).copied()
    }

    /// Remembers that an answer was recorded.
    pub fn learn_answer(&mut self, answer: &Answer, lookup: LookupId) {
        let key = (answer.authority.clone(), answer.declared, answer.said());
        self.recorded.insert(key, lookup);
    }

    /// Reads the authorities and what they answered under the declarations in force.
    pub(super) fn load_authorities(
        &mut self,
        ledger: &Ledger,
        number: BoardNumber,
        board: &Board,
    ) -> Result<(), StoreError> {
        for (name, state) in &board.authorities {
            let words = ledger.words(number, state.position, state.definition)?;
            let words = words.and_then(|it| AuthorityWords::decode(it.bytes()).ok());
            let words = words.unwrap_or_default();
            let spec = Spec {
                declared: state.position,
                url: words.url,
                attributes: state.attributes.clone(),
                when_unavailable: state.when_unavailable,
                description: words.description,
            };
            self.declare_authority(name.clone(), spec);
        }
        for (lookup, state) in (1..).map(LookupId).zip(&board.lookups) {
            if !board.is_asked(&state.authority, state.declared) {
                continue;
            }
            let words = ledger.words(number, state.position, state.answer)?;
            let words = words.and_then(|it| LookupWords::decode(it.bytes()).ok());
            let row = words.as_ref().and_then(|words| kept(words).ok());
            if let Some(row) = row {
                let key = (state.authority.clone(), state.declared, said(&row));
                self.recorded.entry(key).or_insert(lookup);
            }
        }
        Ok(())
    }
}

/// A row as it is told.
pub fn row_to_wire(
    board: &BoardName,
    given: &GivenRow,
    vocabulary: &Vocabulary,
) -> proto::Reference {
    proto::Reference {
        table: format!("boards/{board}/tables/{}", given.table),
        version: given.version.0,
        line: given.row.line,
        source: given.source.to_string(),
        ..told(&given.row, vocabulary)
    }
}

/// An answer as it is told.
pub fn answer_to_wire(
    board: &BoardName,
    answer: &Answer,
    recorded: Option<LookupId>,
    vocabulary: &Vocabulary,
) -> proto::Reference {
    proto::Reference {
        authority: format!("boards/{board}/authorities/{}", answer.authority),
        lookup: recorded.map(|it| it.to_string()).unwrap_or_default(),
        ..told(&answer.row, vocabulary)
    }
}

fn told(row: &Row, vocabulary: &Vocabulary) -> proto::Reference {
    proto::Reference {
        content: sentence(row),
        claim: typed(row, vocabulary).ok().as_ref().map(claims::to_wire),
        valid_from: row.valid_from.clone(),
        valid_to: row.valid_to.clone(),
        vouched_by: row.authority.clone(),
        ..proto::Reference::default()
    }
}
