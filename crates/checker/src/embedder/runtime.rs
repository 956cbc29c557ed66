//! Loads the ONNX Runtime library, looking before leaping.
//!
//! The binding panics when it meets no library or an old one on first use; its explicit loader answers with an error
//! instead, so nothing touches the runtime before that loader has succeeded. A process holds one library and one
//! environment for good.

use std::path::{Path, PathBuf};

use ort::environment::Environment;
use parking_lot::Mutex;

use super::EmbedderError;

/// The library this process loaded, with its environment.
static LOADED: Mutex<Option<(PathBuf, Environment)>> = Mutex::new(None);

/// Loads the library on the first call; later calls must name the same file.
pub(super) fn load(library: &Path) -> Result<Environment, EmbedderError> {
    let refuse = |reason: String| EmbedderError::Runtime {
        path: library.display().to_string(),
        reason,
    };
    // A bare name would be searched for in the system's directories, and beside the executable.
    let file = std::fs::canonicalize(library).map_err(|error| refuse(error.to_string()))?;
    let mut loaded = LOADED.lock();
    if let Some((path, environment)) = loaded.as_ref() {
        if *path == file {
            return Ok(environment.clone());
        }
        return Err(refuse(format!(
            "this process has loaded `{}` already",
            path.display()
        )));
    }
    let environment = ort::init_from(&file)
        .map_err(|error| refuse(error.to_string()))?
        .with_telemetry(false)
        .build()
        .map_err(|error| refuse(error.to_string()))?;
    *loaded = Some((file, environment.clone()));
    Ok(environment)
}
