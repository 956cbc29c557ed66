//! The demonstration, run as anyone runs it.

#![allow(clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use serde_json::{Value, json};

const STORY: &str = include_str!("../../../fixtures/demo/story.json");

/// `pawl` without what the caller's environment says about servers and tokens.
fn pawl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pawl"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PAWL_")) {
        if name != "PAWL_MODELS" {
            command.env_remove(name);
        }
    }
    command
}

fn demo(keep: &Path, arguments: &[&str]) -> Output {
    let mut command = pawl();
    command.args(["demo", "--json", "--keep"]).arg(keep);
    command.args(arguments).output().expect("it runs")
}

fn told(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

fn steps(story: &Value) -> &Vec<Value> {
    story["steps"].as_array().expect("steps")
}

/// Counts the verdicts that the submissions of the story were answered with.
fn verdicts(story: &Value, verdict: &str) -> usize {
    let outcomes = steps(story)
        .iter()
        .filter_map(|step| step["got"]["outcomes"].as_array());
    let matching = |outcome: &&Value| outcome["verdict"] == verdict;
    outcomes.flatten().filter(matching).count()
}

fn check_story(arguments: &[&str]) {
    let directory = tempfile::tempdir().expect("a directory");
    let output = demo(directory.path(), arguments);
    let story = told(&output);
    let failed: Vec<_> = steps(&story)
        .iter()
        .filter(|step| step["ok"] != true || step["unmet"] != json!([]))
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(story["ok"], true);
    assert_eq!(output.status.code(), Some(0));

    let processes: BTreeSet<_> = story["cast"]
        .as_array()
        .expect("a cast")
        .iter()
        .filter(|member| member["role"] == "ROLE_AGENT")
        .map(|member| member["process"].as_u64().expect("a process"))
        .collect();
    assert_eq!(processes.len(), 3, "each agent has a process of its own");

    let figures = &story["figures"];
    assert_eq!(figures["contradictions_let_in"], 0);
    assert_eq!(figures["contradictions"], json!([]));
    for (figure, verdict) in [
        ("accepted", "VERDICT_ACCEPTED"),
        ("contested", "VERDICT_CONTESTED"),
        ("refused", "VERDICT_REFUSED"),
    ] {
        assert_eq!(figures[figure], verdicts(&story, verdict), "{figure}");
    }
    let number = |figure: &str| figures[figure].as_u64().expect("a number");
    assert_eq!(
        number("submitted"),
        number("accepted") + number("contested") + number("refused") + number("corroborated")
    );
    let standing = number("standing");
    assert_eq!(number("pairs_compared"), standing * (standing - 1) / 2);
}

#[test]
fn every_step_comes_out_as_it_should() {
    check_story(&[]);
}

#[test]
fn every_step_comes_out_as_it_should_without_the_model() {
    check_story(&["--no-embedding"]);
}

#[test]
fn one_step_that_does_not_come_out_shows_in_the_status() {
    let mut story: Value = serde_json::from_str(STORY).expect("json");
    let step = &mut story["chapters"][1]["steps"][0];
    step["expect"]["/outcomes/1/verdict"] = json!("VERDICT_REFUSED");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("story.json");
    std::fs::write(&file, story.to_string()).expect("written");

    let file = file.to_str().expect("utf-8");
    let keep = directory.path().join("kept");
    let output = demo(&keep, &["--no-embedding", "--story", file]);
    assert_eq!(output.status.code(), Some(1));
    let story = told(&output);
    assert_eq!(story["ok"], false);
    let failed: Vec<_> = steps(&story)
        .iter()
        .filter(|step| step["ok"] == false)
        .collect();
    assert_eq!(failed.len(), 1, "{failed:#?}");
    assert_eq!(
        failed[0]["unmet"],
        json!([{
            "at": "/outcomes/1/verdict",
            "expected": "VERDICT_REFUSED",
            "got": "VERDICT_ACCEPTED",
        }])
    );
}

#[test]
fn what_it_made_can_be_looked_at_with_the_commands_it_names() {
    let directory = tempfile::tempdir().expect("a directory");
    let story = told(&demo(directory.path(), &["--no-embedding"]));
    let commands: Vec<Vec<&str>> = story["look_around"]
        .as_array()
        .expect("commands")
        .iter()
        .map(|command| command.as_str().expect("a text"))
        .map(|command| command.split("  #").next().unwrap_or_default())
        .map(|command| command.split_whitespace().collect())
        .collect();
    let home = format!("PAWL_HOME={}", directory.path().display());
    assert_eq!(commands[0][0], home);
    assert_eq!(commands[0][2..], ["serve", "--no-embedding"]);
    assert_eq!(commands[1], ["export", &home, "PAWL_BOARD=demo"]);

    let mut server = Server::start(directory.path());
    for command in &commands[2..] {
        if command.last() == Some(&"verify") {
            server.stop();
        }
        if command.contains(&"--as") {
            // The tokens are kept for the address `serve` has by itself; this one has a free port.
            let kept = std::fs::read_to_string(directory.path().join("credentials.toml"));
            let kept = kept.expect("kept");
            assert!(kept.contains("http://127.0.0.1:7617") && kept.contains("ana"));
            continue;
        }
        let output = pawl()
            .args(&command[1..])
            .env("PAWL_HOME", directory.path())
            .env("PAWL_BOARD", "demo")
            .env("PAWL_SERVER", &server.address)
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{command:?}: {output:?}");
        assert!(!output.stdout.is_empty(), "{command:?}");
    }
    assert_eq!(
        commands.last().and_then(|last| last.last()),
        Some(&"verify")
    );
}

/// A server on a free port; it says which in its log. It ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(home: &Path) -> Self {
        let mut process = pawl()
            .args(["serve", "--no-embedding", "--log-format", "json"])
            .env("PAWL_HOME", home)
            .env("PAWL_LISTEN", "127.0.0.1:0")
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let log = BufReader::new(process.stderr.take().expect("piped"));
        let address = log
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| serde_json::from_str::<Value>(&line).ok())
            .find_map(|line| Some(line["fields"]["address"].as_str()?.to_owned()));
        Self {
            process,
            address: format!("http://{}", address.expect("it serves")),
        }
    }

    fn stop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

#[test]
fn a_directory_that_holds_something_is_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("mine"), "").expect("written");
    let output = demo(directory.path(), &["--no-embedding"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("--keep"), "{error}");
    let left = std::fs::read_dir(directory.path()).expect("there").count();
    assert_eq!(left, 1);
}
