//! Which authorities boards may ask; `[authorities]` in the settings file.

/// Whom the server asks over HTTP for its boards: nobody unless its operator says so, since a
/// server reaches places that its clients do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthoritySettings {
    /// The hosts, `data.example.org`, or `data.example.org:8443` where the port is not the usual one.
    pub allowed_hosts: Vec<String>,
    /// Also where a host's address is private, of this machine, or otherwise not public.
    pub allow_private_addresses: bool,
}
