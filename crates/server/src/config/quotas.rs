//! What each principal may take of each board, unless the board says otherwise; `[limits.quotas]`.

use pawl_ledger::quota::Quotas;

use super::settings::{Change, Kind, Setting, Shipped};

/// Declares the quotas: about what, name, as shipped, what happens over it.
macro_rules! quotas {
    ($($(#[doc = $about:literal])+ $name:ident = $shipped:expr, $over:literal;)+) => {
        /// Quotas with a value for each. Chosen to stop what has run wild and nothing else: a busy
        /// agent writes some entries a second.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct QuotaSettings {
            $($(#[doc = $about])+ pub $name: u64,)+
        }

        impl Default for QuotaSettings {
            fn default() -> Self {
                Self { $($name: $shipped,)+ }
            }
        }

        /// The quotas as settings.
        pub(super) const SETTINGS: &[Setting] = &[$(Setting {
            name: concat!("limits.quotas.", stringify!($name)),
            about: concat!($($about),+),
            kind: Kind::Count { least: 1, most: Quotas::MOST },
            shipped: Shipped::Count($shipped),
            flag: None,
            change: Change::Reload,
            over: $over,
        },)+];

        impl QuotaSettings {
            /// Every quota by the name of its setting.
            pub(super) fn values(self) -> Vec<(&'static str, u64)> {
                vec![$((concat!("limits.quotas.", stringify!($name)), self.$name),)+]
            }

            /// Takes the numbers of the settings; they are in range by then.
            pub(super) fn from_settings(number: impl Fn(&str) -> u64) -> Self {
                Self { $($name: number(concat!("limits.quotas.", stringify!($name))),)+ }
            }
        }
    };
}

quotas! {
    /// Entries a second, on average.
    entries_per_second = 200, "`QUOTA_EXCEEDED`, with the time to wait";
    /// Entries at once, after a pause; the call that uses the last may go over it, the next waits.
    entries_burst = 10_000, "`QUOTA_EXCEEDED`, with the time to wait";
    /// Bytes of words beside the log, each with 77 bytes of key and salt.
    word_bytes = 1 << 30, "`QUOTA_EXCEEDED`";
    /// Sources it registered.
    sources = 10_000, "`QUOTA_EXCEEDED`";
    /// Bytes of those that are kept.
    source_bytes = 4 << 30, "`QUOTA_EXCEEDED`";
    /// Refused submissions that are recorded in an hour.
    refusals_per_hour = 1_000, "answered and not recorded";
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
}
