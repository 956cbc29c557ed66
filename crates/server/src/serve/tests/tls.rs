//! TLS with certificates made here: who gets in, what is told to who does not, and changing both.

use std::{fs, path::Path, time::Duration};

use pawl_proto::v1 as proto;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

use super::harness::{Client, Server, page, reason};
use crate::config::TlsFiles;

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(name: &str) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

struct Pair {
    certificate: String,
    key: String,
}

fn issued(
    by: &Authority,
    usage: ExtendedKeyUsagePurpose,
    change: fn(&mut CertificateParams),
) -> Pair {
    let mut params = CertificateParams::new(vec!["localhost".into()]).unwrap();
    params.extended_key_usages = vec![usage];
    change(&mut params);
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, by).unwrap();
    Pair {
        certificate: certificate.pem(),
        key: key.serialize_pem(),
    }
}

fn for_server(by: &Authority) -> Pair {
    issued(by, ExtendedKeyUsagePurpose::ServerAuth, |_| {})
}

fn for_client(by: &Authority) -> Pair {
    issued(by, ExtendedKeyUsagePurpose::ClientAuth, |_| {})
}

fn write(directory: &Path, pair: &Pair) {
    fs::write(directory.join("certificate.pem"), &pair.certificate).unwrap();
    fs::write(directory.join("key.pem"), &pair.key).unwrap();
}

async fn start(pair: &Pair, clients: Option<(&Authority, bool)>) -> Server {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_owned();
    write(&path, pair);
    let client_ca = clients.map(|(authority, _)| {
        let file = path.join("clients.pem");
        fs::write(&file, authority.pem()).unwrap();
        file
    });
    let files = TlsFiles {
        certificate: path.join("certificate.pem"),
        key: path.join("key.pem"),
        client_ca,
        clients_required: clients.is_some_and(|(_, required)| required),
    };
    let store = pawl_ledger::store::MemoryStore::new();
    Server::start_on(store, directory, |config| config.tls = Some(files)).await
}

fn endpoint(server: &Server, trusted: &Authority, shown: Option<&Pair>) -> Endpoint {
    let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(trusted.pem()));
    if let Some(pair) = shown {
        tls = tls.identity(Identity::from_pem(&pair.certificate, &pair.key));
    }
    let address = format!("https://localhost:{}", server.running.address.port());
    Channel::from_shared(address)
        .unwrap()
        .tls_config(tls)
        .unwrap()
}

async fn who(server: &Server, channel: Channel) -> Result<String, tonic::Status> {
    let secret = fs::read_to_string(&server.running.operator_token).unwrap();
    let mut client = Client::new(channel, &format!("Bearer {}", secret.trim()));
    let answer = client.identity.who_am_i(proto::WhoAmIRequest {}).await?;
    Ok(answer.into_inner().principal.unwrap().principal)
}

/// Everything that an error says, down to where it began.
fn causes(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    told
}

async fn refusal(server: &Server, endpoint: Endpoint) -> String {
    match endpoint.connect().await {
        Err(error) => causes(&error),
        Ok(channel) => causes(&who(server, channel).await.expect_err("nobody gets in")),
    }
}

#[tokio::test]
async fn a_call_goes_over_tls_and_a_token_is_still_needed() {
    let authority = authority("server authority");
    let server = start(&for_server(&authority), None).await;
    let channel = endpoint(&server, &authority, None).connect().await.unwrap();
    assert_eq!(who(&server, channel.clone()).await.unwrap(), "operator");
    let mut nobody = Client::new(channel, "");
    let answer = nobody.identity.who_am_i(proto::WhoAmIRequest {}).await;
    assert_eq!(reason(answer), "TOKEN_MISSING");
    let stranger = self::authority("stranger");
    let told = refusal(&server, endpoint(&server, &stranger, None)).await;
    assert!(told.contains("UnknownIssuer"), "{told}");
}

#[tokio::test]
async fn plain_text_on_a_tls_port_is_told_what_to_do() {
    let authority = authority("server authority");
    let server = start(&for_server(&authority), None).await;
    let answer = page(&server, "/healthz", "host: localhost\r\n").await;
    assert!(
        answer.starts_with("HTTP/1.1 403") && answer.contains("https://"),
        "{answer}"
    );
    let status = who(&server, server.channel.clone()).await.unwrap_err();
    assert!(status.message().contains("https://"), "{status}");
    assert_eq!(reason::<()>(Err(status)), "FIELD_INVALID");
    // What is neither ends by itself.
    let mut stream = TcpStream::connect(server.running.address).await.unwrap();
    stream.write_all(&[22, 3, 1, 0, 1, 0]).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    let channel = endpoint(&server, &authority, None).connect().await.unwrap();
    assert_eq!(who(&server, channel).await.unwrap(), "operator");
}

#[tokio::test]
async fn a_client_certificate_is_a_door() {
    let (servers, clients, strangers) = (
        authority("servers"),
        authority("clients"),
        authority("strangers"),
    );
    let server = start(&for_server(&servers), Some((&clients, true))).await;
    let good = endpoint(&server, &servers, Some(&for_client(&clients)));
    assert_eq!(
        who(&server, good.connect().await.unwrap()).await.unwrap(),
        "operator"
    );
    let none = refusal(&server, endpoint(&server, &servers, None)).await;
    assert!(none.contains("CertificateRequired"), "{none}");
    let wrong = refusal(
        &server,
        endpoint(&server, &servers, Some(&for_client(&strangers))),
    )
    .await;
    assert!(!wrong.is_empty());
    let usage = refusal(
        &server,
        endpoint(&server, &servers, Some(&for_server(&clients))),
    )
    .await;
    assert!(!usage.is_empty());
    // Counted once the refused client has had its time to read why.
    while server.running.app.metrics.handshakes_failed.get() < 3 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn where_client_certificates_are_optional_one_that_is_shown_has_to_be_good() {
    let (servers, clients, strangers) = (
        authority("servers"),
        authority("clients"),
        authority("strangers"),
    );
    let server = start(&for_server(&servers), Some((&clients, false))).await;
    for shown in [None, Some(&for_client(&clients))] {
        let channel = endpoint(&server, &servers, shown).connect().await.unwrap();
        assert_eq!(who(&server, channel).await.unwrap(), "operator");
    }
    let wrong = for_client(&strangers);
    refusal(&server, endpoint(&server, &servers, Some(&wrong))).await;
}

#[tokio::test]
async fn an_expired_certificate_is_refused_by_clients_and_told_to_operators() {
    let authority = authority("server authority");
    let expired = issued(&authority, ExtendedKeyUsagePurpose::ServerAuth, |params| {
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(2020, 1, 1);
    });
    let server = start(&expired, None).await;
    let told = refusal(&server, endpoint(&server, &authority, None)).await;
    assert!(told.contains("xpired"), "{told}");
    let usages = crate::checkup::usages(&server.running.app);
    let checks = crate::checkup::of_server(&server.running.app, &usages);
    let expired = checks
        .iter()
        .find(|check| check.name == "certificate in use")
        .unwrap();
    assert_eq!(expired.level(), proto::CheckLevel::Error, "{expired:?}");
}

#[tokio::test]
async fn a_reload_changes_the_certificate_and_connections_live_on() {
    let (before, after) = (authority("before"), authority("after"));
    let server = start(&for_server(&before), None).await;
    let old = endpoint(&server, &before, None).connect().await.unwrap();
    assert_eq!(who(&server, old.clone()).await.unwrap(), "operator");

    let pair = for_server(&after);
    write(server.directory.path(), &pair);
    assert!(server.running.app.reload().unwrap().certificate);
    let new = endpoint(&server, &after, None).connect().await.unwrap();
    assert_eq!(who(&server, new).await.unwrap(), "operator");
    assert_eq!(
        who(&server, old.clone()).await.unwrap(),
        "operator",
        "the old connection lives"
    );
    let told = refusal(&server, endpoint(&server, &before, None)).await;
    assert!(told.contains("UnknownIssuer"), "{told}");

    for broken in ["nothing of it is PEM", &for_server(&after).key] {
        fs::write(server.directory.path().join("key.pem"), broken).unwrap();
        let failed = server.running.app.reload().unwrap_err();
        assert!(failed.message.contains("key.pem"), "{failed:?}");
        let still = endpoint(&server, &after, None).connect().await.unwrap();
        assert_eq!(who(&server, still).await.unwrap(), "operator");
    }
    assert_eq!(
        server
            .running
            .app
            .metrics
            .reloads
            .with_label_values(&["failed"])
            .get(),
        2
    );
    assert!(
        server
            .running
            .app
            .last_reload
            .lock()
            .as_ref()
            .unwrap()
            .failure
            .is_some()
    );
}

#[tokio::test]
async fn names_and_origins_are_checked_behind_tls_too() {
    let authority = authority("server authority");
    let server = start(&for_server(&authority), None).await;
    let evil = endpoint(&server, &authority, None)
        .origin("https://evil.example".parse().unwrap())
        .timeout(Duration::from_secs(10));
    let status = who(&server, evil.connect().await.unwrap())
        .await
        .unwrap_err();
    assert_eq!(reason::<()>(Err(status)), "FIELD_INVALID");
}

#[tokio::test]
async fn a_server_does_not_start_in_plain_text_for_other_machines() {
    let directory = tempfile::tempdir().unwrap();
    let mut config = crate::config::Config::local(directory.path().to_owned());
    config.listen = "0.0.0.0:0".parse().unwrap();
    let refused = crate::serve::start(config.clone()).await.err().unwrap();
    assert!(
        refused.to_string().contains("insecure_plain_text"),
        "{refused}"
    );
    config.insecure_plain_text = true;
    let running = crate::serve::start(config).await.unwrap();
    running.stop();
    running.stopped().await.unwrap();
}
