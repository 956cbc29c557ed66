//! `pawl check-document`

use std::{io, path::Path};

use clap::{Args, ValueEnum};
use pawl_proto::v1::{CheckDocumentRequest, CheckDocumentResponse, DocumentSummary};

use super::source::media_type;
use crate::{
    app::documents,
    cli::{
        exit_code::Answer,
        failure::Failure,
        input,
        render::{self, document::Checked},
        session::Session,
    },
    grpc,
};

/// The most bytes that are read of a text; the server says how many it checks.
const TEXT_LIMIT_BYTES: u64 = 4 << 20;

/// Checks a finished text against the board and against itself.
///
/// Each sentence is traced to the assertions that bear it out, or contradict it; nothing is written.
#[derive(Args, Debug)]
pub(crate) struct CheckDocument {
    /// The text, Markdown or plain; `-` reads standard input.
    file: String,
    /// Only against this module and those it depends on; repeat for several. All unless given.
    #[arg(long = "module", value_name = "NAME")]
    modules: Vec<String>,
    /// How it is told; --json means json.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// What makes the exit status 1.
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        default_values = ["contradicted", "outdated", "self-contradiction"]
    )]
    fail_on: Vec<Objection>,
    /// Tell of every statement, also of those that are backed and of those that claim nothing.
    #[arg(long)]
    all: bool,
    /// Check the text against itself only, here and without a server; finds less, as meaning is not compared.
    #[arg(long, conflicts_with = "modules")]
    alone: bool,
    /// What the text is written in, such as `text/plain`; by the end of the file's name unless given.
    #[arg(long, value_name = "TYPE")]
    media_type: Option<String>,
}

/// How what was found is told.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// What there is to object to, place by place.
    Text,
    /// The text itself with a footnote for each statement, as Markdown.
    Annotated,
    /// One JSON document.
    Json,
}

/// What there can be to object to in a text.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Objection {
    /// A statement contradicts what stands.
    Contradicted,
    /// A statement says what was superseded.
    Outdated,
    /// Two statements of the text contradict each other.
    SelfContradiction,
    /// Nothing is behind a statement, or behind a figure of it.
    Unbacked,
    /// Nothing: the exit status is 0 whatever was found.
    Never,
}

impl Objection {
    fn holds(self, summary: &DocumentSummary) -> bool {
        match self {
            Self::Contradicted => summary.contradicted > 0,
            Self::Outdated => summary.outdated > 0,
            Self::SelfContradiction => summary.self_contradictions > 0,
            Self::Unbacked => summary.unbacked + summary.partly_backed > 0,
            Self::Never => false,
        }
    }
}

impl CheckDocument {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let text = self.text()?;
        let media_type = self.media_type();
        let answer = if self.alone {
            alone(&text, &media_type)?
        } else {
            let request = CheckDocumentRequest {
                board: session.board()?,
                text: text.clone(),
                media_type,
                modules: self.modules.clone(),
            };
            let mut client = session.documents().await?;
            client.check_document(request).await?.into_inner()
        };
        if self.format == Format::Json {
            session.output.use_json();
        }
        let checked = Checked {
            file: &self.file,
            all: self.all,
            alone: self.alone,
        };
        if self.format == Format::Annotated && !session.output.is_json() {
            let annotated = render::annotated::annotated(&text, &answer);
            session.output.bytes(annotated.as_bytes())?;
        } else {
            session
                .output
                .message(&answer, |answer, page| checked.told(answer, page))?;
        }
        let summary = answer.summary.unwrap_or_default();
        let objects = self.fail_on.iter().any(|it| it.holds(&summary));
        Ok(if objects { Answer::No } else { Answer::Yes })
    }

    fn text(&self) -> Result<String, Failure> {
        let bytes = input::read(&self.file, TEXT_LIMIT_BYTES)?;
        String::from_utf8(bytes).map_err(|error| {
            let byte = error.utf8_error().valid_up_to();
            let cause = format!("it is not UTF-8 from byte {byte} on; save it as UTF-8");
            Failure::File {
                file: self.file.clone(),
                cause: io::Error::new(io::ErrorKind::InvalidData, cause),
            }
        })
    }

    fn media_type(&self) -> String {
        let guessed = || {
            let named = Path::new(&self.file).extension().is_some();
            if named {
                media_type(&self.file)
            } else {
                "text/markdown"
            }
        };
        self.media_type
            .clone()
            .unwrap_or_else(|| guessed().to_owned())
    }
}

/// Checks a text against itself in this process.
fn alone(text: &str, media_type: &str) -> Result<CheckDocumentResponse, Failure> {
    documents::alone(text, media_type)
        .map(|checked| grpc::document::alone(text, &checked))
        .map_err(|error| Failure::Input(error.to_string()))
}
