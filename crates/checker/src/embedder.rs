//! Turns sentences into vectors with a local model; one thread per session, several sessions.
//!
//! Nothing is downloaded here: the runtime library and the model directory are given. The runtime is loaded once per
//! process, so a second embedder uses the library the first one loaded.

mod files;
mod pool;
mod runtime;

use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use fastembed::{
    InitOptionsUserDefined, OutputKey, Pooling, TextEmbedding, TokenizerFiles,
    UserDefinedEmbeddingModel,
};
use thiserror::Error;

pub use files::ModelFiles;
use pool::Pool;

use crate::vector::{Vector, VectorError};

/// The most tokens of a text that are read; what follows them has no influence on the vector.
pub const MAX_TOKENS: usize = 512;

/// The most characters of a text that are looked at for tokens, which have at most 16 characters each.
const MAX_CHARACTERS: usize = 64 * MAX_TOKENS;

/// The name of the model's output: already pooled and of unit length.
const OUTPUT: &str = "sentence_embedding";

/// Says why texts could not be embedded, and what to do.
#[derive(Debug, Error)]
pub enum EmbedderError {
    /// A file of the model is not there or cannot be read.
    #[error(
        "cannot read the model file `{path}`: {reason}; run `make models`, or go without with `--no-embedding`"
    )]
    File {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The runtime library does not load or is too old.
    #[error(
        "cannot use the onnx runtime `{path}`: {reason}; run `make models`, or go without with `--no-embedding`"
    )]
    Runtime {
        /// The library.
        path: String,
        /// What the loader says.
        reason: String,
    },
    /// The model's files do not make a model of sentences.
    #[error(
        "cannot load the model in `{path}`: {reason}; run `make models`, or go without with `--no-embedding`"
    )]
    Model {
        /// The directory.
        path: String,
        /// What the runtime says.
        reason: String,
    },
    /// The model failed on a text.
    #[error("cannot embed a text: {0}")]
    Inference(String),
    /// The model answered with something that is no vector.
    #[error("the model's answer is no vector: {0}")]
    Vector(#[from] VectorError),
}

/// A model of sentences, ready to use from many threads.
pub struct Embedder {
    sessions: Pool<TextEmbedding>,
    model_digest: [u8; 32],
    texts: AtomicU64,
    microseconds: AtomicU64,
}

/// How much an embedder did since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The texts it embedded.
    pub texts: u64,
    /// How long that took, waiting for a session included, all together.
    pub took: Duration,
}

impl Embedder {
    /// Loads the runtime and the model; each of the sessions (at least one) holds its own copy of the weights.
    pub fn open(files: &ModelFiles, sessions: usize) -> Result<Self, EmbedderError> {
        let model = files.read()?;
        let environment = runtime::load(&files.runtime)?;
        let definition = UserDefinedEmbeddingModel {
            onnx_file: model.weights,
            external_initializers: Vec::new(),
            tokenizer_files: TokenizerFiles {
                tokenizer_file: model.tokenizer,
                config_file: model.config,
                special_tokens_map_file: model.special_tokens,
                tokenizer_config_file: model.tokenizer_config,
            },
            // A two-dimensional output is taken as it is, whatever the pooling.
            pooling: Some(Pooling::Mean),
            quantization: fastembed::QuantizationMode::None,
            output_key: Some(OutputKey::ByName(OUTPUT)),
        };
        let options = InitOptionsUserDefined::new()
            .with_environment(environment)
            .with_intra_threads(1)
            .with_max_length(MAX_TOKENS);
        let sessions = (0..sessions.max(1))
            .map(|_| TextEmbedding::try_new_from_user_defined(definition.clone(), options.clone()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| files.model_error(error))?;
        let embedder = Self {
            sessions: Pool::new(sessions),
            model_digest: model.digest,
            texts: AtomicU64::new(0),
            microseconds: AtomicU64::new(0),
        };
        embedder
            .embed(&["pawl"])
            .map_err(|error| files.model_error(error))?;
        Ok(embedder)
    }

    /// Embeds texts, in their order; waits for a session when all are busy.
    ///
    /// The model sees one text at a time: in company a text is padded, and its vector then differs in a last digit,
    /// while on one thread a batch of 32 takes as long as 32 texts do.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedderError> {
        let begun = Instant::now();
        let vectors = match texts {
            [] => Ok(Vec::new()),
            [text] => self.embed_one(text).map(|vector| vec![vector]),
            texts => self.embed_on_threads(texts),
        };
        let took = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.texts.fetch_add(texts.len() as u64, Ordering::Relaxed);
        self.microseconds.fetch_add(took, Ordering::Relaxed);
        vectors
    }

    /// Tells how much it did so far.
    pub fn work(&self) -> Work {
        Work {
            texts: self.texts.load(Ordering::Relaxed),
            took: Duration::from_micros(self.microseconds.load(Ordering::Relaxed)),
        }
    }

    /// Embeds texts on as many threads as there are sessions; each takes the next text when it is done with one.
    fn embed_on_threads(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedderError> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut made = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(text) = texts.get(place) else {
                    return made;
                };
                made.push((place, self.embed_one(text)));
            }
        };
        let mut made = thread::scope(|scope| {
            let threads = self.sessions.len().min(texts.len());
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut made = work();
            for other in others {
                match other.join() {
                    Ok(more) => made.extend(more),
                    Err(panic) => resume_unwind(panic),
                }
            }
            made
        });
        made.sort_unstable_by_key(|(place, _)| *place);
        made.into_iter().map(|(_, vector)| vector).collect()
    }

    fn embed_one(&self, text: &str) -> Result<Vector, EmbedderError> {
        let end = text
            .char_indices()
            .nth(MAX_CHARACTERS)
            .map_or(text.len(), |(end, _)| end);
        let text = text.get(..end).unwrap_or_default();
        let answers = self
            .sessions
            .with(|session| session.embed([text], None))
            .map_err(|error| EmbedderError::Inference(error.to_string()))?;
        let components = answers.first().map_or(&[][..], Vec::as_slice);
        Ok(Vector::quantise(components)?)
    }

    /// The digest of the weights and the tokenizer; vectors of two digests never mix.
    pub fn model_digest(&self) -> [u8; 32] {
        self.model_digest
    }
}

impl std::fmt::Debug for Embedder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Embedder")
            .field("model_digest", &self.model_digest)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
