//! The first bytes of a connection, by which it is told whether it speaks HTTP/1 or HTTP/2. They have to come in time:
//! what follows them has limits of its own, and until then nothing else bounds how long a connection may stand still.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// What a connection of HTTP/2 begins with (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection that fails to be read if it is not clear in time what it speaks.
pub(super) struct Opening<S> {
    inner: S,
    /// How much of the preface has come.
    seen: usize,
    /// None once it is clear.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S> Opening<S> {
    pub(super) fn new(inner: S, most: Duration) -> Self {
        Self {
            inner,
            seen: 0,
            end: Some(Box::pin(sleep(most))),
        }
    }

    /// It is clear with the first byte that differs, or with the whole of it.
    fn came(&mut self, bytes: &[u8]) {
        let left = PREFACE.get(self.seen..).unwrap_or_default();
        self.seen += bytes.len();
        if !left.starts_with(bytes) || left.len() == bytes.len() {
            self.end = None;
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Opening<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, into);
        let Some(end) = &mut self.end else {
            return polled;
        };
        if polled.is_pending() {
            ready!(end.as_mut().poll(context));
            let late = "the first bytes did not come in time";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, late)));
        }
        self.came(into.filled().get(before..).unwrap_or_default());
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Opening<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const TIME: Duration = Duration::from_millis(50);

    /// Sends these bytes and then nothing for longer than there is time; says whether reading failed by then.
    async fn is_late(sent: &[u8]) -> bool {
        let (mut client, server) = duplex(64);
        let mut opening = Opening::new(server, TIME);
        client.write_all(sent).await.unwrap();
        let mut read = Vec::new();
        let all = tokio::time::timeout(TIME * 4, opening.read_to_end(&mut read));
        let ended = all.await.is_ok_and(|read| {
            let kind = read.unwrap_err().kind();
            assert_eq!(kind, io::ErrorKind::TimedOut);
            true
        });
        assert_eq!(read, sent);
        ended
    }

    #[tokio::test]
    async fn what_is_spoken_has_to_be_clear_in_time() {
        assert!(is_late(b"").await);
        assert!(is_late(b"PRI").await);
        assert!(is_late(&PREFACE[..PREFACE.len() - 1]).await);
        assert!(!is_late(PREFACE).await);
        assert!(!is_late(b"GET").await);
        assert!(!is_late(b"PRIVATE").await);
        assert!(!is_late(&[PREFACE, b"more"].concat()).await);
    }
}
