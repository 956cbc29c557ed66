//! A server killed while many write: what was acknowledged is there, and all of it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use pawl_proto::v1::{Draft, ListAssertionsRequest, SubmitRequest, SubmitResponse};
use tokio::sync::Notify;

use crate::world::{Client, MODULE, Server, World, accepted, capacity, cite, cited, claiming};

/// The program `pawl`.
pub(crate) const PAWL: &str = env!("CARGO_BIN_EXE_pawl-under-test");
/// How many clients write at once.
const WRITERS: usize = 8;
/// The items of a submission, which are there together or not at all.
const ITEMS: usize = 3;

/// A server in a process of its own.
pub(crate) struct Process {
    child: Child,
    pub(crate) server: Server,
}

impl Process {
    /// Starts one and waits until it says where it listens.
    pub(crate) fn start(data: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(PAWL)
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--log-format",
                "json",
                "--data",
            ])
            .arg(data)
            .args(arguments)
            .env_remove("RUST_LOG")
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = Vec::new();
        let address = loop {
            let Some(Ok(line)) = lines.next() else {
                panic!("the server ended: {}", said.join("\n"));
            };
            let told = serde_json::from_str(&line).unwrap_or(serde_json::Value::Null);
            if let Some(address) = told["fields"]["address"].as_str() {
                break address.parse().unwrap();
            }
            said.push(line);
        };
        // So that the server never waits for somebody to read what it logs.
        std::thread::spawn(move || lines.for_each(drop));
        let token = std::fs::read_to_string(data.join("operator.token")).unwrap();
        let operator_token = token.trim().to_owned();
        Self {
            child,
            server: Server {
                address,
                operator_token,
            },
        }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as Ctrl-C does, and waits until it has ended.
    pub(crate) fn interrupt(mut self) {
        let process = self.child.id().to_string();
        let told = Command::new("kill").args(["-INT", &process]).status();
        assert!(told.unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says whether `pawl verify` finds nothing wrong.
fn verify(data: &Path) {
    let verified = Command::new(PAWL)
        .arg("verify")
        .arg(data.join("store"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(
        verified.status.success(),
        "{told}{}",
        String::from_utf8_lossy(&verified.stderr)
    );
}

/// A submission that was sent, with the answer if one came.
type Sent = (SubmitRequest, Option<SubmitResponse>);

fn request(
    citation: &pawl_proto::v1::Citation,
    round: usize,
    writer: usize,
    number: usize,
) -> SubmitRequest {
    let items = (0..ITEMS).map(|item| {
        let name = format!("{round}-{writer}-{number}-{item}");
        let draft = cited(&format!("Entry {name} of the register."), citation.clone());
        Draft {
            module: MODULE.into(),
            ..claiming(draft, capacity(&format!("plant {name}"), "1"))
        }
    });
    SubmitRequest {
        items: items.collect(),
        request_id: format!("{round}-{writer}-{number}"),
        ..Default::default()
    }
}

/// Writes until the server is gone.
async fn write(
    client: Client,
    requests: impl Iterator<Item = SubmitRequest>,
    done: Arc<(AtomicUsize, usize, Notify)>,
) -> Vec<Sent> {
    let mut sent = Vec::new();
    for request in requests {
        let answer = client.submit_with(request.clone()).await.ok();
        let ended = answer.is_none();
        sent.push((request, answer));
        if ended {
            return sent;
        }
        if done.0.fetch_add(1, Ordering::SeqCst) + 1 == done.1 {
            done.2.notify_one();
        }
    }
    sent
}

async fn survives(engine: &str) {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let arguments = ["--engine", engine, "--no-embedding"];
    let mut process = Process::start(&data, &arguments);
    let mut world = World::on(process.server.clone()).await;
    let source = world
        .ana
        .upload("text/plain", b"Some register says so.")
        .await;
    let citation = cite(&source, "Some register says so.");
    let mut all: Vec<Sent> = Vec::new();
    for (round, acknowledged) in [23, 60, 111].into_iter().enumerate() {
        let done = Arc::new((AtomicUsize::new(0), acknowledged, Notify::new()));
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let citation = citation.clone();
                let requests = (0..).map(move |number| request(&citation, round, writer, number));
                tokio::spawn(write(world.ana.clone(), requests, done.clone()))
            })
            .collect();
        done.2.notified().await;
        process.kill();
        for writer in writers {
            all.extend(writer.await.unwrap());
        }
        verify(&data);
        process = Process::start(&data, &arguments);
        world = world.after_restart(process.server.clone());
        check(&world, &all).await;
    }
    process.kill();
    verify(&data);
}

/// Everything acknowledged is there, nothing half is, and what was sent without an answer can be
/// sent again and is there once.
async fn check(world: &World, all: &[Sent]) {
    let mut contents = listed(&world.ana).await;
    assert!(all.iter().filter(|(_, answer)| answer.is_some()).count() > 20);
    for (request, answer) in all {
        let there = request
            .items
            .iter()
            .filter(|it| contents.contains(&it.content))
            .count();
        assert!(there == 0 || there == ITEMS, "half a submission is there");
        if let Some(answer) = answer {
            assert_eq!(there, ITEMS, "an acknowledged submission is gone");
            for (item, outcome) in request.items.iter().zip(&answer.outcomes) {
                let stored = world.ana.assertion(&accepted(outcome)).await.draft.unwrap();
                assert_eq!(
                    (stored.content, stored.claim),
                    (item.content.clone(), item.claim.clone())
                );
            }
        }
    }
    for (request, answer) in all {
        let again = world.ana.submit_with(request.clone()).await.unwrap();
        assert!(
            again.outcomes.iter().all(|it| !it.corroborated),
            "it was taken in twice"
        );
        if let Some(answer) = answer {
            assert_eq!(again, *answer);
        }
    }
    contents = listed(&world.ana).await;
    let before = contents.len();
    contents.sort_unstable();
    contents.dedup();
    assert_eq!(
        (contents.len(), before),
        (all.len() * ITEMS, all.len() * ITEMS)
    );
}

async fn listed(client: &Client) -> Vec<String> {
    let (mut contents, mut page_token) = (Vec::new(), String::new());
    loop {
        let list = ListAssertionsRequest {
            board: client.board.clone(),
            page_size: 1_000,
            page_token,
            ..Default::default()
        };
        let page = client
            .assertions()
            .list_assertions(list)
            .await
            .unwrap()
            .into_inner();
        contents.extend(
            page.assertions
                .into_iter()
                .map(|it| it.draft.unwrap().content),
        );
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return contents;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_server_is_killed_on_fjall() {
    survives("fjall").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_server_is_killed_on_sled() {
    survives("sled").await;
}
