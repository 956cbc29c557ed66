//! Who gets in: whoever there is room for, with a good token. All of it is decided by the head of a
//! request, before a byte of its body is read.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use pawl_ledger::decide::{Denied, Reason};

use super::{METRICS, is_open, methods, refuse, taken};
use crate::{
    app::{App, What, error::AppError, identity::require_server_operator},
    auth::Caller,
    config::MetricsReaders,
};

/// The address a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

/// Sheds load, and takes in nothing new once the server is stopping.
pub(super) async fn admit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if *app.stopping().borrow() && !is_open(request.uri().path()) {
        let message = "the server is stopping; try again once it is back";
        let told = Denied::new(Reason::ShuttingDown, message);
        return refuse(request.headers(), &told);
    }
    match app.places.take(What::Call, &app.limits()) {
        Ok(_place) => next.run(request).await,
        Err(told) => refuse(request.headers(), &told),
    }
}

/// Finds out who is calling and tells the door behind; keeps the caller to its share.
pub(super) async fn authenticate(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    if is_open(path) || (path == METRICS && may_read_metrics(&app, &request)) {
        return next.run(request).await;
    }
    let caller = match known(&app, &request) {
        Ok(caller) => caller,
        Err(error) => return refuse(request.headers(), &error.told()),
    };
    let limits = app.limits();
    let (_, kind) = methods::find(path);
    let take = |what| app.places.take_of(what, &caller.principal, &limits);
    let stream = if kind.answer_streams {
        take(What::Stream).map(Some)
    } else {
        Ok(None)
    };
    let places = stream.and_then(|stream| Ok((take(What::Call)?, stream)));
    let (call, stream) = match places {
        Ok(places) => places,
        Err(told) => return refuse(request.headers(), &told),
    };
    request.extensions_mut().insert(caller);
    let response = next.run(request).await;
    // A stream is a call until it begins, and has a place of its own until it ends.
    taken::hold(stream.unwrap_or(call), response)
}

fn known(app: &App, request: &Request) -> Result<Caller, AppError> {
    let header = request.headers().get(axum::http::header::AUTHORIZATION);
    let caller = app
        .identity
        .authenticate(header.and_then(|header| header.to_str().ok()))?;
    if request.uri().path() == METRICS {
        require_server_operator(&caller)?;
    }
    Ok(caller)
}

/// Whether whoever asks may read the figures without a token.
fn may_read_metrics(app: &App, request: &Request) -> bool {
    match app.settings().metrics {
        MetricsReaders::Operators => false,
        MetricsReaders::Loopback => {
            let peer = request.extensions().get::<Peer>();
            peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback())
        }
        MetricsReaders::Everybody => true,
    }
}
