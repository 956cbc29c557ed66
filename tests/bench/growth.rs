//! Submissions a second and memory as boards grow, and as their number does.

use std::time::{Duration, Instant};

use crate::{
    Scale,
    figure::{Figure, Report},
    memory,
    process::Process,
    seeded::{self, Filling},
    serving::{self, operator},
    site::{BOARD, Setting, draft, submission},
    texts,
};

const BATCH: usize = 100;

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    for facts in [1_000, 10_000, scale.of(100_000, 20_000)] {
        grow(scale, report, &[BOARD.to_owned()], facts);
    }
    for boards in [1, 100, scale.of(1_000, 200)] {
        let names: Vec<String> = (0..boards)
            .map(|number| format!("board-{number}"))
            .collect();
        grow(scale, report, &names, 100);
    }
}

fn grow(scale: &Scale, report: &mut Report, boards: &[String], facts: usize) {
    let directory = scale.directory();
    let data = directory.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let filling = Filling {
        facts,
        locked: false,
        model: None,
        text: &texts::fact,
    };
    let names: Vec<&str> = boards.iter().map(String::as_str).collect();
    seeded::store(&data, Setting::PLAIN.engine, &names, &filling);
    serving::open_once(&data, false, &names);
    let process = serving::start(&data, false);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let rate = runtime.block_on(async {
        for board in boards {
            memory::check(&process, board).await;
        }
        submit(scale, &process, boards, facts).await
    });
    let what = match boards.len() {
        1 => format!("a board of {facts} facts"),
        many => format!("{many} boards of {facts} facts"),
    };
    report.add(Figure::told(
        format!("submissions in batches of 100 to {what}"),
        rate,
        "facts/s",
    ));
    let name = format!("memory with {what} held open");
    report.add(Figure::told(
        name,
        process.held().memory as f64 / 1_048_576.0,
        "MiB",
    ));
}

/// Submits batches to one board after another.
pub(crate) async fn submit(
    scale: &Scale,
    process: &Process,
    boards: &[String],
    facts: usize,
) -> f64 {
    let stretch = Duration::from_secs(scale.of(4, 1) as u64);
    let operator = operator(process);
    let (begun, mut number, mut done) = (Instant::now(), facts, 0);
    for board in boards.iter().cycle() {
        if begun.elapsed() > stretch {
            break;
        }
        let source = seeded::document(board, 0).to_string();
        let items = (number..number + BATCH).map(|it| {
            let mut draft = draft(&texts::fact(it), &source);
            draft.citations[0].quote = texts::fact(it);
            draft
        });
        let request = pawl_proto::v1::SubmitRequest {
            board: board.clone(),
            ..submission(items.collect())
        };
        let answer = operator
            .assertions()
            .submit(request)
            .await
            .unwrap()
            .into_inner();
        assert!(answer.committed, "{answer:?}");
        number += BATCH;
        done += BATCH;
    }
    done as f64 / begun.elapsed().as_secs_f64()
}
