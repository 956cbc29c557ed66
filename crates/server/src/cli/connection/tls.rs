//! TLS as the command line speaks it: whom it trusts, and what it shows.

use std::path::Path;

use rustls::pki_types::{CertificateDer, pem::PemObject};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::cli::failure::Failure;

/// The files of TLS that the caller named.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TlsFiles<'options> {
    /// The authorities to trust; the system's unless given.
    pub(crate) ca: Option<&'options Path>,
    /// The certificate to show.
    pub(crate) certificate: Option<&'options Path>,
    /// Its key.
    pub(crate) key: Option<&'options Path>,
}

pub(super) fn settings(files: &TlsFiles<'_>) -> Result<ClientTlsConfig, Failure> {
    let mut settings = ClientTlsConfig::new();
    settings = match files.ca {
        Some(path) => settings.ca_certificate(Certificate::from_pem(authorities(path)?)),
        None => settings.with_native_roots(),
    };
    if let (Some(certificate), Some(key)) = (files.certificate, files.key) {
        settings = settings.identity(Identity::from_pem(read(certificate)?, read(key)?));
    }
    Ok(settings)
}

/// Reads authorities; a file without any would only fail later, at the server's certificate.
fn authorities(path: &Path) -> Result<Vec<u8>, Failure> {
    let pem = read(path)?;
    let has_one = CertificateDer::pem_slice_iter(&pem).any(|found| found.is_ok());
    if has_one {
        return Ok(pem);
    }
    Err(Failure::Input(format!(
        "`{}` holds no certificate as PEM; name the authority's with `--ca`",
        path.display()
    )))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|cause| Failure::File {
        file: path.display().to_string(),
        cause,
    })
}

/// Says that TLS cannot be set up with the files that were named.
pub(super) fn unusable(cause: &str) -> Failure {
    Failure::Input(format!(
        "TLS cannot be set up: {cause}; look at what `--ca`, `--client-certificate` and `--client-key` name"
    ))
}

/// What failures of TLS mean and what to do, by the texts of rustls without blanks and in lower case.
const MEANINGS: &[(&str, &str)] = &[
    (
        "corruptmessage",
        "the server does not speak TLS; use `http://`",
    ),
    (
        "unknownissuer",
        "the authority of its certificate is not known here; name it with `--ca`",
    ),
    (
        "badsignature",
        "bad signature: its certificate is not of the authority it names, as it is known here; name another with `--ca`",
    ),
    (
        "causedasendentity",
        "its certificate is that of an authority, not of a server; have its operator make one with `basicConstraints=CA:FALSE`",
    ),
    (
        "expired",
        "its certificate has expired; have its operator replace it",
    ),
    (
        "notvalidyet",
        "its certificate is not good yet; look at the clocks of both machines",
    ),
    (
        "notvalidforname",
        "its certificate is of another name; call it by the name that is in it",
    ),
    (
        "certificaterequired",
        "the server asks for a client certificate; give `--client-certificate` and `--client-key`",
    ),
    (
        "unknownca",
        "the server does not know the authority of the client certificate; show another with `--client-certificate`",
    ),
];

/// Says what a failure of TLS means, and what to do; nothing where it is of another kind.
pub(super) fn meaning(cause: &str) -> Option<String> {
    let squeezed: String = cause.chars().filter(|letter| *letter != ' ').collect();
    let known = MEANINGS.iter().find(|(text, _)| squeezed.contains(text));
    if let Some((_, meaning)) = known {
        // Which names are in it is told by nobody else.
        let names = cause.split_once("is only valid for ");
        let names = names.map(|(_, names)| format!(" (it is for {names})"));
        return Some(format!("{meaning}{}", names.unwrap_or_default()));
    }
    cause.contains("peer certificate").then(|| {
        format!("{cause}; look at the server's certificate, and at the authority that `--ca` names")
    })
}

/// Says what a failure means where it is one of TLS; else it stays as it is.
pub(crate) fn explained(cause: String) -> String {
    meaning(&cause).unwrap_or(cause)
}
