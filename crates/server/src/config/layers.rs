//! The layers that say what a setting is: as shipped, the file, the environment, flags; the later
//! wins. Everything that is wrong is kept, so that all of it can be told at once.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use super::{
    ServeArgs,
    settings::{self, Setting, Value},
};

/// Variables that begin as settings do and are none: the command line's own, and those of tests.
const OTHER_VARIABLES: &[&str] = &[
    "PAWL_AS",
    "PAWL_BOARD",
    "PAWL_CA",
    "PAWL_CLIENT_CERTIFICATE",
    "PAWL_CLIENT_KEY",
    "PAWL_CONFIG",
    "PAWL_HOME",
    "PAWL_SERVER",
    "PAWL_TOKEN",
];

/// Who said what a setting is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody.
    Shipped,
    /// The file.
    File(PathBuf),
    /// A variable.
    Variable(String),
    /// A flag.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped => formatter.write_str("as shipped"),
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Variable(name) | Self::Flag(name) => formatter.write_str(name),
        }
    }
}

/// Something that is wrong with what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Who said it.
    pub(crate) origin: Origin,
    /// What is wrong, and what to do.
    pub(crate) message: String,
    /// The server does not start with it.
    pub(crate) fatal: bool,
}

/// What all layers say together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    given: BTreeMap<&'static str, (Value, Origin)>,
    /// What is wrong, in the order it was met.
    pub(crate) problems: Vec<Problem>,
}

impl Layers {
    /// Puts the layers on one another. `file` is the text of the settings file, if there is one.
    pub(crate) fn read(
        args: &ServeArgs,
        file: Option<(&Path, &str)>,
        environment: &BTreeMap<String, String>,
    ) -> Self {
        let mut layers = Self::default();
        if let Some((path, text)) = file {
            layers.file(path, text);
        }
        layers.environment(environment);
        layers.flags(args);
        layers
    }

    /// What a setting is, and who said so; no value where it is not set.
    pub(crate) fn value(&self, setting: &Setting) -> (Option<Value>, Origin) {
        match self.given.get(setting.name) {
            Some((value, origin)) => (Some(value.clone()), origin.clone()),
            None => (setting.shipped(), Origin::Shipped),
        }
    }

    /// Who said what a setting is.
    pub(crate) fn origin(&self, name: &str) -> Origin {
        self.given
            .get(name)
            .map_or(Origin::Shipped, |(_, origin)| origin.clone())
    }

    /// Keeps what is wrong.
    pub(crate) fn wrong(&mut self, origin: Origin, message: String, fatal: bool) {
        self.problems.push(Problem {
            origin,
            message,
            fatal,
        });
    }

    fn file(&mut self, path: &Path, text: &str) {
        let origin = Origin::File(path.to_owned());
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => return self.wrong(origin, format!("no valid TOML: {error}"), true),
        };
        let below = path.parent().unwrap_or(Path::new(""));
        for (name, value) in flat(&table) {
            let Some(setting) = settings::named(&name) else {
                self.wrong(origin.clone(), unknown(&name), true);
                continue;
            };
            match setting.read_toml(value) {
                Some(Value::Path(named)) => {
                    self.take(setting, Value::Path(below.join(named)), origin.clone());
                }
                Some(value) => self.take(setting, value, origin.clone()),
                None => self.unreadable(setting, &value.to_string(), origin.clone()),
            }
        }
    }

    /// An empty variable says nothing. One that is no setting is told and does no harm: services by
    /// the name of `pawl` make some platforms set `PAWL_PORT` and the like.
    fn environment(&mut self, environment: &BTreeMap<String, String>) {
        for setting in settings::all() {
            let variable = setting.variable();
            let Some(text) = environment.get(&variable).filter(|text| !text.is_empty()) else {
                continue;
            };
            self.text(setting, text, Origin::Variable(variable));
        }
        let known = |name: &str| {
            OTHER_VARIABLES.contains(&name)
                || name.starts_with("PAWL_TEST_")
                || settings::all().any(|setting| setting.variable() == name)
        };
        for name in environment.keys() {
            if name.starts_with("PAWL_") && !known(name) {
                let variables: Vec<_> = settings::all().map(Setting::variable).collect();
                let hint = hint(name, variables.iter().map(String::as_str));
                let message = format!("`{name}` sets nothing{hint}");
                self.wrong(Origin::Variable(name.clone()), message, false);
            }
        }
    }

    fn flags(&mut self, args: &ServeArgs) {
        for (name, value) in args.values() {
            if let Some(setting) = settings::named(name) {
                let flag = setting.flag.unwrap_or_default();
                self.take(setting, value, Origin::Flag(flag.to_owned()));
            }
        }
        for pair in &args.set {
            let origin = Origin::Flag("--set".to_owned());
            let Some((name, text)) = pair.split_once('=') else {
                let message = format!("`{pair}` has no value; write `--set NAME=VALUE`");
                self.wrong(origin, message, true);
                continue;
            };
            match settings::named(name) {
                Some(setting) => self.text(setting, text, origin),
                None => self.wrong(origin, unknown(name), true),
            }
        }
    }

    fn text(&mut self, setting: &'static Setting, text: &str, origin: Origin) {
        match setting.read_text(text) {
            Some(value) => self.take(setting, value, origin),
            None => self.unreadable(setting, text, origin),
        }
    }

    fn take(&mut self, setting: &'static Setting, value: Value, origin: Origin) {
        self.given.insert(setting.name, (value, origin));
    }

    fn unreadable(&mut self, setting: &Setting, value: &str, origin: Origin) {
        let message = format!(
            "`{}` is `{}`; it is {}",
            setting.name,
            value.trim_matches('"'),
            setting.rule()
        );
        self.wrong(origin, message, true);
    }
}

/// The values of a file by name, those of a table with its name before.
fn flat(table: &toml::Table) -> Vec<(String, &toml::Value)> {
    let mut flat = Vec::new();
    let mut waiting = vec![(String::new(), table)];
    while let Some((above, table)) = waiting.pop() {
        for (name, value) in table {
            let name = format!("{above}{name}");
            match value {
                toml::Value::Table(inner) => waiting.push((format!("{name}."), inner)),
                value => flat.push((name, value)),
            }
        }
    }
    flat
}

fn unknown(name: &str) -> String {
    let hint = hint(name, settings::all().map(|setting| setting.name));
    format!("`{name}` is no setting{hint}")
}

/// What was probably meant.
fn hint<'names>(name: &str, known: impl Iterator<Item = &'names str>) -> String {
    const SIMILAR: f64 = 0.8;
    let nearest = known
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((_, known)) => format!("; did you mean `{known}`?"),
        None => "; `pawl config default` shows all there are".to_owned(),
    }
}

impl ServeArgs {
    /// What flags of their own say, by setting.
    fn values(&self) -> Vec<(&'static str, Value)> {
        let path = |path: &Option<PathBuf>| path.clone().map(Value::Path);
        let names = |names: &Vec<String>| (!names.is_empty()).then(|| Value::Names(names.clone()));
        let all = [
            ("listen", self.listen.map(Value::Address)),
            ("engine", self.engine.map(|it| Value::Text(it.to_string()))),
            ("models", path(&self.models)),
            (
                "embedding",
                self.no_embedding.then_some(Value::Switch(false)),
            ),
            ("allowed_hosts", names(&self.allow_host)),
            ("allowed_origins", names(&self.allow_origin)),
            (
                "log_format",
                self.log_format.map(|it| Value::Text(it.word().to_owned())),
            ),
            ("tls.certificate", path(&self.tls_certificate)),
            ("tls.key", path(&self.tls_key)),
            ("tls.client_ca", path(&self.tls_client_ca)),
            (
                "insecure_plain_text",
                self.insecure_plain_text.then_some(Value::Switch(true)),
            ),
        ];
        let given = all.into_iter();
        given
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}
