//! Random histories of a few people on small boards.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    sync::Arc,
};

use parking_lot::Mutex;
use pawl_ledger::store::Engine;
use pawl_proto::v1::{DeclareModuleRequest, Role, SealPolicy};
use stateright::semantics::{ConsistencyTester, LinearizabilityTester};
use tokio::sync::Barrier;

use super::{
    calls::{call, document},
    model::{Act, Answer, Board, Done, Said, Verdict},
};
use crate::world::{Client, MODULE, OwnServer, Server, World};

const HISTORIES: u64 = 40;
const CLIENTS: usize = 4;
/// How many acts each client does.
const ACTS: usize = 5;
/// What every history follows from.
const SEED: u64 = 7;

/// What was seen of a history: calls and answers, in the order they happened.
#[derive(Default)]
pub(super) struct History(Vec<Event>);

enum Event {
    Called(Done),
    Answered(usize, Answer),
}

impl History {
    pub(super) fn called(&mut self, by: usize, act: &Act) {
        let act = act.clone();
        self.0.push(Event::Called(Done { by, act }));
    }

    pub(super) fn answered(&mut self, by: usize, answer: Answer) {
        self.0.push(Event::Answered(by, answer));
    }

    /// An order in which a board that does one act at a time answers the same.
    pub(super) fn explained(&self) -> Option<Vec<(Done, Answer)>> {
        let mut tester = LinearizabilityTester::new(Board::default());
        for event in &self.0 {
            match event {
                Event::Called(done) => tester.on_invoke(done.by, done.clone()),
                Event::Answered(by, answer) => tester.on_return(*by, answer.clone()),
            }
            .unwrap();
        }
        tester.serialized_history()
    }

    /// How often each kind of answer was given.
    fn count(&self, counts: &mut BTreeMap<&'static str, usize>) {
        for event in &self.0 {
            if let Event::Answered(_, answer) = event {
                *counts.entry(kind(answer)).or_default() += 1;
            }
        }
    }

    fn told(&self) -> String {
        let mut told = String::new();
        for event in &self.0 {
            match event {
                Event::Called(done) => writeln!(told, "{} calls {:?}", done.by, done.act),
                Event::Answered(by, answer) => writeln!(told, "{by} is answered {answer:?}"),
            }
            .unwrap();
        }
        told
    }

    /// How many calls began while another was under way.
    fn overlapping(&self) -> usize {
        let (mut open, mut overlapping) = (0, 0);
        for event in &self.0 {
            match event {
                Event::Called(_) => {
                    overlapping += usize::from(open > 0);
                    open += 1;
                }
                Event::Answered(..) => open -= 1,
            }
        }
        overlapping
    }
}

/// The kinds of answers that have to be among those of a run, or it shows too little.
const KINDS: [&str; 9] = [
    "accepted",
    "contested",
    "refused",
    "corroborated",
    "sealed",
    "amended",
    "listed",
    "NOT_LOCKED",
    "CONTRADICTS_LOCKED",
];

fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Judged {
            corroborated: true, ..
        } => "corroborated",
        Answer::Judged { verdict, .. } => match verdict {
            Verdict::Accepted => "accepted",
            Verdict::Contested => "contested",
            Verdict::Refused => "refused",
        },
        Answer::Sealed(_) => "sealed",
        Answer::Amended { .. } => "amended",
        Answer::Listed(_) => "listed",
        Answer::Denied(reason) => reason,
    }
}

fn random_act(random: &mut fastrand::Rng) -> Act {
    match random.u8(..20) {
        0..7 => Act::Submit(Said::any(random)),
        7..9 => Act::Check(Said::any(random)),
        9..11 => Act::Seal,
        11..14 => Act::Amend((random.u32(1..4), random.u32(1..3)), Said::any(random)),
        _ => Act::Read,
    }
}

/// What a client does in a history.
fn acts(history: u64, client: usize) -> Vec<Act> {
    let number = history * CLIENTS as u64 + client as u64;
    let mut random = fastrand::Rng::with_seed(SEED << 32 | number);
    let mut acts: Vec<Act> = (0..ACTS).map(|_| random_act(&mut random)).collect();
    // Every other board has a lock to run against.
    if client == 0 && history % 2 == 1 {
        acts.splice(0..0, [Act::Submit(Said::any(&mut random)), Act::Seal]);
    }
    acts
}

async fn do_all(client: Client, number: usize, source: &str, acts: &[Act], seen: &Mutex<History>) {
    for act in acts {
        seen.lock().called(number, act);
        let answer = call(&client, source, act).await;
        seen.lock().answered(number, answer);
    }
}

/// Lets everybody do what they do at once, on a board of their own.
async fn history(server: &Server, number: u64) -> History {
    let world = World::on(server.clone()).await;
    let declare = DeclareModuleRequest {
        module: MODULE.into(),
        seal_policy: Some(SealPolicy {
            validated: Some(false),
            ..Default::default()
        }),
        ..Default::default()
    };
    world.operator.declare(declare).await.unwrap();
    let source = world.ana.upload("text/plain", document().as_bytes()).await;
    let (seen, barrier) = (Arc::<Mutex<History>>::default(), Barrier::new(CLIENTS));
    let barrier = Arc::new(barrier);
    let mut doing = Vec::new();
    for place in 0..CLIENTS {
        let roles = [Role::Agent, Role::Arbiter];
        let client = world.principal(&format!("client{place}"), &roles).await;
        // Each has a connection of its own, open before it begins.
        client.board_record().await;
        let (seen, barrier, source) = (seen.clone(), barrier.clone(), source.clone());
        doing.push(tokio::spawn(async move {
            let acts = acts(number, place);
            let (before, acts) = acts.split_at(acts.len() - ACTS);
            do_all(client.clone(), place, &source, before, &seen).await;
            barrier.wait().await;
            do_all(client, place, &source, acts, &seen).await;
        }));
    }
    for done in doing {
        done.await.unwrap();
    }
    Arc::into_inner(seen).unwrap().into_inner()
}

async fn explained(engine: Engine) {
    let server = OwnServer::start(engine, false).await;
    let (mut calls, mut overlapping, mut counts) = (0, 0, BTreeMap::new());
    for number in 0..HISTORIES {
        let history = history(&server.server, number).await;
        assert!(
            history.explained().is_some(),
            "no order explains history {number}:\n{}",
            history.told()
        );
        calls += history.0.len() / 2;
        overlapping += history.overlapping();
        history.count(&mut counts);
    }
    println!(
        "{HISTORIES} histories of {calls} calls, {overlapping} of them beside another: {counts:?}"
    );
    assert!(overlapping * 2 > calls, "they did not run at once");
    let given: BTreeSet<&str> = counts.into_keys().collect();
    let missing: Vec<_> = KINDS.iter().filter(|it| !given.contains(**it)).collect();
    assert!(missing.is_empty(), "never answered: {missing:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_at_once_has_an_order_on_fjall() {
    explained(Engine::Fjall).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_at_once_has_an_order_on_sled() {
    explained(Engine::Sled).await;
}
