//! Finds what says something like a text, among what is in force.

use std::{cmp::Reverse, sync::Arc};

use pawl_ledger::{
    board::Revision,
    decide::{Denied, Reason},
    id::{ModuleName, Position, RevisionId},
    status::{Kind, Level},
};

use super::{
    App,
    boards::LiveBoard,
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
        self.read(live, caller, |board| match &asked.module {
            Some(module) if !board.modules.contains_key(module) => {
                let what = format!(
                    "board `{}` has no module `{module}`; list the modules",
                    board.name
                );
                Err(Denied::new(Reason::ModuleUnknown, what)
                    .with("module", module)
                    .into())
            }
            _ => Ok(()),
        })
        .await?;
        let Some(text) = self.task(live, &asked.query).await? else {
            return Ok((Vec::new(), Position(0)));
        };
        let text = Arc::new(text);
        let (found, position) = self
            .read(live, caller, |board| {
                let judge = live.judge.read();
                let wanted =
                    |id: &RevisionId| board.revision(*id).is_some_and(|it| asked.wants(it));
                let found = if asked.by_text {
                    sharing(&judge, &text, wanted)
                } else {
                    let standing = board.modules.values().flat_map(|module| &module.standing);
                    let standing = standing.copied().filter(wanted);
                    standing
                        .filter_map(|id| Some((id, judge.known(id)?.clone(), 0)))
                        .collect()
                };
                Ok((found, board.position()))
            })
            .await?;
        // Outside of the lock: the vectors of a whole board are compared.
        let rank = move || {
            let mut hits: Vec<Hit> = found.iter().map(|found| hit(&text, found)).collect();
            hits.retain(|hit| asked.by_text || hit.cosine.is_some());
            hits.sort_by_key(|hit| {
                let cosine = (!asked.by_text).then_some(hit.cosine).flatten();
                (Reverse(cosine), Reverse(hit.overlap), hit.revision)
            });
            hits.truncate(asked.most);
            hits
        };
        let hits = tokio::task::spawn_blocking(rank)
            .await
            .map_err(|error| AppError::Internal(format!("a search was not made: {error}")))?;
        Ok((hits, position))
    }
}

/// A revision with its text, and what its terms share.
type Found = (RevisionId, Arc<Known>, u32);

fn sharing(judge: &Judge, text: &Known, wanted: impl Fn(&RevisionId) -> bool) -> Vec<Found> {
    let candidates = judge.sharing_terms(text, SHARING_TERMS).into_iter();
    candidates
        .filter(|it| wanted(&it.key))
        .filter_map(|it| Some((it.key, judge.known(it.key)?.clone(), it.overlap)))
        .filter(|(_, known, _)| text.likeness(known).0 > 0)
        .collect()
}

fn hit(text: &Known, (revision, known, overlap): &Found) -> Hit {
    let cosine = text.vector.as_ref().zip(known.vector.as_ref());
    Hit {
        revision: *revision,
        cosine: cosine.map(|(one, other)| one.cosine(other)),
        overlap: *overlap,
    }
}
