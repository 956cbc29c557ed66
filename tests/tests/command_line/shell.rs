//! A server, its data, files to cite, and commands that are run on them.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::crash::{PAWL, Process};

/// What the tests of `pawl` work in: a server, its data, and files to cite.
pub(super) struct Shell {
    directory: tempfile::TempDir,
    pub(super) process: Process,
}

/// What a command said.
pub(super) struct Said {
    pub(super) status: i32,
    pub(super) out: String,
    pub(super) err: String,
}

impl Said {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    pub(super) fn error(&self) -> Value {
        let told: Value =
            serde_json::from_str(&self.err).unwrap_or_else(|error| panic!("{error}: {}", self.err));
        told["error"].clone()
    }
}

impl Shell {
    pub(super) fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let process = Process::start(&directory.path().join("data"), &[]);
        Self { directory, process }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    pub(super) fn file(&self, name: &str, text: &str) -> String {
        let path = self.directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PAWL);
        command
            .args(arguments)
            .env("PAWL_HOME", self.data())
            .env(
                "PAWL_SERVER",
                format!("http://{}", self.process.server.address),
            )
            .env("PAWL_BOARD", "energy")
            .env_remove("PAWL_TOKEN")
            .env_remove("PAWL_AS")
            .env_remove("RUST_LOG");
        command
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().unwrap();
        Said {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command that has to end with a status.
    pub(super) fn ends(&self, status: i32, arguments: &[&str]) -> Said {
        let said = self.run(arguments);
        assert_eq!(
            said.status, status,
            "{arguments:?}\n{}{}",
            said.out, said.err
        );
        said
    }

    pub(super) fn does(&self, arguments: &[&str]) -> Said {
        self.ends(0, arguments)
    }

    /// A board with people and a module on it.
    pub(super) fn settle(&self) {
        self.does(&["board", "create", "energy"]);
        for (name, role) in [
            ("ana", "agent"),
            ("ben", "agent"),
            ("vera", "verifier"),
            ("aron", "arbiter"),
        ] {
            self.does(&["principal", "add", name, "--role", role]);
        }
        self.does(&[
            "attribute",
            "declare",
            "capacity",
            "--type",
            "decimal",
            "--unit",
            "GW",
            "--alias",
            "装机容量",
        ]);
        self.does(&["module", "declare", "supply"]);
    }

    pub(super) fn source(&self, name: &str, text: &str) -> String {
        let path = self.file(name, text);
        let added = self
            .does(&[
                "source", "add", &path, "--title", "Report", "--as", "ana", "--json",
            ])
            .json();
        added["name"]
            .as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    }
}

pub(super) fn verify(data: &Path) -> Said {
    let output = Command::new(PAWL)
        .arg("verify")
        .arg(data.join("store"))
        .arg("--json")
        .output()
        .unwrap();
    Said {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
