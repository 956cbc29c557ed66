//! What is read in a certificate besides what a handshake needs: how long it is good.

use pawl_ledger::id::Timestamp;
use rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer, X509Certificate};

/// From when to when a certificate is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// The first moment.
    pub from: Timestamp,
    /// The last moment.
    pub to: Timestamp,
}

/// The time in which all certificates of a chain are good.
pub(super) fn validity(chain: &[CertificateDer<'_>]) -> Result<Validity, String> {
    let mut whole = Validity {
        from: Timestamp(0),
        to: Timestamp(u64::MAX),
    };
    for certificate in chain {
        let (_, certificate) =
            X509Certificate::from_der(certificate).map_err(|error| error.to_string())?;
        let times = certificate.validity();
        whole.from = whole.from.max(moment(times.not_before.timestamp()));
        whole.to = whole.to.min(moment(times.not_after.timestamp()));
    }
    Ok(whole)
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp(u64::try_from(seconds).unwrap_or(0).saturating_mul(1_000))
}
