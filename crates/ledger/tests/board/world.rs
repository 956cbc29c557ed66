//! A board without a store, with a cast and a library: acts on it, and can be put in a store.

use std::collections::BTreeMap;

use pawl_ledger::{
    board::{Board, Revision},
    command::{Command, Context, PairFinding, Proposal, Report},
    decide::{Decision, Denied, Pending, Reason, decide, decide_submission, follow_up},
    digest::{Commitment, Digest, Words},
    event::{Citation, Event, ModuleDeclaration, Recorded},
    evolve::{begin, evolve},
    finding::{FindingKind, Score},
    id::{AttributeName, ConflictId, Position, PrincipalName, RevisionId, Timestamp},
    log::{Header, encode, tree::leaf_hash},
    module::{SealMode, SealPolicy},
    status::{Kind, Level, Policy, QuoteCheck, Role, Status, ValueType, Verdict},
    store::{
        Batch, MemoryStore, Store,
        keys::{self, BoardNumber},
    },
    verify::verify,
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

    /// A statement that cites source 1, to be changed before it is submitted.
    pub(crate) fn statement(&mut self, module: &str) -> Proposal {
        Proposal {
            module: name(module),
            level: Level::Statement,
            kind: Kind::Fact,
            confidence: Score::clamped(9_500),
            content: self.says("it is so"),
            words: None,
            citations: vec![self.cites(1, QuoteCheck::Exact)],
            supports: Vec::new(),
            replaces: None,
            attribute: None,
            base: None,
            check: self.says("the check"),
            report: Report::default(),
            valid_from: None,
        }
    }

    pub(crate) fn inference(&mut self, module: &str, supports: &[RevisionId]) -> Proposal {
        Proposal {
            level: Level::Inference,
            citations: Vec::new(),
            supports: supports.to_vec(),
            ..self.statement(module)
        }
    }

    pub(crate) fn act(&mut self, who: &str, command: Command) -> Result<Vec<Event>, Denied> {
        let events = decide(&self.board, &self.context(who), &command)?;
        Ok(self.apply(who, events))
    }

    pub(crate) fn submit(&mut self, who: &str, proposal: Proposal) -> Result<Decision, Denied> {
        Ok(self.submit_all(who, vec![proposal])?.remove(0))
    }

    /// Submits a batch, of which everything has to be well-formed.
    pub(crate) fn submit_all(
        &mut self,
        who: &str,
        proposals: Vec<Proposal>,
    ) -> Result<Vec<Decision>, Denied> {
        let (context, mut pending) = (self.context(who), Pending::default());
        let decisions = proposals
            .iter()
            .map(|proposal| decide_submission(&self.board, &context, proposal, &mut pending))
            .collect::<Result<Vec<_>, _>>()?;
        let events = decisions.iter().flat_map(|it| it.events.clone()).collect();
        self.apply(who, events);
        Ok(decisions)
    }

    /// Submits something that is accepted, and gives its revision.
    pub(crate) fn accepted(&mut self, who: &str, module: &str) -> RevisionId {
        let proposal = self.statement(module);
        self.accept(who, proposal)
    }

    pub(crate) fn accept(&mut self, who: &str, proposal: Proposal) -> RevisionId {
        let decision = self.submit(who, proposal).unwrap();
        assert_eq!(decision.verdict, Verdict::Accepted);
        decision.revision.unwrap()
    }

    /// Submits something with a scored finding against `standing`, which contests it.
    pub(crate) fn contested(
        &mut self,
        who: &str,
        standing: RevisionId,
    ) -> (RevisionId, ConflictId) {
        let module = self.state(standing).module.to_string();
        let proposal = self.against(&module, &[(standing, FindingKind::Opposite)]);
        let decision = self.submit(who, proposal).unwrap();
        assert_eq!(decision.verdict, Verdict::Contested);
        (decision.revision.unwrap(), decision.conflicts[0])
    }

    pub(crate) fn against(
        &mut self,
        module: &str,
        findings: &[(RevisionId, FindingKind)],
    ) -> Proposal {
        let mut proposal = self.statement(module);
        let finding = |(standing, kind): &(RevisionId, FindingKind)| PairFinding {
            standing: *standing,
            kind: *kind,
            score: Score::clamped(9_000),
        };
        proposal.report.findings = findings.iter().map(finding).collect();
        proposal
    }

    pub(crate) fn validate(&mut self, revision: RevisionId) {
        let evidence = vec![self.cites(2, QuoteCheck::Exact)];
        self.act("vera", Command::Validate { revision, evidence })
            .unwrap();
    }

    pub(crate) fn seal(
        &mut self,
        who: &str,
        module: &str,
        mode: SealMode,
    ) -> Result<Digest, Denied> {
        self.seal_only(who, module, None, mode)
    }

    pub(crate) fn seal_only(
        &mut self,
        who: &str,
        module: &str,
        only: Option<RevisionId>,
        mode: SealMode,
    ) -> Result<Digest, Denied> {
        let module = name(module);
        let events = self.act(who, Command::Seal { module, only, mode })?;
        let taken = events.iter().find_map(|event| match event {
            Event::SnapshotTaken { id, .. } => Some(*id),
            _ => None,
        });
        Ok(taken.unwrap())
    }

    /// Makes a locked revision of ann's in a module of which it is the only member sealed now.
    pub(crate) fn locked(&mut self, module: &str, mode: SealMode) -> RevisionId {
        let revision = self.accepted("ann", module);
        self.validate(revision);
        self.seal_only("axel", module, Some(revision), mode)
            .unwrap();
        revision
    }

    pub(crate) fn amend(&mut self, who: &str, old: RevisionId) -> Result<RevisionId, Denied> {
        let proposal = self.statement("market");
        self.amend_with(who, old, proposal)
    }

    pub(crate) fn amend_with(
        &mut self,
        who: &str,
        old: RevisionId,
        proposal: Proposal,
    ) -> Result<RevisionId, Denied> {
        let evidence = vec![self.cites(3, QuoteCheck::Exact)];
        let command = Command::Amend {
            old,
            proposal: Box::new(proposal),
            reason: self.says("it was revised"),
            evidence,
        };
        self.act(who, command)?;
        Ok(self.board.latest(old.assertion).unwrap())
    }

    pub(crate) fn rollback(
        &mut self,
        who: &str,
        module: &str,
        to: Digest,
    ) -> Result<Vec<Event>, Denied> {
        self.rollback_with(who, module, to, Vec::new())
    }

    pub(crate) fn rollback_with(
        &mut self,
        who: &str,
        module: &str,
        to: Digest,
        findings: Vec<(RevisionId, PairFinding)>,
    ) -> Result<Vec<Event>, Denied> {
        let command = Command::Rollback {
            module: name(module),
            to,
            reason: self.says("the amendment was a mistake"),
            evidence: vec![self.cites(4, QuoteCheck::Exact)],
            findings,
        };
        self.act(who, command)
    }

    pub(crate) fn retract(
        &mut self,
        who: &str,
        revision: RevisionId,
    ) -> Result<Vec<Event>, Denied> {
        let reason = self.says("it was wrong");
        self.act(who, Command::Retract { revision, reason })
    }

    pub(crate) fn resolve(
        &mut self,
        who: &str,
        conflict: ConflictId,
        winner: RevisionId,
    ) -> Result<Vec<Event>, Denied> {
        let reason = self.says("the better source");
        let command = Command::Resolve {
            conflict,
            winner,
            reason,
        };
        self.act(who, command)
    }

    pub(crate) fn dismiss(
        &mut self,
        who: &str,
        conflict: ConflictId,
    ) -> Result<Vec<Event>, Denied> {
        let reason = self.says("no contradiction");
        self.act(who, Command::Dismiss { conflict, reason })
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

    /// Puts the log and everything beside it in a store.
    pub(crate) fn store(&self) -> MemoryStore {
        let mut batch = Batch::default();
        let mut written: BTreeMap<PrincipalName, [u64; 3]> = BTreeMap::new();
        for (recorded, bytes) in &self.log {
            let usage = written.entry(recorded.principal.clone()).or_default();
            let key = keys::entry(NUMBER, recorded.position);
            usage[0] += 1;
            usage[1] += (key.len() + bytes.len()) as u64;
            batch.put(key, bytes.clone());
            for commitment in recorded.event.commitments() {
                let words = self.words[&commitment].to_stored();
                let key = keys::words(NUMBER, recorded.position, commitment);
                usage[2] += (key.len() + words.len()) as u64;
                batch.put(key, words);
            }
        }
        for (principal, usage) in written {
            let bytes = usage.iter().flat_map(|it| it.to_be_bytes()).collect();
            batch.put(keys::usage(NUMBER, &principal), bytes);
        }
        for source in self.board.sources.keys() {
            let number = (1..=9).find(|number| digest(*number) == *source).unwrap();
            batch.put(keys::source(*source, 0), vec![number]);
        }
        let tree = self.board.tree();
        let head = [tree.size().to_be_bytes().as_slice(), &tree.root().0].concat();
        batch.put(keys::head(NUMBER), head);
        batch.put(
            keys::board(&self.board.name),
            NUMBER.0.to_be_bytes().to_vec(),
        );
        let store = MemoryStore::new();
        store.commit(&batch).unwrap();
        store
    }

    /// Checks that the log folds to the state again, and that `verify` finds nothing.
    pub(crate) fn check(&self) {
        let mut board = begin(&self.log[0].0).unwrap();
        for (recorded, _) in &self.log[1..] {
            evolve(&mut board, recorded).unwrap();
        }
        assert!(board == self.board, "the log folds to another state");
        let report = verify(&self.store()).unwrap();
        assert!(report.is_clean(), "{report}");
        assert_eq!(report.entries, self.board.position().0);
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
