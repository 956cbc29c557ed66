//! `pawl export`
//!
//! One JSON object a line, keys in alphabetical order, so the same entries give the same bytes. The
//! form and its version stand in the first line; docs/formats.md says what the lines hold.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use pawl_proto::v1::{Entry, ExportRequest, ExportedEntry, export_response::Part};
use prost::Name;
use serde_json::{Value, json};

use crate::cli::{exit_code::Answer, failure::Failure, json, session::Session, text};

/// The version of the form.
const VERSION: u32 = 1;

/// Writes a whole board as JSON lines: every entry with its words.
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// The board; that of --board unless given.
    name: Option<String>,
    /// Into this new file, which appears once it is whole; `-`, as without it, is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The first so many entries only.
    #[arg(long, value_name = "POSITION")]
    until: Option<u64>,
    /// With the bytes of the kept sources.
    #[arg(long)]
    with_sources: bool,
}

impl Export {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let output = self.output.as_deref();
        let output = output.filter(|path| *path != Path::new("-"));
        if let Some(path) = output.filter(|path| path.symlink_metadata().is_ok()) {
            return Err(taken(path));
        }
        let request = ExportRequest {
            board: self.name.map_or_else(|| session.board(), Ok)?,
            until: self.until,
            with_sources: self.with_sources,
        };
        let mut client = session.backups().await?;
        let mut parts = client.export(request).await?.into_inner();
        let mut file = output.map(Draft::create).transpose()?;
        let mut is_whole = false;
        while let Some(response) = parts.message().await? {
            let Some(part) = response.part else {
                return Err(Failure::Answer("a part of the export is of no kind".into()));
            };
            is_whole = matches!(part, Part::End(_));
            let line = json::escaped(&line(part).to_string()) + "\n";
            match &mut file {
                Some(draft) => draft.write(&line)?,
                None => session.output.print(&line)?,
            }
        }
        if !is_whole {
            return Err(Failure::Answer("the export broke off; run it again".into()));
        }
        if let Some(draft) = file {
            draft.finish()?;
        }
        Ok(Answer::Yes)
    }
}

fn line(part: Part) -> Value {
    let (kind, mut value) = match part {
        Part::Header(header) => {
            let mut value = json::from_message(&header);
            set(&mut value, "form", json!("pawl export"));
            set(&mut value, "version", json!(VERSION));
            ("header", value)
        }
        Part::Entry(entry) => ("entry", entry_line(&entry)),
        Part::Source(source) => ("source", json::from_message(&source)),
        Part::End(end) => ("end", json::from_message(&end)),
    };
    set(&mut value, "line", json!(kind));
    value
}

/// An entry's bytes with what they say, and its words with what those say.
fn entry_line(exported: &ExportedEntry) -> Value {
    let mut value = json::from_message(exported);
    if let Some(event) = json::from_bytes(&Entry::full_name(), &exported.entry) {
        set(&mut value, "event", event);
    }
    let words = value.get_mut("words").and_then(Value::as_array_mut);
    for (value, words) in words.into_iter().flatten().zip(&exported.words) {
        set(value, "commitment", json!(hex(&words.commitment)));
        set(value, "salt", json!(hex(&words.salt)));
        if words.salt.is_empty() {
            set(value, "gone", json!(true));
        } else if words.message.is_empty() {
            set(value, "text", json!(String::from_utf8_lossy(&words.words)));
        } else if let Some(said) =
            json::from_bytes(&format!("pawl.v1.{}", words.message), &words.words)
        {
            set(value, "said", said);
        }
    }
    value
}

fn set(value: &mut Value, key: &str, to: Value) {
    if let Some(object) = value.as_object_mut() {
        object.insert(key.to_owned(), to);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file that gets its name once it is whole.
struct Draft<'path> {
    path: &'path Path,
    file: std::io::BufWriter<tempfile::NamedTempFile>,
}

impl<'path> Draft<'path> {
    fn create(path: &'path Path) -> Result<Self, Failure> {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let file = tempfile::NamedTempFile::new_in(parent).map_err(failed(path))?;
        Ok(Self {
            path,
            file: std::io::BufWriter::new(file),
        })
    }

    fn write(&mut self, line: &str) -> Result<(), Failure> {
        self.file
            .write_all(line.as_bytes())
            .map_err(failed(self.path))
    }

    fn finish(self) -> Result<(), Failure> {
        let file = self
            .file
            .into_inner()
            .map_err(|error| failed(self.path)(error.into_error()))?;
        file.as_file().sync_all().map_err(failed(self.path))?;
        let named = file.persist_noclobber(self.path);
        named.map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => taken(self.path),
            _ => failed(self.path)(error.error),
        })?;
        Ok(())
    }
}

/// Refuses to write over what is there.
fn taken(path: &Path) -> Failure {
    let path = text::harmless(&path.display().to_string());
    Failure::Input(format!(
        "`{path}` is there already; name a new file, or remove it first"
    ))
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    |cause| Failure::Written {
        file: text::harmless(&path.display().to_string()),
        cause,
    }
}
