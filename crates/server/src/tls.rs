//! TLS: the server's certificate, who may knock with one of their own, and changing both while
//! connections live.
//!
//! A client certificate is a door and no name: it lets a connection in, and the token of each call
//! still says who is calling. So one certificate can serve a fleet, and a stolen token is of no use
//! to whoever has no certificate.

mod certificate;

use std::{path::PathBuf, sync::Arc};

use parking_lot::RwLock;
use rustls::{
    RootCertStore, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{WebPkiClientVerifier, danger::ClientCertVerifier},
};

use crate::config::TlsFiles;

pub use certificate::Validity;

/// The protocols that are offered, the better one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Why TLS cannot be spoken with the files that are there.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or holds nothing of what it should.
    #[error("cannot read {what} from `{path}`: {reason}; it has to be PEM")]
    File {
        /// What it should hold.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The certificate and the key do not fit, or are of a kind that is not spoken.
    #[error(
        "the certificate `{certificate}` and the key `{key}` cannot be used together: {reason}"
    )]
    Pair {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// Why.
        reason: rustls::Error,
    },
    /// The authorities of clients cannot be used.
    #[error("the authorities in `{path}` cannot be used: {reason}")]
    Authorities {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// What handshakes are made with.
pub struct Loaded {
    /// For the next connections.
    pub server: Arc<ServerConfig>,
    /// From when to when the certificate is good.
    pub validity: Validity,
}

/// Reads the files and makes of them what handshakes need.
pub fn load(files: &TlsFiles) -> Result<Loaded, TlsError> {
    let chain = certificates(&files.certificate, "a certificate")?;
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| TlsError::File {
        what: "a private key",
        path: files.key.clone(),
        reason: error.to_string(),
    })?;
    let validity = certificate::validity(&chain).map_err(|reason| TlsError::File {
        what: "a certificate",
        path: files.certificate.clone(),
        reason,
    })?;
    let pair = |reason| TlsError::Pair {
        certificate: files.certificate.clone(),
        key: files.key.clone(),
        reason,
    };
    // Versions are said nowhere else: 1.2 and 1.3.
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(pair)?;
    let builder = match client_verifier(files)? {
        Some(verifier) => builder.with_client_cert_verifier(verifier),
        None => builder.with_no_client_auth(),
    };
    let mut server = builder.with_single_cert(chain, key).map_err(pair)?;
    server.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).into();
    Ok(Loaded {
        server: Arc::new(server),
        validity,
    })
}

fn client_verifier(files: &TlsFiles) -> Result<Option<Arc<dyn ClientCertVerifier>>, TlsError> {
    let Some(path) = &files.client_ca else {
        return Ok(None);
    };
    let refuse = |reason: String| TlsError::Authorities {
        path: path.clone(),
        reason,
    };
    let mut roots = RootCertStore::empty();
    for authority in certificates(path, "the authorities of clients")? {
        roots
            .add(authority)
            .map_err(|error| refuse(error.to_string()))?;
    }
    let provider = Arc::new(ring::default_provider());
    let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    let builder = if files.clients_required {
        builder
    } else {
        builder.allow_unauthenticated()
    };
    let verifier = builder.build().map_err(|error| refuse(error.to_string()))?;
    Ok(Some(verifier))
}

/// The certificates of a file, at least one.
fn certificates(
    path: &PathBuf,
    what: &'static str,
) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let refuse = |reason: String| TlsError::File {
        what,
        path: path.clone(),
        reason,
    };
    let all = CertificateDer::pem_file_iter(path).map_err(|error| refuse(error.to_string()))?;
    let all: Vec<_> = all
        .collect::<Result<_, _>>()
        .map_err(|error| refuse(error.to_string()))?;
    if all.is_empty() {
        return Err(refuse("there is none in it".to_owned()));
    }
    Ok(all)
}

/// What a server makes handshakes with, and changes while it runs.
pub struct Certificates(RwLock<Arc<Loaded>>);

impl Certificates {
    /// Starts with what was loaded.
    pub fn new(loaded: Loaded) -> Self {
        Self(RwLock::new(Arc::new(loaded)))
    }

    /// What the next handshake is made with.
    pub fn current(&self) -> Arc<Loaded> {
        self.0.read().clone()
    }

    /// Makes the next handshakes with something else; connections that are there go on.
    pub fn replace(&self, loaded: Loaded) {
        *self.0.write() = Arc::new(loaded);
    }
}
