//! Answers that count until their clients took them: what a client asks for and does not read waits in memory, so it has
//! no more of that than it may have calls or streams. An answer goes out in pieces, each once there is room for it in
//! the client's window, so that what was handed on before is little.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use http_body::{Frame, SizeHint};
use tonic::Status;

use crate::app::Place;

/// The most bytes of a piece: what HTTP/2 sends at once as shipped.
const PIECE_BYTES: usize = 16 << 10;

/// Lets an answer hold a place until it was taken. A refusal has nothing that could wait.
pub(super) fn hold(place: Place, response: Response) -> Response {
    if Status::from_header_map(response.headers()).is_some() {
        return response;
    }
    response.map(|inner| {
        Body::new(Taken {
            inner,
            rest: Bytes::new(),
            _place: place,
        })
    })
}

struct Taken {
    inner: Body,
    /// What of a frame is still to go.
    rest: Bytes,
    _place: Place,
}

impl Taken {
    fn piece(&mut self) -> Frame<Bytes> {
        let size = self.rest.len().min(PIECE_BYTES);
        Frame::data(self.rest.split_to(size))
    }
}

impl http_body::Body for Taken {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.piece())));
        }
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        let Poll::Ready(Some(Ok(frame))) = polled else {
            return polled;
        };
        let whole = match frame.into_data() {
            Ok(data) => data,
            Err(other) => return Poll::Ready(Some(Ok(other))),
        };
        self.rest = whole;
        Poll::Ready(Some(Ok(self.piece())))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let mut hint = self.inner.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(hint.lower().saturating_add(rest));
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, sync::Arc, task::Waker};

    use http_body::Body as _;

    use super::*;
    use crate::{
        app::{Places, What},
        config::Limits,
    };

    #[test]
    fn an_answer_goes_out_whole_in_pieces_and_then_gives_its_place_back() {
        let (places, limits) = (Arc::new(Places::default()), Limits::default());
        let bytes: Vec<u8> = (0..251).cycle().take(PIECE_BYTES * 5 / 2).collect();
        let place = places.take(What::Call, &limits).unwrap();
        let mut body = hold(place, Response::new(Body::from(bytes.clone()))).into_body();
        let mut context = Context::from_waker(Waker::noop());
        let mut sent = Vec::new();
        for left in [5, 3, 1].map(|halves| PIECE_BYTES * halves / 2) {
            assert_eq!(body.size_hint().exact(), Some(left as u64));
            let Poll::Ready(Some(Ok(frame))) = pin!(&mut body).poll_frame(&mut context) else {
                panic!("no frame with {left} bytes left");
            };
            sent.extend(frame.into_data().unwrap());
        }
        assert_eq!(sent, bytes);
        assert!(body.is_end_stream());
        assert_eq!(places.used(What::Call), 1);
        drop(body);
        assert_eq!(places.used(What::Call), 0);
    }
}
