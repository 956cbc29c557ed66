//! The stored form of principals and tokens (protobuf, so that later versions can add fields).

use pawl_ledger::{
    digest::Digest,
    id::{PrincipalName, Timestamp},
    store::StoreError,
};
use prost::Message;

/// Somebody who acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// Its name.
    pub name: PrincipalName,
    /// For people.
    pub description: String,
    /// May create boards, principals and tokens, and give roles on every board.
    pub server_operator: bool,
    /// When it was made.
    pub created: Timestamp,
}

/// A credential; its secret is known to its holder alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its id, which is no secret.
    pub id: String,
    /// Whose it is.
    pub principal: PrincipalName,
    /// The digest of its secret.
    pub digest: Digest,
    /// When it was issued.
    pub created: Timestamp,
    /// When it ends; none for never.
    pub expires: Option<Timestamp>,
    /// When it was revoked.
    pub revoked: Option<Timestamp>,
}

impl Token {
    /// Says whether it lets its holder in.
    pub fn is_good(&self, now: Timestamp) -> bool {
        self.revoked.is_none() && !self.has_expired(now)
    }

    /// Says whether its time is over.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

#[derive(Clone, PartialEq, Message)]
struct StoredPrincipal {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    description: String,
    #[prost(bool, tag = "3")]
    server_operator: bool,
    #[prost(uint64, tag = "4")]
    created_ms: u64,
}

#[derive(Clone, PartialEq, Message)]
struct StoredToken {
    #[prost(string, tag = "1")]
    id: String,
    #[prost(string, tag = "2")]
    principal: String,
    #[prost(bytes = "vec", tag = "3")]
    digest: Vec<u8>,
    #[prost(uint64, tag = "4")]
    created_ms: u64,
    #[prost(uint64, optional, tag = "5")]
    expires_ms: Option<u64>,
    #[prost(uint64, optional, tag = "6")]
    revoked_ms: Option<u64>,
}

pub(super) fn write_principal(principal: &Principal) -> Vec<u8> {
    let stored = StoredPrincipal {
        name: principal.name.to_string(),
        description: principal.description.clone(),
        server_operator: principal.server_operator,
        created_ms: principal.created.0,
    };
    stored.encode_to_vec()
}

pub(super) fn read_principal(bytes: &[u8]) -> Result<Principal, StoreError> {
    let read = || {
        let stored = StoredPrincipal::decode(bytes).ok()?;
        Some(Principal {
            name: stored.name.parse().ok()?,
            description: stored.description,
            server_operator: stored.server_operator,
            created: Timestamp(stored.created_ms),
        })
    };
    read().ok_or_else(|| StoreError::Damaged("the record of a principal".into()))
}

pub(super) fn write_token(token: &Token) -> Vec<u8> {
    let stored = StoredToken {
        id: token.id.clone(),
        principal: token.principal.to_string(),
        digest: token.digest.0.to_vec(),
        created_ms: token.created.0,
        expires_ms: token.expires.map(|at| at.0),
        revoked_ms: token.revoked.map(|at| at.0),
    };
    stored.encode_to_vec()
}

pub(super) fn read_token(bytes: &[u8]) -> Result<Token, StoreError> {
    let read = || {
        let stored = StoredToken::decode(bytes).ok()?;
        Some(Token {
            id: stored.id,
            principal: stored.principal.parse().ok()?,
            digest: Digest::from_slice(&stored.digest)?,
            created: Timestamp(stored.created_ms),
            expires: stored.expires_ms.map(Timestamp),
            revoked: stored.revoked_ms.map(Timestamp),
        })
    };
    read().ok_or_else(|| StoreError::Damaged("the record of a token".into()))
}
