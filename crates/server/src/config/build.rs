//! Settings as what they are: from values by name to fields by type.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf};

use super::{
    AuthoritySettings, Config, ConfigError, DEFAULT_EMBEDDERS, DEFAULT_LISTEN, Limits, LogFormat,
    MetricsReaders, TlsFiles,
    layers::Layers,
    models_directory,
    settings::{self, Value},
};

/// The settings that layers say; what cannot be read is as shipped.
pub(super) fn build(layers: &Layers, data: PathBuf) -> Result<Config, ConfigError> {
    let given = Given(layers);
    let models = match (given.switch("embedding"), given.path("models")) {
        (false, _) => None,
        (true, Some(models)) => Some(models),
        (true, None) => Some(models_directory()?),
    };
    Ok(Config {
        insecure_plain_text: given.switch("insecure_plain_text"),
        engine: given.text("engine").parse().ok(),
        models,
        embedders: given
            .count("embedders")
            .try_into()
            .unwrap_or(DEFAULT_EMBEDDERS),
        allowed_hosts: given.names("allowed_hosts"),
        allowed_origins: given.names("allowed_origins"),
        metrics: match given.text("metrics").as_str() {
            "everybody" => MetricsReaders::Everybody,
            "loopback" => MetricsReaders::Loopback,
            _ => MetricsReaders::Operators,
        },
        log: given.text("log"),
        log_format: LogFormat::of_word(&given.text("log_format")),
        authorities: AuthoritySettings {
            allowed_hosts: given.names("authorities.allowed_hosts"),
            allow_private_addresses: given.switch("authorities.allow_private_addresses"),
        },
        tls: given.tls(),
        limits: Limits::from_settings(|name| given.count(name)),
        listen: given.address("listen"),
        said: given.said(),
        warnings: layers
            .problems
            .iter()
            .filter(|problem| !problem.fatal)
            .map(|problem| problem.message.clone())
            .collect(),
        data,
        args: None,
    })
}

/// The values of the layers by what they are.
struct Given<'layers>(&'layers Layers);

impl Given<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        self.0.value(settings::named(name)?).0
    }

    fn address(&self, name: &str) -> SocketAddr {
        match self.value(name) {
            Some(Value::Address(address)) => address,
            _ => DEFAULT_LISTEN,
        }
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        match self.value(name) {
            Some(Value::Path(path)) => Some(path),
            _ => None,
        }
    }

    fn switch(&self, name: &str) -> bool {
        self.value(name) == Some(Value::Switch(true))
    }

    fn count(&self, name: &str) -> u64 {
        match self.value(name) {
            Some(Value::Count(count)) => count,
            _ => 0,
        }
    }

    fn names(&self, name: &str) -> Vec<String> {
        match self.value(name) {
            Some(Value::Names(names)) => names,
            _ => Vec::new(),
        }
    }

    fn text(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::Text(text)) => text,
            _ => String::new(),
        }
    }

    fn said(&self) -> BTreeMap<&'static str, String> {
        let all = settings::all();
        all.filter_map(|setting| Some((setting.name, self.value(setting.name)?.to_toml())))
            .collect()
    }

    fn tls(&self) -> Option<TlsFiles> {
        Some(TlsFiles {
            certificate: self.path("tls.certificate")?,
            key: self.path("tls.key")?,
            client_ca: self.path("tls.client_ca"),
            clients_required: self.text("tls.clients") != "optional",
        })
    }
}

/// A setting of TLS that means nothing without another that is missing.
pub(super) fn missing_half(layers: &Layers) -> Option<(&'static str, &'static str)> {
    let given = Given(layers);
    let set = |name| given.path(name).is_some();
    [
        ("tls.certificate", "tls.key"),
        ("tls.key", "tls.certificate"),
        ("tls.client_ca", "tls.certificate"),
    ]
    .into_iter()
    .find(|(name, needed)| set(name) && !set(needed))
}
