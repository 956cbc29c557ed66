//! The credentials file: this user's tokens by server and principal.
//!
//! It lies in the data directory as `credentials.toml`, readable by its owner only (0600 in a 0700
//! directory), and is replaced as a whole, under a lock, so that two commands at once lose nothing.

mod choice;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

pub(crate) use self::choice::{Wish, choose};

/// Principals with their tokens, by server.
type Servers = BTreeMap<String, BTreeMap<String, Credential>>;

/// A token that was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Credential {
    /// The token's id, for `pawl token revoke`.
    pub(crate) id: String,
    /// What is sent.
    pub(crate) token: String,
}

/// Why no token could be found or kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CredentialsError {
    #[error("no data directory: set PAWL_HOME, XDG_DATA_HOME or HOME")]
    NoDirectory,
    #[error("could not use `{}`: {cause}", path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error("`{}` is no credentials file: {cause}", path.display())]
    Malformed { path: PathBuf, cause: String },
    #[error("`{}` can be read by others (mode {mode:04o}): run `chmod 600` on it", path.display())]
    Open { path: PathBuf, mode: u32 },
    #[error("no token for `{principal}` on `{server}`: known are {known}")]
    PrincipalUnknown {
        principal: String,
        server: String,
        known: String,
    },
    #[error("no token for `{principal}` on `{server}`: known on {known}: pass --server")]
    PrincipalElsewhere {
        principal: String,
        server: String,
        known: String,
    },
    #[error("several principals on `{server}`: choose one of {known} with --as or PAWL_AS")]
    Ambiguous { server: String, known: String },
    #[error(
        "no token for `{server}`: pass --token, set PAWL_TOKEN, or run `pawl principal add` where an operator's token is"
    )]
    Missing { server: String },
    #[error("the token holds characters that cannot be sent: it is letters, digits and signs only")]
    Unsendable,
}

/// The file in its directory.
#[derive(Clone, Debug)]
pub(crate) struct CredentialsFile {
    directory: PathBuf,
}

impl CredentialsFile {
    /// Takes the file of the data directory.
    pub(crate) fn of_this_user() -> Result<Self, CredentialsError> {
        let directory = super::data_directory().ok_or(CredentialsError::NoDirectory)?;
        Ok(Self { directory })
    }

    /// Takes the file of a directory.
    pub(crate) fn in_directory(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Names the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.directory.join("credentials.toml")
    }

    /// Keeps a principal's token, in place of the one before.
    pub(crate) fn keep(
        &self,
        server: &str,
        principal: &str,
        credential: Credential,
    ) -> Result<(), CredentialsError> {
        self.change(|servers| {
            servers
                .entry(server_key(server))
                .or_default()
                .insert(principal.to_owned(), credential);
        })
    }

    /// Forgets the token with this id; says nothing where it was not kept.
    pub(crate) fn forget(&self, server: &str, id: &str) -> Result<(), CredentialsError> {
        if !self.path().exists() {
            return Ok(());
        }
        self.change(|servers| {
            if let Some(principals) = servers.get_mut(&server_key(server)) {
                principals.retain(|_, credential| credential.id != id);
            }
            servers.retain(|_, principals| !principals.is_empty());
        })
    }

    /// Makes the directory, so that what is wrong with it shows before a token is issued.
    pub(crate) fn prepare(&self) -> Result<(), CredentialsError> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.directory)
            .map_err(|cause| self.failed(&self.directory, cause))?;
        self.load().map(|_| ())
    }

    fn of_server(&self, server: &str) -> Result<BTreeMap<String, Credential>, CredentialsError> {
        Ok(self.load()?.remove(&server_key(server)).unwrap_or_default())
    }

    /// The servers that a token of a principal of this name is kept for.
    fn servers_of(&self, principal: &str) -> Result<Vec<String>, CredentialsError> {
        let servers = self.load()?.into_iter();
        Ok(servers
            .filter(|(_, principals)| principals.contains_key(principal))
            .map(|(server, _)| server)
            .collect())
    }

    /// Reads the token the server's first start left here for its operator.
    fn operator_token(&self) -> Result<Option<String>, CredentialsError> {
        let text = self.read_private(&self.directory.join("operator.token"))?;
        Ok(text
            .map(|text| text.trim().to_owned())
            .filter(|token| !token.is_empty()))
    }

    fn load(&self) -> Result<Servers, CredentialsError> {
        let path = self.path();
        let Some(text) = self.read_private(&path)? else {
            return Ok(Servers::new());
        };
        // The parser's own message may quote the line, and a line may hold a token.
        toml::from_str(&text).map_err(|error| CredentialsError::Malformed {
            path,
            cause: error.message().to_owned(),
        })
    }

    fn change(&self, edit: impl FnOnce(&mut Servers)) -> Result<(), CredentialsError> {
        self.prepare()?;
        let lock = self.lock()?;
        let mut servers = self.load()?;
        edit(&mut servers);
        let text = toml::to_string(&servers).map_err(|error| CredentialsError::Malformed {
            path: self.path(),
            cause: error.to_string(),
        })?;
        let written = self
            .replace(&text)
            .map_err(|cause| self.failed(&self.path(), cause));
        drop(lock);
        written
    }

    fn lock(&self) -> Result<File, CredentialsError> {
        let path = self.directory.join("credentials.lock");
        let open = || {
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .mode(0o600)
                .open(&path)?;
            file.lock()?;
            Ok(file)
        };
        open().map_err(|cause| self.failed(&path, cause))
    }

    /// Writes beside the file and renames over it; a temporary file has mode 0600.
    fn replace(&self, text: &str) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(self.path())?;
        Ok(())
    }

    fn read_private(&self, path: &Path) -> Result<Option<String>, CredentialsError> {
        let mode = match fs::metadata(path) {
            Ok(metadata) => metadata.permissions().mode() & 0o777,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(self.failed(path, cause)),
        };
        if mode & 0o077 != 0 {
            return Err(CredentialsError::Open {
                path: path.to_owned(),
                mode,
            });
        }
        fs::read_to_string(path)
            .map(Some)
            .map_err(|cause| self.failed(path, cause))
    }

    fn failed(&self, path: &Path, cause: io::Error) -> CredentialsError {
        CredentialsError::File {
            path: path.to_owned(),
            cause,
        }
    }
}

/// Spells a server's address the same way with and without a slash at its end.
fn server_key(server: &str) -> String {
    server.trim_end_matches('/').to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
