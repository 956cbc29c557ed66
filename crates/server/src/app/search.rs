//! Finds what says something like a text, among what is in force.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use pawl_ledger::{
    board::Revision,
    decide::Reason,
    id::{ModuleName, Position, RevisionId},
    status::{Kind, Level},
};

use super::{
    App,
    boards::{LiveBoard, check_modules},
    error::AppError,
    judge::{Judge, Known},
};
use crate::auth::Caller;

/// How many revisions a search by words looks at: those that share the most with the text.
const SHARING_TERMS: usize = 1_000;

/// What is looked for.
pub struct Asked {
    /// The text.
    pub query: String,
    /// By its words; else by its meaning.
    pub by_text: bool,
    /// At most so many.
    pub most: usize,
    /// In this module only.
    pub module: Option<ModuleName>,
    /// Of these levels only; empty: all.
    pub levels: Vec<Level>,
    /// Of these kinds only; empty: all.
    pub kinds: Vec<Kind>,
}

/// A revision that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Which.
    pub revision: RevisionId,
    /// The cosine of the two meanings in ten-thousandths.
    pub cosine: Option<i16>,
    /// The weight of the terms in common, in 256ths of a bit.
    pub overlap: u32,
}

impl Asked {
    fn wants(&self, revision: &Revision) -> bool {
        let module = self.module.as_ref();
        revision.status.stands()
            && module.is_none_or(|module| revision.module == *module)
            && (self.levels.is_empty() || self.levels.contains(&revision.level))
            && (self.kinds.is_empty() || self.kinds.contains(&revision.kind))
    }
}

impl App {
    /// Searches what is in force now; the likest first.
    pub async fn search(
        self: &Arc<Self>,
        live: &Arc<LiveBoard>,
        caller: &Caller,
        asked: Asked,
    ) -> Result<(Vec<Hit>, Position), AppError> {
        if !asked.by_text && self.embedder.is_none() {
            let message = "this server runs without the sentence model; search by text";
            return Err(AppError::denied(Reason::EmbeddingOff, message));
        }
        self.read(live, caller, |board| {
            Ok(check_modules(board, &asked.module)?)
        })
        .await?;
        let Some(text) = self.task(live, &asked.query).await? else {
            return Ok((Vec::new(), Position(0)));
        };
        let text = Arc::new(text);
        let (hits, position) = self
            .read(live, caller, |board| {
                let judge = live.judge.read();
                let wanted =
                    |id: &RevisionId| board.revision(*id).is_some_and(|it| asked.wants(it));
                let mut hits = if asked.by_text {
                    sharing(&judge, &text, wanted)
                } else {
                    let standing = board.modules.values().flat_map(|module| &module.standing);
                    near(&judge, &text, standing.copied().filter(wanted))
                };
                hits.sort_by_key(|hit| {
                    let cosine = (!asked.by_text).then_some(hit.cosine).flatten();
                    (Reverse(cosine), Reverse(hit.overlap), hit.revision)
                });
                hits.truncate(asked.most);
                Ok((hits, board.position()))
            })
            .await?;
        Ok((hits, position))
    }
}

/// What shares terms with a text.
fn sharing(judge: &Judge, text: &Known, wanted: impl Fn(&RevisionId) -> bool) -> Vec<Hit> {
    let found = judge.sharing_terms(text, SHARING_TERMS).into_iter();
    let found: BTreeMap<RevisionId, u32> = found
        .filter(|it| wanted(&it.key))
        .map(|it| (it.key, it.overlap))
        .collect();
    let likeness = judge.likeness(text, found.keys().copied()).into_iter();
    likeness
        .filter(|like| like.terms > 0)
        .map(|like| Hit {
            revision: like.revision,
            cosine: like.cosine,
            overlap: found.get(&like.revision).copied().unwrap_or_default(),
        })
        .collect()
}

/// How near in meaning each is to a text.
fn near(judge: &Judge, text: &Known, standing: impl Iterator<Item = RevisionId>) -> Vec<Hit> {
    let likeness = judge.likeness(text, standing).into_iter();
    likeness
        .filter(|like| like.cosine.is_some())
        .map(|like| Hit {
            revision: like.revision,
            cosine: like.cosine,
            overlap: 0,
        })
        .collect()
}
