//! The first ten minutes with `pawl`, from nothing to a sealed module and past it.

mod shell;

use std::process::Command;

use serde_json::Value;

use self::shell::{Shell, verify};
use crate::crash::PAWL;

#[test]
fn the_first_ten_minutes() {
    let mut shell = Shell::start();
    shell.settle();
    let first = "Solar capacity was 24.8 GW at the end of 2024.";
    let other = "Solar capacity was 21.5 GW at the end of 2024.";
    let report = shell.source("report.md", &format!("# Energy\n\n{first}\n"));
    let paper = shell.source(
        "paper.txt",
        &format!("{other}\nLater revised to 25.1 GW.\n"),
    );
    let submit = |who: &'static str, content: &str, source: &str| {
        shell.run(&[
            "submit",
            "--module",
            "supply",
            "--content",
            content,
            "--source",
            source,
            "--quote",
            content,
            "--confidence",
            "0.95",
            "--as",
            who,
            "--json",
        ])
    };

    let said = submit("ana", first, &report);
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(said.json()["outcomes"][0]["verdict"], "VERDICT_ACCEPTED");
    let invented = shell.ends(
        3,
        &[
            "submit",
            "--module",
            "supply",
            "--content",
            "Solar capacity doubled.",
            "--source",
            &report,
            "--quote",
            "Solar capacity doubled.",
            "--confidence",
            "0.9",
            "--as",
            "ana",
            "--json",
        ],
    );
    assert_eq!(
        invented.json()["outcomes"][0]["error"]["reason"],
        "QUOTE_NOT_FOUND"
    );

    let said = submit("ben", other, &paper);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert_eq!(said.json()["outcomes"][0]["verdict"], "VERDICT_CONTESTED");
    let shown = shell.does(&["conflicts", "--as", "aron"]);
    assert!(shown.out.contains("c1"), "{}", shown.out);
    let resolve = [
        "resolve",
        "c1",
        "--winner",
        "a1@1",
        "--reason",
        "the report is final",
        "--as",
    ];
    let not_allowed = shell.ends(4, &[&resolve[..], &["ben", "--json"]].concat());
    assert_eq!(not_allowed.error()["reason"], "ROLE_MISSING");
    shell.does(&[&resolve[..], &["aron"]].concat());

    let unread = shell.ends(1, &["seal", "supply", "--as", "aron", "--json"]);
    assert_eq!(unread.error()["reason"], "SEAL_CONDITIONS");
    shell.does(&[
        "validate", "a1@1", "--source", &report, "--quote", first, "--as", "vera",
    ]);
    let sealed = shell
        .does(&["seal", "supply", "--mode", "hard", "--as", "aron", "--json"])
        .json();
    assert_eq!(sealed["members"], serde_json::json!(["a1@1"]));

    let refused = submit("ben", other, &paper);
    assert_eq!(refused.status, 1);
    let outcome = refused.json()["outcomes"][0].clone();
    assert_eq!(outcome["verdict"], "VERDICT_REFUSED");
    assert!(outcome["remedies"].as_array().unwrap().len() > 1);

    shell.does(&[
        "flag",
        "a1@1",
        "--reason",
        "revised since",
        "--source",
        &paper,
        "--quote",
        "Later revised to 25.1 GW.",
        "--as",
        "ben",
    ]);
    let brief = shell.does(&["brief", "supply", "--as", "ben"]);
    assert!(
        brief.out.contains(first) && brief.out.contains("revised since"),
        "{}",
        brief.out
    );
    let amend = [
        "amend",
        "a1@1",
        "--reason",
        "the figure was revised",
        "--content",
        "Solar capacity was 25.1 GW at the end of 2024.",
        "--source",
        &paper,
        "--quote",
        "Later revised to 25.1 GW.",
        "--confidence",
        "0.95",
        "--as",
    ];
    shell.ends(4, &[&amend[..], &["ana"]].concat());
    shell.does(&[&amend[..], &["aron"]].concat());
    let brief = shell
        .does(&["brief", "supply", "--as", "ben", "--json"])
        .json();
    assert_eq!(
        brief["facts"][0]["draft"]["content"],
        "Solar capacity was 25.1 GW at the end of 2024."
    );
    assert!(brief["position"].as_u64().unwrap() > 10);

    let told = shell.does(&["replay", "--as", "ana", "--json"]);
    let records: Vec<Value> = told
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len() as u64, brief["position"].as_u64().unwrap());
    let kinds: Vec<&str> = records
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"amended") && kinds.contains(&"refused") && kinds.contains(&"flagged"));
    let story = shell.does(&["replay", "--format", "markdown", "--as", "ana"]);
    assert!(
        story.out.contains("the figure was revised"),
        "{}",
        story.out
    );

    let in_use = verify(&shell.data());
    assert_ne!(
        in_use.status, 0,
        "a store in use is not verified: {}",
        in_use.out
    );
    shell.process.kill();
    let verified = verify(&shell.data());
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    assert_eq!(verified.json()["boards"], 1);
}

#[test]
fn documents_come_from_files_and_from_standard_input() {
    use std::io::Write;
    let shell = Shell::start();
    shell.settle();
    let source = shell.source(
        "report.txt",
        "The canal is 12 km long. The harbour freezes in winter.\n",
    );
    let item = |content: &str| {
        serde_json::json!({
            "content": content, "source": source, "quote": content, "confidence": 0.9,
        })
    };
    let document = |items: Value| serde_json::json!({ "assertions": items }).to_string();
    let batch = shell.file(
        "batch.json",
        &document(serde_json::json!([item("The canal is 12 km long.")])),
    );
    let checked = shell
        .does(&[
            "check", &batch, "--module", "supply", "--as", "ben", "--json",
        ])
        .json();
    assert_eq!(checked["committed"], false);
    shell.does(&["submit", &batch, "--module", "supply", "--as", "ana"]);

    let mut child = shell
        .command(&["submit", "-", "--module", "supply", "--as", "ana", "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let text = document(serde_json::json!([item("The harbour freezes in winter.")]));
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let listed = shell
        .does(&["list", "--module", "supply", "--as", "ana", "--json"])
        .json();
    assert_eq!(listed["assertions"].as_array().unwrap().len(), 2);
    let malformed = shell.file("bad.json", "{\"assertions\": [");
    let said = shell.ends(
        3,
        &[
            "submit", &malformed, "--module", "supply", "--as", "ana", "--json",
        ],
    );
    assert_eq!(said.error()["reason"], "INTAKE_MALFORMED");
    let schema: Value = shell.does(&["schema", "--as", "ana"]).json();
    assert!(schema["$schema"].is_string());
    assert!(
        shell
            .does(&["evidence", "a1@1", "--as", "ana"])
            .out
            .contains("canal")
    );
}

#[test]
fn every_exit_status_says_what_it_is_documented_to_say() {
    let mut shell = Shell::start();
    shell.settle();
    shell.ends(2, &["no-such-command"]);
    let unknown = shell.ends(3, &["show", "a9", "--as", "ana", "--json"]);
    assert_eq!(unknown.error()["reason"], "ASSERTION_UNKNOWN");
    assert_eq!(unknown.error()["metadata"]["assertion"], "a9");
    let wrong = shell.ends(4, &["list", "--token", "pawl_0", "--json"]);
    assert_eq!(wrong.error()["reason"], "TOKEN_INVALID");
    shell.process.kill();
    shell.ends(5, &["list", "--as", "ana", "--timeout", "5s"]);
    for shell_name in ["bash", "zsh", "fish"] {
        assert!(
            shell
                .does(&["completions", shell_name])
                .out
                .contains("pawl")
        );
    }
}

#[test]
fn a_server_without_its_model_says_which_command_brings_it() {
    let directory = tempfile::tempdir().unwrap();
    let output = Command::new(PAWL)
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(directory.path())
        .arg("--models")
        .arg(directory.path().join("nowhere"))
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        told.contains("make ") && told.contains("--no-embedding"),
        "{told}"
    );
}

#[test]
fn a_module_is_rolled_back_compared_and_drawn() {
    let shell = Shell::start();
    shell.settle();
    let report = shell.source("report.txt", "The plant gave 5.0 GW. It gave 9.0 GW.");
    shell.does(&[
        "submit",
        "--module",
        "supply",
        "--content",
        "The plant gave 5.0 GW in 2024.",
        "--confidence",
        "0.95",
        "--source",
        &report,
        "--quote",
        "5.0 GW",
        "--as",
        "ana",
    ]);
    shell.does(&[
        "validate", "a1@1", "--source", &report, "--quote", "5.0 GW", "--as", "vera",
    ]);
    let sealed = shell
        .does(&["seal", "supply", "--as", "aron", "--json"])
        .json();
    let before = sealed["name"].as_str().unwrap().to_owned();
    let amended = shell.does(&[
        "amend",
        "a1@1",
        "--reason",
        "revised",
        "--content",
        "The plant gave 9.0 GW in 2024.",
        "--confidence",
        "0.95",
        "--source",
        &report,
        "--quote",
        "9.0 GW",
        "--as",
        "aron",
        "--json",
    ]);
    let after = amended.json()["snapshot"]["name"]
        .as_str()
        .unwrap()
        .to_owned();

    let difference = shell
        .does(&["snapshot", "diff", &before, &after, "--json"])
        .json();
    assert_eq!(difference["amended"], 1);
    assert_eq!(difference["changes"][0]["findings"][0]["exact"], true);
    let told = shell.does(&["snapshot", "diff", &before, &after]).out;
    assert!(told.contains("amended a1@1 to a1@2"), "{told}");

    let rollback = [
        "rollback", "supply", "--to", &before, "--reason", "misread", "--as",
    ];
    let back = |who: &'static str, more: &[&'static str]| {
        let words: Vec<&str> = rollback.iter().copied().chain([who]).collect();
        [words.as_slice(), more].concat()
    };
    shell.ends(4, &back("ana", &[]));
    let planned = shell.does(&back("aron", &["--validate-only"])).out;
    assert!(planned.contains("would change"), "{planned}");
    let done = shell.does(&back("aron", &["--json"])).json();
    assert!(done["reinstated"][0].as_str().unwrap().ends_with("/a1@1"));
    let again = shell.ends(3, &back("aron", &["--json"]));
    assert_eq!(again.error()["reason"], "NOTHING_TO_ROLL_BACK");
    let gone = shell
        .does(&["list", "--status", "rolled-back", "--json"])
        .json();
    assert_eq!(gone["assertions"].as_array().unwrap().len(), 1);

    let graph = shell.does(&["snapshots", "--graph", "json"]).json();
    assert_eq!(graph["nodes"].as_array().unwrap().len(), 3);
    assert_eq!(graph["edges"].as_array().unwrap().len(), 3);
    let dot = shell.does(&["snapshots", "--graph", "dot"]).out;
    assert!(dot.starts_with("digraph snapshots {"), "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 3);
    let only = [
        "snapshots",
        &before,
        "--graph",
        "json",
        "--only",
        "ancestors",
    ];
    assert_eq!(
        shell.does(&only).json()["nodes"].as_array().unwrap().len(),
        1
    );
    shell.ends(2, &["snapshots", "--only", "ancestors"]);
    let shown = shell.does(&["snapshot", "show", &before]).out;
    assert_eq!(shown, shell.does(&["snapshots", &before]).out);
}
