//! Everything a server bounds, in one place: field, default, range and documentation of each limit
//! come from the table below; `[limits]` in the settings file.

use super::{
    QuotaSettings,
    settings::{Change, Kind, Setting, Shipped},
};

/// Declares the limits: about what, name, type, as shipped, least, most, when a change takes effect, what happens over it.
macro_rules! limits {
    ($($(#[doc = $about:literal])+ $name:ident: $type:ty = $shipped:expr, $least:expr, $most:expr, $change:ident, $over:literal;)+) => {
        /// What is too much. What a single assertion, quote or name may be is fixed, and stands beside it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Limits {
            $($(#[doc = $about])+ pub $name: $type,)+
            /// What each principal may take of each board.
            pub quotas: QuotaSettings,
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($name: $shipped,)+ quotas: QuotaSettings::default() }
            }
        }

        /// The limits as settings.
        pub(super) const SETTINGS: &[Setting] = &[$(Setting {
            name: concat!("limits.", stringify!($name)),
            about: concat!($($about),+),
            kind: Kind::Count { least: $least, most: $most },
            shipped: Shipped::Count($shipped as u64),
            flag: None,
            change: Change::$change,
            over: $over,
        },)+];

        impl Limits {
            /// Every limit by the name of its setting.
            pub fn values(&self) -> Vec<(&'static str, u64)> {
                let mut values = vec![$((concat!("limits.", stringify!($name)), self.$name as u64),)+];
                values.extend(self.quotas.values());
                values
            }

            /// Takes the numbers of the settings; they are in range by then.
            pub(super) fn from_settings(number: impl Fn(&str) -> u64) -> Self {
                Self {
                    $($name: number(concat!("limits.", stringify!($name))).try_into().unwrap_or(<$type>::MAX),)+
                    quotas: QuotaSettings::from_settings(&number),
                }
            }
        }
    };
}

/// A day, the longest that anything may take.
const DAY: u64 = 86_400;
/// As many as no machine has.
const MANY: u64 = 1 << 20;

limits! {
    /// The longest message of a client, in bytes.
    message_bytes: usize = 4 << 20, 1 << 16, 64 << 20, Restart, "`MESSAGE_TOO_LARGE`";
    /// The most items of a batch.
    batch_items: usize = 256, 1, 10_000, Reload, "`BATCH_TOO_LARGE`";
    /// The longest source, in bytes; at most what the checker reads.
    source_bytes: usize = pawl_checker::quote::MAX_BYTES, 1, pawl_checker::quote::MAX_BYTES as u64, Reload, "`SOURCE_TOO_LARGE`";
    /// The most uploads at once; each is held in memory until it is complete.
    uploads: usize = 8, 1, 1_024, Reload, "`OVERLOADED`";
    /// The most uploads of one principal at once.
    uploads_per_principal: usize = 4, 1, 1_024, Reload, "`OVERLOADED`";
    /// The longest an upload may wait for its next part, in seconds; one that stands still would keep its place from others.
    upload_idle_seconds: u64 = 20, 1, DAY, Reload, "`DEADLINE`; the upload's place is free again";
    /// The longest any other request may take to send its next bytes, in seconds.
    request_idle_seconds: u64 = 20, 1, DAY, Reload, "`DEADLINE`";
    /// The longest a call may take until its answer begins, in seconds; a client may ask for less.
    deadline_seconds: u64 = 60, 1, DAY, Reload, "`DEADLINE`";
    /// The most calls that are worked on at once.
    calls: usize = 1_024, 1, MANY, Reload, "`OVERLOADED`";
    /// The most calls of one principal that are worked on at once, or whose answers its clients have not taken.
    calls_per_principal: usize = 256, 1, MANY, Reload, "`OVERLOADED`; others are not affected";
    /// The most streams of one principal that are open at once, such as watches.
    streams_per_principal: usize = 64, 1, MANY, Reload, "`OVERLOADED`; others are not affected";
    /// The most connections.
    connections: usize = 1_024, 1, MANY, Restart, "waits to be accepted";
    /// The most connections from one address; raise it behind a proxy, which is one address for everybody.
    connections_per_address: usize = 512, 1, MANY, Reload, "closed at once";
    /// The most streams of one connection.
    streams_per_connection: u32 = 256, 1, MANY, Restart, "the client waits";
    /// How long what is being answered may take when the server stops, in seconds.
    grace_seconds: u64 = 10, 0, DAY, Reload, "what is not answered by then is cut off";
    /// About how much memory parsed sources may take, in bytes.
    document_cache_bytes: usize = 256 << 20, 0, 1 << 40, Restart, "sources are parsed again";
    /// How long a board that nobody uses is held open in memory, in seconds; an archived one for a minute.
    board_idle_seconds: u64 = 900, 0, DAY, Reload, "leaves memory; the next call opens it again";
}
