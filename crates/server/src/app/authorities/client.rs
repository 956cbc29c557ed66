//! The HTTP client: asks allowed hosts only, follows no redirect, and reads little, for a short time.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, OnceLock},
    time::Duration,
};

use ureq::{
    Agent, Error,
    config::Config,
    http::Uri,
    tls::{Certificate, RootCerts, TlsConfig},
    unversioned::{
        resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
        transport::{DefaultConnector, NextTimeout},
    },
};

use crate::config::AuthoritySettings;

/// The longest an authority may take for its whole answer.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The longest answer, in bytes.
const MAX_ANSWER_BYTES: u64 = 64 << 10;

/// Asks authorities.
#[derive(Debug, Default)]
pub struct Client {
    settings: AuthoritySettings,
    /// Made when somebody is asked first: the system's certificates take a while to read.
    agent: OnceLock<Agent>,
}

impl Client {
    /// A client under a server's settings.
    pub fn new(settings: AuthoritySettings) -> Self {
        Self {
            settings,
            agent: OnceLock::new(),
        }
    }

    /// Says what keeps an address from being asked.
    pub fn check(&self, url: &str) -> Result<(), Unfit> {
        let uri: Uri = url.parse().map_err(|_| Unfit::NoAddress)?;
        let default_port = match uri.scheme_str() {
            Some("https") => 443,
            Some("http") => 80,
            _ => return Err(Unfit::NoAddress),
        };
        let authority = uri.authority().ok_or(Unfit::NoAddress)?;
        if authority.as_str().contains('@') || url.contains('#') || authority.host().is_empty() {
            return Err(Unfit::NoAddress);
        }
        let names_port = authority.as_str().len() > authority.host().len();
        if names_port && authority.port_u16().is_none() {
            return Err(Unfit::NoAddress);
        }
        let host = authority.host().to_ascii_lowercase();
        let port = authority.port_u16().unwrap_or(default_port);
        let allowed = self.settings.allowed_hosts.iter().any(|entry| {
            let entry = entry.to_ascii_lowercase();
            entry == format!("{host}:{port}") || (entry == host && port == default_port)
        });
        allowed.then_some(()).ok_or(Unfit::NotAllowed(host))
    }

    /// Asks; none where there is no such thing (404). Blocks for at most two seconds.
    pub fn get(&self, url: &str) -> Result<Option<Vec<u8>>, String> {
        self.check(url).map_err(|unfit| unfit.to_string())?;
        let agent = self.agent.get_or_init(|| self.agent());
        let mut response = agent
            .get(url)
            .header("accept", "application/json")
            .call()
            .map_err(|error| told(&error))?;
        match response.status().as_u16() {
            404 => return Ok(None),
            200 => {}
            status @ 300..400 => {
                return Err(format!("it answered {status}: redirects are not followed"));
            }
            status => return Err(format!("it answered {status}")),
        }
        let body = response.body_mut().with_config().limit(MAX_ANSWER_BYTES);
        body.read_to_vec().map(Some).map_err(|error| told(&error))
    }

    fn agent(&self) -> Agent {
        let found = rustls_native_certs::load_native_certs().certs;
        let roots: Vec<Certificate<'static>> = found
            .iter()
            .map(|it| Certificate::from_der(it.as_ref()).to_owned())
            .collect();
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(RootCerts::new_with_certs(&roots))
            .build();
        let config = Config::builder()
            .timeout_global(Some(TIMEOUT))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent(concat!("pawl/", env!("CARGO_PKG_VERSION")))
            .max_response_header_size(16 << 10)
            .tls_config(tls)
            .build();
        let resolver = Guarded {
            inner: DefaultResolver::default(),
            allow_private: self.settings.allow_private_addresses,
        };
        Agent::with_parts(config, DefaultConnector::default(), resolver)
    }
}

/// Why an address is not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// It is no address of the web.
    #[error("use an `http` or `https` address without a user or a fragment")]
    NoAddress,
    /// Its host is not on the list.
    #[error(
        "this server asks no authority at `{0}`; have its operator add it to \
         `authorities.allowed_hosts`"
    )]
    NotAllowed(String),
}

/// What is told of a failure: nothing of this machine or its network.
fn told(error: &Error) -> String {
    match error {
        Error::Timeout(_) => format!("it took longer than {} seconds", TIMEOUT.as_secs()),
        Error::BodyExceedsLimit(_) => format!("it answered more than {MAX_ANSWER_BYTES} bytes"),
        Error::LargeResponseHeader(..) => "it answered with too long headers".into(),
        Error::HostNotFound => "its host was not found".into(),
        Error::Other(other) if other.is::<NotPublic>() => other.to_string(),
        Error::Tls(_) | Error::Rustls(_) => "its certificate or its encryption is not good".into(),
        Error::Protocol(_) | Error::Http(_) => "it does not answer in HTTP".into(),
        _ => "it could not be reached".into(),
    }
}

/// A host whose address is not public.
#[derive(Debug, thiserror::Error)]
#[error("its host has no public address; `authorities.allow_private_addresses` lets it be asked")]
struct NotPublic;

/// Looks names up, and lets only public addresses through. It is what is connected to, so that a
/// name cannot say one address here and another there.
#[derive(Debug)]
struct Guarded {
    inner: DefaultResolver,
    allow_private: bool,
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.allow_private {
            return Ok(found);
        }
        let mut public = self.empty();
        for address in found.iter().filter(|it| is_public(it.ip())) {
            public.push(*address);
        }
        if public.is_empty() {
            return Err(Error::Other(Box::new(NotPublic)));
        }
        Ok(public)
    }
}

/// Says whether an address is one of the public internet (the special ones are those of RFC 6890).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(address) => is_public_v4(address),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || first == 0
        || first >= 240
        || (first == 100 && (64..128).contains(&second))
        || (first == 192 && second == 0 && third == 0)
        || (first == 198 && (18..20).contains(&second));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Global unicast is 2000::/3; documentation and benchmarks lie within.
    let [first, second, ..] = address.segments();
    (0x2000..0x4000).contains(&first) && !(first == 0x2001 && (second == 0xdb8 || second < 0x200))
}

/// The address of the older kind that an address stands for: mapped, NAT64 or 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let of = |high: u16, low: u16| {
        let [one, two] = high.to_be_bytes();
        let [three, four] = low.to_be_bytes();
        Some(Ipv4Addr::new(one, two, three, four))
    };
    match (a, b, c, d, e, f) {
        (0, 0, 0, 0, 0, 0xffff | 0) | (0x64, 0xff9b, 0, 0, 0, 0) => of(g, h),
        (0x2002, high, low, ..) => of(high, low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_hosts_are_asked() {
        let client = Client::new(AuthoritySettings {
            allowed_hosts: vec!["data.example.org".into(), "other.example.org:8443".into()],
            allow_private_addresses: false,
        });
        for good in [
            "https://data.example.org/v1",
            "http://DATA.example.org/",
            "https://data.example.org:443/v1?key=1",
            "https://other.example.org:8443/",
        ] {
            assert_eq!(client.check(good), Ok(()), "{good}");
        }
        for (bad, unfit) in [
            ("https://data.example.org:8443/", "asks no authority"),
            ("https://other.example.org/", "asks no authority"),
            (
                "https://data.example.org.evil.example/",
                "asks no authority",
            ),
            ("https://data.example.org@evil.example/", "use an `http`"),
            ("ftp://data.example.org/", "use an `http`"),
            ("data.example.org", "use an `http`"),
            ("https://data.example.org/#x", "use an `http`"),
            ("", "use an `http`"),
        ] {
            let told = client.check(bad).unwrap_err().to_string();
            assert!(told.contains(unfit), "{bad}: {told}");
        }
        assert!(
            Client::default()
                .check("https://data.example.org/")
                .is_err()
        );
    }

    #[test]
    fn addresses_that_are_not_public_are_known() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001:db8::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in [
            "93.184.216.34",
            "1.1.1.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }
}
