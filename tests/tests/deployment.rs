//! What is in `deploy/` is right as far as this machine can tell.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::crash::PAWL;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn unit() -> String {
    fs::read_to_string(root().join("deploy/pawl.service")).unwrap()
}

/// The lines of a unit that say something, each with its section.
fn said(unit: &str) -> Vec<(String, String, String)> {
    let mut section = String::new();
    let mut said = Vec::new();
    for line in unit
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix('[') {
            section = name.strip_suffix(']').expect("a section ends").to_owned();
            continue;
        }
        let (key, value) = line
            .split_once('=')
            .unwrap_or_else(|| panic!("no value: {line}"));
        said.push((section.clone(), key.to_owned(), value.to_owned()));
    }
    said
}

#[test]
fn the_unit_runs_the_server_and_shuts_it_in() {
    let said = said(&unit());
    let has = |section: &str, key: &str, value: &str| {
        let line = (section.to_owned(), key.to_owned(), value.to_owned());
        assert!(said.contains(&line), "no {line:?}");
    };
    has("Service", "ExecStart", "/usr/local/bin/pawl serve");
    has("Service", "ExecReload", "/bin/kill -HUP $MAINPID");
    has("Service", "Restart", "on-failure");
    has("Service", "DynamicUser", "yes");
    has("Service", "StateDirectory", "pawl");
    has("Service", "Environment", "PAWL_HOME=/var/lib/pawl");
    has("Service", "ProtectSystem", "strict");
    has("Service", "NoNewPrivileges", "yes");
    has("Install", "WantedBy", "multi-user.target");
    let files = said
        .iter()
        .find(|(_, key, _)| key == "LimitNOFILE")
        .unwrap();
    assert!(files.2.parse::<u64>().unwrap() >= 1_024 + 256, "{files:?}");
}

/// systemd's own judgement, where it is installed; the program is the one under test, since the unit's is not installed.
#[test]
fn systemd_finds_nothing_wrong_with_the_unit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pawl.service");
    fs::write(&path, unit().replace("/usr/local/bin/pawl", PAWL)).unwrap();
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&path)
        .output();
    let Ok(verified) = verified else {
        println!("there is no systemd here; the unit was read by the test beside this one");
        return;
    };
    let told = String::from_utf8_lossy(&verified.stderr).into_owned();
    let about_ours: Vec<_> = told
        .lines()
        .filter(|line| line.contains("pawl.service"))
        .collect();
    assert!(verified.status.success() && about_ours.is_empty(), "{told}");
}

#[test]
fn everything_the_container_file_copies_is_there() {
    let text = fs::read_to_string(root().join("deploy/Containerfile")).unwrap();
    let joined = text.replace("\\\n", " ");
    let mut stages = Vec::new();
    let mut copied = 0;
    for line in joined.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["FROM", image, rest @ ..] => {
                assert!(image.contains(':'), "an image has a version: {line}");
                stages.extend(rest.get(1).copied());
            }
            ["COPY", from, ..] if from.starts_with("--from=") => {
                let stage = from.trim_start_matches("--from=");
                assert!(stages.contains(&stage), "no stage `{stage}`");
            }
            ["COPY", sources @ .., _] => {
                for source in sources {
                    assert!(root().join(source).exists(), "no `{source}`");
                    copied += 1;
                }
            }
            _ => {}
        }
    }
    assert!(copied >= 8, "{copied}");
    for needed in [
        "USER pawl",
        "VOLUME /var/lib/pawl",
        "HEALTHCHECK",
        "\"pawl\", \"server\", \"health\"",
    ] {
        assert!(joined.contains(needed), "{needed}");
    }
    // What is compiled in has to be copied: files that sources include from outside their crate.
    let toolchain = fs::read_to_string(root().join("rust-toolchain.toml")).unwrap();
    assert!(
        toolchain.contains("\"1.95") && joined.contains("rust:1.95"),
        "one toolchain"
    );
}
