//! Clients that misbehave on the wire: they take nothing of what they are sent, or send a byte a second.

use std::{net::SocketAddr, time::Duration};

use h2::{RecvStream, SendStream, client::SendRequest};
use prost::{
    Message,
    bytes::{BufMut, Bytes, BytesMut},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::watch,
    time::{Instant, sleep, timeout},
};
use tonic::{Status, codegen::http::Request};

/// What a connection of HTTP/2 begins with (RFC 9113, section 3.4).
pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// What is left of it, empty settings, and the beginning of a frame of headers that is 1,000 bytes long.
const HEADERS_BEGUN: &[u8] = b"\0\0\0\x04\0\0\0\0\0\0\x03\xe8\x01\x04\0\0\0\x01";

/// The pause between two bytes of a slow client.
const PAUSE: Duration = Duration::from_secs(1);

/// A client over HTTP/2 that answers pings, and takes of each answer the head and what fits into the windows it opened
/// with.
pub(crate) struct Unreading {
    address: SocketAddr,
    token: String,
    requests: SendRequest<Bytes>,
    answers: Vec<RecvStream>,
    silent: watch::Sender<bool>,
}

impl Unreading {
    pub(crate) async fn connect(address: SocketAddr, token: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let (requests, mut connection) = h2::client::handshake(stream).await.unwrap();
        let (silent, mut told) = watch::channel(false);
        tokio::spawn(async move {
            tokio::select! {
                _ = &mut connection => return,
                told = told.wait_for(|silent| *silent) => if told.is_err() { return },
            }
            // Open, and nobody reads what comes.
            let _ = told.wait_for(|silent| !*silent).await;
        });
        Self {
            address,
            token: token.to_owned(),
            requests,
            answers: Vec::new(),
            silent,
        }
    }

    /// Calls a method and leaves its answer where it is; gives why it was refused.
    pub(crate) async fn call(&mut self, path: &str, message: &impl Message) -> Result<(), Status> {
        let (answer, mut body) = self.begin(path).await;
        body.send_data(framed(message), true).unwrap();
        let answer = answer.await.unwrap();
        if let Some(status) = Status::from_header_map(answer.headers()) {
            return Err(status);
        }
        self.answers.push(answer.into_body());
        Ok(())
    }

    /// Calls a method with a message a byte a second; gives what that is answered.
    pub(crate) async fn call_slowly(&self, path: &str, message: &impl Message) -> Status {
        let (answer, mut body) = self.begin(path).await;
        let slowly = async {
            for byte in framed(message) {
                if body.send_data(vec![byte].into(), false).is_err() {
                    break;
                }
                sleep(PAUSE).await;
            }
            std::future::pending::<()>().await;
        };
        let answer = tokio::select! {
            answer = answer => answer.unwrap(),
            () = slowly => unreachable!("it does not end"),
        };
        Status::from_header_map(answer.headers()).expect("it was not answered but refused")
    }

    /// Reads nothing any longer, not even pings, and leaves the connection open.
    pub(crate) fn fall_silent(&self) {
        self.silent.send_replace(true);
    }

    async fn begin(&self, path: &str) -> (h2::client::ResponseFuture, SendStream<Bytes>) {
        let request = Request::post(format!("http://{}{path}", self.address))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("authorization", format!("Bearer {}", self.token))
            .body(())
            .unwrap();
        let mut requests = self.requests.clone().ready().await.unwrap();
        requests.send_request(request, false).unwrap()
    }
}

/// A message as gRPC frames it.
fn framed(message: &impl Message) -> Bytes {
    let mut framed = BytesMut::new();
    framed.put_u8(0);
    framed.put_u32(u32::try_from(message.encoded_len()).unwrap());
    message.encode(&mut framed).unwrap();
    framed.freeze()
}

/// What a client sends a byte a second on a connection of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slow {
    /// Nothing at all.
    Nothing,
    /// What a connection of HTTP/2 begins with.
    Preface,
    /// The head of a request of HTTP/1.
    Head,
    /// The headers of a request of HTTP/2.
    Headers,
}

impl Slow {
    fn bytes(self) -> (Vec<u8>, Vec<u8>) {
        match self {
            Self::Nothing => (Vec::new(), Vec::new()),
            Self::Preface => (Vec::new(), PREFACE.to_vec()),
            Self::Head => (Vec::new(), b"GET /healthz HTTP/1.1\r\nhost: ".repeat(9)),
            Self::Headers => ([PREFACE, HEADERS_BEGUN].concat(), vec![0; 1_000]),
        }
    }
}

/// Sends a byte a second; gives how long the server bears it, none where longer than `most`.
pub(crate) async fn trickle(address: SocketAddr, what: Slow, most: Duration) -> Option<Duration> {
    let begun = Instant::now();
    let (at_once, slowly) = what.bytes();
    let (mut reading, mut writing) = TcpStream::connect(address).await.unwrap().into_split();
    let write = async {
        writing.write_all(&at_once).await?;
        for byte in slowly {
            writing.write_all(&[byte]).await?;
            sleep(PAUSE).await;
        }
        std::future::pending::<std::io::Result<()>>().await
    };
    let read = async {
        let mut taken = [0; 1_024];
        while reading.read(&mut taken).await.is_ok_and(|it| it > 0) {}
    };
    let ended = async {
        tokio::select! {
            _ = write => {}
            () = read => {}
        }
    };
    timeout(most, ended).await.ok().map(|()| begun.elapsed())
}
