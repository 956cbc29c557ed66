//! What each principal may take of each board, unless the board says otherwise; `[limits.quotas]`.

use pawl_ledger::quota::Quotas;
use serde::Deserialize;

use super::ConfigError;

/// Quotas with a value for each. Chosen to stop what has run wild and nothing else: a busy agent
/// writes some entries a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuotaSettings {
    /// Entries a second, on average.
    pub entries_per_second: u64,
    /// Entries at once, after a pause.
    pub entries_burst: u64,
    /// Bytes of words, each with 77 bytes of key and salt.
    pub word_bytes: u64,
    /// Sources.
    pub sources: u64,
    /// Bytes of kept sources.
    pub source_bytes: u64,
    /// Refused submissions that are recorded in an hour.
    pub refusals_per_hour: u64,
}

impl Default for QuotaSettings {
    fn default() -> Self {
        Self {
            entries_per_second: 200,
            entries_burst: 10_000,
            word_bytes: 1 << 30,
            sources: 10_000,
            source_bytes: 4 << 30,
            refusals_per_hour: 1_000,
        }
    }
}

impl QuotaSettings {
    /// What holds on a board that has set `own`.
    pub fn with(self, own: &Quotas) -> Self {
        Self {
            entries_per_second: own.entries_per_second.unwrap_or(self.entries_per_second),
            entries_burst: own.entries_burst.unwrap_or(self.entries_burst),
            word_bytes: own.word_bytes.unwrap_or(self.word_bytes),
            sources: own.sources.unwrap_or(self.sources),
            source_bytes: own.source_bytes.unwrap_or(self.source_bytes),
            refusals_per_hour: own.refusals_per_hour.unwrap_or(self.refusals_per_hour),
        }
    }

    /// The same, each as set.
    pub fn as_quotas(self) -> Quotas {
        Quotas {
            entries_per_second: Some(self.entries_per_second),
            entries_burst: Some(self.entries_burst),
            word_bytes: Some(self.word_bytes),
            sources: Some(self.sources),
            source_bytes: Some(self.source_bytes),
            refusals_per_hour: Some(self.refusals_per_hour),
        }
    }

    /// The name of one that `own` raises over what is set here.
    pub fn raised_by(self, own: &Quotas) -> Option<&'static str> {
        let mine = self.as_quotas().named();
        let pairs = own.named().into_iter().zip(mine);
        let mut raised = pairs.filter(|((_, own), (_, mine))| own.is_some() && own > mine);
        raised.next().map(|((name, _), _)| name)
    }

    pub(super) fn check(self) -> Result<(), ConfigError> {
        match self.as_quotas().out_of_bounds() {
            None => Ok(()),
            Some((name, value)) => Err(ConfigError::Invalid {
                name: "limits.quotas",
                value: format!("{name} = {value}"),
                rule: format!("use 1 to {}", Quotas::MOST),
            }),
        }
    }
}
