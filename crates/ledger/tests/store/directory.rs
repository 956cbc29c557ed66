//! What a store's directory says and refuses, and what a crash while making it leaves.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path};

use pawl_ledger::store::{Engine, StoreError, copy_for_reading, open};
use tempfile::tempdir;

use crate::{batch, check};

#[test]
fn a_new_store_is_its_owners_alone_and_says_what_it_is() {
    let above = tempdir().unwrap();
    let path = above.path().join("new/store");
    drop(open(&path, None).unwrap());
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o700
    );
    assert_eq!(
        fs::read_to_string(path.join("FORMAT")).unwrap(),
        "pawl store 1 fjall\n"
    );
}

#[test]
fn a_second_opening_in_one_process_is_refused() {
    let directory = tempdir().unwrap();
    let store = open(directory.path(), None).unwrap();
    let refused = open(directory.path(), None).map(drop);
    assert!(
        matches!(refused, Err(StoreError::InUse { .. })),
        "{refused:?}"
    );
    drop(store);
    open(directory.path(), None).unwrap();
}

#[cfg(feature = "sled")]
#[test]
fn a_store_is_opened_with_the_engine_it_was_made_with() {
    let directory = tempdir().unwrap();
    let store = open(directory.path(), Some(Engine::Sled)).unwrap();
    store.commit(&batch(&[("a", "1")], &[])).unwrap();
    drop(store);
    check_refused(
        directory.path(),
        Some(Engine::Fjall),
        "has the format `pawl store 1 sled`, this program reads `pawl store 1 fjall` when asked for `fjall`",
    );
    check(&*open(directory.path(), None).unwrap(), &[("a", "1")]);
    check(
        &*open(directory.path(), Some(Engine::Sled)).unwrap(),
        &[("a", "1")],
    );
}

#[cfg(not(feature = "sled"))]
#[test]
fn an_engine_that_was_not_built_is_refused() {
    let directory = tempdir().unwrap();
    let reads = "this program reads it only when built with the feature `sled`";
    let what = format!("has the format `pawl store 1 sled`, {reads}");
    check_refused(directory.path(), Some(Engine::Sled), &what);
    open(directory.path(), None).unwrap();
}

#[test]
fn a_later_layout_is_refused_with_what_it_needs() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("FORMAT"), "pawl store 2 another\n").unwrap();
    check_refused(
        directory.path(),
        None,
        "has layout 2, this program reads up to 1; use a pawl that reads 2",
    );
}

#[test]
fn other_formats_are_refused() {
    for format in ["pawl store 0 fjall", "pawl store 1 other", "something", ""] {
        let directory = tempdir().unwrap();
        fs::write(directory.path().join("FORMAT"), format).unwrap();
        check_refused(
            directory.path(),
            None,
            &format!("has the format `{format}`, this program reads `pawl store 1 fjall`"),
        );
    }
}

#[test]
fn a_directory_with_other_files_is_refused() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("thesis.tex"), "").unwrap();
    check_refused(
        directory.path(),
        None,
        "has something else in it (`thesis.tex`) and no file `FORMAT`, this program reads `pawl store 1 fjall`",
    );
    assert!(!directory.path().join("FORMAT").exists());
}

#[test]
fn a_store_that_was_being_made_is_made() {
    let check_leftover = |leave: &dyn Fn(&Path)| {
        let directory = tempdir().unwrap();
        leave(directory.path());
        open(directory.path(), None)
            .unwrap()
            .commit(&batch(&[("a", "1")], &[]))
            .unwrap();
        check(&*open(directory.path(), None).unwrap(), &[("a", "1")]);
    };
    check_leftover(&|path| fs::write(path.join("LOCK"), "").unwrap());
    check_leftover(&|path| fs::write(path.join("FORMAT.draft"), "pawl st").unwrap());
    check_leftover(&|path| fs::create_dir(path.join("fjall.draft")).unwrap());
    check_leftover(&|path| {
        fs::write(path.join("FORMAT"), "pawl store 1 fjall\n").unwrap();
        fs::create_dir(path.join("fjall.draft")).unwrap();
        fs::write(path.join("fjall.draft/0.jnl"), "").unwrap();
    });
}

#[test]
fn a_store_whose_data_is_gone_is_not_taken_for_a_new_one() {
    let directory = tempdir().unwrap();
    drop(open(directory.path(), None).unwrap());
    fs::remove_dir_all(directory.path().join("fjall")).unwrap();
    let refused = open(directory.path(), None).map(drop);
    assert!(
        matches!(refused, Err(StoreError::Damaged(_))),
        "{refused:?}"
    );
}

#[test]
fn a_copy_reads_the_same_and_leaves_the_store_as_it_was() {
    let directory = tempdir().unwrap();
    open(directory.path(), None)
        .unwrap()
        .commit(&batch(&[("a", "1")], &[]))
        .unwrap();
    let before = files(directory.path());
    let target = tempdir().unwrap();
    copy_for_reading(directory.path(), target.path()).unwrap();
    let copy = open(target.path(), None).unwrap();
    check(&*copy, &[("a", "1")]);
    copy.commit(&batch(&[("b", "2")], &[])).unwrap();
    assert!(files(directory.path()) == before);
}

#[test]
fn nothing_is_made_where_there_is_nothing_to_copy() {
    let directory = tempdir().unwrap();
    let target = tempdir().unwrap();
    let refused = copy_for_reading(directory.path(), target.path());
    assert!(
        matches!(refused, Err(StoreError::Format { .. })),
        "{refused:?}"
    );
    assert!(files(directory.path()).is_empty());
}

#[test]
fn engines_have_names() {
    for engine in [Engine::Fjall, Engine::Sled] {
        assert_eq!(engine.to_string().parse(), Ok(engine));
    }
    let unknown = "rocks".parse::<Engine>().unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "there is no storage engine `rocks`; use `fjall` or `sled`"
    );
}

#[track_caller]
fn check_refused(path: &Path, engine: Option<Engine>, what: &str) {
    match open(path, engine).map(drop) {
        Err(error @ (StoreError::Format { .. } | StoreError::Newer { .. })) => {
            assert_eq!(
                error.to_string(),
                format!("the store `{}` {what}", path.display())
            );
        }
        other => panic!("it was not refused: {other:?}"),
    }
}

fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for item in fs::read_dir(path).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else {
            found.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    found
}
