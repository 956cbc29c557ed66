//! Who is calling, and the form of the secret that says so.

use std::fmt;

use pawl_ledger::{command::Context, digest::Digest, id::PrincipalName};

use crate::app::{error::AppError, now, random};

/// What every secret starts with, so that people and scanners recognise one.
const PREFIX: &str = "pawl_";

/// Who is calling, known from a token. Every call but health and reflection has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who.
    pub principal: PrincipalName,
    /// May create boards, principals and tokens, and give roles on every board.
    pub server_operator: bool,
    /// The digest of the secret the caller came with, so that a long answer can ask again whether
    /// the token is still good.
    pub token: Digest,
}

impl Caller {
    /// Who asks, and that it is now.
    pub fn context(&self) -> Context {
        Context {
            principal: self.principal.clone(),
            server_operator: self.server_operator,
            now: now(),
        }
    }
}

/// What a client sends as `authorization: Bearer …`: `pawl_` and 32 random bytes in hexadecimal.
/// Shown once, kept nowhere; the server knows its digest.
pub struct Secret(String);

impl Secret {
    /// Makes a new one.
    pub fn generate() -> Result<Self, AppError> {
        Ok(Self(format!("{PREFIX}{}", Digest(random()?))))
    }

    /// The text to send.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is kept of it. The secret has 256 random bits, so a plain digest cannot be guessed back,
    /// and a lookup by digest tells by its time nothing about a secret.
    pub fn digest(&self) -> Digest {
        digest(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// The digest of a text that was sent as a secret.
pub fn digest(text: &str) -> Digest {
    let mut hasher = blake3::Hasher::new_derive_key("pawl token secret v1");
    hasher.update(text.as_bytes());
    Digest(*hasher.finalize().as_bytes())
}

/// Takes the secret out of an `authorization` header.
pub fn bearer(header: &str) -> Option<&str> {
    let (scheme, secret) = header.trim().split_once(' ')?;
    let secret = secret.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !secret.is_empty()).then_some(secret)
}
