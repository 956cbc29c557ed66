use super::*;

fn resolve(file: &str, change: impl FnOnce(&mut ServeArgs)) -> Result<Config, ConfigError> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(CONFIG_FILE), file).unwrap();
    let mut args = ServeArgs {
        data: Some(directory.path().to_path_buf()),
        models: Some("models".into()),
        ..ServeArgs::default()
    };
    change(&mut args);
    Config::resolve(args)
}

#[test]
fn flags_win_over_the_file_and_the_file_over_what_is_shipped() {
    let file = "listen = '127.0.0.1:1'\nengine = 'sled'\n[limits]\nbatch_items = 9\n";
    let config = resolve(file, |args| args.engine = Some(Engine::Fjall)).unwrap();
    assert_eq!(config.listen.port(), 1);
    assert_eq!(config.engine, Some(Engine::Fjall));
    assert_eq!(config.limits.batch_items, 9);
    assert_eq!(config.limits.message_bytes, Limits::default().message_bytes);
    let shipped = resolve("", |_| {}).unwrap();
    assert_eq!(shipped.listen, DEFAULT_LISTEN);
    assert_eq!(shipped.models, Some("models".into()));
}

#[test]
fn the_model_can_be_left_out_in_the_file_or_by_flag() {
    assert_eq!(resolve("embedding = false", |_| {}).unwrap().models, None);
    let flagged = resolve("", |args| args.no_embedding = true);
    assert_eq!(flagged.unwrap().models, None);
}

#[test]
fn what_is_no_setting_is_refused_by_name() {
    for (file, named) in [
        ("listne = 1", "listne"),
        ("engine = 'rocks'", "rocks"),
        ("[limits]\nuploads = 0", "limits.uploads"),
        ("[limits]\ndeadline_seconds = 0", "deadline_seconds"),
        ("[limits]\nupload_idle_seconds = 0", "upload_idle_seconds"),
        ("[limits.quotas]\nsources = 0", "sources = 0"),
        ("[limits.quotas]\nsuorces = 9", "suorces"),
    ] {
        let error = resolve(file, |_| {}).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
    let missing = resolve("", |args| args.config = Some("nowhere.toml".into()));
    assert!(missing.unwrap_err().to_string().contains("nowhere.toml"));
}
