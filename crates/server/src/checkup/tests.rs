use std::{fs, os::unix::fs::PermissionsExt};

use super::*;
use crate::tls::Validity;

fn level(checks: &[Check], name: &str) -> (CheckLevel, String) {
    let found = checks.iter().find(|check| check.name == name);
    let found = found.unwrap_or_else(|| panic!("no `{name}` in {checks:?}"));
    assert_eq!(
        found.remedy.is_empty(),
        found.level() == CheckLevel::Ok,
        "what is not well has a way on: {found:?}"
    );
    (found.level(), found.message.clone())
}

#[test]
fn a_directory_is_looked_at_without_opening_its_store() {
    let directory = tempfile::tempdir().unwrap();
    let mut config = Config::local(directory.path().join("data"));
    let checks = of_config(&config);
    assert_eq!(level(&checks, "data").0, CheckLevel::Warning);
    assert_eq!(level(&checks, "store").0, CheckLevel::Warning);
    assert_eq!(level(&checks, "token").0, CheckLevel::Ok);
    assert_eq!(level(&checks, "models").0, CheckLevel::Warning);
    assert_eq!(level(&checks, "clock").0, CheckLevel::Ok);

    fs::create_dir_all(&config.data).unwrap();
    // Held open, as by a server that runs.
    let _store = pawl_ledger::store::open(&config.data.join("store"), None).unwrap();
    fs::write(config.operator_token(), "secret").unwrap();
    fs::set_permissions(config.operator_token(), fs::Permissions::from_mode(0o640)).unwrap();
    config.models = Some(directory.path().join("models"));
    let checks = of_config(&config);
    assert_eq!(level(&checks, "data").0, CheckLevel::Ok);
    let (store, told) = level(&checks, "store");
    assert!(store == CheckLevel::Ok && told.contains("fjall"), "{told}");
    assert_eq!(level(&checks, "token").0, CheckLevel::Error);
    assert_eq!(level(&checks, "models").0, CheckLevel::Error);

    config.engine = Some(pawl_ledger::store::Engine::Sled);
    assert_eq!(level(&of_config(&config), "store").0, CheckLevel::Error);
    fs::write(config.data.join("store/FORMAT"), "pawl store 99 fjall\n").unwrap();
    let (store, told) = level(&of_config(&config), "store");
    assert!(store == CheckLevel::Error && told.contains("99"), "{told}");
}

#[test]
fn a_certificate_is_told_before_it_ends() {
    const DAY: u64 = 86_400_000;
    let now = Timestamp(1_000 * DAY);
    let check = |from: u64, to: u64, expected: CheckLevel| {
        let validity = Validity {
            from: Timestamp(from * DAY),
            to: Timestamp(to * DAY),
        };
        assert_eq!(
            files::certificate(&validity, now).level(),
            expected,
            "{from} {to}"
        );
    };
    check(900, 1_100, CheckLevel::Ok);
    check(900, 1_014, CheckLevel::Ok);
    check(900, 1_013, CheckLevel::Warning);
    check(900, 999, CheckLevel::Error);
    check(1_001, 1_100, CheckLevel::Error);
}

#[test]
fn a_clock_that_was_never_set_is_told() {
    assert_eq!(clock(Timestamp(0)).level(), CheckLevel::Error);
    assert_eq!(clock(now()).level(), CheckLevel::Ok);
}

#[test]
fn other_machines_and_plain_text_are_told() {
    let mut config = Config::local("unused".into());
    config.listen = "0.0.0.0:7617".parse().unwrap();
    let checks = of_config(&config);
    assert_eq!(level(&checks, "tls").0, CheckLevel::Warning);
    assert_eq!(level(&checks, "hosts").0, CheckLevel::Warning);
}
