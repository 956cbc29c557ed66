//! Long work that ends when nobody waits for its result any more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{error::AppError, submission::blocking};

/// Says whether the caller has gone: its deadline has passed or its connection is closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Fails once nobody waits any more. Cheap; for between two steps of the work.
    pub(super) fn check(&self) -> Result<(), AppError> {
        match self.0.load(Ordering::Relaxed) {
            true => Err(AppError::Abandoned),
            false => Ok(()),
        }
    }
}

/// Tells the work to stop when the future that waits for it is dropped.
struct Guard(Stop);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Runs work outside the threads that answer, and tells it when its result is no longer wanted.
pub(super) async fn stoppable<T: Send + 'static>(
    work: impl FnOnce(&Stop) -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    let guard = Guard(Stop::default());
    let stop = guard.0.clone();
    blocking(move || work(&stop)).await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_is_told_when_its_caller_goes() {
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (ended, has_ended) = mpsc::channel();
        let waiting = tokio::spawn(stoppable(move |stop| {
            let _ = begun.send(());
            while stop.check().is_ok() {
                std::thread::yield_now();
            }
            let _ = ended.send(stop.check());
            Ok(())
        }));
        has_begun.await.unwrap();
        waiting.abort();
        let told = tokio::task::spawn_blocking(move || has_ended.recv());
        assert!(matches!(
            told.await.unwrap().unwrap(),
            Err(AppError::Abandoned)
        ));
    }

    #[tokio::test]
    async fn work_that_is_waited_for_goes_on() {
        let checked = stoppable(Stop::check).await;
        assert!(checked.is_ok());
    }
}
