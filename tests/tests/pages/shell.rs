//! The shell a page's commands are typed into, with a server beside it.

use std::{fmt::Write, fs, path::PathBuf, process::Command};

use super::page::Step;
use crate::crash::{PAWL, Process};

/// How long a page may take, in seconds.
const MOST_SECONDS: &str = "300";

/// A directory for a page, a home, and a server.
pub(super) struct Shell {
    directory: tempfile::TempDir,
    server: Option<Process>,
    sessions: usize,
}

/// What a command said.
pub(super) struct Said {
    /// What it ended with; none if it was never reached.
    pub status: Option<i32>,
    /// What it printed, errors too.
    pub output: String,
}

impl Shell {
    pub(super) fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["bin", "home", "work"] {
            fs::create_dir(directory.path().join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(PAWL, directory.path().join("bin/pawl")).unwrap();
        let server = Process::start(&directory.path().join("home/.local/share/pawl"), &[]);
        fs::write(
            directory.path().join("environment"),
            format!("export PAWL_SERVER=http://{}\n", server.server.address),
        )
        .unwrap();
        Self {
            directory,
            server: Some(server),
            sessions: 0,
        }
    }

    /// Ends the server as Ctrl-C does.
    pub(super) fn stop_server(&mut self) {
        if let Some(server) = self.server.take() {
            server.interrupt();
        }
    }

    /// Types commands, one after another, whatever the one before ended with.
    pub(super) fn run(&mut self, steps: &[Step]) -> Vec<Said> {
        self.sessions += 1;
        let traces = self.path(&format!("traces-{}", self.sessions));
        fs::create_dir(&traces).unwrap();
        let mut script =
            String::from("trap 'kill $(jobs -p) 2>/dev/null' EXIT\n. ../environment\n");
        for (number, step) in steps.iter().enumerate() {
            let trace = traces.join(number.to_string()).display().to_string();
            // In braces, not in a shell of its own, so that what is exported stays.
            write!(
                script,
                "{{\n{}\n}} > {trace} 2>&1\necho $? > {trace}.status\n",
                step.command
            )
            .unwrap();
        }
        script.push_str("export -p > ../environment\n");
        let home = self.path("home");
        let path = std::env::var("PATH").unwrap_or_default();
        let ended = Command::new("timeout")
            .args([MOST_SECONDS, "bash", "-c", &script])
            .current_dir(self.path("work"))
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("HOME", home)
            .env("XDG_CACHE_HOME", cache())
            .envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8")])
            .env_remove("XDG_DATA_HOME")
            .env_remove("PAWL_HOME")
            .env_remove("PAWL_TOKEN")
            .env_remove("PAWL_AS")
            .env_remove("RUST_LOG")
            .output()
            .unwrap();
        let broken = String::from_utf8_lossy(&ended.stderr).into_owned();
        (0..steps.len())
            .map(|number| {
                let trace = traces.join(number.to_string());
                let read = |path: PathBuf| fs::read(path).ok();
                let output = read(trace.clone()).unwrap_or_default();
                let status = read(trace.with_extension("status")).unwrap_or_default();
                Said {
                    status: String::from_utf8_lossy(&status).trim().parse().ok(),
                    output: format!("{}{broken}", String::from_utf8_lossy(&output)),
                }
            })
            .collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

/// Where the models lie, which no page fetches again.
fn cache() -> PathBuf {
    std::env::var_os("XDG_CACHE_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"),
        PathBuf::from,
    )
}
