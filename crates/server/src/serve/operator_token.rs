//! The token that lets the first operator in, in a file that its owner alone can read.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use crate::{
    app::{App, error::AppError},
    auth::Secret,
    serve::ServeError,
};

/// Makes the token and its file where no server operator has a good token.
pub(super) async fn ensure(app: &App, path: &Path) -> Result<(), ServeError> {
    let mut failure = None;
    let made = app
        .identity
        .ensure_operator(&app.ledger, async |secret| {
            write(path, secret).map_err(|source| {
                let error = AppError::Internal(format!("writing `{}`: {source}", path.display()));
                failure = Some(ServeError::Data {
                    path: path.to_path_buf(),
                    source,
                });
                error
            })
        })
        .await;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if made? {
        tracing::info!(path = %path.display(), "made the first operator's token; it is in this file");
    }
    Ok(())
}

/// Writes the file whole or not at all.
fn write(path: &Path, secret: &Secret) -> std::io::Result<()> {
    let fresh = path.with_extension("token.new");
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&fresh)?;
    writeln!(file, "{}", secret.expose())?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    path.parent()
        .map_or(Ok(()), |parent| fs::File::open(parent)?.sync_all())
}
