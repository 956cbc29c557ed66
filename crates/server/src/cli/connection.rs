//! The wire: a channel to the server that carries the caller's token and patience.

mod tls;

use std::time::Duration;

use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Channel, Endpoint},
};

pub(crate) use self::tls::{TlsFiles, explained};
use super::{
    credentials::CredentialsError,
    failure::{Failure, innermost},
};

/// The most bytes of one answer; a page of 1,000 full revisions stays under it.
pub(crate) const ANSWER_LIMIT_BYTES: usize = 64 << 20;

/// How long to try to connect, where the caller would wait longer for the answer.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A channel with a token.
pub(crate) type Wire = InterceptedService<Channel, Caller>;

/// Puts the caller's token and time limit on every call.
#[derive(Clone)]
pub(crate) struct Caller {
    authorization: MetadataValue<Ascii>,
    limit: Option<Duration>,
}

impl Caller {
    /// Takes a token, and how long to wait for an answer; no limit for streams.
    pub(crate) fn new(token: &str, limit: Option<Duration>) -> Result<Self, Failure> {
        let mut authorization: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_| CredentialsError::Unsendable)?;
        authorization.set_sensitive(true);
        Ok(Self {
            authorization,
            limit,
        })
    }
}

impl Interceptor for Caller {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request
            .metadata_mut()
            .insert("authorization", self.authorization.clone());
        if let Some(limit) = self.limit {
            request.set_timeout(limit);
        }
        Ok(request)
    }
}

/// Connects to a server, with TLS where its address says so.
pub(crate) async fn connect(
    server: &str,
    limit: Duration,
    files: &TlsFiles<'_>,
) -> Result<Channel, Failure> {
    let refuse = |cause: String| Failure::Address {
        server: server.to_owned(),
        cause,
    };
    let with_tls = server.starts_with("https://");
    if !with_tls && !server.starts_with("http://") {
        let cause = "an address begins with `http://` or `https://`";
        return Err(refuse(cause.to_owned()));
    }
    let endpoint = Endpoint::from_shared(server.to_owned())
        .map_err(|error| refuse(innermost(&error)))?
        .user_agent(concat!("pawl/", env!("CARGO_PKG_VERSION")))
        .map_err(|error| refuse(innermost(&error)))?
        .connect_timeout(limit.min(CONNECT_LIMIT));
    let endpoint = if with_tls {
        let settings = tls::settings(files)?;
        endpoint
            .tls_config(settings)
            .map_err(|error| tls::unusable(&innermost(&error)))?
    } else {
        endpoint
    };
    endpoint.connect().await.map_err(|error| {
        let (server, cause) = (server.to_owned(), innermost(&error));
        match tls::meaning(&cause) {
            Some(cause) => Failure::Tls { server, cause },
            None => Failure::Unreachable { server, cause },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_carries_token_and_patience() {
        let check = |limit: Option<Duration>, timeout: Option<&str>| {
            let mut caller = Caller::new("secret", limit).expect("a token that can be sent");
            let request = caller.call(Request::new(())).expect("let through");
            let sent = |name| {
                request
                    .metadata()
                    .get(name)
                    .and_then(|value| value.to_str().ok())
            };
            assert_eq!(sent("authorization"), Some("Bearer secret"));
            assert_eq!(sent("grpc-timeout"), timeout);
            assert!(!format!("{request:?}").contains("secret"), "{request:?}");
        };
        check(Some(Duration::from_secs(30)), Some("30000000u"));
        check(None, None);
        assert!(Caller::new("two\nlines", None).is_err());
    }

    #[tokio::test]
    async fn nobody_there_is_told_with_a_way_on() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        drop(listener);
        let failure = connect(
            &format!("http://{address}"),
            CONNECT_LIMIT,
            &TlsFiles::default(),
        )
        .await
        .expect_err("nobody");
        let told = failure.to_string();
        assert!(
            told.contains("connection refused") && told.contains("pawl serve"),
            "{told}"
        );
    }

    #[tokio::test]
    async fn what_is_no_address_is_a_usage_error() {
        for server in [
            "127.0.0.1:7617",
            "ftp://example.org",
            "https://a b",
            "http://a b",
            "",
        ] {
            let failure = connect(server, CONNECT_LIMIT, &TlsFiles::default())
                .await
                .expect_err(server);
            assert!(
                matches!(failure, Failure::Address { .. }),
                "{server}: {failure}"
            );
        }
    }
}
