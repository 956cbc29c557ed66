//! `IdentityService`: principals and their tokens.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use pawl_ledger::{
    decide::{Denied, Reason},
    log::wire::WireEnum,
};
use pawl_proto::v1::{self as proto, identity_service_server::IdentityService};
use tonic::{Request, Response, Status};

use super::parse;
use crate::app::{App, error::AppError, identity};

/// The service.
pub(super) struct Identities(pub(super) Arc<App>);

#[tonic::async_trait]
impl IdentityService for Identities {
    async fn who_am_i(
        &self,
        request: Request<proto::WhoAmIRequest>,
    ) -> Result<Response<proto::WhoAmIResponse>, Status> {
        let caller = parse::caller(&request)?;
        let principal = self.0.identity.principal(&caller.principal)?;
        let mut roles = BTreeMap::new();
        for live in self.0.boards_of(&caller).await? {
            let held = self
                .0
                .read(&live, &caller, |board| {
                    let held = board.roles.get(&caller.principal);
                    Ok(held.cloned().unwrap_or_default())
                })
                .await?;
            let held = held.into_iter().map(WireEnum::to_wire).collect();
            roles.insert(live.name.to_string(), proto::Roles { roles: held });
        }
        Ok(Response::new(proto::WhoAmIResponse {
            principal: Some(principal_to_wire(&principal)),
            roles,
        }))
    }

    async fn create_principal(
        &self,
        request: Request<proto::CreatePrincipalRequest>,
    ) -> Result<Response<proto::Principal>, Status> {
        let (caller, asked) = parse::open(request)?;
        let name = parse::id("principal", &asked.principal)?;
        let principal = self
            .0
            .identity
            .create_principal(
                &self.0.ledger,
                &caller,
                name,
                &asked.description,
                asked.server_operator,
            )
            .await?;
        Ok(Response::new(principal_to_wire(&principal)))
    }

    async fn list_principals(
        &self,
        request: Request<proto::ListPrincipalsRequest>,
    ) -> Result<Response<proto::ListPrincipalsResponse>, Status> {
        let caller = parse::caller(&request)?;
        let principals = self.0.identity.principals(&caller)?;
        Ok(Response::new(proto::ListPrincipalsResponse {
            principals: principals.iter().map(principal_to_wire).collect(),
        }))
    }

    async fn issue_token(
        &self,
        request: Request<proto::IssueTokenRequest>,
    ) -> Result<Response<proto::IssueTokenResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let principal = parse::id("principal", &asked.principal)?;
        let lifetime = asked.lifetime.map(lifetime).transpose()?;
        let (token, secret) = self
            .0
            .identity
            .issue(&self.0.ledger, &caller, &principal, lifetime)
            .await?;
        Ok(Response::new(proto::IssueTokenResponse {
            token: Some(token_to_wire(&token)),
            secret: secret.expose().to_owned(),
        }))
    }

    async fn revoke_token(
        &self,
        request: Request<proto::RevokeTokenRequest>,
    ) -> Result<Response<proto::Token>, Status> {
        let (caller, asked) = parse::open(request)?;
        let token = self
            .0
            .identity
            .revoke(&self.0.ledger, &caller, &asked.token)
            .await?;
        Ok(Response::new(token_to_wire(&token)))
    }

    async fn list_tokens(
        &self,
        request: Request<proto::ListTokensRequest>,
    ) -> Result<Response<proto::ListTokensResponse>, Status> {
        let (caller, asked) = parse::open(request)?;
        let of = match asked.principal.as_str() {
            "" => None,
            name => Some(parse::id("principal", name)?),
        };
        let tokens = self.0.identity.tokens(&caller, of.as_ref())?;
        Ok(Response::new(proto::ListTokensResponse {
            tokens: tokens.iter().map(token_to_wire).collect(),
        }))
    }
}

fn lifetime(wire: prost_types::Duration) -> Result<Duration, AppError> {
    Duration::try_from(wire).map_err(|_| {
        Denied::new(
            Reason::FieldInvalid,
            "field `lifetime`: a token cannot end before it is issued; use a positive time",
        )
        .with("field", "lifetime")
        .into()
    })
}

fn principal_to_wire(principal: &identity::Principal) -> proto::Principal {
    proto::Principal {
        principal: principal.name.to_string(),
        description: principal.description.clone(),
        server_operator: principal.server_operator,
        create_time: Some(parse::time(principal.created)),
    }
}

fn token_to_wire(token: &identity::Token) -> proto::Token {
    proto::Token {
        token: token.id.clone(),
        principal: token.principal.to_string(),
        create_time: Some(parse::time(token.created)),
        expire_time: token.expires.map(parse::time),
        revoke_time: token.revoked.map(parse::time),
    }
}
