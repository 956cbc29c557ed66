//! Hands every kept input to its target.

use std::{collections::BTreeSet, fs, path::PathBuf};

use pawl_fuzz::{TARGETS, panics};

fn inputs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("inputs")
}

#[test]
fn every_kept_input_is_read_as_promised() {
    panics::watch();
    for (name, target) in TARGETS {
        let files = fs::read_dir(inputs().join(name))
            .unwrap_or_else(|error| panic!("no inputs of `{name}`: {error}"));
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "`{name}` has no input");
        for path in paths {
            // Shown where it fails: the name of the file.
            println!("{}", path.display());
            target(&fs::read(path).unwrap());
        }
    }
}

#[test]
fn every_input_belongs_to_a_target() {
    let names: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let folders: BTreeSet<_> = fs::read_dir(inputs())
        .unwrap()
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, names);
}
