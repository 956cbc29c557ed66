//! A runtime that does not load, in a process of its own: a process keeps the first library it loads.

use std::path::Path;

use pawl_checker::embedder::{Embedder, ModelFiles};

#[track_caller]
fn check_refused(name: &str, content: &[u8]) {
    let directory = tempfile::tempdir().expect("a directory");
    let runtime = directory.path().join(name);
    std::fs::write(&runtime, content).expect("a file");
    for file in [
        "model.onnx",
        "tokenizer.json",
        "config.json",
        "special_tokens_map.json",
        "tokenizer_config.json",
    ] {
        std::fs::write(directory.path().join(file), "{}").expect("a file");
    }
    let files = ModelFiles {
        runtime,
        directory: directory.path().to_path_buf(),
    };
    let message = Embedder::open(&files, 1)
        .expect_err("must be refused")
        .to_string();
    assert!(
        message.contains(name) && message.contains("`make models`"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_library_is_an_error_and_no_panic() {
    check_refused("empty.so", b"");
    check_refused("text.so", b"not a library");
}

#[test]
fn a_library_that_is_no_runtime_is_an_error_and_no_panic() {
    let libraries = [
        "/lib/x86_64-linux-gnu/libm.so.6",
        "/lib64/libm.so.6",
        "/lib/aarch64-linux-gnu/libm.so.6",
    ];
    let library = libraries
        .into_iter()
        .map(Path::new)
        .find(|path| path.exists());
    let library = library.expect("this system's C library has a mathematics part");
    check_refused("libm.so", &std::fs::read(library).expect("a library"));
}
