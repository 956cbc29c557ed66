//! Boards of any size, written through the ledger itself and without the checker: for figures that are about size.
//!
//! Every entry is one that the rules let through, and every text has its words beside the log. Vectors are drawn at
//! random: what is measured is how many there are.

use std::{collections::BTreeMap, path::Path};

use pawl_checker::vector::DIMENSIONS;
use prost::Message;

use pawl_ledger::{
    command::{Command, Context, Proposal, Report},
    decide::{Pending, decide, decide_submission},
    digest::{Commitment, Digest, Words},
    event::{Citation, Event, ModuleDeclaration},
    finding::Score,
    id::{BoardName, PrincipalName, RevisionId, Timestamp},
    ledger::{Ledger, OpenBoard, TransactError},
    module::SealMode,
    status::{Kind, Level, Policy, QuoteCheck, Role},
    store::{self, Batch, Engine, keys},
};

use crate::{site::MODULE, texts};

/// How many facts are committed together.
const TOGETHER: usize = 500;
/// How many facts cite the same document.
const FACTS_OF_A_DOCUMENT: usize = 100;

/// What a board is filled with.
pub(crate) struct Filling<'a> {
    pub(crate) facts: usize,
    /// They are confirmed and locked; else they are proposed.
    pub(crate) locked: bool,
    /// The model whose vectors the texts get.
    pub(crate) model: Option<[u8; 32]>,
    /// The text of a fact.
    pub(crate) text: &'a (dyn Fn(usize) -> String + Sync),
}

/// Fills the boards of a store that is not there yet.
pub(crate) fn store(directory: &Path, engine: Engine, boards: &[&str], filling: &Filling<'_>) {
    let store = store::open(&directory.join("store"), Some(engine)).unwrap();
    let ledger = Ledger::start(store).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for board in boards {
        runtime.block_on(fill(&ledger, &board.parse().unwrap(), filling));
    }
}

async fn fill(ledger: &Ledger, name: &BoardName, filling: &Filling<'_>) {
    let operator = context("operator");
    ledger
        .create_board(name, Policy::default(), &operator)
        .await
        .unwrap()
        .unwrap();
    let mut writer = Writer {
        open: ledger.open(name).unwrap().unwrap(),
        ledger,
        salts: 0,
    };
    writer.begin().await;
    let numbers: Vec<usize> = (0..filling.facts).collect();
    for some in numbers.chunks(TOGETHER) {
        writer.write(some, filling).await;
    }
    if filling.locked {
        writer.seal().await;
    }
    let image = ledger.write_image(&writer.open);
    image.await.unwrap();
}

fn context(who: &str) -> Context {
    Context {
        principal: principal(who),
        server_operator: true,
        now: Timestamp(1_800_000_000_000),
    }
}

fn principal(who: &str) -> PrincipalName {
    who.parse().unwrap()
}

struct Writer<'a> {
    ledger: &'a Ledger,
    open: OpenBoard,
    salts: u64,
}

impl Writer<'_> {
    /// People, a module.
    async fn begin(&mut self) {
        let roles = [
            ("operator", Role::Agent),
            ("agent", Role::Agent),
            ("verifier", Role::Verifier),
            ("arbiter", Role::Arbiter),
        ];
        let roles = roles.map(|(who, role)| Command::GrantRole(principal(who), role));
        let module = Command::DeclareModule(MODULE.parse().unwrap(), ModuleDeclaration::default());
        for command in roles.into_iter().chain([module]) {
            self.act("operator", vec![command], BTreeMap::new()).await;
        }
    }

    async fn write(&mut self, numbers: &[usize], filling: &Filling<'_>) {
        let (mut words, mut proposals) = (BTreeMap::new(), Vec::new());
        let mut batch = Batch::default();
        for number in numbers {
            let source = self.source(*number).await;
            let text = (filling.text)(*number);
            if let Some(model) = filling.model {
                let key = keys::vector(model, Digest::of(text.as_bytes()).0);
                batch.put(key, vector(*number as u64));
            }
            proposals.push(self.proposal(&text, source, &mut words));
        }
        self.ledger.write(batch).await.unwrap();
        let stored = self.submit(&proposals, &words).await;
        if filling.locked {
            let (mut confirmed, mut words) = (Vec::new(), BTreeMap::new());
            for (revision, proposal) in stored.iter().zip(&proposals) {
                let source = proposal.citations[0].source;
                confirmed.push(Command::Validate {
                    revision: *revision,
                    evidence: vec![self.cites(source, "what the document says", &mut words)],
                });
            }
            self.act("verifier", confirmed, words).await;
        }
    }

    /// Locks everything at once: a snapshot for each fact would hold all that are locked before it.
    async fn seal(&mut self) {
        let seal = Command::Seal {
            module: MODULE.parse().unwrap(),
            only: None,
            mode: SealMode::Hard,
        };
        self.act("arbiter", vec![seal], BTreeMap::new()).await;
    }

    /// Registers the document of a fact where it is the first from it.
    async fn source(&mut self, number: usize) -> Digest {
        let document = number / FACTS_OF_A_DOCUMENT;
        let digest = self::document(&self.open.state.read().name.to_string(), document);
        if number.is_multiple_of(FACTS_OF_A_DOCUMENT) {
            let mut words = BTreeMap::new();
            let register = Command::RegisterSource {
                source: digest,
                size_bytes: 1,
                kept: true,
                description: self.says(Vec::new(), &mut words),
                replaces: None,
                rank: None,
                dated: None,
            };
            self.act("agent", vec![register], words).await;
        }
        digest
    }

    fn proposal(
        &mut self,
        text: &str,
        source: Digest,
        words: &mut BTreeMap<Commitment, Words>,
    ) -> Proposal {
        Proposal {
            module: MODULE.parse().unwrap(),
            level: Level::Statement,
            kind: Kind::Fact,
            confidence: Score::clamped(9_500),
            content: self.says(text.as_bytes().to_vec(), words),
            words: None,
            citations: vec![self.cites(source, text, words)],
            supports: Vec::new(),
            replaces: None,
            attribute: None,
            base: None,
            check: self.says(Vec::new(), words),
            report: Report::default(),
            valid_from: None,
        }
    }

    fn cites(
        &mut self,
        source: Digest,
        quote: &str,
        words: &mut BTreeMap<Commitment, Words>,
    ) -> Citation {
        let quote = pawl_proto::v1::QuoteWords {
            exact: quote.to_owned(),
            ..Default::default()
        };
        Citation {
            source,
            quote: self.says(quote.encode_to_vec(), words),
            check: QuoteCheck::Exact,
        }
    }

    fn says(&mut self, bytes: Vec<u8>, all: &mut BTreeMap<Commitment, Words>) -> Commitment {
        self.salts += 1;
        let mut salt = [0; 32];
        salt[..8].copy_from_slice(&self.salts.to_be_bytes());
        let words = Words::new(salt, bytes);
        let commitment = words.commitment();
        all.insert(commitment, words);
        commitment
    }

    async fn submit(
        &self,
        proposals: &[Proposal],
        words: &BTreeMap<Commitment, Words>,
    ) -> Vec<RevisionId> {
        let context = context("agent");
        let (stored, receipt) = self
            .ledger
            .transact(&self.open, &context, |transaction| {
                let mut pending = Pending::default();
                let decide = |proposal| {
                    decide_submission(transaction.board(), &context, proposal, &mut pending)
                };
                let decisions = proposals
                    .iter()
                    .map(decide)
                    .collect::<Result<Vec<_>, _>>()?;
                let stored = decisions.iter().map(|it| it.revision.unwrap()).collect();
                let events: Vec<Event> = decisions.into_iter().flat_map(|it| it.events).collect();
                transaction.apply(events, words)?;
                Ok::<Vec<RevisionId>, TransactError>(stored)
            })
            .unwrap();
        receipt.durable().await.unwrap();
        stored
    }

    async fn act(&self, who: &str, commands: Vec<Command>, words: BTreeMap<Commitment, Words>) {
        let context = context(who);
        let ((), receipt) = self
            .ledger
            .transact(&self.open, &context, |transaction| {
                for command in &commands {
                    let events = decide(transaction.board(), &context, command)?;
                    transaction.apply(events, &words)?;
                }
                Ok::<(), TransactError>(())
            })
            .unwrap();
        receipt.durable().await.unwrap();
    }
}

/// The digest of a document that facts cite.
pub(crate) fn document(board: &str, number: usize) -> Digest {
    Digest::of(format!("document {number} of {board}").as_bytes())
}

/// A direction drawn at random, in the stored form.
fn vector(number: u64) -> Vec<u8> {
    let words = (0..DIMENSIONS as u64 / 8).map(|place| texts::scrambled(number << 8 | place));
    words.flat_map(u64::to_be_bytes).collect()
}
