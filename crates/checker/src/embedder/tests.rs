//! The embedder against the real model; the files come from `make models`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::*;

fn root() -> PathBuf {
    let named = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    named("PAWL_MODELS")
        .or_else(|| Some(named("XDG_CACHE_HOME")?.join("pawl/models")))
        .or_else(|| Some(named("HOME")?.join(".cache/pawl/models")))
        .expect("set PAWL_MODELS to the directory that `make models` filled")
}

fn embedder() -> &'static Embedder {
    static EMBEDDER: OnceLock<Embedder> = OnceLock::new();
    EMBEDDER.get_or_init(|| {
        Embedder::open(&ModelFiles::under(&root()), 2).unwrap_or_else(|error| panic!("{error}"))
    })
}

#[track_caller]
fn check(left: &str, right: &str, expected: std::ops::RangeInclusive<i16>) {
    let vectors = embedder().embed(&[left, right]).unwrap();
    let cosine = vectors[0].cosine(&vectors[1]);
    assert!(
        expected.contains(&cosine),
        "cosine `{cosine}` of `{left}` and `{right}` is not in {expected:?}"
    );
}

#[test]
fn the_same_fact_is_near_in_one_language_and_across_two() {
    check(
        "Revenue grew by 45% in 2023.",
        "In 2023 revenue increased 45 percent.",
        7_500..=10_000,
    );
    check(
        "Revenue grew by 45% in 2023.",
        "2023年营收增长了45%。",
        7_000..=10_000,
    );
    check(
        "The capital of Norway is Oslo.",
        "挪威的首都是奥斯陆。",
        6_500..=10_000,
    );
}

#[test]
fn another_topic_is_far() {
    check(
        "Revenue grew by 45% in 2023.",
        "The cat sleeps on the warm roof.",
        -10_000..=4_000,
    );
    check(
        "The capital of Norway is Oslo.",
        "2023年营收增长了45%。",
        -10_000..=4_700,
    );
}

#[test]
fn a_text_has_one_vector_whatever_stands_beside_it() {
    let texts: Vec<String> = (0..40)
        .map(|number| format!("{} {number}", "word ".repeat(number % 9)))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = embedder().embed(&texts).unwrap();
    assert_eq!(together.len(), texts.len());
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&embedder().embed(&[text]).unwrap()[0], vector, "{text}");
    }
}

#[test]
fn a_text_over_the_limit_is_cut() {
    let long = "fact ".repeat(4 * MAX_TOKENS);
    let longer = format!("{long} and something else entirely");
    check(&long, &longer, 10_000..=10_000);
    check(&long, "", -10_000..=9_000);
    assert!(embedder().embed(&[]).unwrap().is_empty());
}

#[test]
fn many_threads_get_the_vectors_one_thread_gets() {
    let expected = embedder().embed(&["one fact"]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(embedder().embed(&["one fact"]).unwrap(), expected));
        }
    });
}

#[test]
fn the_digest_names_the_model() {
    let again = ModelFiles::under(&root()).read().unwrap();
    assert_eq!(embedder().model_digest(), again.digest);
}

#[track_caller]
fn check_refused(files: &ModelFiles, part: &str) {
    let message = Embedder::open(files, 1)
        .expect_err("must be refused")
        .to_string();
    assert!(message.contains(part), "`{message}` does not say `{part}`");
    assert!(
        message.contains("`make models`") && message.contains("`--no-embedding`"),
        "{message}"
    );
}

#[test]
fn what_is_missing_or_broken_is_refused_with_the_way_on() {
    let good = ModelFiles::under(&root());
    let elsewhere = Path::new("/nonexistent").to_path_buf();
    check_refused(
        &ModelFiles {
            directory: elsewhere.clone(),
            ..good.clone()
        },
        "model.onnx",
    );
    check_refused(
        &ModelFiles {
            runtime: elsewhere,
            ..good.clone()
        },
        "No such file",
    );
}
