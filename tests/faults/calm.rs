//! Somebody who goes on with their work while others do what they should not.

use std::{cell::Cell, time::Instant};

use pawl_proto::v1::Role;

use crate::{
    caller::{Caller, draft},
    texts,
};

const CALLS: usize = 400;
/// How much slower the slowest calls of others may get.
const MOST: f64 = 3.0;

/// Who is measured.
pub(crate) struct Calm {
    caller: Caller,
    source: String,
    number: Cell<usize>,
}

/// How long the slowest calls took, in milliseconds: alone before and after, and beside the others.
pub(crate) struct Figures {
    before: f64,
    beside: f64,
    after: f64,
}

impl Calm {
    /// Makes somebody who submits facts of their own.
    pub(crate) async fn settle(operator: &Caller) -> Self {
        let caller = operator.somebody("calm", Role::Agent).await;
        let source = caller.upload("What is measured.".to_owned()).await;
        let calm = Self {
            caller,
            source,
            number: Cell::new(0),
        };
        // The first calls open the connection and fill caches.
        calm.p99().await;
        calm
    }

    /// The time that all but a hundredth of calls are under, in milliseconds.
    pub(crate) async fn p99(&self) -> f64 {
        let mut took = Vec::new();
        for _ in 0..CALLS {
            let mut draft = draft(&texts::fact(self.number.get()), &self.source);
            self.number.set(self.number.get() + 1);
            draft.citations[0].quote = "What is measured.".to_owned();
            let begun = Instant::now();
            self.caller.submit(vec![draft]).await;
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
        }
        took.sort_by(f64::total_cmp);
        took[CALLS - CALLS / 100 - 1]
    }

    /// Compares what was measured beside the others with what is alone, before and now: a machine that got slower
    /// meanwhile is not laid to them.
    pub(crate) async fn compared(&self, before: f64, beside: f64) -> Figures {
        Figures {
            before,
            beside,
            after: self.p99().await,
        }
    }
}

impl Figures {
    fn ratio(&self) -> f64 {
        self.beside / self.before.max(self.after)
    }

    pub(crate) fn told(&self) -> String {
        let Self {
            before,
            beside,
            after,
        } = self;
        format!(
            "p99 of another's submissions: {before:.1} ms before, {beside:.1} ms beside it, {after:.1} ms after"
        )
    }

    /// What is wrong with it.
    pub(crate) fn lost(&self) -> Option<String> {
        let ratio = self.ratio();
        (ratio > MOST).then(|| format!("the others' p99 grew {ratio:.1} times, at most {MOST}"))
    }
}
