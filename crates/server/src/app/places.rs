//! Who uses how much of what a server can do at once. Over a limit a caller is told to come back,
//! before the body of its request is read; so one principal that floods a server does not keep the
//! others out.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use pawl_ledger::{
    decide::{Denied, Reason},
    id::PrincipalName,
};

use crate::config::Limits;

/// What there is a bounded number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A call: of all, until its answer begins; of one principal, until its client took that.
    Call,
    /// An answer that is a stream, until it ends.
    Stream,
    /// An upload, until it is kept.
    Upload,
}

impl What {
    const ALL: [Self; 3] = [Self::Call, Self::Stream, Self::Upload];

    /// As settings and figures spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "calls",
            Self::Stream => "streams",
            Self::Upload => "uploads",
        }
    }

    /// The most of all principals together; streams are bounded by connections alone.
    pub fn most(self, limits: &Limits) -> Option<usize> {
        match self {
            Self::Call => Some(limits.calls),
            Self::Stream => None,
            Self::Upload => Some(limits.uploads),
        }
    }

    /// The most of one principal.
    pub fn most_of_one(self, limits: &Limits) -> usize {
        match self {
            Self::Call => limits.calls_per_principal,
            Self::Stream => limits.streams_per_principal,
            Self::Upload => limits.uploads_per_principal,
        }
    }
}

/// How many of each are used. Principals that use nothing take no memory.
#[derive(Debug, Default)]
pub struct Places(Mutex<Used>);

#[derive(Debug, Default)]
struct Used {
    all: Counts,
    by_principal: HashMap<PrincipalName, Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    calls: usize,
    streams: usize,
    uploads: usize,
}

impl Counts {
    fn of(&mut self, what: What) -> &mut usize {
        match what {
            What::Call => &mut self.calls,
            What::Stream => &mut self.streams,
            What::Upload => &mut self.uploads,
        }
    }
}

/// A place that is used until it is dropped.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    what: What,
    /// Counted for all.
    shared: bool,
    /// Counted for one.
    principal: Option<PrincipalName>,
}

impl Places {
    /// Takes a place of all, for somebody who is not known yet.
    pub fn take(self: &Arc<Self>, what: What, limits: &Limits) -> Result<Place, Denied> {
        self.place(what, true, None, limits)
    }

    /// Takes a place of one principal.
    pub fn take_of(
        self: &Arc<Self>,
        what: What,
        principal: &PrincipalName,
        limits: &Limits,
    ) -> Result<Place, Denied> {
        self.place(what, false, Some(principal), limits)
    }

    /// Takes a place of all and of one principal.
    pub fn take_both(
        self: &Arc<Self>,
        what: What,
        principal: &PrincipalName,
        limits: &Limits,
    ) -> Result<Place, Denied> {
        self.place(what, true, Some(principal), limits)
    }

    /// How many are used by all together. Streams are known by principal alone.
    pub fn used(&self, what: What) -> usize {
        let mut used = self.0.lock();
        match what {
            What::Stream => used.by_principal.values_mut().map(|it| *it.of(what)).sum(),
            _ => *used.all.of(what),
        }
    }

    /// How many the principal uses that uses most of it.
    pub fn most_used_by_one(&self, what: What) -> usize {
        let mut used = self.0.lock();
        let counts = used.by_principal.values_mut().map(|it| *it.of(what));
        counts.max().unwrap_or_default()
    }

    fn place(
        self: &Arc<Self>,
        what: What,
        shared: bool,
        principal: Option<&PrincipalName>,
        limits: &Limits,
    ) -> Result<Place, Denied> {
        let mut used = self.0.lock();
        if let Some(principal) = principal {
            let most = what.most_of_one(limits);
            let counts = used.by_principal.get_mut(principal);
            if counts.map_or(0, |counts| *counts.of(what)) >= most {
                return Err(of_one(what, principal, most));
            }
        }
        if shared {
            let count = used.all.of(what);
            if let Some(most) = what.most(limits).filter(|most| *count >= *most) {
                return Err(of_all(what, most));
            }
            *count += 1;
        }
        if let Some(principal) = principal {
            let counts = used.by_principal.entry(principal.clone()).or_default();
            *counts.of(what) += 1;
        }
        Ok(Place {
            places: self.clone(),
            what,
            shared,
            principal: principal.cloned(),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut used = self.places.0.lock();
        if self.shared {
            *used.all.of(self.what) -= 1;
        }
        let Some(principal) = &self.principal else {
            return;
        };
        if let Some(counts) = used.by_principal.get_mut(principal) {
            *counts.of(self.what) -= 1;
            if What::ALL.into_iter().all(|what| *counts.of(what) == 0) {
                used.by_principal.remove(principal);
            }
        }
    }
}

fn of_one(what: What, principal: &PrincipalName, most: usize) -> Denied {
    let name = what.name();
    let message = format!(
        "`{principal}` has {most} {name} at once, as many as one principal may; end one, or try again"
    );
    Denied::new(Reason::Overloaded, message)
        .with("scope", "principal")
        .with("principal", principal)
        .with("what", name)
        .with("limit", most)
}

fn of_all(what: What, most: usize) -> Denied {
    let name = what.name();
    let message = format!("the server has as many {name} as it can work on; try again");
    Denied::new(Reason::Overloaded, message)
        .with("scope", "server")
        .with("what", name)
        .with("limit", most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_has_its_share_keeps_nobody_out() {
        let places = Arc::new(Places::default());
        let limits = Limits {
            uploads: 3,
            uploads_per_principal: 2,
            ..Limits::default()
        };
        let [greedy, other]: [PrincipalName; 2] = ["greedy", "other"].map(|it| it.parse().unwrap());
        let take = |who| places.take_both(What::Upload, who, &limits);
        let scope = |answer: Result<Place, Denied>| {
            let denied = answer.expect_err("no place");
            denied
                .metadata
                .iter()
                .find(|(key, _)| *key == "scope")
                .unwrap()
                .1
                .clone()
        };
        let first = take(&greedy).unwrap();
        let second = take(&greedy).unwrap();
        assert_eq!(scope(take(&greedy)), "principal");
        let third = take(&other).unwrap();
        assert_eq!(scope(take(&other)), "server");
        assert_eq!(places.used(What::Upload), 3);
        assert_eq!(places.most_used_by_one(What::Upload), 2);
        drop(first);
        let again = take(&other).unwrap();
        drop((second, third, again));
        assert_eq!(places.used(What::Upload), 0);
        assert!(places.0.lock().by_principal.is_empty());
    }
}
