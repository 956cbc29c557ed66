//! Everything a server bounds, in one place; `[limits]` in the settings file.

use serde::Deserialize;

use super::{ConfigError, QuotaSettings};

/// What is too much. What a single assertion, quote or name may be is fixed, and stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The longest message of a client, in bytes.
    pub message_bytes: usize,
    /// The most items of a batch.
    pub batch_items: usize,
    /// The longest source, in bytes; at most what the checker reads.
    pub source_bytes: usize,
    /// The most uploads at once; each is held in memory until it is complete.
    pub uploads: usize,
    /// The longest an upload may wait for its next part, in seconds; an upload that stands still would keep its place
    /// from others.
    pub upload_idle_seconds: u64,
    /// The longest a call may take until its answer begins, in seconds; a client may ask for less.
    pub deadline_seconds: u64,
    /// The most calls that are worked on at once; more are told to come back.
    pub calls: usize,
    /// The most connections; more wait to be accepted.
    pub connections: usize,
    /// The most streams of one connection.
    pub streams_per_connection: u32,
    /// How long what is being answered may take when the server stops, in seconds.
    pub grace_seconds: u64,
    /// About how much memory parsed sources may take, in bytes.
    pub document_cache_bytes: usize,
    /// How long a board that nobody uses is held open in memory, in seconds.
    pub board_idle_seconds: u64,
    /// What each principal may take of each board.
    pub quotas: QuotaSettings,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 4 << 20,
            batch_items: 256,
            source_bytes: pawl_checker::quote::MAX_BYTES,
            uploads: 8,
            upload_idle_seconds: 20,
            deadline_seconds: 60,
            calls: 1_024,
            connections: 1_024,
            streams_per_connection: 256,
            grace_seconds: 10,
            document_cache_bytes: 256 << 20,
            board_idle_seconds: 900,
            quotas: QuotaSettings::default(),
        }
    }
}

impl Limits {
    /// Refuses what would make a server that cannot work.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let ranges = [
            (
                "limits.message_bytes",
                self.message_bytes,
                1 << 16,
                64 << 20,
            ),
            ("limits.batch_items", self.batch_items, 1, 10_000),
            (
                "limits.source_bytes",
                self.source_bytes,
                1,
                pawl_checker::quote::MAX_BYTES,
            ),
            ("limits.uploads", self.uploads, 1, 1_024),
            ("limits.calls", self.calls, 1, 1 << 20),
            ("limits.connections", self.connections, 1, 1 << 20),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(ConfigError::Invalid {
                    name,
                    value: value.to_string(),
                    rule: format!("use {least} to {most}"),
                });
            }
        }
        if self.deadline_seconds == 0
            || self.upload_idle_seconds == 0
            || self.streams_per_connection == 0
        {
            return Err(ConfigError::Invalid {
                name: "limits",
                value: "0".into(),
                rule: "`deadline_seconds`, `upload_idle_seconds` and `streams_per_connection` are at least 1".into(),
            });
        }
        self.quotas.check()
    }
}
