//! Principals and their tokens: kept in the store, held in memory, changed one at a time.

mod records;
mod tokens;

use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
};

use parking_lot::RwLock;
use pawl_ledger::{
    decide::{Denied, Reason},
    digest::Digest,
    id::{PrincipalName, Timestamp},
    ledger::Ledger,
    store::{Batch, Store, StoreError, keys},
};
use tokio::sync::watch;

use super::{error::AppError, now, text};
use crate::auth::{self, Caller};

pub use records::{Principal, Token};

/// The most principals of a server.
const MAX_PRINCIPALS: usize = 10_000;
/// The longest description of a principal, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 1_024;

/// The name under which the server itself acts, which no principal gets.
pub const SERVER_NAME: &str = "pawl";

/// Who may call.
pub struct Identity {
    known: RwLock<Known>,
    /// Held over check and write, so that two changes do not both pass the check.
    changing: tokio::sync::Mutex<()>,
    /// Told of each revocation.
    revoked: watch::Sender<()>,
}

#[derive(Default)]
struct Known {
    principals: BTreeMap<PrincipalName, Principal>,
    /// By the digest of the secret.
    tokens: HashMap<Digest, Token>,
}

impl Identity {
    /// Reads what the store holds.
    pub fn load(store: &dyn Store) -> Result<Self, StoreError> {
        let mut known = Known::default();
        for principal in read_all(store, keys::principals(), records::read_principal)? {
            known.principals.insert(principal.name.clone(), principal);
        }
        for token in read_all(store, keys::tokens(), records::read_token)? {
            known.tokens.insert(token.digest, token);
        }
        Ok(Self {
            known: RwLock::new(known),
            changing: tokio::sync::Mutex::new(()),
            revoked: watch::Sender::new(()),
        })
    }

    /// Finds out who is calling from what came as `authorization` header.
    pub fn authenticate(&self, header: Option<&str>) -> Result<Caller, AppError> {
        let secret = header.and_then(auth::bearer).ok_or_else(|| {
            Denied::new(
                Reason::TokenMissing,
                "the call has no token; send `authorization: Bearer pawl_…`; the first operator's \
                 is in `operator.token` in the server's data directory",
            )
        })?;
        let known = self.known.read();
        let token = known
            .tokens
            .get(&auth::digest(secret))
            .ok_or_else(unknown_token)?;
        usable(token, now())?;
        let principal = known
            .principals
            .get(&token.principal)
            .ok_or_else(|| unknown_principal(&token.principal))?;
        Ok(Caller {
            principal: principal.name.clone(),
            server_operator: principal.server_operator,
            token: token.digest,
        })
    }

    /// Refuses a caller whose token was good when the call began and is so no longer.
    ///
    /// For answers that last: a stream asks before each message, whatever it waited for.
    pub fn still_good(&self, caller: &Caller) -> Result<(), Denied> {
        let known = self.known.read();
        let token = known.tokens.get(&caller.token).ok_or_else(unknown_token)?;
        usable(token, now())
    }

    /// Notices each revocation of a token, whosever it is, so that a waiting stream asks at once.
    pub fn revocations(&self) -> watch::Receiver<()> {
        self.revoked.subscribe()
    }

    /// Makes a principal. Server operators only.
    pub async fn create_principal(
        &self,
        ledger: &Ledger,
        caller: &Caller,
        name: PrincipalName,
        description: &str,
        server_operator: bool,
    ) -> Result<Principal, AppError> {
        require_server_operator(caller)?;
        let description = text::accept("description", description, MAX_DESCRIPTION_BYTES)?.text;
        let _changing = self.changing.lock().await;
        self.check_new(&name)?;
        let principal = Principal {
            name,
            description,
            server_operator,
            created: now(),
        };
        self.keep_principal(ledger, principal).await
    }

    /// The principals by name. Server operators only.
    pub fn principals(&self, caller: &Caller) -> Result<Vec<Principal>, AppError> {
        require_server_operator(caller)?;
        Ok(self.known.read().principals.values().cloned().collect())
    }

    /// What is known of a principal.
    pub fn principal(&self, name: &PrincipalName) -> Result<Principal, AppError> {
        let known = self.known.read();
        let principal = known.principals.get(name).cloned();
        Ok(principal.ok_or_else(|| unknown_principal(name))?)
    }

    fn check_new(&self, name: &PrincipalName) -> Result<(), Denied> {
        let known = self.known.read();
        if known.principals.contains_key(name) || name.as_str() == SERVER_NAME {
            return Err(Denied::new(
                Reason::AlreadyExists,
                format!("there is a principal `{name}` already; choose another name"),
            )
            .with("principal", name));
        }
        if known.principals.len() >= MAX_PRINCIPALS {
            return Err(Denied::new(
                Reason::BoardLimit,
                format!("a server has at most {MAX_PRINCIPALS} principals"),
            )
            .with("limit", MAX_PRINCIPALS));
        }
        Ok(())
    }

    async fn keep_principal(
        &self,
        ledger: &Ledger,
        principal: Principal,
    ) -> Result<Principal, AppError> {
        let mut batch = Batch::default();
        let key = keys::principal(&principal.name);
        batch.put(key, records::write_principal(&principal));
        ledger.write(batch).await?;
        let mut known = self.known.write();
        known
            .principals
            .insert(principal.name.clone(), principal.clone());
        Ok(principal)
    }
}

/// Refuses everybody but server operators.
pub fn require_server_operator(caller: &Caller) -> Result<(), Denied> {
    if caller.server_operator {
        return Ok(());
    }
    Err(Denied::new(
        Reason::RoleMissing,
        format!(
            "`{}` is no server operator; ask one to do this",
            caller.principal
        ),
    )
    .with("principal", &caller.principal)
    .with("role", "server operator"))
}

fn usable(token: &Token, now: Timestamp) -> Result<(), Denied> {
    let refused = |reason, what| {
        let message = format!(
            "token `{}` {what}; ask a server operator for a new one",
            token.id
        );
        Err(Denied::new(reason, message).with("token", &token.id))
    };
    if token.revoked.is_some() {
        return refused(Reason::TokenRevoked, "was revoked");
    }
    if token.has_expired(now) {
        return refused(Reason::TokenExpired, "has expired");
    }
    Ok(())
}

fn unknown_token() -> Denied {
    Denied::new(
        Reason::TokenInvalid,
        "the server knows no such token; ask a server operator for one",
    )
}

fn unknown_principal(name: &PrincipalName) -> Denied {
    Denied::new(
        Reason::PrincipalUnknown,
        format!("the server has no principal `{name}`; have a server operator create it"),
    )
    .with("principal", name)
}

fn read_all<T>(
    store: &dyn Store,
    (from, to): (Vec<u8>, Vec<u8>),
    read: fn(&[u8]) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut all = Vec::new();
    let mut failure = None;
    store.scan(&from, &to, &mut |_, bytes| match read(bytes) {
        Ok(record) => {
            all.push(record);
            ControlFlow::Continue(())
        }
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    })?;
    failure.map_or(Ok(all), Err)
}
