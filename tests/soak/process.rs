//! The server in a process of its own, with what the system says of it.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// The program `pawl`.
const PAWL: &str = env!("CARGO_BIN_EXE_pawl-under-test");

/// A server that can be stopped, killed and started again on the same port.
pub(crate) struct Process {
    data: PathBuf,
    settings: PathBuf,
    port: u16,
    child: Child,
}

/// What a process holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// Resident memory, in MiB.
    pub(crate) memory_mib: u64,
    /// Open files, sockets among them.
    pub(crate) files: usize,
}

impl Process {
    pub(crate) fn start(data: &Path, settings: &Path) -> Self {
        let (child, port) = spawn(data, settings, 0);
        Self {
            data: data.to_owned(),
            settings: settings.to_owned(),
            port,
            child,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn token(&self) -> String {
        let token = std::fs::read_to_string(self.data.join("operator.token")).unwrap();
        token.trim().to_owned()
    }

    /// Ends it as a power cut would, or as its operator would, and starts it again.
    pub(crate) fn again(&mut self, kill: bool) {
        self.end(kill);
        (self.child, _) = spawn(&self.data, &self.settings, self.port);
    }

    pub(crate) fn end(&mut self, kill: bool) {
        let process = self.child.id().to_string();
        let signal = if kill { "-KILL" } else { "-TERM" };
        let told = Command::new("kill").args([signal, &process]).status();
        assert!(told.unwrap().success());
        let ended = self.child.wait().unwrap();
        assert!(kill || ended.success(), "the server ended with {ended}");
    }

    pub(crate) fn held(&self) -> Held {
        let proc = PathBuf::from(format!("/proc/{}", self.child.id()));
        let status = std::fs::read_to_string(proc.join("status")).unwrap();
        let resident = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap();
        let kib = resident.split_whitespace().next().unwrap();
        Held {
            memory_mib: kib.parse::<u64>().unwrap() / 1_024,
            files: std::fs::read_dir(proc.join("fd")).unwrap().count(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says what `pawl verify` finds in a store.
pub(crate) fn verify(data: &Path) -> Result<String, String> {
    let verified = Command::new(PAWL)
        .arg("verify")
        .arg(data.join("store"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&verified.stdout).into_owned();
    if verified.status.success() {
        return Ok(told);
    }
    Err(told + &String::from_utf8_lossy(&verified.stderr))
}

fn spawn(data: &Path, settings: &Path, port: u16) -> (Child, u16) {
    let mut child = Command::new(PAWL)
        .args(["serve", "--log-format", "json", "--listen"])
        .arg(format!("127.0.0.1:{port}"))
        .arg("--data")
        .arg(data)
        .arg("--config")
        .arg(settings)
        .env_remove("RUST_LOG")
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = Vec::new();
    let address: std::net::SocketAddr = loop {
        let Some(Ok(line)) = lines.next() else {
            panic!("the server ended: {}", said.join("\n"));
        };
        let told = serde_json::from_str(&line).unwrap_or(serde_json::Value::Null);
        if let Some(address) = told["fields"]["address"].as_str() {
            break address.parse().unwrap();
        }
        said.push(line);
    };
    // A panic in a task shows in what the server logs and nowhere else.
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if line.contains("panicked at") || line.contains("\"level\":\"ERROR\"") {
                eprintln!("server: {line}");
            }
        }
    });
    (child, address.port())
}
