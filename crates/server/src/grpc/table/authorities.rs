//! Authorities on the wire.

use pawl_ledger::{
    id::{BoardName, ModuleName},
    log::wire::WireEnum,
    status::WhenUnavailable,
};
use pawl_proto::v1 as proto;
use tonic::{Request, Response};

use super::super::{live, names::full, parse};
use super::{Answer, Tables};
use crate::app::{
    authorities::{Declaration, Spec},
    error::{AppError, missing},
    text,
};

/// The longest subject or attribute of a look-up, in bytes: 512 characters of any script.
const MAX_NAME_BYTES: usize = 2_048;

pub(super) async fn declare(
    service: &Tables,
    request: Request<proto::DeclareAuthorityRequest>,
) -> Answer<proto::Authority> {
    let (caller, asked) = parse::open(request)?;
    let live = live(&service.0, &caller, &asked.board).await?;
    if asked.attributes.is_empty() {
        return Err(missing("attributes", "at least one declared attribute").into());
    }
    let when_unavailable = match asked.when_unavailable {
        0 => WhenUnavailable::Note,
        number => parse::word("when_unavailable", number)?,
    };
    let authority = name(&live.name, &asked.authority)?;
    let declaration = Declaration {
        authority: authority.clone(),
        attributes: parse::ids("attributes", &asked.attributes)?,
        when_unavailable,
        words: proto::AuthorityWords {
            url: asked.url,
            description: asked.description,
        },
    };
    let app = &service.0;
    app.declare_authority(&live, &caller, declaration).await?;
    let all = app.authorities(&live, &caller).await?;
    let spec = all
        .get(&authority)
        .ok_or_else(|| AppError::Internal(format!("authority `{authority}` was not declared")))?;
    Ok(Response::new(to_wire(&live.name, &authority, spec)))
}

pub(super) async fn remove(
    service: &Tables,
    request: Request<proto::RemoveAuthorityRequest>,
) -> Answer<proto::RemoveAuthorityResponse> {
    let (caller, asked) = parse::open(request)?;
    let live = live(&service.0, &caller, &asked.board).await?;
    let declaration = Declaration {
        authority: name(&live.name, &asked.authority)?,
        attributes: Vec::new(),
        when_unavailable: WhenUnavailable::Note,
        words: proto::AuthorityWords::default(),
    };
    service
        .0
        .declare_authority(&live, &caller, declaration)
        .await?;
    Ok(Response::new(proto::RemoveAuthorityResponse {}))
}

pub(super) async fn list(
    service: &Tables,
    request: Request<proto::ListAuthoritiesRequest>,
) -> Answer<proto::ListAuthoritiesResponse> {
    let (caller, asked) = parse::open(request)?;
    let live = live(&service.0, &caller, &asked.board).await?;
    let all = service.0.authorities(&live, &caller).await?;
    let all = all.iter();
    Ok(Response::new(proto::ListAuthoritiesResponse {
        authorities: all
            .map(|(name, spec)| to_wire(&live.name, name, spec))
            .collect(),
    }))
}

pub(super) async fn look_up(
    service: &Tables,
    request: Request<proto::LookUpRequest>,
) -> Answer<proto::LookUpResponse> {
    let (caller, asked) = parse::open(request)?;
    let live = live(&service.0, &caller, &asked.board).await?;
    let subject = text::accept_some("subject", &asked.subject, MAX_NAME_BYTES)?.text;
    let attribute = text::accept_some("attribute", &asked.attribute, MAX_NAME_BYTES)?.text;
    let found = service
        .0
        .look_up(&live, &caller, (subject, attribute))
        .await?;
    Ok(Response::new(proto::LookUpResponse {
        found: found.given,
        unavailable: found.unavailable,
    }))
}

/// Reads the name of an authority, bare or in full.
fn name(board: &BoardName, text: &str) -> Result<ModuleName, AppError> {
    parse::id("authority", parse::on_board(board, "authorities", text)?)
}

fn to_wire(board: &BoardName, name: &ModuleName, spec: &Spec) -> proto::Authority {
    proto::Authority {
        name: full(board, "authorities", name),
        url: spec.url.clone(),
        attributes: spec.attributes.iter().map(ToString::to_string).collect(),
        when_unavailable: spec.when_unavailable.to_wire(),
        description: spec.description.clone(),
    }
}
