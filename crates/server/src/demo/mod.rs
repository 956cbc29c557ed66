//! The main job on real input, as a story that checks itself.
//!
//! A real server on a fresh store; three agents, each a process of its own that calls over gRPC; a
//! verifier, an arbiter and an auditor. What they do, and what has to come of it, is data; this module
//! only plays it. Nothing here judges: every verdict is the server's.

mod act;
mod agent;
mod count;
mod expectation;
mod files;
mod names;
mod play;
mod short;
mod stage;
mod story;
mod telling;

use std::{
    io,
    path::{Path, PathBuf},
};

use serde_json::json;

use self::{play::Played, stage::Stage, story::Story, telling::Teller};
use crate::{
    app::error::AppError,
    cli::{failure::Failure, session::Session},
    config::{Config, ConfigError, ServeArgs},
    serve::ServeError,
};

pub(crate) use agent::obey;

/// What the demonstration is told.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    /// Where to keep what it makes; a new temporary directory unless given.
    pub(crate) keep: Option<PathBuf>,
    /// Run without the sentence model.
    pub(crate) no_embedding: bool,
    /// Where the sentence model is.
    pub(crate) models: Option<PathBuf>,
    /// Another story than the shipped one.
    pub(crate) story: Option<PathBuf>,
}

/// Why the story could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DemoError {
    #[error(
        "cannot keep the demonstration in `{path}`: {cause}; name another directory with `--keep`"
    )]
    Keep { path: PathBuf, cause: io::Error },
    #[error("`{0}` holds something already; name a new or empty directory with `--keep`")]
    Taken(PathBuf),
    #[error("cannot read the operator's token: {0}")]
    Token(#[source] io::Error),
    #[error("cannot read the story `{path}`: {cause}")]
    Story { path: PathBuf, cause: io::Error },
    #[error("the agent `{name}` does not answer: {cause}")]
    Agent { name: String, cause: io::Error },
    #[error("nobody here is called `{0}`")]
    Nobody(String),
    #[error("`{0}` is no role")]
    Role(String),
    #[error("the server has stopped already")]
    Stopped,
    #[error("the story is not well formed: {0}")]
    Data(#[from] serde_json::Error),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    App(#[from] AppError),
    #[error(transparent)]
    Call(#[from] Failure),
    #[error(transparent)]
    Verify(#[from] Box<dyn std::error::Error + Send + Sync>),
}

/// Plays the story; says whether every step came out as it should.
pub(crate) async fn run(wishes: Wishes, session: &mut Session) -> Result<bool, DemoError> {
    let story = read_story(&wishes)?;
    let place = Place::prepare(wishes.keep)?;
    let config = Config::resolve(ServeArgs {
        data: Some(place.path().to_owned()),
        listen: Some(([127, 0, 0, 1], 0).into()),
        models: wishes.models,
        no_embedding: wishes.no_embedding,
        ..ServeArgs::default()
    })?;
    let with_model = config.models.is_some();

    let mut teller = Teller::new(&mut session.output);
    teller.beginning(place.path(), with_model)?;
    let mut stage = Stage::set_up(config, &session.options).await?;
    let directory = place.keep();
    let mut cast = Vec::new();
    for member in &story.cast {
        let process = stage.let_in(member).await?;
        teller.member(member, process)?;
        cast.push(json!({"name": member.name, "role": member.role, "process": process}));
    }
    let played = play::play(&story, &mut stage, &mut teller).await?;
    stage.take_down().await?;

    let commands = look_around(&directory, with_model);
    teller.end(&played, &commands)?;
    let ok = played.failed == 0;
    if session.output.is_json() {
        let document = as_data(&played, &cast, &directory, &commands);
        session.output.document(&document)?;
    }
    Ok(ok)
}

fn as_data(
    played: &Played,
    cast: &[serde_json::Value],
    directory: &Path,
    commands: &[String],
) -> serde_json::Value {
    json!({
        "ok": played.failed == 0,
        "cast": cast,
        "steps": played.steps,
        "figures": played.figures,
        "directory": directory.display().to_string(),
        "look_around": commands,
    })
}

fn read_story(wishes: &Wishes) -> Result<Story, DemoError> {
    let Some(path) = &wishes.story else {
        return Ok(serde_json::from_str(files::STORY)?);
    };
    let text = std::fs::read_to_string(path).map_err(|cause| DemoError::Story {
        path: path.clone(),
        cause,
    })?;
    Ok(serde_json::from_str(&text)?)
}

/// Where everything is made.
enum Place {
    /// The directory that was named.
    Named(PathBuf),
    /// A temporary one, removed again unless the server starts in it.
    Temporary(tempfile::TempDir),
}

impl Place {
    fn prepare(keep: Option<PathBuf>) -> Result<Self, DemoError> {
        let Some(path) = keep else {
            let made = tempfile::Builder::new().prefix("pawl-demo-").tempdir();
            return made.map(Self::Temporary).map_err(|cause| DemoError::Keep {
                path: std::env::temp_dir(),
                cause,
            });
        };
        let made = std::fs::create_dir_all(&path)
            .and_then(|()| std::path::absolute(&path))
            .and_then(|path| Ok((std::fs::read_dir(&path)?.next().is_none(), path)));
        match made {
            Ok((true, path)) => Ok(Self::Named(path)),
            Ok((false, path)) => Err(DemoError::Taken(path)),
            Err(cause) => Err(DemoError::Keep { path, cause }),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Named(path) => path,
            Self::Temporary(directory) => directory.path(),
        }
    }

    /// Stays from here on.
    fn keep(self) -> PathBuf {
        match self {
            Self::Named(path) => path,
            Self::Temporary(directory) => directory.keep(),
        }
    }
}

/// The commands that show what there is now.
fn look_around(directory: &Path, with_model: bool) -> Vec<String> {
    let program = program();
    let home = quoted(&directory.display().to_string());
    let serve = if with_model { "" } else { " --no-embedding" };
    let mut commands = vec![
        format!("PAWL_HOME={home} {program} serve{serve}  # in one terminal"),
        format!(
            "export PAWL_HOME={home} PAWL_BOARD={}  # in another",
            stage::BOARD
        ),
    ];
    let rest = [
        "list",
        "evidence a15@1",
        "conflicts --all",
        "brief analysis",
        "replay",
        "whoami --as ana",
        "verify  # once the server has stopped",
    ];
    commands.extend(rest.map(|command| format!("{program} {command}")));
    commands
}

/// This program as one types it here.
fn program() -> String {
    let here = std::env::current_dir().ok();
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("pawl"));
    let shown = here.and_then(|here| program.strip_prefix(here).ok().map(PathBuf::from));
    quoted(&shown.unwrap_or(program).display().to_string())
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
