//! Where this user's boards, tokens and credentials are kept.

use std::{env, path::PathBuf};

/// Names the data directory: `PAWL_HOME`, else `pawl` under `XDG_DATA_HOME`, else under `~/.local/share`.
///
/// Nothing where none of the three variables and no home directory is set.
#[must_use]
pub fn data_directory() -> Option<PathBuf> {
    directory_from(|name| env::var_os(name).map(PathBuf::from))
}

fn directory_from(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|path| !path.as_os_str().is_empty());
    set("PAWL_HOME")
        .or_else(|| set("XDG_DATA_HOME").map(|path| path.join("pawl")))
        .or_else(|| set("HOME").map(|path| path.join(".local/share/pawl")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_variable_wins() {
        let check = |set: &[(&str, &str)], expected: Option<&str>| {
            let found = directory_from(|name| {
                set.iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| PathBuf::from(value))
            });
            assert_eq!(found, expected.map(PathBuf::from));
        };
        check(&[], None);
        check(&[("HOME", "/h")], Some("/h/.local/share/pawl"));
        check(&[("HOME", "/h"), ("XDG_DATA_HOME", "/x")], Some("/x/pawl"));
        check(
            &[("HOME", "/h"), ("XDG_DATA_HOME", "")],
            Some("/h/.local/share/pawl"),
        );
        check(
            &[("HOME", "/h"), ("XDG_DATA_HOME", "/x"), ("PAWL_HOME", "/p")],
            Some("/p"),
        );
    }
}
