//! Running a server: settings, reload by signal, status, doctor and figures, from the command line.

use std::{
    path::Path,
    process::{Command, Output},
};

use pawl_ledger::store::Engine;
use pawl_proto::v1::Verdict;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    crash::{PAWL, Process},
    world::{OwnServer, World},
};

fn pawl(data: &Path, server: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(PAWL);
    for name in [
        "PAWL_TOKEN",
        "PAWL_AS",
        "PAWL_BOARD",
        "PAWL_CONFIG",
        "RUST_LOG",
    ] {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .env("PAWL_HOME", data)
        .env("PAWL_SERVER", server)
        .output()
        .unwrap()
}

/// Runs a command that has to end with a status; gives what it said.
#[track_caller]
fn ends(status: i32, output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}{errors}");
    said + &errors
}

#[track_caller]
fn json(status: i32, output: &Output) -> Value {
    ends(status, output);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn level(report: &Value, name: &str) -> String {
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name);
    check.unwrap_or_else(|| panic!("no `{name}`: {report}"))["level"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_server_is_looked_after_from_the_command_line() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let process = Process::start(&data, &["--no-embedding"]);
    let server = format!("http://{}", process.server.address);
    let run = |arguments: &[&str]| pawl(&data, &server, arguments);

    assert_eq!(ends(0, &run(&["server", "health"])), "serving\n");
    let status = json(0, &run(&["server", "status", "--json"]));
    assert_eq!(status["engine"], "fjall");
    assert_eq!(status["limits"]["limits.batch_items"], 256);
    let told = ends(0, &run(&["server", "status"]));
    assert!(
        told.contains("calls") && told.contains("plain text"),
        "{told}"
    );
    let report = json(0, &run(&["doctor", "--json"]));
    assert_eq!(level(&report, "server"), "CHECK_LEVEL_OK");
    assert_eq!(level(&report, "store"), "CHECK_LEVEL_OK");
    assert_eq!(level(&report, "token"), "CHECK_LEVEL_OK");
    assert_eq!(level(&report, "models"), "CHECK_LEVEL_WARNING");

    ends(0, &run(&["board", "create", "energy"]));
    ends(
        0,
        &run(&[
            "--board",
            "energy",
            "principal",
            "add",
            "ana",
            "--role",
            "agent",
        ]),
    );
    for command in [
        &["server", "status", "--as", "ana"],
        &["server", "reload", "--as", "ana"],
    ] {
        assert!(ends(4, &run(command)).contains("ROLE_MISSING"));
    }
    assert_eq!(
        level(
            &json(1, &run(&["doctor", "--json", "--as", "ana"])),
            "server"
        ),
        "CHECK_LEVEL_ERROR"
    );
    assert!(
        ends(5, &pawl(&data, "http://127.0.0.1:1", &["server", "health"]))
            .contains("could not reach")
    );
}

#[test]
fn a_doctor_without_a_server_looks_at_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    drop(Process::start(&data, &["--no-embedding"]));
    let offline = |arguments: &[&str]| {
        let arguments = [&["doctor", "--json", "--no-embedding"], arguments].concat();
        pawl(&data, "http://127.0.0.1:1", &arguments)
    };
    let report = json(0, &offline(&[]));
    assert_eq!(level(&report, "server"), "CHECK_LEVEL_WARNING");
    assert_eq!(level(&report, "settings"), "CHECK_LEVEL_OK");
    assert_eq!(level(&report, "store"), "CHECK_LEVEL_OK");
    let report = json(1, &offline(&["--offline", "--set", "limits.calls=0"]));
    assert_eq!(level(&report, "settings"), "CHECK_LEVEL_ERROR");
}

#[test]
fn settings_are_checked_with_where_they_are_from() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path();
    let run = |arguments: &[&str]| pawl(data, "http://127.0.0.1:1", arguments);
    std::fs::write(data.join("pawl.toml"), "[limits]\nbatch_items = 64\n").unwrap();
    let told = ends(0, &run(&["config", "check", "--set", "limits.calls=5"]));
    assert!(
        told.contains("pawl.toml") && told.contains("--set"),
        "{told}"
    );
    let report = json(0, &run(&["config", "check", "--json"]));
    let rows = report["settings"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["name"] == "limits.batch_items")
        .unwrap();
    assert_eq!(
        (row["value"].as_str(), row["reloads"].as_bool()),
        (Some("64"), Some(true))
    );

    let shown = ends(0, &run(&["config", "show"]));
    assert!(
        shown.contains("batch_items = 64") && shown.contains("PAWL_LIMITS_BATCH_ITEMS"),
        "{shown}"
    );
    let shipped = ends(0, &run(&["config", "default"]));
    std::fs::write(data.join("pawl.toml"), &shipped).unwrap();
    ends(0, &run(&["config", "check"]));

    std::fs::write(
        data.join("pawl.toml"),
        "listne = '0.0.0.0:1'\n[limits]\ncalls = 'many'\n",
    )
    .unwrap();
    let told = ends(1, &run(&["config", "check"]));
    for wrong in ["did you mean `listen`", "`limits.calls` is `many`"] {
        assert!(told.contains(wrong), "{told}");
    }
    let told = ends(5, &run(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(told.contains("did you mean `listen`"), "{told}");
    std::fs::remove_file(data.join("pawl.toml")).unwrap();
    let told = ends(
        5,
        &run(&["serve", "--listen", "0.0.0.0:0", "--no-embedding"]),
    );
    assert!(told.contains("insecure_plain_text"), "{told}");
}

#[test]
fn a_signal_makes_a_server_read_its_settings_again() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let write = |text: &str| std::fs::write(data.join("pawl.toml"), text).unwrap();
    write("[limits]\nbatch_items = 64\n");
    let process = Process::start(&data, &["--no-embedding"]);
    let server = format!("http://{}", process.server.address);
    let status = || json(0, &pawl(&data, &server, &["server", "status", "--json"]));
    assert_eq!(status()["limits"]["limits.batch_items"], 64);
    let signal = || {
        let id = process.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-HUP", &id])
                .status()
                .unwrap()
                .success()
        );
    };
    write("[limits]\nbatch_items = 65\n");
    signal();
    while status()["limits"]["limits.batch_items"] != 65 {
        std::thread::yield_now();
    }
    write("[limits]\nbatch_items = 0\n");
    signal();
    while status()["last_reload"]["failure"] == "" {
        std::thread::yield_now();
    }
    assert_eq!(status()["limits"]["limits.batch_items"], 65);
    let failed = pawl(&data, &server, &["server", "reload"]);
    assert!(ends(3, &failed).contains("SETTINGS_INVALID"));
    assert_eq!(
        level(
            &json(1, &pawl(&data, &server, &["doctor", "--json"])),
            "reload"
        ),
        "CHECK_LEVEL_ERROR"
    );
    write("[limits]\nbatch_items = 66\n");
    let told = ends(0, &pawl(&data, &server, &["server", "reload"]));
    assert!(told.contains("limits.batch_items"), "{told}");
}

/// The lines of `/metrics`.
async fn figures(server: &OwnServer) -> Vec<String> {
    let mut stream = TcpStream::connect(server.server.address).await.unwrap();
    let token = &server.server.operator_token;
    let request = format!(
        "GET /metrics HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn what_becomes_of_submissions_is_counted() {
    let server = OwnServer::start(Engine::Fjall, false).await;
    let world = World::on(server.server.clone()).await;
    let first = world.ana.say("The plant in Lyon has 500 employees.").await;
    assert_eq!(first.verdict(), Verdict::Accepted);
    let second = world.ben.say("The plant in Lyon has 700 employees.").await;
    assert_eq!(second.verdict(), Verdict::Contested);
    let figures = figures(&server).await;
    for line in [
        "pawl_submissions_total{verdict=\"accepted\"} 1",
        "pawl_submissions_total{verdict=\"contested\"} 1",
        "pawl_boards 1",
    ] {
        assert!(
            figures.iter().any(|it| it == line),
            "no {line}: {figures:#?}"
        );
    }
    assert!(
        figures
            .iter()
            .any(|line| line.starts_with("pawl_findings_total{kind=")),
        "{figures:#?}"
    );
    assert!(
        !figures
            .iter()
            .any(|line| line.contains(&world.board) && line.contains("\"b")),
        "no board is a label"
    );
}
