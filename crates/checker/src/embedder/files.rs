//! Where the model lies, and its files as bytes.

use std::path::{Path, PathBuf};

use super::EmbedderError;

/// The runtime library and the directory of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    /// The shared library of ONNX Runtime, 1.24 or later.
    pub runtime: PathBuf,
    /// The directory with `model.onnx`, `tokenizer.json` and the three small files beside it.
    pub directory: PathBuf,
}

/// The files of a model, read.
pub(super) struct ModelBytes {
    pub(super) weights: Vec<u8>,
    pub(super) tokenizer: Vec<u8>,
    pub(super) config: Vec<u8>,
    pub(super) special_tokens: Vec<u8>,
    pub(super) tokenizer_config: Vec<u8>,
    pub(super) digest: [u8; 32],
}

impl ModelFiles {
    /// The files under one root, as `make models` lays them out: the library beside the directory `model`.
    pub fn under(root: &Path) -> Self {
        let library = format!(
            "{}onnxruntime{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        );
        Self {
            runtime: root.join(library),
            directory: root.join("model"),
        }
    }

    /// Reads every file of the model and takes its digest.
    pub(super) fn read(&self) -> Result<ModelBytes, EmbedderError> {
        let weights = read(&self.directory.join("model.onnx"))?;
        let tokenizer = read(&self.directory.join("tokenizer.json"))?;
        Ok(ModelBytes {
            digest: digest(&weights, &tokenizer),
            weights,
            tokenizer,
            config: read(&self.directory.join("config.json"))?,
            special_tokens: read(&self.directory.join("special_tokens_map.json"))?,
            tokenizer_config: read(&self.directory.join("tokenizer_config.json"))?,
        })
    }

    /// Says of this model that it does not load.
    pub(super) fn model_error(&self, reason: impl std::fmt::Display) -> EmbedderError {
        EmbedderError::Model {
            path: self.directory.display().to_string(),
            reason: reason.to_string(),
        }
    }
}

/// Hashes the digests of the two files that decide what a vector means, so that neither can run into the other.
fn digest(weights: &[u8], tokenizer: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("pawl sentence model v1");
    hasher.update(blake3::hash(weights).as_bytes());
    hasher.update(blake3::hash(tokenizer).as_bytes());
    *hasher.finalize().as_bytes()
}

fn read(path: &Path) -> Result<Vec<u8>, EmbedderError> {
    std::fs::read(path).map_err(|error| EmbedderError::File {
        path: path.display().to_string(),
        reason: error.to_string(),
    })
}
