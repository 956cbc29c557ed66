//! Why something asked of the server was not done: a reason for programs, a text for people, and
//! for the log alone what went wrong inside.

use pawl_ledger::{
    committer::CommitError,
    decide::{Denied, Reason},
    evolve::EvolveError,
    id::IdError,
    ledger::{OpenError, TransactError},
    log::wire::WireError,
    store::StoreError,
};

use super::judge::LoadError;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The request, the caller or the state of the board does not allow it.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A write failed, or one that it follows.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// A board could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Nobody waits for the answer any more.
    #[error("the caller has gone")]
    Abandoned,
    /// A defect of this program.
    #[error("{0}")]
    Internal(String),
}

impl AppError {
    /// Makes a denial; see [`Denied::with`] for more than one offending value.
    pub fn denied(reason: Reason, message: impl Into<String>) -> Self {
        Self::Denied(Denied::new(reason, message))
    }

    /// What the caller is told. Nothing internal is in it.
    pub fn told(&self) -> Denied {
        match self {
            Self::Denied(denied) => denied.clone(),
            Self::Store(error) => store_told(error),
            Self::Commit(CommitError::Store(error)) => store_told(error),
            Self::Commit(error @ CommitError::Aborted) => {
                Denied::new(Reason::StoreFailed, error.to_string())
            }
            Self::Open(OpenError::Store(error)) => store_told(error),
            Self::Open(_) => Denied::new(
                Reason::StoreFailed,
                "the board cannot be opened; the server's log says why, and `pawl verify` where",
            ),
            Self::Abandoned => Denied::new(Reason::Deadline, self.to_string()),
            Self::Internal(_) => Denied::new(
                Reason::Internal,
                "the server met a defect of its own; its log says which",
            ),
        }
    }

    /// Says whether it is the server's doing, so that its operator should hear of it.
    pub fn is_internal(&self) -> bool {
        !matches!(self, Self::Denied(_) | Self::Abandoned)
    }
}

/// What is told of a failing store: neither its path nor what its engine says.
fn store_told(error: &StoreError) -> Denied {
    match error {
        StoreError::Full { .. } => Denied::new(
            Reason::StoreFull,
            "the server's disk is full and nothing was written; have space freed, then try again",
        ),
        _ => Denied::new(
            Reason::StoreFailed,
            "the store failed; read what stands, then try again; the server's log says why",
        ),
    }
}

impl From<TransactError> for AppError {
    fn from(error: TransactError) -> Self {
        match error {
            TransactError::Denied(denied) => denied.into(),
            TransactError::Commit(error) => error.into(),
            TransactError::Store(error) => error.into(),
            TransactError::Evolve(error) => error.into(),
        }
    }
}

impl From<LoadError> for AppError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Store(error) => error.into(),
            LoadError::Embedder(error) => {
                tracing::error!(%error, "the sentence model failed");
                Self::denied(
                    Reason::EmbedderFailed,
                    "the sentence model failed and nothing was written; try again, and have the \
                     server's log looked at",
                )
            }
            LoadError::Entry(error) => Self::Internal(error.to_string()),
        }
    }
}

impl From<EvolveError> for AppError {
    fn from(error: EvolveError) -> Self {
        Self::Internal(format!("a decision does not fit its board: {error}"))
    }
}

impl From<WireError> for AppError {
    fn from(error: WireError) -> Self {
        let denied = Denied::new(Reason::FieldInvalid, error.to_string());
        denied.with("field", error.field).into()
    }
}

/// Says that a field holds no valid id or name.
pub fn invalid_id(field: &'static str, error: &IdError) -> AppError {
    Denied::new(Reason::FieldInvalid, format!("field `{field}`: {error}"))
        .with("field", field)
        .with("value", &error.value)
        .into()
}

/// Says that a field that is needed is empty.
pub fn missing(field: &'static str, what: &str) -> AppError {
    Denied::new(
        Reason::FieldMissing,
        format!("field `{field}` is empty; give {what}"),
    )
    .with("field", field)
    .into()
}
