//! A month in one run: people work on boards as they do, with mistakes, races, restarts and kills, and afterwards
//! everything has to be where it was.
//!
//! `make soak` runs it for eight minutes; `cargo test --release -p pawl-tests --test soak -- --minutes 60` for an hour.
//! The seed decides what each person does; who comes first is up to the machine.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test"
)]

mod acts;
mod afterwards;
mod people;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/process.rs"]
mod process;
mod quotas;
mod tally;
mod texts;
mod wire;

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Parser;

use crate::{people::Person, process::Process, tally::Tally};

/// How long somebody's last call may take after the end, a little more than a call may take.
const LAST_CALL: Duration = Duration::from_secs(120);

/// So that an authority can be declared; nobody is asked anything of it.
const SETTINGS: &str = "[authorities]\nallowed_hosts = ['example.org']\n";

/// Runs a board's month in minutes.
#[derive(Parser)]
struct Args {
    /// How long people work, in minutes.
    #[arg(long, default_value_t = 8.0)]
    minutes: f64,
    /// What the people's choices come from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many people.
    #[arg(long, default_value_t = 20)]
    agents: usize,
    /// How many boards.
    #[arg(long, default_value_t = 5)]
    boards: usize,
    /// How often the server is stopped or killed and started again.
    #[arg(long, default_value_t = 6)]
    restarts: u32,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(run(&args))
}

async fn run(args: &Args) -> ExitCode {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let mut process = Process::start(&data, SETTINGS, &[]);
    let (methods, tally) = (wire::methods(), Arc::new(Tally::default()));
    let sizes = (args.agents, args.boards, args.seed);
    let people = people::settle(&methods, &process.url(), &process.token(), &tally, sizes).await;

    let begun = Instant::now();
    let people = work(args, &mut process, people, &tally).await;
    let seconds = begun.elapsed().as_secs_f64();

    let took = (seconds, u64::from(args.restarts) + 1);
    let checks = afterwards::look(&mut process, &data, people, &methods, &tally, took).await;
    let ended = afterwards::report(&tally.counts(), &checks, seconds);
    if ended != ExitCode::SUCCESS {
        // What broke is there to be looked at.
        println!("the store is kept in {}", directory.keep().display());
    }
    ended
}

/// Lets everybody work, and restarts the server under them.
async fn work(
    args: &Args,
    process: &mut Process,
    people: Vec<Person>,
    tally: &Tally,
) -> Vec<Person> {
    let end = Arc::new(AtomicBool::new(false));
    let at_work: Vec<_> = people
        .into_iter()
        .map(|mut person| {
            let end = end.clone();
            tokio::spawn(async move {
                while !end.load(Ordering::Relaxed) {
                    let done = acts::act(&mut person).await;
                    if done.is_err_and(|status| tally::is_broken(&status)) {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                }
                person
            })
        })
        .collect();
    let stretch = Duration::from_secs_f64(args.minutes * 60.0 / f64::from(args.restarts + 1));
    for number in 0..=args.restarts {
        tokio::time::sleep(stretch).await;
        println!(
            "calls so far: {}",
            tally.counts().calls.values().sum::<u64>()
        );
        if number < args.restarts {
            let kill = number % 2 == 0;
            tokio::task::block_in_place(|| process.again(kill));
            let held = process.held();
            let how = if kill { "killed" } else { "stopped" };
            println!("{how} and started again; it holds {held:?}");
        }
    }
    end.store(true, Ordering::Relaxed);
    println!("the work ends; still waiting: {}", tally.waiting());
    let mut people = Vec::new();
    for (number, person) in at_work.into_iter().enumerate() {
        let ended = tokio::time::timeout(LAST_CALL, person).await;
        people.push(match ended {
            Ok(person) => person.unwrap(),
            Err(_) => panic!("person-{number} waits for an answer: {}", tally.waiting()),
        });
    }
    people
}
