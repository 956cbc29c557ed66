//! What a server is told: a file, then the environment, then flags; the later wins.

mod authorities;
mod limits;
mod quotas;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use pawl_ledger::store::Engine;
use serde::Deserialize;

use crate::cli::data_directory;

pub use authorities::AuthoritySettings;
pub use limits::Limits;
pub use quotas::QuotaSettings;

/// Where a server listens unless told otherwise: this machine alone.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7617);
/// The file with the first operator's token, in the data directory.
pub const OPERATOR_TOKEN_FILE: &str = "operator.token";
/// The file that is read from the data directory if there is one.
const CONFIG_FILE: &str = "pawl.toml";
/// How many copies of the model work at once.
const DEFAULT_EMBEDDERS: usize = 2;

/// Runs the server.
#[derive(Clone, Debug, Default, Args)]
pub struct ServeArgs {
    /// Keeps everything in this directory [default: $XDG_DATA_HOME/pawl or ~/.local/share/pawl]
    #[arg(long, env = "PAWL_HOME", value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Reads settings from this file [default: pawl.toml in the data directory, if it is there]
    #[arg(long, env = "PAWL_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Listens on this address [default: 127.0.0.1:7617]
    #[arg(long, env = "PAWL_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,

    /// Stores with this engine, fjall or sled [default: what the store was made with, else fjall]
    #[arg(long, env = "PAWL_ENGINE", value_name = "ENGINE", value_parser = parse_engine)]
    pub engine: Option<Engine>,

    /// Finds the sentence model here [default: $XDG_CACHE_HOME/pawl/models or ~/.cache/pawl/models]
    #[arg(long, env = "PAWL_MODELS", value_name = "DIR")]
    pub models: Option<PathBuf>,

    /// Runs without the sentence model: candidates by claim key and terms only
    #[arg(long, env = "PAWL_NO_EMBEDDING")]
    pub no_embedding: bool,

    /// Answers under this host name as well; needed where the server is not reached over loopback
    #[arg(
        long,
        env = "PAWL_ALLOW_HOST",
        value_name = "HOST",
        value_delimiter = ','
    )]
    pub allow_host: Vec<String>,

    /// Lets web pages of this origin call, for example `https://boards.example.org`
    #[arg(
        long,
        env = "PAWL_ALLOW_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub allow_origin: Vec<String>,

    /// Logs to stderr in this form; what is logged is set by RUST_LOG [default: text]
    #[arg(long, env = "PAWL_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// What a server works with.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Where everything is kept.
    pub data: PathBuf,
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
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
    /// The form of the log.
    pub log_format: LogFormat,
    /// Whom boards may ask over HTTP.
    pub authorities: AuthoritySettings,
    /// What is too much.
    pub limits: Limits,
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
    /// The file says something that is no setting.
    #[error("the settings `{path}` are not valid: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// A setting has a value it cannot have.
    #[error("the setting `{name}` is `{value}`: {rule}")]
    Invalid {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is valid.
        rule: String,
    },
}

/// The settings a file may hold; anything else in it is refused.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    listen: Option<SocketAddr>,
    engine: Option<String>,
    models: Option<PathBuf>,
    embedding: Option<bool>,
    embedders: Option<usize>,
    allowed_hosts: Vec<String>,
    allowed_origins: Vec<String>,
    log_format: Option<LogFormat>,
    authorities: AuthoritySettings,
    limits: Limits,
}

impl Config {
    /// Puts the settings together. The environment has already filled what no flag gave.
    pub fn resolve(args: ServeArgs) -> Result<Self, ConfigError> {
        let data = match args.data {
            Some(data) => data,
            None => data_directory().ok_or(ConfigError::NoHome { flag: "data" })?,
        };
        let file = read_file(args.config.as_deref(), &data)?;
        file.limits.check()?;
        let of_file = file.engine.as_deref().map(parse_engine).transpose();
        let of_file = of_file.map_err(|error| ConfigError::Invalid {
            name: "engine",
            value: file.engine.clone().unwrap_or_default(),
            rule: error,
        })?;
        let models = if args.no_embedding || file.embedding == Some(false) {
            None
        } else {
            Some(match args.models.or(file.models) {
                Some(models) => models,
                None => models_directory()?,
            })
        };
        Ok(Self {
            data,
            listen: args.listen.or(file.listen).unwrap_or(DEFAULT_LISTEN),
            engine: args.engine.or(of_file),
            models,
            embedders: file.embedders.unwrap_or(DEFAULT_EMBEDDERS).max(1),
            allowed_hosts: later(args.allow_host, file.allowed_hosts),
            allowed_origins: later(args.allow_origin, file.allowed_origins),
            log_format: args.log_format.or(file.log_format).unwrap_or_default(),
            authorities: file.authorities,
            limits: file.limits,
        })
    }

    /// The settings for a directory, on a free port and without a model.
    pub fn local(data: PathBuf) -> Self {
        Self {
            data,
            listen: SocketAddr::new(DEFAULT_LISTEN.ip(), 0),
            engine: None,
            models: None,
            embedders: DEFAULT_EMBEDDERS,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            log_format: LogFormat::default(),
            authorities: AuthoritySettings::default(),
            limits: Limits::default(),
        }
    }

    /// The file with the first operator's token.
    pub fn operator_token(&self) -> PathBuf {
        self.data.join(OPERATOR_TOKEN_FILE)
    }
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

fn read_file(named: Option<&Path>, data: &Path) -> Result<File, ConfigError> {
    let path = named.map_or_else(|| data.join(CONFIG_FILE), Path::to_path_buf);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(File::default());
        }
        Err(source) => return Err(ConfigError::Read { path, source }),
    };
    toml::from_str(&text).map_err(|source| ConfigError::Parse {
        path,
        source: Box::new(source),
    })
}

fn later(args: Vec<String>, file: Vec<String>) -> Vec<String> {
    if args.is_empty() { file } else { args }
}

fn parse_engine(name: &str) -> Result<Engine, String> {
    name.parse()
        .map_err(|error: pawl_ledger::store::UnknownEngine| error.to_string())
}

#[cfg(test)]
mod tests;
