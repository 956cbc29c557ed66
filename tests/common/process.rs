//! The server in a process of its own, with what the system says of it.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// The program `pawl`.
const PAWL: &str = env!("CARGO_BIN_EXE_pawl-under-test");

/// The unit of `/proc/*/stat` on Linux (`getconf CLK_TCK`).
const TICKS_OF_A_SECOND: f64 = 100.0;

/// A server that can be stopped, killed and started again on the same port.
pub(crate) struct Process {
    data: PathBuf,
    arguments: Vec<String>,
    port: u16,
    child: Child,
}

/// What a process holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// Resident memory that is no file's, in bytes.
    pub(crate) memory: u64,
    /// Open files, sockets among them.
    pub(crate) files: usize,
}

impl Process {
    /// Starts one on a data directory, with settings in the form of a file and further arguments.
    pub(crate) fn start(data: &Path, settings: &str, arguments: &[&str]) -> Self {
        Self::start_at(0, data, settings, arguments)
    }

    /// Starts one on a port where its callers look for it.
    pub(crate) fn start_at(port: u16, data: &Path, settings: &str, arguments: &[&str]) -> Self {
        std::fs::create_dir_all(data).unwrap();
        let file = data.join("settings.toml");
        std::fs::write(&file, settings).unwrap();
        let mut all = vec!["--config".to_owned(), file.display().to_string()];
        all.extend(arguments.iter().map(|it| (*it).to_owned()));
        let (child, address) = spawn(data, &all, port).unwrap_or_else(|said| panic!("{said}"));
        Self {
            data: data.to_owned(),
            arguments: all,
            port: address.port(),
            child,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn token(&self) -> String {
        let token = std::fs::read_to_string(self.data.join("operator.token")).unwrap();
        token.trim().to_owned()
    }

    /// Ends it and starts it again.
    pub(crate) fn again(&mut self, kill: bool) {
        self.end(kill);
        let started = spawn(&self.data, &self.arguments, self.port);
        (self.child, _) = started.unwrap_or_else(|said| panic!("{said}"));
    }

    /// Ends it at once, or as its operator would.
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
        let mut lines = status.lines();
        let own = lines
            .find_map(|line| line.strip_prefix("RssAnon:"))
            .unwrap();
        let kib: u64 = own.split_whitespace().next().unwrap().parse().unwrap();
        Held {
            memory: kib * 1_024,
            files: std::fs::read_dir(proc.join("fd")).unwrap().count(),
        }
    }

    /// The time it has had of all processors together.
    pub(crate) fn processor_seconds(&self) -> f64 {
        processor_seconds(self.child.id())
    }
}

/// The time a process has had of all processors together.
pub(crate) fn processor_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name of the program may hold anything, so what counts is what follows it.
    let (_, after) = stat.rsplit_once(')').unwrap();
    let ticks = after.split_whitespace().skip(11).take(2);
    ticks.map(|it| it.parse::<f64>().unwrap()).sum::<f64>() / TICKS_OF_A_SECOND
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says what `pawl verify` finds in a store.
pub(crate) fn verify(data: &Path) -> Result<String, String> {
    let mut verify = Command::new(PAWL);
    let verified = verify
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

/// Starts the program and waits until it listens; else gives what it said.
#[expect(
    clippy::zombie_processes,
    reason = "a server that ended says so before it is left"
)]
fn spawn(data: &Path, arguments: &[String], port: u16) -> Result<(Child, SocketAddr), String> {
    let mut child = Command::new(PAWL)
        .args(["serve", "--log-format", "json", "--listen"])
        .arg(format!("127.0.0.1:{port}"))
        .arg("--data")
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
            return Err(format!("the server ended: {}", said.join("\n")));
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
    Ok((child, address))
}
