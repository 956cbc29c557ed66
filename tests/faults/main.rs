//! What a team's server meets sooner or later, done to it on purpose: kills, power cuts, a full disk, contradictions
//! sent at once, a flood, thousands of idle streams, clients that read nothing or send a byte a second. Ends with a table of what was done, how often, and what was lost.
//!
//! `make faults` runs it; each engine gets its rounds. Power cuts and the full disk need the right to mount; where that
//! is missing it says so, and the line is not counted.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a test"
)]

#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/caller.rs"]
mod caller;
mod calm;
mod contradictory;
mod crashes;
mod disk;
mod flood;
mod full;
mod idle;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/process.rs"]
mod process;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/raw.rs"]
mod raw;
mod slow;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/texts.rs"]
mod texts;
mod unread;
mod writers;

use std::{process::ExitCode, time::Instant};

use clap::Parser;

/// Does to servers what happens to servers.
#[derive(Parser)]
struct Args {
    /// Only what has this in its name.
    #[arg(long, default_value = "")]
    only: String,
    /// Kills of each engine; a third as many power cuts.
    #[arg(long, default_value_t = 30)]
    rounds: u32,
    /// Contradictory pairs sent at once.
    #[arg(long, default_value_t = 10_000)]
    pairs: usize,
    /// What random moments come from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only floods this server, on behalf of a run.
    #[arg(long, hide = true)]
    flood: Option<String>,
}

/// What was done and what came of it.
pub(crate) struct Outcome {
    /// What was done.
    pub(crate) what: String,
    /// How often; none where this machine does not let it.
    pub(crate) times: Option<usize>,
    /// What was looked at afterwards.
    pub(crate) looked_at: String,
    /// What was lost, or should not have been.
    pub(crate) lost: Vec<String>,
}

/// The settings of every server here: nobody is to meet a quota but who is meant to.
pub(crate) const SETTINGS: &str =
    "[limits.quotas]\nentries_per_second = 1000000\nentries_burst = 1000000000\n";

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(url) = &args.flood {
        flood::flood_from_here(url);
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut outcomes = Vec::new();
    let mut run = |name: &str, act: &mut dyn FnMut() -> Vec<Outcome>| {
        if name.contains(&args.only) {
            let begun = Instant::now();
            outcomes.extend(act());
            eprintln!("{name}: {:.0} s", begun.elapsed().as_secs_f64());
        }
    };
    for engine in ["fjall", "sled"] {
        run(&format!("kill {engine}"), &mut || {
            vec![runtime.block_on(crashes::kills(engine, args.rounds, args.seed))]
        });
        run(&format!("power cut {engine}"), &mut || {
            let rounds = args.rounds.div_ceil(3);
            vec![runtime.block_on(crashes::power_cuts(engine, rounds, args.seed))]
        });
        run(&format!("full disk {engine}"), &mut || {
            vec![runtime.block_on(full::fill(engine))]
        });
    }
    run("contradictory pairs", &mut || {
        runtime.block_on(contradictory::at_once(args.pairs))
    });
    run("flood", &mut || vec![runtime.block_on(flood::flood())]);
    run("idle streams", &mut || runtime.block_on(idle::streams()));
    run("unread answers", &mut || {
        runtime.block_on(unread::answers())
    });
    run("slow clients", &mut || runtime.block_on(slow::clients()));
    table(&outcomes)
}

fn table(outcomes: &[Outcome]) -> ExitCode {
    println!(
        "{:<46} {:>8} {:>6}  looked at",
        "what was done", "times", "lost"
    );
    for outcome in outcomes {
        let times = outcome
            .times
            .map_or("skipped".to_owned(), |it| it.to_string());
        let lost = outcome
            .times
            .map_or("-".to_owned(), |_| outcome.lost.len().to_string());
        println!(
            "{:<46} {times:>8} {lost:>6}  {}",
            outcome.what, outcome.looked_at
        );
        for lost in outcome.lost.iter().take(10) {
            println!("    {lost}");
        }
    }
    if outcomes.iter().all(|it| it.lost.is_empty()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
