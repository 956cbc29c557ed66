//! Opening a store of a million assertions, from nothing in memory to the first answer.

use std::{ops::ControlFlow, path::Path, time::Instant};

use pawl_ledger::{
    id::Position,
    log::tree::leaf_hash,
    store::{self, keys},
};
use pawl_proto::v1::GetAssertionRequest;

use crate::{
    Scale,
    figure::{Figure, Goal, Report},
    growth, limits, memory,
    seeded::{self, Filling},
    serving::{self, forget_files, operator},
    site::{BOARD, Setting},
    texts,
};

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    let facts = scale.of(1_000_000, 20_000);
    let directory = scale.directory();
    let data = directory.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let filling = Filling {
        facts,
        locked: false,
        model: Some(limits::embedder(1).model_digest()),
        text: &texts::fact,
    };
    let begun = Instant::now();
    seeded::store(&data, Setting::PLAIN.engine, &[BOARD], &filling);
    let name = format!("writing {facts} facts without a checker");
    report.add(Figure::told(
        name,
        facts as f64 / begun.elapsed().as_secs_f64(),
        "1/s",
    ));

    serving::open_once(&data, true, &[BOARD]);
    if !forget_files() {
        eprintln!(
            "the kernel's file cache cannot be emptied here: what follows is with a warm one"
        );
    }
    let begun = Instant::now();
    hash_log(&data);
    let hashed = begun.elapsed().as_secs_f64();

    forget_files();
    let begun = Instant::now();
    let process = serving::start(&data, true);
    let listening = begun.elapsed().as_secs_f64();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let get = GetAssertionRequest {
            board: BOARD.into(),
            assertion: "a7".into(),
            ..Default::default()
        };
        operator(&process)
            .assertions()
            .get_assertion(get)
            .await
            .unwrap();
    });
    let answered = begun.elapsed().as_secs_f64() - listening;
    runtime.block_on(memory::check(&process, BOARD));
    let checked = begun.elapsed().as_secs_f64() - listening;
    report.add(
        Figure::told(
            format!("opening {facts} assertions to the first answer"),
            answered,
            "s",
        )
        .beside("reading and hashing the log", hashed, Goal::Most(0.3)),
    );
    report.add(
        Figure::told(
            format!("opening {facts} assertions to the first verdict"),
            checked,
            "s",
        )
        .beside("reading and hashing the log", hashed, Goal::None),
    );
    report.add(Figure::told(
        "starting the program until it listens",
        listening,
        "s",
    ));
    let base = memory::held(
        scale,
        &Filling {
            facts: 1,
            ..filling
        },
    );
    let held = process.held().memory as f64 - base;
    report.add(Figure {
        goal: Goal::Most(1_536.0),
        ..Figure::told(
            format!("memory of an assertion held open, from none to {facts}"),
            held / facts as f64,
            "bytes",
        )
    });
    let rate = runtime.block_on(growth::submit(scale, &process, &[BOARD.to_owned()], facts));
    let name = format!("submissions in batches of 100 to a board of {facts} facts");
    report.add(Figure::told(name, rate, "facts/s"));
    let name = format!("memory with {facts} assertions held open");
    report.add(Figure::told(
        name,
        process.held().memory as f64 / 1_048_576.0,
        "MiB",
    ));
}

fn hash_log(data: &Path) {
    let store = store::open(&data.join("store"), Some(Setting::PLAIN.engine)).unwrap();
    let (from, to) = keys::entries(keys::BoardNumber(0), Position(0), Position(u64::MAX));
    let mut all = [0_u8; 32];
    let mut hash = |_: &[u8], entry: &[u8]| {
        let leaf = leaf_hash(entry);
        all.iter_mut()
            .zip(leaf.0)
            .for_each(|(all, byte)| *all ^= byte);
        ControlFlow::Continue(())
    };
    store.scan(&from, &to, &mut hash).unwrap();
    std::hint::black_box(all);
}
