//! A board without a store, with a cast and a library: acts on it, and can be put in a store.

mod reviewing;
mod storing;
mod submitting;

use std::collections::BTreeMap;

use pawl_ledger::{
    board::{Board, Revision},
    command::{Command, Context},
    decide::{Denied, Reason, decide, follow_up},
    digest::{Commitment, Digest, Words},
    event::{Citation, Event, ModuleDeclaration, Recorded},
    evolve::{begin, evolve},
    finding::Score,
    id::{AttributeName, Position, PrincipalName, RevisionId, Timestamp},
    log::{Header, encode, tree::leaf_hash},
    module::SealPolicy,
    status::{Policy, QuoteCheck, Role, Status, ValueType},
    store::keys::BoardNumber,
};

/// The board's number in the store that `World::store` makes.
pub(crate) const NUMBER: BoardNumber = BoardNumber(0);

/// Who is there: the name, and the roles.
pub(crate) const CAST: [(&str, &[Role]); 8] = [
    ("olga", &[Role::Operator]),
    ("ann", &[Role::Agent]),
    ("ben", &[Role::Agent]),
    ("vera", &[Role::Verifier]),
    ("art", &[Role::Arbiter, Role::Agent]),
    ("axel", &[Role::Arbiter]),
    ("rita", &[Role::Reader]),
    ("aude", &[Role::Auditor]),
];

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) board: Board,
    pub(crate) log: Vec<(Recorded, Vec<u8>)>,
    pub(crate) words: BTreeMap<Commitment, Words>,
    pub(crate) now: u64,
}

impl World {
    /// Makes a board with the cast, the modules `market` and `outlook` (which builds on it) and
    /// the sources 1 to 5.
    pub(crate) fn new() -> Self {
        let mut world = Self::bare();
        let library: Vec<Command> = (1..=5).map(|number| world.source(number)).collect();
        for command in library {
            world.act("olga", command).unwrap();
        }
        world.declare("market", ModuleDeclaration::default());
        let builds = ModuleDeclaration {
            depends_on: vec![name("market")],
            ..ModuleDeclaration::default()
        };
        world.declare("outlook", builds);
        world
    }

    /// Makes a board with the cast only.
    pub(crate) fn bare() -> Self {
        let policy = Policy {
            conflict: Score::clamped(7_000),
            note: Score::clamped(4_000),
        };
        let header = Header {
            board: "trial".parse().unwrap(),
            position: Position(0),
            at: Timestamp(1_000),
            principal: name("olga"),
        };
        let (recorded, bytes) = record(header, Event::BoardCreated { policy });
        let mut world = Self {
            board: begin(&recorded).unwrap(),
            log: vec![(recorded, bytes)],
            words: BTreeMap::new(),
            now: 1_000,
        };
        let (operator, all) = (name("olga"), CAST);
        world.apply(
            "olga",
            vec![Event::RoleGranted {
                principal: operator,
                role: Role::Operator,
            }],
        );
        for (who, roles) in all.into_iter().skip(1) {
            for role in roles {
                world
                    .act("olga", Command::GrantRole(name(who), *role))
                    .unwrap();
            }
        }
        world
    }

    pub(crate) fn context(&self, who: &str) -> Context {
        Context {
            principal: name(who),
            server_operator: false,
            now: Timestamp(self.now),
        }
    }

    /// Commits to words.
    pub(crate) fn says(&mut self, text: &str) -> Commitment {
        let mut salt = [0; 32];
        salt[..8].copy_from_slice(&self.words.len().to_be_bytes());
        let words = Words::new(salt, text.as_bytes().to_vec());
        let commitment = words.commitment();
        self.words.insert(commitment, words);
        commitment
    }

    pub(crate) fn cites(&mut self, source: u8, check: QuoteCheck) -> Citation {
        Citation {
            source: digest(source),
            quote: self.says("a quote"),
            check,
        }
    }

    pub(crate) fn source(&mut self, number: u8) -> Command {
        Command::RegisterSource {
            source: digest(number),
            size_bytes: 1,
            kept: true,
            description: self.says("a report"),
            replaces: None,
            rank: None,
            dated: None,
        }
    }

    pub(crate) fn declare(&mut self, module: &str, declaration: ModuleDeclaration) {
        self.act("olga", Command::DeclareModule(name(module), declaration))
            .unwrap();
    }

    pub(crate) fn attribute(&mut self, attribute: &str) -> AttributeName {
        let definition = self.says("a definition");
        let attribute: AttributeName = attribute.parse().unwrap();
        let command = Command::DeclareAttribute {
            attribute: attribute.clone(),
            value_type: ValueType::Decimal,
            multi_valued: false,
            definition,
        };
        self.act("olga", command).unwrap();
        attribute
    }

    pub(crate) fn act(&mut self, who: &str, command: Command) -> Result<Vec<Event>, Denied> {
        let events = decide(&self.board, &self.context(who), &command)?;
        Ok(self.apply(who, events))
    }

    pub(crate) fn state(&self, revision: RevisionId) -> &Revision {
        self.board.revision(revision).unwrap()
    }

    pub(crate) fn status(&self, revision: RevisionId) -> Status {
        self.state(revision).status
    }

    /// Applies events and what follows from them, as a transaction does.
    pub(crate) fn apply(&mut self, who: &str, events: Vec<Event>) -> Vec<Event> {
        let mut all = Vec::new();
        let mut next = events;
        while !next.is_empty() {
            for event in &next {
                self.write(who, event.clone());
            }
            all.extend(next);
            next = follow_up(&self.board, &self.context(who), &all);
        }
        all
    }

    /// Writes one event without asking the rules.
    pub(crate) fn write(&mut self, who: &str, event: Event) {
        let header = Header {
            board: self.board.name.clone(),
            position: self.board.position(),
            at: Timestamp(self.now).max(self.board.last_at),
            principal: name(who),
        };
        let (recorded, bytes) = record(header, event);
        evolve(&mut self.board, &recorded).unwrap();
        if let Event::SnapshotTaken { id, .. } = &recorded.event {
            let members = &self.board.snapshots.get(id).unwrap().members;
            assert!(members.iter().all(|it| self.status(*it) == Status::Locked));
        }
        self.log.push((recorded, bytes));
    }
}

fn record(header: Header, event: Event) -> (Recorded, Vec<u8>) {
    let bytes = encode(&header, &event);
    let recorded = Recorded {
        board: header.board,
        position: header.position,
        at: header.at,
        principal: header.principal,
        event,
        leaf: leaf_hash(&bytes),
    };
    (recorded, bytes)
}

/// A name of any kind.
pub(crate) fn name<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

/// The digest of source `number`, whose one byte is the number.
pub(crate) fn digest(number: u8) -> Digest {
    Digest::of(&[number])
}

/// A policy that asks for nothing, to be changed in one respect.
pub(crate) fn lax() -> SealPolicy {
    SealPolicy {
        validated: false,
        confidence: Score::clamped(0),
        completeness: Score::clamped(0),
        stable_submissions: 0,
        stable_seconds: 0,
        automatic: None,
    }
}

/// The reason of a denial.
#[track_caller]
pub(crate) fn denied<T: std::fmt::Debug>(result: Result<T, Denied>) -> Reason {
    result.unwrap_err().reason
}

pub(crate) fn owned_by(owner: &str) -> ModuleDeclaration {
    ModuleDeclaration {
        owners: vec![name::<PrincipalName>(owner)],
        ..ModuleDeclaration::default()
    }
}

pub(crate) fn with_policy(policy: SealPolicy) -> ModuleDeclaration {
    ModuleDeclaration {
        policy,
        ..ModuleDeclaration::default()
    }
}
