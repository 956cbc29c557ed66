//! The rules by which a board decides conflicts: set, read, and asked of everything that waits.

mod authority;

use std::collections::{BTreeMap, BTreeSet};

use pawl_ledger::{
    board::Board,
    command::Command,
    decide::waiting_challengers,
    digest::Words,
    event::{Challenger, Event, Grounds},
    id::{ConflictId, Position, RevisionId},
    rule::ResolutionRules,
    status::{ConflictState, Rule},
};
use pawl_proto::v1::{AuthorityRank, RankWords};

use super::{
    App, LiveBoard, boards::apply, error::AppError, message_words, settling, sources::Addresses,
};
use crate::auth::Caller;

pub use authority::Authority;

/// How many challengers the rules are asked about in one transaction.
const ASKED_TOGETHER: usize = 64;

/// The rules of a board as they were written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// In the order they are asked.
    pub order: Vec<Rule>,
    /// From the highest rank down.
    pub authority: Vec<AuthorityRank>,
}

impl App {
    /// Sets the rules, and asks them about everything that waits: what they can decide is decided.
    /// Gives the conflicts they decided.
    pub async fn set_resolution_rules(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        written: &Written,
    ) -> Result<Vec<ConflictId>, AppError> {
        let (authority, kept) = Authority::parse(&written.authority)?;
        let words = (!kept.ranks.is_empty())
            .then(|| message_words(&kept))
            .transpose()?;
        let rules = ResolutionRules {
            order: written.order.clone(),
            ranks: authority.count(),
            listed: authority.listed(),
        };
        self.execute::<()>(live, caller, None, |transaction| {
            let by_address = ranked(transaction.board(), &live.addresses.read(), &authority);
            let command = Command::SetResolutionRules {
                rules,
                by_address,
                authority: words.as_ref().map(Words::commitment),
            };
            apply(transaction, &command, words)?;
            *live.authority.write() = authority;
            Ok(())
        })
        .await?;
        self.apply_rules(live, caller).await
    }

    /// The rules in force.
    pub async fn resolution_rules(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<Written, AppError> {
        let order = self
            .read(live, caller, |board| {
                Ok(board.resolution.rules.order.clone())
            })
            .await?;
        let RankWords { ranks } = authority::words_of(&self.ledger, &live.open)?;
        Ok(Written {
            order,
            authority: ranks,
        })
    }

    /// Asks the rules about every challenger that waits, some at a time, so that others can write in
    /// between.
    async fn apply_rules(
        &self,
        live: &LiveBoard,
        caller: &Caller,
    ) -> Result<Vec<ConflictId>, AppError> {
        let waiting: Vec<RevisionId> = {
            let board = live.open.state.read();
            if board.resolution.rules.order.is_empty() {
                return Ok(Vec::new());
            }
            waiting_challengers(&board).into_iter().collect()
        };
        let mut decided = Vec::new();
        for some in waiting.chunks(ASKED_TOGETHER) {
            let done = self.execute::<()>(live, caller, None, |transaction| {
                let mut judge = live.judge.write();
                let since = transaction.board().position();
                settling::meet(transaction, &mut judge, &some.iter().copied().collect())?;
                for challenger in some {
                    apply(transaction, &Command::ApplyRules(*challenger), [])?;
                }
                settling::follow(transaction, &mut judge, since)
            });
            decided.extend(done.await?.events.iter().filter_map(|it| match it.event {
                Event::ConflictResolved {
                    conflict,
                    grounds: Grounds::Rule(_),
                    ..
                } => Some(conflict),
                _ => None,
            }));
        }
        Ok(decided)
    }
}

/// The registered sources whose address has a rank.
fn ranked(board: &Board, addresses: &Addresses, authority: &Authority) -> BTreeMap<Position, u32> {
    let each = board.sources.iter().filter_map(|(digest, source)| {
        Some((source.position, authority.rank(addresses.of(digest)?)?))
    });
    each.collect()
}

/// The challengers that wait for a conflict with a revision, where rules could decide it.
pub fn challengers_of(board: &Board, standing: RevisionId) -> BTreeSet<RevisionId> {
    if board.resolution.rules.order.is_empty() {
        return BTreeSet::new();
    }
    let conflicts = board.revision(standing).map(|it| it.conflicts.as_slice());
    let open = conflicts
        .unwrap_or_default()
        .iter()
        .filter_map(|id| board.conflict(*id));
    let challengers = open.filter_map(|conflict| match conflict.challenger {
        Challenger::Revision(challenger)
            if conflict.state == ConflictState::Open && !conflict.rescan =>
        {
            Some(challenger)
        }
        _ => None,
    });
    challengers.filter(|it| *it != standing).collect()
}
