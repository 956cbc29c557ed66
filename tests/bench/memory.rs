//! What an assertion takes of memory while its board is held open, with the sentence model.

use crate::{
    Scale,
    figure::{Figure, Goal, Report},
    limits,
    process::Process,
    seeded::{self, Filling},
    serving::{self, operator},
    site::{BOARD, Setting, draft, submission},
    texts,
};

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    let model = limits::embedder(1).model_digest();
    let facts = scale.of(200_000, 20_000);
    let filling = |facts| Filling {
        facts,
        locked: false,
        model: Some(model),
        text: &texts::fact,
    };
    let base = held(scale, &filling(1));
    let half = held(scale, &filling(facts / 2));
    let full = held(scale, &filling(facts));
    // Beyond what a server takes whatever its boards hold, of which texts that were parsed lately are a part.
    let name = format!(
        "memory of an assertion held open, from {} to {facts}",
        facts / 2
    );
    report.add(Figure {
        goal: Goal::Most(1_536.0),
        ..Figure::told(name, (full - half) / (facts / 2) as f64, "bytes")
    });
    let name = format!("the same, from none to {facts}");
    report.add(Figure::told(name, (full - base) / facts as f64, "bytes"));
    report.add(Figure::told(
        "memory of a server with an empty board",
        base / 1_048_576.0,
        "MiB",
    ));
}

/// What a server takes that has opened a board and answered a check.
pub(crate) fn held(scale: &Scale, filling: &Filling<'_>) -> f64 {
    let directory = scale.directory();
    let data = directory.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    seeded::store(&data, Setting::PLAIN.engine, &[BOARD], filling);
    serving::open_once(&data, filling.model.is_some(), &[BOARD]);
    let process = serving::start(&data, filling.model.is_some());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(check(&process, BOARD));
    process.held().memory as f64
}

/// Asks for a verdict, for which everything has to be there that checking needs.
pub(crate) async fn check(process: &Process, board: &str) {
    let mut items = vec![draft(&texts::fact(2_000_000), "")];
    items[0].citations.clear();
    items[0].kind = pawl_proto::v1::Kind::Assumption.into();
    let request = pawl_proto::v1::SubmitRequest {
        board: board.to_owned(),
        validate_only: true,
        ..submission(items)
    };
    let mut assertions = operator(process).assertions();
    // Opening a large board for the first time may take longer than a call; what it found is kept.
    while let Err(status) = assertions.submit(request.clone()).await {
        assert_eq!(status.code(), tonic::Code::DeadlineExceeded, "{status}");
    }
}
