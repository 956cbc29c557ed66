//! TLS as the command line speaks it: whom it trusts, and what it shows.

use std::path::Path;

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
        Some(path) => settings.ca_certificate(Certificate::from_pem(read(path)?)),
        None => settings.with_native_roots(),
    };
    if let (Some(certificate), Some(key)) = (files.certificate, files.key) {
        settings = settings.identity(Identity::from_pem(read(certificate)?, read(key)?));
    }
    Ok(settings)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|cause| Failure::File {
        file: path.display().to_string(),
        cause,
    })
}

/// Says what a failure of TLS means, and what to do. The texts are those of rustls, in lower case.
pub(crate) fn explained(cause: String) -> String {
    const MEANINGS: &[(&str, &str)] = &[
        (
            "corrupt message",
            "the server does not speak TLS; use `http://`",
        ),
        (
            "unknownissuer",
            "the authority of its certificate is not known here; name it with `--ca`",
        ),
        (
            "badsignature",
            "its certificate is not of the authority it names, as it is known here; name another with `--ca`",
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
            "the server does not know the authority of the client certificate",
        ),
    ];
    let squeezed: String = cause.chars().filter(|letter| *letter != ' ').collect();
    let meaning = MEANINGS.iter().find(|(text, _)| {
        let text: String = text.chars().filter(|letter| *letter != ' ').collect();
        squeezed.contains(&text)
    });
    match meaning {
        Some((_, meaning)) => format!("{meaning} ({cause})"),
        None => cause,
    }
}
