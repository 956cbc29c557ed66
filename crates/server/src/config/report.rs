//! The settings as people read them: what each is and who said so, a file with all of them, a table.

use std::fmt::Write;

use serde::Serialize;

use super::{
    Config, ConfigError, ServeArgs,
    layers::Layers,
    settings::{self, Change, Setting, Shipped},
};
use crate::tls;

/// How wide the comments of a settings file are.
const COMMENT_WIDTH: usize = 96;

/// The settings of a server, with who said what.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Every setting.
    pub(crate) settings: Vec<Row>,
    /// What is wrong.
    pub(crate) problems: Vec<Wrong>,
    /// A server starts with them.
    pub(crate) valid: bool,
}

/// One setting.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its value as it stands in a file; none where it is not set.
    pub(crate) value: Option<String>,
    /// Who said so.
    pub(crate) origin: String,
    /// A change takes effect without a restart.
    pub(crate) reloads: bool,
}

/// Something that is wrong.
#[derive(Debug, Serialize)]
pub(crate) struct Wrong {
    /// Who said it.
    pub(crate) origin: String,
    /// What, and what to do.
    pub(crate) message: String,
    /// The server does not start with it.
    pub(crate) fatal: bool,
}

impl Report {
    /// Reads the settings as `serve` would, the files of TLS too.
    pub(crate) fn of(args: ServeArgs) -> Result<(Self, Option<Config>), ConfigError> {
        let (mut config, mut layers) = super::read(args)?;
        let files = config.as_ref().and_then(|config| config.tls.as_ref());
        if let Some(Err(error)) = files.map(tls::load) {
            layers.wrong(layers.origin("tls.certificate"), error.to_string(), true);
            config = None;
        }
        Ok((Self::of_layers(&layers, config.is_some()), config))
    }

    fn of_layers(layers: &Layers, valid: bool) -> Self {
        let rows = settings::all().map(|setting| {
            let (value, origin) = layers.value(setting);
            Row {
                name: setting.name,
                value: value.map(|value| value.to_toml()),
                origin: origin.to_string(),
                reloads: setting.change == Change::Reload,
            }
        });
        let problems = layers.problems.iter().map(|problem| Wrong {
            origin: problem.origin.to_string(),
            message: problem.message.clone(),
            fatal: problem.fatal,
        });
        Self {
            settings: rows.collect(),
            problems: problems.collect(),
            valid,
        }
    }

    /// The settings as a file, with what each says.
    pub(crate) fn to_file(&self) -> String {
        file(|setting| {
            let row = self.settings.iter().find(|row| row.name == setting.name);
            row.and_then(|row| row.value.clone())
        })
    }
}

/// A settings file in which every setting is as shipped.
pub(crate) fn shipped_file() -> String {
    file(|setting| setting.shipped().map(|value| value.to_toml()))
}

fn file(value: impl Fn(&Setting) -> Option<String>) -> String {
    let mut text = String::from("# Settings of a Pawl server. What is not here is as shipped.\n");
    let mut table = "";
    for setting in settings::all() {
        let (of, name) = setting.name.rsplit_once('.').unwrap_or(("", setting.name));
        if of != table {
            table = of;
            let _ = write!(text, "\n[{table}]\n");
        }
        text.push('\n');
        for line in wrapped(&comment(setting)) {
            let _ = writeln!(text, "# {line}");
        }
        let _ = match value(setting) {
            Some(value) => writeln!(text, "{name} = {value}"),
            None => writeln!(text, "# {name} ="),
        };
    }
    text
}

fn comment(setting: &Setting) -> String {
    let unset = match setting.shipped {
        Shipped::Unset(meaning) => format!(" Not set: {meaning}."),
        _ => String::new(),
    };
    let over = match setting.over {
        "" => String::new(),
        over => format!(" Over it: {over}."),
    };
    let change = match setting.change {
        Change::Reload => "a reload",
        Change::Restart => "a restart",
    };
    format!(
        "{} It is {}.{unset}{over} Variable {}; a change needs {change}.",
        setting.about.trim(),
        setting.rule(),
        setting.variable()
    )
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            if line.is_empty() {
                line.push_str(word);
                continue;
            }
            if line.len() + word.len() < COMMENT_WIDTH {
                line.push(' ');
                line.push_str(word);
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    lines
}

/// The rows of the documentation's table of settings; limits have a table of their own.
#[cfg(test)]
pub(super) fn documented(limits: bool) -> Vec<String> {
    let code = |text: &str| format!("`{text}`");
    let rows = settings::all().filter(|setting| setting.name.starts_with("limits.") == limits);
    rows.map(|setting| {
        let shipped = match setting.shipped {
            Shipped::Unset(meaning) => meaning.to_owned(),
            Shipped::Nobody => "none".to_owned(),
            _ => code(
                setting
                    .shipped()
                    .map(|it| it.to_toml())
                    .unwrap_or_default()
                    .trim_matches('"'),
            ),
        };
        let change = match setting.change {
            Change::Reload => "reload",
            Change::Restart => "restart",
        };
        let about = setting.about.trim();
        let name = code(setting.name);
        if limits {
            let rule = setting.rule();
            let rule = rule.trim_start_matches("a whole number from ");
            let over = setting.over;
            format!("| {name} | {about} | {shipped} | {rule} | {over} | {change} |")
        } else {
            let flag = setting.flag.map(code).unwrap_or_default();
            let variable = code(&setting.variable());
            format!("| {name} | {flag} | {variable} | {about} | {shipped} | {change} |")
        }
    })
    .collect()
}
