//! Reading the settings and the certificate again while the server runs. Either all of it takes
//! effect or nothing: what was before stands where something is wrong.

use pawl_ledger::{
    decide::{Denied, Reason},
    id::Timestamp,
};

use super::{App, now};
use crate::{
    config::{Config, Limits},
    serve::log,
    tls,
};

/// What came of reading the settings again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reload {
    /// When.
    pub at: Timestamp,
    /// The settings that changed and are in effect.
    pub applied: Vec<&'static str>,
    /// The settings that changed and take a restart.
    pub needs_restart: Vec<&'static str>,
    /// The certificate was read again.
    pub certificate: bool,
    /// Why nothing changed; none where it did.
    pub failure: Option<String>,
}

impl App {
    /// Reads the settings and the certificate again.
    pub fn reload(&self) -> Result<Reload, Denied> {
        let reload = match self.try_reload() {
            Ok(reload) => reload,
            Err(failure) => Reload {
                at: now(),
                applied: Vec::new(),
                needs_restart: Vec::new(),
                certificate: false,
                failure: Some(failure),
            },
        };
        *self.last_reload.lock() = Some(reload.clone());
        let result = |name| self.metrics.reloads.with_label_values(&[name]).inc();
        let Some(failure) = reload.failure else {
            result("applied");
            tracing::info!(
                applied = reload.applied.join(", "),
                needs_restart = reload.needs_restart.join(", "),
                certificate = reload.certificate,
                "read the settings again"
            );
            return Ok(reload);
        };
        result("failed");
        tracing::error!(
            failure,
            "could not read the settings again; what was before stands"
        );
        let message = format!("nothing was changed: {failure}; mend it, then reload again");
        Err(Denied::new(Reason::SettingsInvalid, message))
    }

    fn try_reload(&self) -> Result<Reload, String> {
        let before = self.settings();
        let wanted = before.again().map_err(|error| error.to_string())?;
        let loaded = match (&wanted.tls, &self.certificates) {
            (Some(files), Some(_)) => Some(tls::load(files).map_err(|error| error.to_string())?),
            _ => None,
        };
        let changed = wanted.differences(&before);
        let toggles_tls = wanted.tls.is_some() != self.certificates.is_some();
        let (applied, needs_restart) = changed.into_iter().partition::<Vec<_>, _>(|setting| {
            setting.reloads() && !(toggles_tls && setting.name.starts_with("tls."))
        });
        if wanted.log != before.log {
            log::change(&wanted.log)?;
        }
        let certificate = loaded.is_some();
        if let (Some(loaded), Some(certificates)) = (loaded, &self.certificates) {
            certificates.replace(loaded);
        }
        let names = |settings: Vec<_>| {
            let settings = settings.into_iter();
            settings.map(|setting: &crate::config::Setting| setting.name)
        };
        let needs_restart: Vec<_> = names(needs_restart).collect();
        self.change_settings(in_effect(&before, wanted, &needs_restart, toggles_tls));
        Ok(Reload {
            at: now(),
            applied: names(applied).collect(),
            needs_restart,
            certificate,
            failure: None,
        })
    }
}

/// The settings that are wanted, but for those that take a restart.
fn in_effect(
    before: &Config,
    mut wanted: Config,
    needs_restart: &[&'static str],
    toggles_tls: bool,
) -> Config {
    for name in needs_restart {
        match before.said.get(name) {
            Some(value) => wanted.said.insert(name, value.clone()),
            None => wanted.said.remove(name),
        };
    }
    let tls = if toggles_tls {
        before.tls.clone()
    } else {
        wanted.tls
    };
    let limits = Limits {
        message_bytes: before.limits.message_bytes,
        connections: before.limits.connections,
        streams_per_connection: before.limits.streams_per_connection,
        document_cache_bytes: before.limits.document_cache_bytes,
        ..wanted.limits
    };
    Config {
        data: before.data.clone(),
        listen: before.listen,
        insecure_plain_text: before.insecure_plain_text,
        engine: before.engine,
        models: before.models.clone(),
        embedders: before.embedders,
        log_format: before.log_format,
        authorities: before.authorities.clone(),
        tls,
        limits,
        ..wanted
    }
}
