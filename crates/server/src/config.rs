//! What a server is told: a file, then the environment, then flags; the later wins.

mod args;
mod authorities;
mod build;
mod general;
mod layers;
mod limits;
mod quotas;
mod report;
mod settings;

use std::{
    collections::BTreeMap,
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
};

use pawl_ledger::store::Engine;

use self::{
    build::{build, missing_half},
    layers::{Layers, Problem},
};
use crate::cli::data_directory;

pub use args::{LogFormat, ServeArgs};
pub use authorities::AuthoritySettings;
pub use limits::Limits;
pub use quotas::QuotaSettings;
pub(crate) use report::{Report, shipped_file};
pub(crate) use settings::Setting;

/// Where a server listens unless told otherwise: this machine alone.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7617);
/// The file with the first operator's token, in the data directory.
pub const OPERATOR_TOKEN_FILE: &str = "operator.token";
/// The file that is read from the data directory if there is one.
const CONFIG_FILE: &str = "pawl.toml";
/// How many copies of the model work at once.
const DEFAULT_EMBEDDERS: usize = 2;
/// What is logged.
const DEFAULT_LOG: &str = "warn,pawl_server=info,pawl_ledger=info,pawl_checker=info";

/// What a server works with.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Where everything is kept.
    pub data: PathBuf,
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// A proxy ends TLS, so that the server may be reached from elsewhere without.
    pub insecure_plain_text: bool,
    /// The storage engine; none for what the store was made with.
    pub engine: Option<Engine>,
    /// Where the model lies; none to run without.
    pub models: Option<PathBuf>,
    /// How many copies of the model work at once; each holds its own weights.
    pub embedders: usize,
    /// Host names it answers under besides loopback.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that may call.
    pub allowed_origins: Vec<String>,
    /// Who may read the metrics.
    pub metrics: MetricsReaders,
    /// What is logged.
    pub log: String,
    /// The form of the log.
    pub log_format: LogFormat,
    /// Whom boards may ask over HTTP.
    pub authorities: AuthoritySettings,
    /// What it needs to speak TLS; none to speak plain text.
    pub tls: Option<TlsFiles>,
    /// What is too much.
    pub limits: Limits,
    /// The values of settings that were said or shipped, as they stand in a file.
    pub(crate) said: BTreeMap<&'static str, String>,
    /// What was said and means nothing, to be told where there is a log.
    pub(crate) warnings: Vec<String>,
    /// What the settings were put together from, to do so again; none where a program made them.
    pub args: Option<ServeArgs>,
}

/// The files of TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate and those that lead to its authority.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities of client certificates; none where clients show none.
    pub client_ca: Option<PathBuf>,
    /// Clients have to show a certificate.
    pub clients_required: bool,
}

/// Who may read the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MetricsReaders {
    /// Server operators, with a token.
    #[default]
    Operators,
    /// Anybody on this machine.
    Loopback,
    /// Everybody who reaches the port.
    Everybody,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// There is no home directory to put things in.
    #[error("there is no home directory; set `PAWL_HOME` or give `--{flag}`")]
    NoHome {
        /// The flag that names the directory.
        flag: &'static str,
    },
    /// The file cannot be read.
    #[error("cannot read the settings `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Settings are not valid.
    #[error("the settings are not valid: {0}")]
    Invalid(Problems),
}

/// What is wrong with the settings.
#[derive(Debug)]
pub struct Problems(Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let between = if index == 0 { "" } else { "; " };
            write!(
                formatter,
                "{between}{} ({})",
                problem.message, problem.origin
            )?;
        }
        Ok(())
    }
}

impl Config {
    /// Puts the settings together.
    pub fn resolve(args: ServeArgs) -> Result<Self, ConfigError> {
        let (config, layers) = read(args)?;
        config.ok_or_else(|| {
            let fatal = layers.problems.into_iter().filter(|problem| problem.fatal);
            ConfigError::Invalid(Problems(fatal.collect()))
        })
    }

    /// Puts the settings together once more; the same where a program made them.
    pub fn again(&self) -> Result<Self, ConfigError> {
        match &self.args {
            Some(args) => Self::resolve(args.clone()),
            None => Ok(self.clone()),
        }
    }

    /// The settings for a directory, on a free port and without a model.
    pub fn local(data: PathBuf) -> Self {
        Self {
            data,
            listen: SocketAddr::new(DEFAULT_LISTEN.ip(), 0),
            insecure_plain_text: false,
            engine: None,
            models: None,
            embedders: DEFAULT_EMBEDDERS,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            metrics: MetricsReaders::default(),
            log: DEFAULT_LOG.to_owned(),
            log_format: LogFormat::default(),
            authorities: AuthoritySettings::default(),
            tls: None,
            limits: Limits::default(),
            said: BTreeMap::new(),
            warnings: Vec::new(),
            args: None,
        }
    }

    /// The settings that are not what they are in another.
    pub(crate) fn differences(&self, other: &Self) -> Vec<&'static Setting> {
        let all = settings::all();
        all.filter(|setting| self.said.get(setting.name) != other.said.get(setting.name))
            .collect()
    }

    /// The file with the first operator's token.
    pub fn operator_token(&self) -> PathBuf {
        self.data.join(OPERATOR_TOKEN_FILE)
    }

    /// Says that tokens would go over the network in the clear, and what to do about it.
    pub fn plain_text_refusal(&self) -> Option<String> {
        let guarded = self.tls.is_some() || self.insecure_plain_text;
        if guarded || self.listen.ip().to_canonical().is_loopback() {
            return None;
        }
        Some(format!(
            "`listen` is `{}`, where other machines would send their tokens in the clear; set \
             `tls.certificate` and `tls.key`, or `insecure_plain_text` where a proxy ends TLS",
            self.listen
        ))
    }
}

/// Reads all layers; no settings where something is wrong that a server does not start with.
fn read(args: ServeArgs) -> Result<(Option<Config>, Layers), ConfigError> {
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    read_with(args, &environment)
}

fn read_with(
    args: ServeArgs,
    environment: &BTreeMap<String, String>,
) -> Result<(Option<Config>, Layers), ConfigError> {
    let data = match &args.data {
        Some(data) => data.clone(),
        None => data_directory().ok_or(ConfigError::NoHome { flag: "data" })?,
    };
    let file = read_file(args.config.as_deref(), &data)?;
    let file = file
        .as_ref()
        .map(|(path, text)| (path.as_path(), text.as_str()));
    let mut layers = Layers::read(&args, file, environment);
    let mut config = build(&layers, data)?;
    config.args = Some(args);
    if let Some(refusal) = config.plain_text_refusal() {
        layers.wrong(layers.origin("listen"), refusal, true);
    }
    if let Some((name, missing)) = missing_half(&layers) {
        let message = format!("`{name}` is set and `{missing}` is not; TLS needs both");
        layers.wrong(layers.origin(name), message, true);
    }
    if let Err(error) = config.log.parse::<tracing_subscriber::EnvFilter>() {
        let message = format!("`log` is `{}`: {error}", config.log);
        layers.wrong(layers.origin("log"), message, true);
    }
    let usable = !layers.problems.iter().any(|problem| problem.fatal);
    Ok((usable.then_some(config), layers))
}

/// The directory that `make models` fills unless told otherwise.
pub fn models_directory() -> Result<PathBuf, ConfigError> {
    if let Some(models) = set_variable("PAWL_MODELS") {
        return Ok(models);
    }
    in_home("XDG_CACHE_HOME", ".cache")
        .map(|base| base.join("pawl/models"))
        .ok_or(ConfigError::NoHome { flag: "models" })
}

fn in_home(variable: &str, below: &str) -> Option<PathBuf> {
    set_variable(variable).or_else(|| Some(set_variable("HOME")?.join(below)))
}

fn set_variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name)?;
    (!value.is_empty()).then(|| PathBuf::from(value))
}

/// The settings file and its text; none where none was named and none is there.
fn read_file(named: Option<&Path>, data: &Path) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let path = named.map_or_else(|| data.join(CONFIG_FILE), Path::to_path_buf);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ConfigError::Read { path, source }),
    }
}

#[cfg(test)]
mod tests;
