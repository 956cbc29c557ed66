//! Requests that may be sent again: the same one gets the same answer, and nothing happens twice.

use pawl_ledger::{
    decide::{Denied, Reason},
    digest::Digest,
    ledger::{RequestKey, Transaction},
};
use prost::Message;

use crate::{
    app::{error::AppError, text},
    auth::Caller,
};

/// The longest request id, in bytes.
const MAX_REQUEST_ID_BYTES: usize = 128;

/// A request with an id: unique to its caller and board, kept for seven days.
pub struct Repeat {
    key: RequestKey,
    request: Digest,
}

impl Repeat {
    /// Reads the id of a request; none where it has none. The digest is taken over the method and
    /// the whole request, so that an id stands for one request only.
    pub fn new(
        caller: &Caller,
        method: &str,
        id: &str,
        request: &impl Message,
    ) -> Result<Option<Self>, AppError> {
        if id.is_empty() {
            return Ok(None);
        }
        let id = text::accept_some("request_id", id, MAX_REQUEST_ID_BYTES)?.text;
        let body = request.encode_to_vec();
        let key = RequestKey {
            principal: caller.principal.clone(),
            id,
        };
        let request = Digest::of(&[method.as_bytes(), &[0], &body].concat());
        Ok(Some(Self { key, request }))
    }

    /// Finds the answer that was given before.
    pub(super) fn answered<A: Message + Default>(
        &self,
        transaction: &Transaction<'_>,
    ) -> Result<Option<A>, AppError> {
        let Some(remembered) = transaction.remembered(&self.key)? else {
            return Ok(None);
        };
        if remembered.request != self.request {
            return Err(Denied::new(
                Reason::RequestIdReused,
                format!(
                    "request id `{}` was used for another request; use a new id for each request",
                    self.key.id
                ),
            )
            .with("request_id", &self.key.id)
            .into());
        }
        A::decode(remembered.answer.as_slice())
            .map(Some)
            .map_err(|error| AppError::Internal(format!("a kept answer cannot be read: {error}")))
    }

    /// Keeps an answer in the commit of what it tells of.
    pub(super) fn remember(self, transaction: &mut Transaction<'_>, answer: &impl Message) {
        transaction.remember(self.key, self.request, answer.encode_to_vec());
    }
}
