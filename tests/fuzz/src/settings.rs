//! The settings of a server.

use std::fs;

use pawl_server::config::{Config, ServeArgs};

use crate::text::{first_line, text};

/// The first line is what a flag sets, `NAME=VALUE`, unless it is empty; the rest is the file.
pub(crate) fn settings(bytes: &[u8]) {
    let (set, file) = first_line(bytes);
    let Some(set) = text(set) else { return };
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    let path = directory.path().join("pawl.toml");
    fs::write(&path, file).expect("a file is written");
    let given = ServeArgs {
        data: Some(directory.path().to_owned()),
        config: Some(path),
        set: Some(set.to_owned())
            .filter(|set| !set.is_empty())
            .into_iter()
            .collect(),
        ..ServeArgs::default()
    };
    match Config::resolve(given) {
        Ok(config) => {
            assert_eq!(config.again().ok(), Some(config.clone()));
            assert!(config.plain_text_refusal().is_none());
            assert!(
                config
                    .limits
                    .values()
                    .iter()
                    .all(|(name, _)| !name.is_empty())
            );
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
