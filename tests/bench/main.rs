//! Figures of speed and size, each beside what bounds it, measured in the same run.
//!
//! `make bench` prints one JSON object a line on standard output and a table on standard error. A line's baseline is a
//! raw limit of this machine: a synced append of this disk, the model's forward pass, a call that does nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a measurement"
)]

mod batches;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/caller.rs"]
mod caller;
mod checking;
mod echo;
mod figure;
mod growth;
mod limits;
mod machine;
mod memory;
mod opening;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/process.rs"]
mod process;
mod seeded;
mod serving;
mod site;
mod submitting;
#[allow(dead_code, reason = "each program uses a part of what they share")]
#[path = "../common/texts.rs"]
mod texts;
mod watching;

use std::time::Instant;

use clap::Parser;

use crate::figure::Report;

/// Measures the board.
#[derive(Parser)]
struct Args {
    /// Only the parts whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Smaller boards and shorter stretches: to see that it runs, not to compare figures.
    #[arg(long)]
    quick: bool,
    /// Where stores are made; its disk is what is measured.
    #[arg(long)]
    directory: Option<std::path::PathBuf>,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// How much is measured.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub(crate) quick: bool,
    directory: std::path::PathBuf,
}

impl Scale {
    /// A number, or a smaller one in a quick run.
    pub(crate) fn of(&self, whole: usize, quick: usize) -> usize {
        if self.quick { quick } else { whole }
    }

    /// A fresh directory on the measured disk.
    pub(crate) fn directory(&self) -> tempfile::TempDir {
        tempfile::tempdir_in(&self.directory).unwrap()
    }
}

fn main() {
    let args = Args::parse();
    let scale = Scale {
        quick: args.quick,
        directory: args.directory.unwrap_or_else(std::env::temp_dir),
    };
    let mut report = Report::new();
    type Part = fn(&Scale, &mut Report);
    let parts: [(&str, Part); 7] = [
        ("submitting", submitting::measure),
        ("batches", batches::measure),
        ("checking", checking::measure),
        ("memory", memory::measure),
        ("opening", opening::measure),
        ("watching", watching::measure),
        ("growth", growth::measure),
    ];
    for (name, measure) in parts {
        if name.contains(&args.only) {
            let begun = Instant::now();
            measure(&scale, &mut report);
            eprintln!("{name}: {:.0} s", begun.elapsed().as_secs_f64());
        }
    }
    report.table();
}
