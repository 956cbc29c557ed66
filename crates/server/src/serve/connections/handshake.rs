//! The TLS handshake: bounded in number and in time, with the certificate that is current.

use std::{io, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Semaphore,
    time::timeout,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use crate::app::App;

/// The most handshakes at once; more wait, and their time runs.
const MOST: usize = 256;
/// How long a handshake may take.
const TIME: Duration = Duration::from_secs(10);
/// How long a client that was refused gets to read why.
const LINGER: Duration = Duration::from_secs(1);
/// The first byte of a TLS handshake (RFC 8446, section 5.1). No method of HTTP begins with it.
const HANDSHAKE: u8 = 22;

/// The handshakes of a server.
pub(super) struct Handshakes(Semaphore);

impl Default for Handshakes {
    fn default() -> Self {
        Self(Semaphore::new(MOST))
    }
}

/// What a client opened.
pub(super) enum Opened {
    /// A connection with TLS.
    Tls(Box<TlsStream<TcpStream>>),
    /// A connection without, which is not served.
    PlainText(TcpStream),
}

/// Lets the other end read why it was refused: to close at once, with what it sent unread, would
/// take the alert back.
async fn linger(mut stream: TcpStream) {
    let mut unread = [0; 1_024];
    let read = async {
        stream.shutdown().await?;
        while stream.read(&mut unread).await? > 0 {}
        Ok::<_, io::Error>(())
    };
    let _ = timeout(LINGER, read).await;
}

impl Handshakes {
    /// Shakes hands with a client, or finds that it speaks plain text.
    pub(super) async fn shake(&self, stream: TcpStream, app: &App) -> io::Result<Opened> {
        let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the handshake took too long");
        timeout(TIME, self.opened(stream, app))
            .await
            .map_err(late)?
    }

    async fn opened(&self, stream: TcpStream, app: &App) -> io::Result<Opened> {
        let mut first = [0];
        if stream.peek(&mut first).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let Some(certificates) = app.certificates.as_ref().filter(|_| first == [HANDSHAKE]) else {
            return Ok(Opened::PlainText(stream));
        };
        let _place = self.0.acquire().await.map_err(io::Error::other)?;
        let acceptor = TlsAcceptor::from(certificates.current().server.clone());
        match acceptor.accept(stream).into_fallible().await {
            Ok(stream) => Ok(Opened::Tls(Box::new(stream))),
            Err((error, stream)) => {
                linger(stream).await;
                Err(error)
            }
        }
    }
}
