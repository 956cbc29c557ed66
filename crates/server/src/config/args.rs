//! The flags of `pawl serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use pawl_ledger::store::Engine;

/// What a server is told on the command line. Every setting can be given with `--set`; what people
/// give often has a flag of its own.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ServeArgs {
    /// Keeps everything in this directory [default: $XDG_DATA_HOME/pawl or ~/.local/share/pawl]
    #[arg(long, env = "PAWL_HOME", value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Reads settings from this file [default: pawl.toml in the data directory, if it is there]
    #[arg(long, env = "PAWL_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Listens on this address [env: PAWL_LISTEN] [default: 127.0.0.1:7617]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,

    /// Listens without TLS where other machines reach it: a proxy ends TLS [env: PAWL_INSECURE_PLAIN_TEXT]
    #[arg(long)]
    pub insecure_plain_text: bool,

    /// Speaks TLS with this certificate [env: PAWL_TLS_CERTIFICATE]
    #[arg(long, value_name = "FILE")]
    pub tls_certificate: Option<PathBuf>,

    /// The certificate's private key [env: PAWL_TLS_KEY]
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Lets in only clients with a certificate of these authorities [env: PAWL_TLS_CLIENT_CA]
    #[arg(long, value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,

    /// Stores with this engine, fjall or sled [env: PAWL_ENGINE] [default: what the store was made with, else fjall]
    #[arg(long, value_name = "ENGINE", value_parser = parse_engine)]
    pub engine: Option<Engine>,

    /// Finds the sentence model here [env: PAWL_MODELS] [default: $XDG_CACHE_HOME/pawl/models or ~/.cache/pawl/models]
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,

    /// Runs without the sentence model: candidates by claim key and terms only [env: PAWL_EMBEDDING=false]
    #[arg(long)]
    pub no_embedding: bool,

    /// Answers under this host name as well; needed where the server is not reached over loopback [env:
    /// PAWL_ALLOWED_HOSTS]
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    pub allow_host: Vec<String>,

    /// Lets web pages of this origin call, for example `https://boards.example.org` [env: PAWL_ALLOWED_ORIGINS]
    #[arg(long, value_name = "ORIGIN", value_delimiter = ',')]
    pub allow_origin: Vec<String>,

    /// Logs to stderr in this form; what is logged is set by RUST_LOG [env: PAWL_LOG_FORMAT] [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,

    /// Gives any setting, for example `limits.batch_items=64`; `pawl config default` shows all
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl LogFormat {
    /// How settings spell it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
    }

    /// The form of a word that is one.
    pub(super) fn of_word(word: &str) -> Self {
        match word {
            "json" => Self::Json,
            _ => Self::Text,
        }
    }
}

fn parse_engine(name: &str) -> Result<Engine, String> {
    name.parse()
        .map_err(|error: pawl_ledger::store::UnknownEngine| error.to_string())
}
