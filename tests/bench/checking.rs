//! One checked submission with the sentence model: what it takes beyond the model's own time, by the size of the board
//! and by the number of facts on its own subject.

use std::time::Instant;

use crate::{
    Scale,
    figure::{Figure, Goal, Report, percentile},
    limits,
    seeded::{self, Filling},
    site::{Setting, Site, draft},
    texts,
};

const WITH_MODEL: Setting = Setting {
    sessions: 1,
    ..Setting::PLAIN
};

pub(crate) fn measure(scale: &Scale, report: &mut Report) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let sizes = [1_000, 10_000, scale.of(100_000, 20_000)];
    let added = sizes.map(|facts| {
        let filling = Filling {
            text: &texts::fact,
            ..Filling::locked(facts)
        };
        let new: Vec<String> = (facts..facts + scale.of(200, 50))
            .map(texts::fact)
            .collect();
        let took = runtime.block_on(submit(scale, &filling, &new));
        let name = format!("added to embedding by a submission, {facts} locked facts");
        report.add(took.figure(name, Goal::Most(1.0)));
        took.added
    });
    report.add(flat("over the size of the board", &added));

    let around = scale.of(10_000, 2_000);
    let subject = "Tessaly Works";
    let added = [1, 10, 100, 1_000].map(|own| {
        let text = |number: usize| {
            if number < own {
                dated(subject, number)
            } else {
                texts::fact(number)
            }
        };
        let filling = Filling {
            text: &text,
            ..Filling::locked(around)
        };
        let new: Vec<String> = (0..scale.of(200, 50))
            .map(|it| dated(subject, 5_000 + it))
            .collect();
        let took = runtime.block_on(submit(scale, &filling, &new));
        let name = format!("added to embedding by a submission, {own} facts on its subject");
        report.add(took.figure(name, Goal::Most(1.0)));
        took.added
    });
    report.add(flat("over the facts on its subject", &added));
}

impl Filling<'_> {
    fn locked(facts: usize) -> Self {
        Self {
            facts,
            locked: true,
            model: Some(limits::embedder(1).model_digest()),
            text: &texts::fact,
        }
    }
}

/// Says of each year another figure, so that none contradicts another.
fn dated(subject: &str, number: usize) -> String {
    let said = texts::about(subject, number, number);
    format!("In {} {said}", 1_000 + number / texts::FACTS_OF_A_SUBJECT)
}

fn flat(over: &str, added: &[f64]) -> Figure {
    let most = added.iter().copied().fold(0.0, f64::max);
    let least = added.iter().copied().fold(f64::MAX, f64::min);
    let name = format!("the most that is added {over}");
    Figure::told(name, most, "ms").beside("the least", least, Goal::Most(1.5))
}

/// Medians, in milliseconds.
struct Took {
    embedding: f64,
    added: f64,
}

impl Took {
    fn figure(&self, name: String, goal: Goal) -> Figure {
        Figure::told(name, self.added, "ms").beside("embedding", self.embedding, goal)
    }
}

async fn submit(scale: &Scale, filling: &Filling<'_>, new: &[String]) -> Took {
    let directory = scale.directory();
    let data = directory.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let (engine, boards) = (Setting::PLAIN.engine, [crate::site::BOARD]);
    // Filling waits for commits on a runtime of its own.
    std::thread::scope(|scope| {
        scope.spawn(|| seeded::store(&data, engine, &boards, filling));
    });
    let site = Site::open(directory, WITH_MODEL).await;
    let agent = site.agent("newcomer").await;
    let source = agent.upload(new.join("\n")).await;
    let mut whole = Vec::new();
    for text in new {
        let begun = Instant::now();
        agent.submit(vec![draft(text, &source)]).await;
        whole.push(begun.elapsed().as_secs_f64() * 1_000.0);
    }
    site.stop().await;
    let embedder = limits::embedder(1);
    let mut alone = Vec::new();
    for text in new {
        let begun = Instant::now();
        embedder.embed(&[text]).unwrap();
        alone.push(begun.elapsed().as_secs_f64() * 1_000.0);
    }
    let [whole, embedding] = [whole, alone].map(|mut took| {
        took.sort_by(f64::total_cmp);
        percentile(&took, 0.5)
    });
    Took {
        embedding,
        added: whole - embedding,
    }
}
