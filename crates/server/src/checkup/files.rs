//! The files a server stands on.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

use pawl_checker::embedder::ModelFiles;
use pawl_ledger::{id::Timestamp, store::engine_at};
use pawl_proto::v1::Check;

use super::{error, ok, warning};
use crate::{config::Config, metrics::free_bytes, tls};

/// Below this much room a server will soon stop to take writes.
const LITTLE_BYTES: u64 = 1 << 30;
/// Below this much it may do so at any time.
const NOTHING_BYTES: u64 = 64 << 20;
/// How long before its end a certificate should have been replaced.
const CERTIFICATE_NOTICE: Duration = Duration::from_secs(14 * 86_400);

pub(super) fn directory(config: &Config) -> Check {
    let path = config.data.display();
    let remedy =
        "name another with `--data` or `PAWL_HOME`, or give this user the right to write there";
    match fs::metadata(&config.data) {
        Ok(found) if !found.is_dir() => error("data", format!("`{path}` is no directory"), remedy),
        Ok(_) if rustix::fs::access(&config.data, rustix::fs::Access::WRITE_OK).is_err() => {
            error("data", format!("`{path}` cannot be written to"), remedy)
        }
        Ok(_) => ok("data", format!("everything is kept in `{path}`")),
        Err(failure) if failure.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("`{path}` is not there yet");
            warning("data", message, "the first `pawl serve` makes it")
        }
        Err(failure) => error("data", format!("`{path}`: {failure}"), remedy),
    }
}

/// Reads the store's marker and nothing else.
pub(super) fn store(config: &Config) -> Check {
    let path = config.data.join("store");
    if !path.is_dir() {
        let message = format!("there is no store in `{}` yet", path.display());
        return warning("store", message, "the first `pawl serve` makes it");
    }
    match engine_at(&path) {
        Ok(Some(engine)) if config.engine.is_some_and(|asked| asked != engine) => error(
            "store",
            format!("the store was made with `{engine}`, and the settings ask for another engine"),
            "leave `engine` out; a store keeps the engine it was made with",
        ),
        Ok(Some(engine)) => ok("store", format!("the store was made with `{engine}`")),
        Ok(None) => warning(
            "store",
            "the store is empty",
            "the first `pawl serve` fills it",
        ),
        Err(failure) => error(
            "store",
            failure.to_string(),
            "use the version of pawl that wrote it, or name another directory with `--data`",
        ),
    }
}

pub(super) fn operator_token(config: &Config) -> Check {
    let path = config.operator_token();
    let Ok(found) = fs::metadata(&path) else {
        let remedy = "none is needed where operators have tokens elsewhere; the next start makes one if no operator has any";
        return ok(
            "token",
            format!("no operator's token in the data directory; {remedy}"),
        );
    };
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        return ok(
            "token",
            format!("only its owner reads `{}`", path.display()),
        );
    }
    let message = format!("`{}` has mode {mode:o}: others can read it", path.display());
    error(
        "token",
        message,
        "run `chmod 600` on it, have a new token issued and revoke this one",
    )
}

pub(super) fn models(config: &Config) -> Check {
    let Some(root) = &config.models else {
        let remedy = "leave `embedding` and `--no-embedding` out, and run `make models`";
        let message =
            "the server runs without the sentence model: rewordings are found by shared words only";
        return warning("models", message, remedy);
    };
    let files = ModelFiles::under(root);
    let missing = [files.runtime, files.directory.join("model.onnx")]
        .into_iter()
        .find(|file| !file.is_file());
    match missing {
        Some(file) => error(
            "models",
            format!(
                "`{}` is missing; a server does not start without",
                file.display()
            ),
            "run `make models`, name their directory with `--models`, or run with `--no-embedding`",
        ),
        None => ok(
            "models",
            format!("the sentence model is in `{}`", root.display()),
        ),
    }
}

pub(super) fn disk(config: &Config) -> Check {
    let remedy = "free space or enlarge the disk; writes fail with `STORE_FULL` without, and work again once there is some";
    let there = config.data.ancestors().find(|path| path.exists());
    let Some(free) = there.and_then(free_bytes) else {
        return warning("disk", "it is not known how much is free", "look with `df`");
    };
    let message = format!("{} MiB are free", free >> 20);
    match free {
        ..NOTHING_BYTES => error("disk", message, remedy),
        NOTHING_BYTES..LITTLE_BYTES => warning("disk", message, remedy),
        LITTLE_BYTES.. => ok("disk", message),
    }
}

/// Where other machines reach the server, somebody has to end TLS.
pub(super) fn settings(config: &Config) -> Vec<Check> {
    let mut checks = Vec::new();
    if config.tls.is_none() && !config.listen.ip().is_loopback() {
        checks.push(warning(
            "tls",
            format!("`{}` is served in plain text", config.listen),
            "see that a proxy ends TLS and that nobody else reaches the port",
        ));
    }
    if !config.listen.ip().is_loopback() && config.allowed_hosts.is_empty() {
        checks.push(warning(
            "hosts",
            "the server answers under no name but its address",
            "give the names clients use with `allowed_hosts`",
        ));
    }
    checks
}

pub(super) fn tls(config: &Config, now: Timestamp) -> Vec<Check> {
    let Some(files) = &config.tls else {
        return Vec::new();
    };
    let loaded = match tls::load(files) {
        Ok(loaded) => loaded,
        Err(failure) => {
            let remedy =
                "mend the files, then reload; a server that runs keeps the certificate it has";
            return vec![error("certificate", failure.to_string(), remedy)];
        }
    };
    vec![certificate(&loaded.validity, now), key_mode(&files.key)]
}

/// How long a certificate is still good.
pub(super) fn certificate(validity: &tls::Validity, now: Timestamp) -> Check {
    let remedy = "replace the files, then run `pawl server reload`";
    let notice = u64::try_from(CERTIFICATE_NOTICE.as_millis()).unwrap_or(u64::MAX);
    if now < validity.from {
        return error(
            "certificate",
            "the certificate is not good yet",
            "look at the clock, or replace it",
        );
    }
    if now > validity.to {
        return error("certificate", "the certificate has expired", remedy);
    }
    let days = (validity.to.0 - now.0) / 86_400_000;
    let message = format!("the certificate is good for {days} days");
    if validity.to.0 - now.0 < notice {
        return warning("certificate", message, remedy);
    }
    ok("certificate", message)
}

fn key_mode(path: &Path) -> Check {
    let mode = fs::metadata(path).map_or(0, |found| found.permissions().mode() & 0o777);
    if mode & 0o007 == 0 {
        return ok("key", "not everybody reads the private key");
    }
    let message = format!(
        "`{}` has mode {mode:o}: everybody can read it",
        path.display()
    );
    error(
        "key",
        message,
        "run `chmod 600` on it and have the certificate replaced",
    )
}
