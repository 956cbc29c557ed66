//! TLS as people meet it: the command line and somebody else's client over it, and what is told when it does not fit.

use std::{path::Path, process::Command};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

use crate::{
    crash::{PAWL, Process},
    other_client::python,
};

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(directory: &Path, file: &str) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, file);
    let authority = Authority::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    std::fs::write(directory.join(file), authority.pem()).unwrap();
    authority
}

/// Writes `NAME.pem` and `NAME.key`.
fn issue(directory: &Path, name: &str, by: &Authority, host: &str) {
    let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, by).unwrap();
    std::fs::write(directory.join(format!("{name}.pem")), certificate.pem()).unwrap();
    std::fs::write(directory.join(format!("{name}.key")), key.serialize_pem()).unwrap();
}

/// A directory with certificates, and a server that shows one of them.
struct Place {
    directory: tempfile::TempDir,
    process: Process,
}

impl Place {
    fn start(more: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let servers = authority(path, "servers.pem");
        let clients = authority(path, "clients.pem");
        issue(path, "server", &servers, "127.0.0.1");
        issue(path, "client", &clients, "client");
        issue(path, "stranger", &servers, "stranger");
        let file = |name: &str| path.join(name).display().to_string();
        let (certificate, key, ca) = (file("server.pem"), file("server.key"), file("clients.pem"));
        let mut arguments = vec![
            "--no-embedding",
            "--tls-certificate",
            &certificate,
            "--tls-key",
            &key,
        ];
        if more.contains(&"mutual") {
            arguments.extend(["--tls-client-ca", &ca]);
        }
        let process = Process::start(&path.join("data"), &arguments);
        Self { directory, process }
    }

    fn file(&self, name: &str) -> String {
        self.directory.path().join(name).display().to_string()
    }

    fn run(&self, scheme: &str, arguments: &[&str]) -> (i32, String) {
        let output = Command::new(PAWL)
            .args(arguments)
            .args([
                "--server",
                &format!("{scheme}://{}", self.process.server.address),
            ])
            .env("PAWL_HOME", self.directory.path().join("data"))
            .env_remove("PAWL_TOKEN")
            .env_remove("PAWL_AS")
            .output()
            .unwrap();
        let told = [output.stdout, output.stderr]
            .map(|it| String::from_utf8(it).unwrap())
            .concat();
        (output.status.code().unwrap(), told)
    }

    #[track_caller]
    fn ends(&self, status: i32, says: &str, scheme: &str, arguments: &[&str]) {
        let (ended, told) = self.run(scheme, arguments);
        assert_eq!(ended, status, "{arguments:?} {told}");
        assert!(told.contains(says), "{arguments:?} {told}");
    }
}

#[test]
fn the_command_line_speaks_tls_and_says_what_does_not_fit() {
    let place = Place::start(&[]);
    let [servers, clients] = ["servers.pem", "clients.pem"].map(|name| place.file(name));
    place.ends(0, "operator", "https", &["whoami", "--ca", &servers]);
    place.ends(
        0,
        "serving",
        "https",
        &["server", "health", "--ca", &servers],
    );
    place.ends(0, "until", "https", &["server", "status", "--ca", &servers]);
    place.ends(3, "https://", "http", &["whoami"]);
    place.ends(
        5,
        "name it with `--ca`",
        "https",
        &["whoami", "--ca", &clients],
    );
    place.ends(5, "name it with `--ca`", "https", &["whoami"]);
    place.ends(
        3,
        "nowhere.pem",
        "https",
        &["whoami", "--ca", "nowhere.pem"],
    );
    let plain = tempfile::tempdir().unwrap();
    let plain = Process::start(plain.path(), &["--no-embedding"]);
    let address = format!("https://{}", plain.server.address);
    let output = Command::new(PAWL)
        .args(["server", "health", "--ca", &servers, "--server", &address])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(5) && told.contains("use `http://`"),
        "{told}"
    );
}

#[test]
fn a_client_certificate_opens_the_door_and_a_token_still_says_who() {
    let place = Place::start(&["mutual"]);
    let ca = place.file("servers.pem");
    let shown = |name: &str| {
        [
            place.file(&format!("{name}.pem")),
            place.file(&format!("{name}.key")),
        ]
    };
    let [certificate, key] = shown("client");
    let with = |command: &[&str]| -> Vec<String> {
        let options = [
            "--ca",
            &ca,
            "--client-certificate",
            &certificate,
            "--client-key",
            &key,
        ];
        [command, &options]
            .concat()
            .iter()
            .map(|it| (*it).to_owned())
            .collect()
    };
    let words = |command: &[&str], status: i32, says: &str| {
        let command = with(command);
        let command: Vec<_> = command.iter().map(String::as_str).collect();
        place.ends(status, says, "https", &command);
    };
    words(&["whoami"], 0, "operator");
    words(&["whoami", "--token", "pawl_00"], 4, "TOKEN_INVALID");
    place.ends(
        5,
        "give `--client-certificate`",
        "https",
        &["whoami", "--ca", &ca],
    );
    let [certificate, key] = shown("stranger");
    let (status, told) = place.run(
        "https",
        &[
            "whoami",
            "--ca",
            &ca,
            "--client-certificate",
            &certificate,
            "--client-key",
            &key,
        ],
    );
    assert_eq!(status, 5, "{told}");
    place.ends(
        2,
        "--client-key",
        "https",
        &["whoami", "--client-certificate", &certificate],
    );
}

/// Google's client, which brings a TLS of its own.
const CLIENT: &str = r#"
import os, grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
trusted = grpc.ssl_channel_credentials(open(os.environ["CA"], "rb").read())
channel = grpc.secure_channel(os.environ["ADDRESS"], trusted)
assert "pawl.v1.ServerService" in ProtoReflectionDescriptorDatabase(channel).get_services()
token = ("authorization", "Bearer " + os.environ["TOKEN"])
who = channel.unary_unary("/pawl.v1.IdentityService/WhoAmI")(b"", metadata=[token])
assert b"operator" in who, who
print("done")
"#;

#[test]
fn somebody_elses_client_calls_over_tls() {
    let place = Place::start(&[]);
    let output = Command::new(python())
        .args(["-c", CLIENT])
        .env("CA", place.file("servers.pem"))
        .env("ADDRESS", place.process.server.address.to_string())
        .env("TOKEN", &place.process.server.operator_token)
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(told[0].contains("done"), "{told:?}");
}
