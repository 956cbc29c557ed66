//! The flooding client: a process of its own with one thread and the least claim on the processors, so that what it
//! takes of them is not laid to the server. It sends its next call once one is answered, and so goes on flooding.

use std::{
    io::{Read, Write},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Instant,
};

use crate::{
    caller::{Caller, draft, submission},
    process::processor_seconds,
    texts,
};

/// Its connections, each with a call under way all the time.
pub(crate) const FLOODING: usize = 200;

/// A flood that goes on.
pub(crate) struct Flood {
    child: Child,
    begun: Instant,
}

/// What came of a flood.
pub(crate) struct Sent {
    pub(crate) calls: usize,
    pub(crate) seconds: f64,
    pub(crate) processor_seconds: f64,
}

impl Flood {
    /// Starts it and waits until its first call is answered.
    pub(crate) fn start(wild: &Caller, source: &str) -> Self {
        let mut child = Command::new("nice")
            .args(["-n", &std::env::var("FLOOD_NICE").unwrap_or("19".into())])
            .arg(std::env::current_exe().unwrap())
            .args(["--flood", wild.url()])
            .env("FLOOD_TOKEN", wild.token())
            .env("FLOOD_SOURCE", source)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0];
        let answers = child.stdout.as_mut().unwrap();
        answers.read_exact(&mut first).unwrap();
        Self {
            child,
            begun: Instant::now(),
        }
    }

    /// Ends it.
    pub(crate) fn end(mut self) -> Sent {
        let seconds = self.begun.elapsed().as_secs_f64();
        let processor_seconds = processor_seconds(self.child.id());
        drop(self.child.stdin.take());
        let mut told = String::new();
        let mut answers = self.child.stdout.take().unwrap();
        answers.read_to_string(&mut told).unwrap();
        self.child.wait().unwrap();
        Sent {
            calls: told.trim().parse().unwrap(),
            seconds,
            processor_seconds,
        }
    }
}

/// Floods from this process until its input ends; says when it began, and how many calls there were.
pub(crate) fn run(url: &str) {
    let variable = |name| std::env::var(name).unwrap();
    let (token, source) = (variable("FLOOD_TOKEN"), variable("FLOOD_SOURCE"));
    let end = Arc::new(AtomicBool::new(false));
    let ending = end.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ending.store(true, Ordering::Relaxed);
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let calls = runtime.block_on(async { flood(&Caller::new(url, &token), &source, &end).await });
    println!("{calls}");
}

async fn flood(wild: &Caller, source: &str, end: &Arc<AtomicBool>) -> usize {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut flooding = Vec::new();
    for place in 0..FLOODING {
        let (wild, source) = (wild.again(), source.to_owned());
        let (end, calls) = (end.clone(), calls.clone());
        flooding.push(tokio::spawn(async move {
            let mut number = 1_000_000 + place * 10_000;
            while !end.load(Ordering::Relaxed) {
                let mut draft = draft(&texts::fact(number), &source);
                draft.citations[0].quote = "What floods.".to_owned();
                let _ = wild.assertions().submit(submission(vec![draft])).await;
                number += 1;
                if calls.fetch_add(1, Ordering::Relaxed) == 0 {
                    print!(".");
                    std::io::stdout().flush().unwrap();
                }
            }
        }));
    }
    for flood in flooding {
        flood.await.unwrap();
    }
    calls.load(Ordering::Relaxed)
}
