//! Who checks texts at the moment: each principal a few at a time, so that one who sends a thousand at once leaves the
//! others their part of the processors.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use pawl_ledger::id::PrincipalName;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::AppError;

/// How many principals are held before those that do nothing are dropped.
const MAX_HELD: usize = 1_024;

/// The turns of every principal that does something, or did lately.
pub(super) struct Turns {
    at_once: usize,
    of: Mutex<HashMap<PrincipalName, Arc<Semaphore>>>,
}

/// A turn; dropping it gives it to whoever has waited longest.
pub(super) struct Turn(#[expect(dead_code, reason = "held")] OwnedSemaphorePermit);

impl Default for Turns {
    /// Half of the processors each, so that one principal leaves the others as much as it takes.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            at_once: (processors / 2).max(1),
            of: Mutex::default(),
        }
    }
}

impl Turns {
    /// Waits for a turn behind the principal's own others.
    pub(super) async fn take(&self, principal: &PrincipalName) -> Result<Turn, AppError> {
        let own = self.own(principal);
        let permit = own.acquire_owned().await;
        permit
            .map(Turn)
            .map_err(|_| AppError::Internal("turns are never closed".into()))
    }

    fn own(&self, principal: &PrincipalName) -> Arc<Semaphore> {
        let mut of = self.of.lock();
        if let Some(own) = of.get(principal) {
            return own.clone();
        }
        if of.len() >= MAX_HELD {
            // Whoever waits or works holds one too.
            of.retain(|_, own| Arc::strong_count(own) > 1);
        }
        let own = Arc::new(Semaphore::new(self.at_once));
        of.insert(principal.clone(), own.clone());
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_principal_waits_for_its_own_and_for_nobody_else() {
        let turns = Turns {
            at_once: 1,
            ..Turns::default()
        };
        let [busy, other] = ["busy", "other"].map(|name| name.parse().unwrap());
        let first = turns.take(&busy).await.unwrap();
        let mut second = Box::pin(turns.take(&busy));
        assert!(futures_poll(&mut second).is_none());
        assert!(turns.take(&other).await.is_ok());
        drop(first);
        assert!(second.await.is_ok());
    }

    fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match std::pin::Pin::new(future).poll(&mut context) {
            std::task::Poll::Ready(output) => Some(output),
            std::task::Poll::Pending => None,
        }
    }
}
