//! Issuing, listing and revoking tokens, and the first one of a server.

use std::time::Duration;

use pawl_ledger::{
    decide::{Denied, Reason},
    id::{PrincipalName, Timestamp},
    ledger::Ledger,
    store::{Batch, keys},
};

use super::{Identity, Principal, Token, records, require_server_operator};
use crate::{
    app::{error::AppError, now, random},
    auth::{Caller, Secret},
};

/// How long a token is good unless its issuer says otherwise.
const DEFAULT_LIFETIME: Duration = Duration::from_hours(24 * 90);
/// The longest a token may be good.
const MAX_LIFETIME: Duration = Duration::from_hours(24 * 366 * 10);
/// The most tokens of a server, revoked and expired ones included.
const MAX_TOKENS: usize = 100_000;
/// The principal that the first start makes.
const FIRST_PRINCIPAL: &str = "operator";

impl Identity {
    /// Issues a token; what is returned beside it is the only copy of its secret. Server operators
    /// only.
    pub async fn issue(
        &self,
        ledger: &Ledger,
        caller: &Caller,
        principal: &PrincipalName,
        lifetime: Option<Duration>,
    ) -> Result<(Token, Secret), AppError> {
        require_server_operator(caller)?;
        let lifetime = lifetime.unwrap_or(DEFAULT_LIFETIME);
        if lifetime.is_zero() || lifetime > MAX_LIFETIME {
            return Err(Denied::new(
                Reason::FieldInvalid,
                format!(
                    "field `lifetime`: {} seconds; use 1 to {}",
                    lifetime.as_secs(),
                    MAX_LIFETIME.as_secs()
                ),
            )
            .with("field", "lifetime")
            .into());
        }
        let _changing = self.changing.lock().await;
        self.principal(principal)?;
        self.check_token_room()?;
        let lifetime_ms = u64::try_from(lifetime.as_millis()).unwrap_or(u64::MAX);
        let expires = Timestamp(now().0.saturating_add(lifetime_ms));
        let secret = Secret::generate()?;
        let token = new_token(principal, &secret, Some(expires))?;
        self.keep_token(ledger, token.clone()).await?;
        Ok((token, secret))
    }

    /// Ends a token; ending it again changes nothing. Server operators only.
    pub async fn revoke(
        &self,
        ledger: &Ledger,
        caller: &Caller,
        id: &str,
    ) -> Result<Token, AppError> {
        require_server_operator(caller)?;
        let _changing = self.changing.lock().await;
        let found = {
            let known = self.known.read();
            known.tokens.values().find(|token| token.id == id).cloned()
        };
        let mut token = found.ok_or_else(|| {
            let shown: String = id.chars().take(64).collect();
            Denied::new(
                Reason::TokenUnknown,
                format!("the server has no token `{shown}`; list the tokens"),
            )
            .with("token", shown)
        })?;
        if token.revoked.is_none() {
            token.revoked = Some(now());
            self.keep_token(ledger, token.clone()).await?;
            self.revoked.send_replace(());
        }
        Ok(token)
    }

    /// The tokens by time of issue, of one principal or all. Server operators only.
    pub fn tokens(
        &self,
        caller: &Caller,
        of: Option<&PrincipalName>,
    ) -> Result<Vec<Token>, AppError> {
        require_server_operator(caller)?;
        let known = self.known.read();
        let wanted = |token: &&Token| of.is_none_or(|of| token.principal == *of);
        let mut tokens: Vec<Token> = known.tokens.values().filter(wanted).cloned().collect();
        tokens.sort_by(|left, right| (left.created, &left.id).cmp(&(right.created, &right.id)));
        Ok(tokens)
    }

    /// Makes the token that lets the first operator in, if no server operator has a good one.
    ///
    /// `hand_over` puts the secret where its holder finds it, before the token becomes good: a
    /// crash in between leaves a useless file and not a server that nobody can enter. The token
    /// does not expire.
    pub async fn ensure_operator(
        &self,
        ledger: &Ledger,
        hand_over: impl AsyncFnOnce(&Secret) -> Result<(), AppError>,
    ) -> Result<bool, AppError> {
        let _changing = self.changing.lock().await;
        if self.has_operator(now()) {
            return Ok(false);
        }
        let name: PrincipalName = FIRST_PRINCIPAL
            .parse()
            .map_err(|_| AppError::Internal("the first principal has no valid name".into()))?;
        let secret = Secret::generate()?;
        hand_over(&secret).await?;
        let principal = Principal {
            name: name.clone(),
            description: "Made by the first start of the server".into(),
            server_operator: true,
            created: now(),
        };
        self.keep_principal(ledger, principal).await?;
        let token = new_token(&name, &secret, None)?;
        self.keep_token(ledger, token).await?;
        Ok(true)
    }

    fn has_operator(&self, now: Timestamp) -> bool {
        let known = self.known.read();
        let is_operator = |name: &PrincipalName| {
            known
                .principals
                .get(name)
                .is_some_and(|principal| principal.server_operator)
        };
        known
            .tokens
            .values()
            .any(|token| token.is_good(now) && is_operator(&token.principal))
    }

    fn check_token_room(&self) -> Result<(), Denied> {
        if self.known.read().tokens.len() < MAX_TOKENS {
            return Ok(());
        }
        Err(Denied::new(
            Reason::BoardLimit,
            format!("a server has at most {MAX_TOKENS} tokens"),
        )
        .with("limit", MAX_TOKENS))
    }

    async fn keep_token(&self, ledger: &Ledger, token: Token) -> Result<(), AppError> {
        let mut batch = Batch::default();
        batch.put(keys::token(&token.id), records::write_token(&token));
        ledger.write(batch).await?;
        self.known.write().tokens.insert(token.digest, token);
        Ok(())
    }
}

fn new_token(
    principal: &PrincipalName,
    secret: &Secret,
    expires: Option<Timestamp>,
) -> Result<Token, AppError> {
    let id: String = random::<8>()?
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(Token {
        id,
        principal: principal.clone(),
        digest: secret.digest(),
        created: now(),
        expires,
        revoked: None,
    })
}
