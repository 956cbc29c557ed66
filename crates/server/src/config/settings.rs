//! What a setting is: its name, what its value may be, how it is read. What the file, the environment
//! and `--set` may say, what `pawl config` prints and what the documentation lists are all made from
//! one table of them.

use std::{net::SocketAddr, path::PathBuf};

use super::{DEFAULT_LISTEN, general, limits, quotas};

/// One thing that a server can be told.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its name in the file, with the table before a dot.
    pub(crate) name: &'static str,
    /// What it says, in one sentence.
    pub(crate) about: &'static str,
    /// What its value may be.
    pub(crate) kind: Kind,
    /// What it is where nobody says anything.
    pub(crate) shipped: Shipped,
    /// The flag of `pawl serve`; `--set NAME=VALUE` is there for all.
    pub(crate) flag: Option<&'static str>,
    /// When a change takes effect.
    pub(crate) change: Change,
    /// What happens to what is over it; empty where it is no limit.
    pub(crate) over: &'static str,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An IP address and a port.
    Address,
    /// A file or directory; in the file, relative to the file.
    Path,
    /// True or false.
    Switch,
    /// A whole number.
    Count {
        /// The least it may be.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A list of names; in the environment with commas between.
    Names,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
}

/// What a setting is as shipped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shipped {
    /// Not set, which means this.
    Unset(&'static str),
    /// A number.
    Count(u64),
    /// On or off.
    Switch(bool),
    /// A word or text.
    Text(&'static str),
    /// The loopback address.
    Loopback,
    /// No names.
    Nobody,
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// When the server reads its settings again.
    Reload,
    /// When it is started again.
    Restart,
}

/// A value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Of [`Kind::Address`].
    Address(SocketAddr),
    /// Of [`Kind::Path`].
    Path(PathBuf),
    /// Of [`Kind::Switch`].
    Switch(bool),
    /// Of [`Kind::Count`].
    Count(u64),
    /// Of [`Kind::Names`].
    Names(Vec<String>),
    /// Of [`Kind::Choice`] and [`Kind::Text`].
    Text(String),
}

/// All settings, in the order they are shown.
pub(crate) fn all() -> impl Iterator<Item = &'static Setting> {
    general::SETTINGS
        .iter()
        .chain(limits::SETTINGS)
        .chain(quotas::SETTINGS)
}

/// Finds a setting by its name.
pub(crate) fn named(name: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.name == name)
}

impl Setting {
    /// The variable that sets it. The log keeps the one that programs of this kind share.
    pub(crate) fn variable(&self) -> String {
        if self.name == "log" {
            return "RUST_LOG".to_owned();
        }
        format!("PAWL_{}", self.name.replace('.', "_").to_uppercase())
    }

    /// A change takes effect without a restart.
    pub(crate) fn reloads(&self) -> bool {
        self.change == Change::Reload
    }

    /// What it is where nobody says anything.
    pub(crate) fn shipped(&self) -> Option<Value> {
        match self.shipped {
            Shipped::Unset(_) => None,
            Shipped::Count(number) => Some(Value::Count(number)),
            Shipped::Switch(on) => Some(Value::Switch(on)),
            Shipped::Text(text) => Some(Value::Text(text.to_owned())),
            Shipped::Loopback => Some(Value::Address(DEFAULT_LISTEN)),
            Shipped::Nobody => Some(Value::Names(Vec::new())),
        }
    }

    /// What it may be, in words.
    pub(crate) fn rule(&self) -> String {
        match self.kind {
            Kind::Address => "an IP address and a port, such as `127.0.0.1:7617`".to_owned(),
            Kind::Path => "a path".to_owned(),
            Kind::Switch => "`true` or `false`".to_owned(),
            Kind::Count { least, most } => format!("a whole number from {least} to {most}"),
            Kind::Names => "a list of names".to_owned(),
            Kind::Choice(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(" or ")
            }
            Kind::Text => "text".to_owned(),
        }
    }

    /// Reads a value from text, as the environment and flags have it.
    pub(crate) fn read_text(&self, text: &str) -> Option<Value> {
        match self.kind {
            Kind::Address => text.parse().ok().map(Value::Address),
            Kind::Path => (!text.is_empty()).then(|| Value::Path(text.into())),
            Kind::Switch => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Some(Value::Switch(true)),
                "false" | "0" | "no" | "off" => Some(Value::Switch(false)),
                _ => None,
            },
            Kind::Count { .. } => self.count(text.parse().ok()?),
            Kind::Names => {
                let names = text.split(',').map(str::trim);
                let names = names.filter(|name| !name.is_empty());
                Some(Value::Names(names.map(str::to_owned).collect()))
            }
            Kind::Choice(words) => words.contains(&text).then(|| Value::Text(text.to_owned())),
            Kind::Text => Some(Value::Text(text.to_owned())),
        }
    }

    /// Reads a value from the file.
    pub(crate) fn read_toml(&self, value: &toml::Value) -> Option<Value> {
        match (self.kind, value) {
            (Kind::Switch, toml::Value::Boolean(on)) => Some(Value::Switch(*on)),
            (Kind::Count { .. }, toml::Value::Integer(number)) => {
                self.count(u64::try_from(*number).ok()?)
            }
            (Kind::Names, toml::Value::Array(names)) => {
                let names = names.iter().map(|name| name.as_str().map(str::to_owned));
                names.collect::<Option<_>>().map(Value::Names)
            }
            (
                Kind::Address | Kind::Path | Kind::Choice(_) | Kind::Text,
                toml::Value::String(text),
            ) => self.read_text(text),
            _ => None,
        }
    }

    fn count(&self, number: u64) -> Option<Value> {
        let Kind::Count { least, most } = self.kind else {
            return None;
        };
        (least..=most)
            .contains(&number)
            .then_some(Value::Count(number))
    }
}

impl Value {
    /// The value as it stands in the file.
    pub(crate) fn to_toml(&self) -> String {
        let value = match self {
            Self::Address(address) => toml::Value::String(address.to_string()),
            Self::Path(path) => toml::Value::String(path.display().to_string()),
            Self::Switch(on) => toml::Value::Boolean(*on),
            Self::Count(number) => toml::Value::Integer(i64::try_from(*number).unwrap_or(i64::MAX)),
            Self::Names(names) => {
                toml::Value::Array(names.iter().cloned().map(toml::Value::String).collect())
            }
            Self::Text(text) => toml::Value::String(text.clone()),
        };
        value.to_string()
    }
}
