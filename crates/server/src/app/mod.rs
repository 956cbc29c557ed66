//! The only place that calls ledger and checker together; knows no wire format but that of words.

mod as_of;
pub mod authorities;
pub mod backup;
pub mod boards;
pub mod brief;
pub mod claims;
pub mod declarations;
pub mod documents;
pub mod error;
pub mod export;
pub mod identity;
pub mod judge;
pub mod life;
pub mod pairs;
pub mod phases;
mod places;
pub mod quotas;
mod reload;
pub mod rescan;
pub mod rollback;
pub mod rules;
mod seal_clock;
pub mod search;
pub mod settling;
pub mod snapshots;
pub mod sources;
mod stop;
pub mod submission;
pub mod tables;
pub mod text;
mod turns;
mod upkeep;
pub mod usage;

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use parking_lot::{Mutex, RwLock};
use pawl_checker::embedder::Embedder;
use pawl_ledger::{
    digest::Words,
    id::{BoardName, Timestamp},
    ledger::Ledger,
    store::Store,
};
use prost::Message;
use tokio::sync::watch;

use self::{
    authorities::{Client, Remembered},
    boards::Slot,
    error::AppError,
    identity::Identity,
    judge::Parsed,
    quotas::Meters,
    seal_clock::SealClock,
    sources::Documents,
    turns::Turns,
};
use crate::{
    config::{Config, Limits},
    metrics::Metrics,
    tls::Certificates,
};

pub use boards::LiveBoard;
pub use places::{Place, Places, What};
pub use reload::Reload;

/// Everything a door needs: the boards, who may ask, and what judges.
pub struct App {
    /// The boards of the store.
    pub ledger: Ledger,
    /// Turns sentences into vectors; none where the server runs without a model.
    pub embedder: Option<Embedder>,
    /// Principals and tokens.
    pub identity: Identity,
    /// Who uses how much at the moment.
    pub places: Arc<Places>,
    /// The figures of this server.
    pub metrics: Arc<Metrics>,
    /// What handshakes are made with; none where the server speaks plain text.
    pub certificates: Option<Certificates>,
    /// When it was started.
    pub started: Timestamp,
    /// The last time the settings were read again.
    pub last_reload: Mutex<Option<Reload>>,
    settings: RwLock<Arc<Config>>,
    boards: Mutex<BTreeMap<BoardName, Arc<Slot>>>,
    /// Asks authorities.
    client: Client,
    /// What they answered lately.
    remembered: Remembered,
    documents: Documents,
    /// Texts of all boards that were parsed lately.
    pub(crate) parsed: Arc<Parsed>,
    earlier: as_of::Earlier,
    seal_clock: SealClock,
    meters: Meters,
    turns: Turns,
    /// Read while a source gets its bytes and its entry, written while bytes that no board keeps go.
    keeping: tokio::sync::RwLock<()>,
    /// Held while what is left of deleted boards is removed.
    removing: tokio::sync::Mutex<()>,
    backups: Arc<tokio::sync::Semaphore>,
    stopping: watch::Sender<bool>,
}

impl App {
    /// Starts on a store.
    pub fn start(
        store: Arc<dyn Store>,
        embedder: Option<Embedder>,
        certificates: Option<Certificates>,
        config: Config,
    ) -> Result<Arc<Self>, AppError> {
        let metrics = Metrics::new().map_err(|error| AppError::Internal(error.to_string()))?;
        let metrics = Arc::new(metrics);
        let observed = metrics.clone();
        let observer = Box::new(move |commit: &_| observed.committed(commit));
        let ledger = Ledger::start_observed(store, observer)?;
        let identity = Identity::load(ledger.store())?;
        Ok(Arc::new(Self {
            ledger,
            embedder,
            identity,
            boards: Mutex::default(),
            client: Client::new(config.authorities.clone()),
            remembered: Remembered::default(),
            earlier: as_of::Earlier::default(),
            documents: Documents::new(config.limits.document_cache_bytes),
            parsed: judge::parsed(),
            seal_clock: SealClock::default(),
            meters: Meters::default(),
            turns: Turns::default(),
            keeping: tokio::sync::RwLock::default(),
            removing: tokio::sync::Mutex::default(),
            backups: Arc::new(tokio::sync::Semaphore::new(backup::BACKUPS)),
            stopping: watch::Sender::new(false),
            places: Arc::default(),
            metrics,
            certificates,
            started: now(),
            last_reload: Mutex::default(),
            settings: RwLock::new(Arc::new(config)),
        }))
    }

    /// What the server works with at the moment.
    pub fn settings(&self) -> Arc<Config> {
        self.settings.read().clone()
    }

    /// What is too much at the moment.
    pub fn limits(&self) -> Limits {
        self.settings.read().limits
    }

    /// Works with other settings from now on.
    pub(crate) fn change_settings(&self, config: Config) {
        *self.settings.write() = Arc::new(config);
    }

    /// Notices when the server begins to stop; streams end then.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Tells every stream to end. What is being answered is still answered.
    pub fn begin_stop(&self) {
        self.stopping.send_replace(true);
    }
}

/// Reads the server's clock.
pub fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Fresh bytes from the system's random source.
pub fn random<const N: usize>() -> Result<[u8; N], AppError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| AppError::Internal(format!("no random bytes: {error}")))?;
    Ok(bytes)
}

/// Joins bytes with a fresh salt, to be committed to.
pub fn words(bytes: Vec<u8>) -> Result<Words, AppError> {
    Ok(Words::new(random()?, bytes))
}

/// Joins a message with a fresh salt, to be committed to.
pub fn message_words(message: &impl Message) -> Result<Words, AppError> {
    words(message.encode_to_vec())
}
