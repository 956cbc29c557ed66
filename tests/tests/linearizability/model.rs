//! A board as `docs/concepts.md` tells it, one act after another: what a server may answer is what
//! this answers in some order.
//!
//! It knows facts with claims in one module without owners, hard locks, and people who may all
//! submit, seal and amend. Its conflicts are those of claims that exclude each other.

use std::collections::BTreeSet;

use stateright::semantics::SequentialSpec;

/// The revision of an assertion: `a3@1` is `(3, 1)`.
pub(super) type Revision = (u32, u32);

/// What is said: the number of a subject, and of the value it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Said {
    pub(super) subject: usize,
    pub(super) value: usize,
}

/// What somebody does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Act {
    Submit(Said),
    Check(Said),
    Seal,
    Amend(Revision, Said),
    Read,
}

/// An act and who does it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Done {
    pub(super) by: usize,
    pub(super) act: Act,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Status {
    Proposed,
    Locked,
    Contested,
    Superseded,
}

impl Status {
    fn stands(self) -> bool {
        matches!(self, Self::Proposed | Self::Locked)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Verdict {
    Accepted,
    Contested,
    Refused,
}

/// A revision as a reader sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Seen {
    pub(super) revision: Revision,
    pub(super) said: Said,
    pub(super) status: Status,
    pub(super) challenged: bool,
    pub(super) corroborations: u32,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Answer {
    Judged {
        verdict: Verdict,
        /// What was stored or corroborated; none where nothing was, and for a check.
        stored: Option<Revision>,
        corroborated: bool,
        /// What it contradicts for sure.
        against: BTreeSet<Revision>,
    },
    Sealed(BTreeSet<Revision>),
    Amended {
        new: Revision,
        against: BTreeSet<Revision>,
    },
    Listed(BTreeSet<Seen>),
    /// The reason why a call was not carried out.
    Denied(&'static str),
}

#[derive(Clone, Debug)]
struct Fact {
    seen: Seen,
    by: usize,
}

/// A challenger in quarantine and what it challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conflict {
    challenger: Revision,
    standing: Revision,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// One side is gone.
    Ended,
    /// By an arbiter, so that it is not raised again.
    Dismissed,
}

/// The board.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    facts: Vec<Fact>,
    conflicts: Vec<Conflict>,
}

impl SequentialSpec for Board {
    type Op = Done;
    type Ret = Answer;

    fn invoke(&mut self, done: &Done) -> Answer {
        match done.act {
            Act::Submit(said) => self.submit(done.by, said),
            Act::Check(said) => match self.clone().submit(done.by, said) {
                Answer::Judged {
                    verdict,
                    corroborated,
                    against,
                    ..
                } => Answer::Judged {
                    verdict,
                    stored: None,
                    corroborated,
                    against,
                },
                other => other,
            },
            Act::Seal => self.seal(),
            Act::Amend(old, said) => self.amend(done.by, old, said),
            Act::Read => Answer::Listed(self.facts.iter().map(|it| it.seen.clone()).collect()),
        }
    }
}

impl Board {
    /// Against a lock it is refused, against a proposal contested. The same again is no second fact; in quarantine it
    /// meets what stands by now.
    fn submit(&mut self, by: usize, said: Said) -> Answer {
        let against = self.standing_against(said, None);
        if let Some(same) = self.same(said) {
            self.fact_mut(same).seen.corroborations += 1;
            let contested = self.fact(same).seen.status == Status::Contested;
            for waiting in self.saying(said, |it| it == Status::Contested) {
                self.challenge(waiting, &self.unmet(waiting));
            }
            return Answer::Judged {
                verdict: if contested {
                    Verdict::Contested
                } else {
                    Verdict::Accepted
                },
                stored: Some(same),
                corroborated: true,
                against,
            };
        }
        let locked = |id: &Revision| self.fact(*id).seen.status == Status::Locked;
        let verdict = if against.iter().any(locked) {
            Verdict::Refused
        } else if against.is_empty() {
            Verdict::Accepted
        } else {
            Verdict::Contested
        };
        let mut stored = None;
        if verdict != Verdict::Refused {
            let assertions = self.facts.iter().filter(|it| it.seen.revision.1 == 1);
            let revision = (u32::try_from(assertions.count()).unwrap() + 1, 1);
            self.add(by, revision, said, Status::Proposed);
            self.challenge(revision, &against);
            stored = Some(revision);
        }
        Answer::Judged {
            verdict,
            stored,
            corroborated: false,
            against,
        }
    }

    /// All that stands is locked; challengers are left out.
    fn seal(&mut self) -> Answer {
        let proposed = |it: &Fact| it.seen.status == Status::Proposed;
        if !self.facts.iter().any(proposed) {
            return Answer::Denied("NOTHING_TO_SEAL");
        }
        let standing = self.facts.iter_mut().filter(|it| it.seen.status.stands());
        Answer::Sealed(
            standing
                .map(|it| {
                    it.seen.status = Status::Locked;
                    it.seen.revision
                })
                .collect(),
        )
    }

    /// The new revision is locked in the place of the old one. Who challenged the old one challenges
    /// the new one, unless the two can stand together; what is not locked and contradicts the new one
    /// is contested.
    fn amend(&mut self, by: usize, old: Revision, said: Said) -> Answer {
        let Some(fact) = self.facts.iter().find(|it| it.seen.revision == old) else {
            return Answer::Denied("ASSERTION_UNKNOWN");
        };
        if fact.seen.status != Status::Locked {
            return Answer::Denied("NOT_LOCKED");
        }
        let against = self.standing_against(said, Some(old));
        let locked = |id: &Revision| self.fact(*id).seen.status == Status::Locked;
        if against.iter().any(locked) {
            return Answer::Denied("CONTRADICTS_LOCKED");
        }
        let revisions = self
            .facts
            .iter()
            .filter(|it| it.seen.revision.0 == old.0)
            .count();
        let new = (old.0, u32::try_from(revisions).unwrap() + 1);
        self.add(by, new, said, Status::Locked);
        let turned = self.challengers_of(old);
        for challenger in &turned {
            self.challenge(*challenger, &BTreeSet::from([new]));
        }
        self.fact_mut(old).seen.status = Status::Superseded;
        for conflict in self.conflicts.iter_mut().filter(|it| it.standing == old) {
            if conflict.state == State::Open {
                conflict.state = State::Ended;
            }
        }
        let mut freed = BTreeSet::new();
        for challenger in turned {
            let theirs = self.fact(challenger);
            // Nobody decides a conflict that their own submission opened.
            if theirs.by != by && !excludes(theirs.seen.said, said) {
                self.dismiss(challenger, new);
                freed.extend(self.free(challenger).then_some(challenger));
            }
        }
        self.settle(&freed, new);
        self.tell_challenged();
        Answer::Amended { new, against }
    }

    /// What came out of quarantine meets what was accepted meanwhile, and what is not locked the
    /// amendment: one challenger after another, since one in quarantine challenges and is challenged
    /// by nobody.
    fn settle(&mut self, freed: &BTreeSet<Revision>, amended: Revision) {
        loop {
            let mut found: BTreeSet<(Revision, Revision)> = BTreeSet::new();
            for id in freed.iter().filter(|id| self.proposed(**id)) {
                let met = self.unmet(*id).into_iter();
                let met = met.filter(|other| !(freed.contains(other) && other > id));
                found.extend(met.map(|other| (*id, other)));
            }
            let displaced = self.unmet(amended).into_iter();
            let displaced = displaced.filter(|other| self.proposed(*other));
            found.extend(displaced.map(|other| (other, amended)));
            let Some((first, _)) = found.first().copied() else {
                return;
            };
            let against = found.iter().filter(|(challenger, _)| *challenger == first);
            self.challenge(first, &against.map(|(_, standing)| *standing).collect());
        }
    }

    /// What stands, excludes a fact and is not in a conflict with it, nor was by an arbiter's word.
    fn unmet(&self, id: Revision) -> BTreeSet<Revision> {
        let mut against = self.standing_against(self.fact(id).seen.said, Some(id));
        for conflict in self.conflicts.iter().filter(|it| it.state != State::Ended) {
            let Conflict {
                challenger,
                standing,
                ..
            } = *conflict;
            if challenger == id {
                against.remove(&standing);
            } else if standing == id {
                against.remove(&challenger);
            }
        }
        against
    }

    fn add(&mut self, by: usize, revision: Revision, said: Said, status: Status) {
        let seen = Seen {
            revision,
            said,
            status,
            challenged: false,
            corroborations: 0,
        };
        self.facts.push(Fact { seen, by });
    }

    fn challenge(&mut self, challenger: Revision, against: &BTreeSet<Revision>) {
        let opened = against.iter().map(|standing| Conflict {
            challenger,
            standing: *standing,
            state: State::Open,
        });
        self.conflicts.extend(opened);
        if !against.is_empty() {
            self.fact_mut(challenger).seen.status = Status::Contested;
        }
        self.tell_challenged();
    }

    fn dismiss(&mut self, challenger: Revision, standing: Revision) {
        let mut conflicts = self.conflicts.iter_mut();
        let conflict = conflicts.find(|it| {
            (it.challenger, it.standing, it.state) == (challenger, standing, State::Open)
        });
        conflict.unwrap().state = State::Dismissed;
    }

    /// Lets a challenger without open conflicts stand.
    fn free(&mut self, challenger: Revision) -> bool {
        let mut open = self.conflicts.iter().filter(|it| it.state == State::Open);
        let free = !open.any(|it| it.challenger == challenger);
        if free {
            self.fact_mut(challenger).seen.status = Status::Proposed;
        }
        free
    }

    fn tell_challenged(&mut self) {
        let open = self.conflicts.iter().filter(|it| it.state == State::Open);
        let challenged: BTreeSet<Revision> = open.map(|it| it.standing).collect();
        for fact in &mut self.facts {
            fact.seen.challenged = challenged.contains(&fact.seen.revision);
        }
    }

    fn challengers_of(&self, standing: Revision) -> BTreeSet<Revision> {
        let open = self.conflicts.iter().filter(|it| it.state == State::Open);
        let against = open.filter(|it| it.standing == standing);
        against.map(|it| it.challenger).collect()
    }

    /// The fact that says the same, standing or else in quarantine.
    fn same(&self, said: Said) -> Option<Revision> {
        let standing = self.saying(said, Status::stands);
        let waiting = self.saying(said, |it| it == Status::Contested);
        standing.first().or(waiting.first()).copied()
    }

    fn saying(&self, said: Said, wanted: impl Fn(Status) -> bool) -> BTreeSet<Revision> {
        let same = self.facts.iter().map(|it| &it.seen);
        let same = same.filter(|it| it.said == said && wanted(it.status));
        same.map(|it| it.revision).collect()
    }

    fn standing_against(&self, said: Said, but: Option<Revision>) -> BTreeSet<Revision> {
        let standing = self.facts.iter().map(|it| &it.seen);
        standing
            .filter(|it| it.status.stands() && excludes(it.said, said))
            .map(|it| it.revision)
            .filter(|it| Some(*it) != but)
            .collect()
    }

    fn proposed(&self, id: Revision) -> bool {
        self.fact(id).seen.status == Status::Proposed
    }

    fn fact(&self, id: Revision) -> &Fact {
        let mut facts = self.facts.iter();
        facts.find(|it| it.seen.revision == id).unwrap()
    }

    fn fact_mut(&mut self, id: Revision) -> &mut Fact {
        let mut facts = self.facts.iter_mut();
        facts.find(|it| it.seen.revision == id).unwrap()
    }
}

fn excludes(one: Said, other: Said) -> bool {
    one.subject == other.subject && one.value != other.value
}
