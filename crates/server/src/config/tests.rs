use super::*;

const DOCUMENTATION: &str = include_str!("../../../../docs/operations.md");

fn read(
    file: &str,
    environment: &[(&str, &str)],
    change: impl FnOnce(&mut ServeArgs),
) -> (Option<Config>, Layers) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(CONFIG_FILE), file).unwrap();
    let mut args = ServeArgs {
        data: Some(directory.path().to_path_buf()),
        models: Some("models".into()),
        ..ServeArgs::default()
    };
    change(&mut args);
    let environment = environment
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    read_with(args, &environment).unwrap()
}

fn good(file: &str, environment: &[(&str, &str)], change: impl FnOnce(&mut ServeArgs)) -> Config {
    let (config, layers) = read(file, environment, change);
    config.unwrap_or_else(|| panic!("{:?}", layers.problems))
}

fn problems(file: &str, environment: &[(&str, &str)], set: &[&str]) -> (bool, String) {
    let (config, layers) = read(file, environment, |args| {
        args.set = set.iter().map(|pair| (*pair).to_owned()).collect();
    });
    (config.is_some(), Problems(layers.problems).to_string())
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_what_is_shipped() {
    let file = "listen = '127.0.0.1:1'\nengine = 'sled'\n[limits]\nbatch_items = 9\nuploads = 3\n";
    let environment = [
        ("PAWL_LISTEN", "127.0.0.1:2"),
        ("PAWL_ENGINE", "sled"),
        ("PAWL_LIMITS_BATCH_ITEMS", "10"),
    ];
    let config = good(file, &environment, |args| {
        args.engine = Some(Engine::Fjall);
        args.set = vec!["limits.batch_items=11".into()];
    });
    assert_eq!(config.listen.port(), 2);
    assert_eq!(config.engine, Some(Engine::Fjall));
    assert_eq!(config.limits.batch_items, 11);
    assert_eq!(config.limits.uploads, 3);
    assert_eq!(config.limits.message_bytes, Limits::default().message_bytes);
    let shipped = good("", &[("PAWL_LISTEN", "")], |_| {});
    assert_eq!(shipped.listen, DEFAULT_LISTEN);
    assert_eq!(shipped.models, Some("models".into()));
    assert_eq!(shipped.limits, Limits::default());
}

#[test]
fn every_setting_can_be_said_in_every_way() {
    for setting in settings::all() {
        let text = match setting.kind {
            settings::Kind::Address => "127.0.0.1:9".to_owned(),
            settings::Kind::Path => "/somewhere".to_owned(),
            settings::Kind::Switch => "true".to_owned(),
            settings::Kind::Count { most, .. } => most.to_string(),
            settings::Kind::Names => "a,b".to_owned(),
            settings::Kind::Choice(words) => words.last().unwrap().to_string(),
            settings::Kind::Text => "debug".to_owned(),
        };
        let value = setting.read_text(&text).unwrap();
        let line = format!("{} = {}", setting.name, value.to_toml());
        let without = |args: &mut ServeArgs| args.models = None;
        let by_file = read(&line, &[], without).1.value(setting);
        assert_eq!(by_file.0, Some(value.clone()), "{line}");
        let by_variable = read("", &[(&setting.variable(), &text)], without)
            .1
            .value(setting);
        assert_eq!(by_variable.0, Some(value.clone()), "{}", setting.variable());
        let by_flag = read("", &[], |args| {
            args.models = None;
            args.set = vec![format!("{}={text}", setting.name)];
        });
        assert_eq!(by_flag.1.value(setting).0, Some(value), "{line}");
    }
}

#[test]
fn the_model_can_be_left_out_in_every_way() {
    assert_eq!(good("embedding = false", &[], |_| {}).models, None);
    assert_eq!(
        good("", &[("PAWL_EMBEDDING", "false")], |_| {}).models,
        None
    );
    assert_eq!(good("", &[], |args| args.no_embedding = true).models, None);
}

#[test]
fn what_is_no_setting_is_refused_with_what_was_meant() {
    for (file, named) in [
        ("listne = 1", "did you mean `listen`"),
        ("engine = 'rocks'", "`rocks`; it is `fjall` or `sled`"),
        ("listen = 'here'", "`here`; it is an IP address"),
        ("listen = 7617", "`7617`"),
        (
            "[limits]\nuploads = 0",
            "`limits.uploads` is `0`; it is a whole number from 1 to 1024",
        ),
        ("[limits]\nuploads = -1", "limits.uploads"),
        (
            "[limits]\nbatch_item = 9",
            "did you mean `limits.batch_items`",
        ),
        ("[limits]\ndeadline_seconds = 0", "deadline_seconds"),
        (
            "[limits.quotas]\nsources = 0",
            "`limits.quotas.sources` is `0`",
        ),
        (
            "[limits.quotas]\nsuorces = 9",
            "did you mean `limits.quotas.sources`",
        ),
        (
            "[tls]\nkey = 'k'",
            "`tls.key` is set and `tls.certificate` is not",
        ),
        ("log = 'pawl=loud'", "`log`"),
        ("zzz = 1", "pawl config default"),
        ("a = ", "TOML"),
    ] {
        let (usable, told) = problems(file, &[], &[]);
        assert!(!usable && told.contains(named), "{file}: {told}");
    }
    let (usable, told) = problems(
        "",
        &[],
        &["limits.calls", "limit.calls=3", "limits.calls=x"],
    );
    assert!(!usable, "{told}");
    for named in ["NAME=VALUE", "did you mean `limits.calls`", "`x`"] {
        assert!(told.contains(named), "{told}");
    }
    let missing = read_with(
        ServeArgs {
            config: Some("nowhere.toml".into()),
            ..ServeArgs::default()
        },
        &BTreeMap::new(),
    );
    assert!(missing.unwrap_err().to_string().contains("nowhere.toml"));
}

#[test]
fn a_variable_that_sets_nothing_is_told_and_does_no_harm() {
    let (usable, told) = problems("", &[("PAWL_LIMIT_CALLS", "3"), ("PAWL_HOME", "x")], &[]);
    assert!(
        usable && told.contains("did you mean `PAWL_LIMITS_CALLS`"),
        "{told}"
    );
    assert!(!told.contains("PAWL_HOME"), "{told}");
}

#[test]
fn other_machines_are_not_served_without_tls_by_accident() {
    let check = |file: &str, usable: bool| {
        let (is_usable, told) = problems(file, &[], &[]);
        assert_eq!(is_usable, usable, "{file}: {told}");
        assert!(usable || told.contains("insecure_plain_text"), "{told}");
    };
    check("listen = '0.0.0.0:7617'", false);
    check("listen = '[::]:7617'", false);
    check("listen = '10.1.2.3:7617'", false);
    check("listen = '[::1]:7617'", true);
    check("listen = '0.0.0.0:7617'\ninsecure_plain_text = true", true);
    check(
        "listen = '0.0.0.0:7617'\n[tls]\ncertificate = 'c'\nkey = 'k'",
        true,
    );
}

#[test]
fn a_path_in_the_file_is_relative_to_the_file() {
    let config = good("[tls]\ncertificate = 'c.pem'\nkey = '/k.pem'", &[], |_| {});
    let tls = config.tls.unwrap();
    assert_eq!(tls.certificate, config.data.join("c.pem"));
    assert_eq!(tls.key, PathBuf::from("/k.pem"));
}

#[test]
fn the_printed_file_says_what_is_shipped() {
    let shipped = good("", &[], |_| {});
    let printed = good(&report::shipped_file(), &[], |_| {});
    let same = Config {
        data: shipped.data.clone(),
        args: shipped.args.clone(),
        ..printed
    };
    assert_eq!(same, shipped);
}

#[test]
fn every_setting_is_documented_as_it_is() {
    for limits in [false, true] {
        let rows = report::documented(limits);
        let missing: Vec<_> = rows
            .iter()
            .filter(|row| !DOCUMENTATION.contains(row.as_str()))
            .collect();
        assert!(
            missing.is_empty(),
            "docs/operations.md lacks of {} rows:\n{}",
            rows.len(),
            missing
                .iter()
                .map(|row| format!("{row}\n"))
                .collect::<String>()
        );
    }
}
