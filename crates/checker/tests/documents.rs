//! Texts against themselves: what is found of planted contradictions, and that nothing is found where there is none.

#![allow(clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pawl_checker::compare::Thresholds;
use pawl_checker::document::{Contradiction, Document, Read, contradictions};
use pawl_checker::embedder::{Embedder, ModelFiles};
use pawl_checker::quote::MediaType;
use pawl_checker::statement::{Draft, Statement};
use pawl_checker::vocabulary::Vocabulary;

const CLEAN: [&str; 4] = [
    "clean-harbour.md",
    "clean-towns.md",
    "clean-notes.txt",
    "clean-zh.md",
];
const PLANTED: [&str; 3] = ["planted-en.md", "planted-zh.md", "planted-reworded.md"];

fn models() -> PathBuf {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    named("PAWL_MODELS")
        .or_else(|| Some(named("XDG_CACHE_HOME")?.join("pawl/models")))
        .or_else(|| Some(named("HOME")?.join(".cache/pawl/models")))
        .expect("set PAWL_MODELS to the directory that `make models` filled")
}

fn embedder() -> &'static Embedder {
    static EMBEDDER: OnceLock<Embedder> = OnceLock::new();
    EMBEDDER.get_or_init(|| Embedder::open(&ModelFiles::under(&models()), 1).expect("a model"))
}

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/documents");
    std::fs::read_to_string(folder.join(name)).expect("a fixture")
}

/// A text and where it contradicts itself.
struct Checked {
    document: Document,
    found: Vec<Contradiction>,
}

impl Checked {
    fn of(name: &str, with_model: bool) -> Self {
        let vocabulary = Vocabulary::shipped();
        let media_type = match name.ends_with(".md") {
            true => MediaType::Markdown,
            false => MediaType::Plain,
        };
        let document = Document::read(&text(name), &media_type, &vocabulary).expect("read");
        let read: Vec<Read> = document
            .passages
            .iter()
            .map(|passage| Read {
                statement: parse(&passage.compared, &vocabulary),
                vector: with_model.then(|| vector(&passage.compared)),
            })
            .collect();
        let found = contradictions(&document, &read, Thresholds::default(), &vocabulary, || {
            false
        });
        Self { document, found }
    }

    fn pairs(&self) -> Vec<(&str, &str)> {
        let text = |place: usize| {
            let passage = self.document.passages.get(place).expect("a passage");
            passage.text.as_str()
        };
        let pairs = self.found.iter();
        pairs.map(|it| (text(it.first), text(it.second))).collect()
    }
}

fn parse(content: &str, vocabulary: &Vocabulary) -> Statement {
    let draft = Draft {
        content,
        claim: None,
        entities: &[],
        valid_from: None,
        valid_to: None,
    };
    Statement::parse(&draft, vocabulary)
}

fn vector(text: &str) -> pawl_checker::vector::Vector {
    let vectors = embedder().embed(&[text]).expect("embedded");
    vectors.into_iter().next().expect("one")
}

/// The planted contradictions of a text: how each side begins, and whether it is known to be missed.
fn planted(table: &str, name: &str) -> Vec<(String, String, bool)> {
    let rows = table.lines().map(|line| line.split('\t'));
    rows.map(Iterator::collect::<Vec<_>>)
        .filter(|row| row.first() == Some(&name))
        .map(|row| match row.as_slice() {
            [_, first, second, _, came_out] => (
                (*first).to_owned(),
                (*second).to_owned(),
                *came_out == "missed",
            ),
            row => panic!("five columns, not {row:?}"),
        })
        .collect()
}

#[test]
fn what_was_planted_comes_out_as_the_table_says() {
    let table = text("planted.tsv");
    let mut wrong = Vec::new();
    for name in PLANTED {
        for with_model in [true, false] {
            let checked = Checked::of(name, with_model);
            let pairs = checked.pairs();
            let rows = planted(&table, name);
            let is = |pair: &(&str, &str), row: &(String, String, bool)| {
                pair.0.starts_with(&row.0) && pair.1.starts_with(&row.1)
            };
            for row in &rows {
                let found = pairs.iter().any(|pair| is(pair, row));
                if found == row.2 {
                    wrong.push(format!("{name} {with_model}: found {found}: {row:?}"));
                }
            }
            for pair in pairs
                .iter()
                .filter(|pair| !rows.iter().any(|row| is(pair, row)))
            {
                wrong.push(format!("{name} {with_model}: not planted: {pair:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_clean_text_is_clean() {
    let mut wrong = Vec::new();
    for name in CLEAN {
        for with_model in [true, false] {
            let checked = Checked::of(name, with_model);
            let found = checked.pairs().into_iter().zip(&checked.found);
            wrong.extend(found.map(|(pair, it)| {
                let score = it.judgement.score.ratio();
                format!(
                    "{name} {with_model}: {pair:?} {score} {}",
                    it.judgement.reason
                )
            }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
