//! Keeps web pages out of a server on loopback: a browser names the page's origin in `Origin`, and
//! the name it resolved in `Host`, which a page that rebinds its name to 127.0.0.1 cannot choose.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::{header, uri::Authority},
    middleware::Next,
    response::Response,
};
use pawl_ledger::decide::{Denied, Reason};

use super::refuse;
use crate::{app::App, config::Config};

/// The names a server answers under, and the pages that may call it.
struct Allowed<'settings>(&'settings Config);

impl Allowed<'_> {
    /// Loopback, the address it listens on, and the names in the settings; any port.
    fn host(&self, authority: &str) -> bool {
        let name = name_of(authority);
        let mut allowed = self.0.allowed_hosts.iter();
        if name.eq_ignore_ascii_case("localhost")
            || allowed.any(|allowed| allowed.eq_ignore_ascii_case(name))
        {
            return true;
        }
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let own = self.0.listen.ip();
        address.parse().is_ok_and(|address: IpAddr| {
            address.to_canonical().is_loopback() || (address == own && !address.is_unspecified())
        })
    }

    fn origin(&self, origin: &str) -> bool {
        let mut allowed = self.0.allowed_origins.iter();
        allowed.any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }
}

pub(super) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match refusal(&app.settings(), &request) {
        None => next.run(request).await,
        Some(told) => refuse(request.headers(), &told),
    }
}

/// Why a request is not answered under the name it came by, or not to the page it came from.
pub fn refusal(settings: &Config, request: &Request) -> Option<Denied> {
    let allowed = Allowed(settings);
    // What is no text is no valid name either.
    let text = |name| {
        let value = request.headers().get(name);
        value.map(|value| value.to_str().unwrap_or_default())
    };
    // HTTP/2 has the name in the request line, HTTP/1 in a header; both have to be good.
    let authority = request.uri().authority().map(Authority::as_str);
    let hosts = [authority, text(header::HOST)];
    if hosts.iter().all(Option::is_none) {
        return Some(unwanted("host", "", "name the server that is meant"));
    }
    if let Some(host) = hosts.into_iter().flatten().find(|host| !allowed.host(host)) {
        let remedy = "start it with `--allow-host` to answer under this name";
        return Some(unwanted("host", host, remedy));
    }
    let origin = text(header::ORIGIN).filter(|origin| !allowed.origin(origin))?;
    let remedy = "start it with `--allow-origin` to let pages of this origin call";
    Some(unwanted("origin", origin, remedy))
}

fn unwanted(what: &'static str, value: &str, remedy: &str) -> Denied {
    let shown: String = value.chars().take(120).collect();
    Denied::new(
        Reason::FieldInvalid,
        format!("the server does not answer under {what} `{shown}`; {remedy}"),
    )
    .with("field", what)
    .with("value", shown)
}

/// The name of an authority, without user and port.
fn name_of(authority: &str) -> &str {
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    if host.parse::<Ipv6Addr>().is_ok() {
        return host;
    }
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(listen: &str) -> Config {
        let mut config = Config::local("unused".into());
        config.listen = listen.parse().unwrap();
        config.allowed_hosts = vec!["Boards.example.org".into()];
        config.allowed_origins = vec!["https://boards.example.org".into()];
        config
    }

    #[test]
    fn loopback_and_configured_names_are_answered() {
        let config = allowed("10.0.0.7:7617");
        let allowed = Allowed(&config);
        for host in [
            "localhost",
            "LOCALHOST:7617",
            "127.0.0.1:7617",
            "127.9.9.9",
            "[::1]:7617",
            "::1",
            "10.0.0.7:7617",
            "boards.example.org:443",
        ] {
            assert!(allowed.host(host), "{host}");
        }
        for host in [
            "",
            "evil.example:7617",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "127.0.0.1:7617@evil.example",
            "10.0.0.8",
            "0.0.0.0:7617",
        ] {
            assert!(!allowed.host(host), "{host}");
        }
    }

    #[test]
    fn listening_everywhere_opens_no_name() {
        assert!(!Allowed(&allowed("0.0.0.0:7617")).host("0.0.0.0:7617"));
    }

    #[test]
    fn an_origin_is_compared_whole() {
        let config = allowed("127.0.0.1:7617");
        let allowed = Allowed(&config);
        assert!(allowed.origin("https://boards.example.org"));
        for origin in [
            "null",
            "http://boards.example.org",
            "https://boards.example.org.evil",
        ] {
            assert!(!allowed.origin(origin), "{origin}");
        }
    }
}
