//! Runs one target under libFuzzer: the one that `PAWL_FUZZ_TARGET` names.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use pawl_fuzz::{TARGETS, Target, panics};

static TARGET: OnceLock<Target> = OnceLock::new();

fuzz_target!(init: choose(), |bytes: &[u8]| {
    if let Some(target) = TARGET.get() {
        target(bytes);
    }
});

/// Ends the program with the list of targets where none is named.
fn choose() {
    let named = std::env::var("PAWL_FUZZ_TARGET").unwrap_or_default();
    if let Some((_, target)) = TARGETS.iter().find(|(name, _)| *name == named) {
        TARGET.get_or_init(|| *target);
        panics::watch();
        return;
    }
    let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
    eprintln!(
        "`PAWL_FUZZ_TARGET` is `{named}`; name one of: {}",
        names.join(" ")
    );
    std::process::exit(2);
}
