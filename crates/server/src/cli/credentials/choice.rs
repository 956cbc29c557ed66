//! Which token a call is made with.

use super::{CredentialsError, CredentialsFile};

/// What the caller said about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// `--token`.
    pub(crate) token: Option<String>,
    /// `--as`.
    pub(crate) principal: Option<String>,
    /// `PAWL_TOKEN`.
    pub(crate) token_variable: Option<String>,
    /// `PAWL_AS`.
    pub(crate) principal_variable: Option<String>,
}

/// Chooses a token: what the command line says, then the environment, then what lies in the data directory.
///
/// Without any wish it is the operator's token, where the server runs on this machine, or the only
/// one that is kept for the server. The operator's token is never sent to another machine.
pub(crate) fn choose(
    wish: &Wish,
    server: &str,
    file: impl FnOnce() -> Result<CredentialsFile, CredentialsError>,
) -> Result<String, CredentialsError> {
    let said = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
    if let Some(token) = said(&wish.token) {
        return Ok(token);
    }
    if let Some(principal) = said(&wish.principal) {
        return of_principal(&principal, server, &file()?);
    }
    if let Some(token) = said(&wish.token_variable) {
        return Ok(token);
    }
    if let Some(principal) = said(&wish.principal_variable) {
        return of_principal(&principal, server, &file()?);
    }
    of_nobody(server, &file()?)
}

fn of_principal(
    principal: &str,
    server: &str,
    file: &CredentialsFile,
) -> Result<String, CredentialsError> {
    let mut kept = file.of_server(server)?;
    if let Some(credential) = kept.remove(principal) {
        return Ok(credential.token);
    }
    let operator = local_operator(server, file)?;
    if let Some(token) = operator.clone().filter(|_| principal == "operator") {
        return Ok(token);
    }
    let elsewhere = file.servers_of(principal)?;
    if !elsewhere.is_empty() {
        return Err(CredentialsError::PrincipalElsewhere {
            principal: principal.to_owned(),
            server: server.to_owned(),
            known: elsewhere.join(", "),
        });
    }
    let mut known: Vec<_> = kept.into_keys().collect();
    known.extend(operator.map(|_| "operator".to_owned()));
    Err(CredentialsError::PrincipalUnknown {
        principal: principal.to_owned(),
        server: server.to_owned(),
        known: listed(&known),
    })
}

fn of_nobody(server: &str, file: &CredentialsFile) -> Result<String, CredentialsError> {
    if let Some(token) = local_operator(server, file)? {
        return Ok(token);
    }
    let mut kept = file.of_server(server)?;
    let server = server.to_owned();
    match (kept.len(), kept.pop_first()) {
        (1, Some((_, only))) => Ok(only.token),
        (_, Some((first, _))) => {
            let known: Vec<_> = std::iter::once(first).chain(kept.into_keys()).collect();
            Err(CredentialsError::Ambiguous {
                server,
                known: listed(&known),
            })
        }
        (_, None) => Err(CredentialsError::Missing { server }),
    }
}

fn local_operator(
    server: &str,
    file: &CredentialsFile,
) -> Result<Option<String>, CredentialsError> {
    if is_this_machine(server) {
        file.operator_token()
    } else {
        Ok(None)
    }
}

fn is_this_machine(server: &str) -> bool {
    let Ok(uri) = server.parse::<tonic::transport::Uri>() else {
        return false;
    };
    let host = uri
        .host()
        .unwrap_or_default()
        .trim_start_matches('[')
        .trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

fn listed(known: &[String]) -> String {
    if known.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine() {
        let check = |server, expected| assert_eq!(is_this_machine(server), expected, "{server}");
        check("http://127.0.0.1:7617", true);
        check("http://[::1]:7617", true);
        check("http://LOCALHOST", true);
        check("http://10.0.0.1:7617", false);
        check("http://localhost.example.org", false);
        check("http://127.0.0.1@example.org", false);
        check("not an address", false);
    }
}
