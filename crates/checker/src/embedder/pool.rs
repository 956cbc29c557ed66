//! Lends out a fixed number of things, one caller each; whoever finds none waits.

use parking_lot::{Condvar, Mutex};

/// Things that one caller at a time may use.
#[derive(Debug)]
pub(super) struct Pool<T> {
    size: usize,
    idle: Mutex<Vec<T>>,
    returned: Condvar,
}

impl<T> Pool<T> {
    pub(super) fn new(things: Vec<T>) -> Self {
        Self {
            size: things.len(),
            idle: Mutex::new(things),
            returned: Condvar::new(),
        }
    }

    /// How many things there are, lent out or not.
    pub(super) fn len(&self) -> usize {
        self.size
    }

    /// Runs a function on one of the things, which goes back even when the function panics.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut loan = Loan {
            pool: self,
            thing: None,
        };
        let mut idle = self.idle.lock();
        let thing = loop {
            match idle.pop() {
                Some(thing) => break thing,
                None => self.returned.wait(&mut idle),
            }
        };
        drop(idle);
        work(loan.thing.insert(thing))
    }
}

/// A thing on loan; dropping it brings the thing back.
struct Loan<'pool, T> {
    pool: &'pool Pool<T>,
    thing: Option<T>,
}

impl<T> Drop for Loan<'_, T> {
    fn drop(&mut self) {
        if let Some(thing) = self.thing.take() {
            self.pool.idle.lock().push(thing);
            self.pool.returned.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_thing_serves_two_callers_at_once() {
        let pool = Pool::new(vec![AtomicUsize::new(0), AtomicUsize::new(0)]);
        let served = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        pool.with(|users| {
                            assert_eq!(users.fetch_add(1, Ordering::SeqCst), 0);
                            served.fetch_add(1, Ordering::SeqCst);
                            users.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert_eq!(served.into_inner(), 1600);
        assert_eq!(pool.idle.lock().len(), 2);
    }

    #[test]
    fn a_panic_brings_the_thing_back() {
        let pool = Pool::new(vec![1]);
        assert!(catch_unwind(AssertUnwindSafe(|| pool.with(|_| panic!("no")))).is_err());
        assert_eq!(pool.with(|thing| *thing), 1);
    }
}
