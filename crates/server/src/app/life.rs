//! Boards that are archived, reopened and deleted; sources that are removed.

use std::{collections::BTreeSet, sync::Arc};

use pawl_ledger::{
    command::Command,
    decide::{Denied, Reason},
    digest::{Commitment, Digest},
    id::{BoardName, Position},
    ledger::DeleteError,
    quota::Quotas,
    store::keys,
};

use super::{
    App, LiveBoard,
    boards::{apply, gone},
    error::AppError,
    identity::require_server_operator,
    sources::resolve,
    words,
};
use crate::auth::Caller;

impl App {
    /// Gives a board quotas of its own. Only server operators raise them over the server's.
    pub async fn set_quotas(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        quotas: Quotas,
    ) -> Result<(), AppError> {
        let raised = self.limits().quotas.raised_by(&quotas);
        if let Some(field) = raised.filter(|_| !caller.server_operator) {
            return Err(Denied::new(
                Reason::RoleMissing,
                format!(
                    "`{field}` would be over the server's, which only a server operator may set; \
                     give less, or ask one"
                ),
            )
            .with("principal", &caller.principal)
            .with("role", "server operator")
            .with("field", field)
            .into());
        }
        self.command(live, caller, &Command::SetQuotas(quotas))
            .await
    }

    /// Closes a board to writing; gives the number of entries after it.
    pub async fn archive(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        reason: String,
    ) -> Result<Position, AppError> {
        let command = |reason| Command::Archive { reason };
        self.with_reason(live, caller, command, reason).await
    }

    /// Opens a board to writing again; gives the number of entries after it.
    pub async fn reopen(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        reason: String,
    ) -> Result<Position, AppError> {
        let command = |reason| Command::Reopen { reason };
        self.with_reason(live, caller, command, reason).await
    }

    async fn with_reason(
        &self,
        live: &LiveBoard,
        caller: &Caller,
        command: impl FnOnce(Commitment) -> Command,
        reason: String,
    ) -> Result<Position, AppError> {
        let words = words(reason.into_bytes())?;
        let command = command(words.commitment());
        let done = self.execute::<()>(live, caller, None, |transaction| {
            apply(transaction, &command, [words]).map(|_| ())
        });
        Ok(done.await?.position)
    }

    /// Deletes an archived board for good; says how many records went. Who stops waiting does not
    /// stop it, and what the end of the server leaves is gone on with at the next start.
    pub async fn delete_board(
        self: &Arc<Self>,
        caller: &Caller,
        name: &BoardName,
        confirm: &str,
    ) -> Result<u64, AppError> {
        require_server_operator(caller)?;
        let live = self.board(name).await?;
        if confirm != name.as_str() {
            let shown: String = confirm.chars().take(80).collect();
            return Err(Denied::new(
                Reason::FieldInvalid,
                format!("field `confirm` is `{shown}`; give `{name}`, the board that is meant"),
            )
            .with("field", "confirm")
            .with("value", shown)
            .into());
        }
        let (app, caller) = (self.clone(), caller.clone());
        tokio::spawn(async move {
            app.mark_deleted(&live, &caller).await?;
            drop(live);
            app.finish_deletions().await
        })
        .await
        .map_err(|error| AppError::Internal(format!("deleting a board: {error}")))?
    }

    async fn mark_deleted(&self, live: &LiveBoard, caller: &Caller) -> Result<(), AppError> {
        let slot = self.slot(&live.name).ok_or_else(|| gone(&live.name))?;
        // Nobody opens it meanwhile. Its slot stays: others may be waiting at it.
        let mut held = slot.hold().await;
        if held
            .as_ref()
            .is_none_or(|it| it.open.number != live.open.number)
        {
            return Err(gone(&live.name).into());
        }
        live.set_deleted(true);
        let context = caller.context();
        let marked = self.ledger.mark_deleted(&live.open, &context).await;
        if let Err(error) = marked {
            live.set_deleted(false);
            return Err(error.into());
        }
        held.take();
        Ok(())
    }

    /// Removes what is left of deleted boards; says how many records.
    pub async fn finish_deletions(self: &Arc<Self>) -> Result<u64, AppError> {
        let _removing = self.removing.lock().await;
        let mut removed = 0;
        for number in self.ledger.being_deleted()? {
            removed += self.ledger.remove_marked(number).await?;
        }
        self.try_sweep().await;
        Ok(removed)
    }

    /// Takes a source that nothing cites off a board; says whether its bytes went too.
    pub async fn remove_source(
        self: &Arc<Self>,
        live: &LiveBoard,
        caller: &Caller,
        named: &str,
    ) -> Result<bool, AppError> {
        let find = |board: &_| resolve(board, &live.addresses.read(), named);
        let digest = self.read(live, caller, find).await?;
        self.execute::<()>(live, caller, None, |transaction| {
            let kept = transaction.board().sources.get(&digest).map(|it| it.kept);
            apply(transaction, &Command::RemoveSource(digest), [])?;
            live.addresses.write().forget(digest);
            if kept == Some(true) {
                transaction.put(keys::unkept(digest), Vec::new());
            }
            Ok(())
        })
        .await?;
        self.try_sweep().await;
        let first = self.ledger.store().get(&keys::source(digest, 0))?;
        Ok(first.is_none())
    }

    /// Removes the bytes of sources that lost their last board, or leaves that to the next time.
    async fn try_sweep(self: &Arc<Self>) {
        if let Err(error) = self.sweep_sources().await {
            tracing::warn!(%error, "bytes of removed sources are left; the next start removes them");
        }
    }

    async fn sweep_sources(self: &Arc<Self>) -> Result<(), AppError> {
        if self.ledger.unkept_sources()?.is_empty() {
            return Ok(());
        }
        // No upload is between its bytes and its entry.
        let _alone = self.keeping.write().await;
        let kept = self.kept_sources().await?;
        for source in self.ledger.unkept_sources()? {
            let unused = !kept.contains(&source);
            self.ledger.settle_source(source, unused).await?;
        }
        Ok(())
    }

    /// What any board keeps. Opens every board: it is asked for where something was removed only.
    async fn kept_sources(self: &Arc<Self>) -> Result<BTreeSet<Digest>, AppError> {
        let mut all = BTreeSet::new();
        for name in self.ledger.board_names() {
            let live = self.board(&name).await?;
            let board = live.open.state.read();
            let kept = board.sources.iter().filter(|(_, state)| state.kept);
            all.extend(kept.map(|(source, _)| *source));
        }
        Ok(all)
    }
}

impl From<DeleteError> for AppError {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::Denied(denied) => denied.into(),
            DeleteError::Store(error) => error.into(),
            DeleteError::Commit(error) => error.into(),
        }
    }
}
