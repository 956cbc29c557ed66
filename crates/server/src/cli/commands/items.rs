//! What is submitted or checked: an intake document, or one assertion by options.

use clap::Args;
use pawl_proto::v1::{CheckRequest, Draft, SubmitIntakeRequest};

use super::{
    draft::{self, DraftOptions},
    resource::Resource,
};
use crate::cli::{
    failure::Failure,
    input::{self, DOCUMENT_LIMIT_BYTES},
    session::Session,
    text,
};

/// What is submitted or checked.
#[derive(Args, Debug)]
pub(crate) struct Items {
    /// The intake document (JSON, see `pawl schema`), or `-` for standard input; else one assertion by options.
    #[arg(conflicts_with = "replaces", conflicts_with_all = draft::GROUPS)]
    file: Option<String>,
    /// The module; for a document, that of the items that name none.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    module: String,
    /// The revision it takes the place of, `a3@1`.
    #[arg(long, value_name = "REVISION")]
    replaces: Option<Resource>,
    /// The log position read up to before; the present unless given.
    #[arg(long, value_name = "POSITION")]
    base: Option<u64>,
    #[command(flatten)]
    draft: DraftOptions,
}

/// What was given: a document as it is, or one assertion.
pub(crate) enum Read {
    /// The document.
    Document(SubmitIntakeRequest),
    /// The assertion.
    One(CheckRequest),
}

impl Items {
    /// Reads the document, or puts the options together.
    pub(crate) fn read(self, session: &Session) -> Result<Read, Failure> {
        let (board, module, base) = (session.board()?, self.module, self.base);
        if let Some(file) = &self.file {
            let document = input::read(file, DOCUMENT_LIMIT_BYTES)?;
            let request = SubmitIntakeRequest {
                board,
                module,
                document,
                base,
                ..Default::default()
            };
            return Ok(Read::Document(request));
        }
        if !self.draft.has_content() {
            let usage = "nothing to submit: name a file, `-`, or pass --content";
            return Err(Failure::Usage(usage.to_owned()));
        }
        let replaces = self
            .replaces
            .map(|resource| resource.id_on(&board))
            .transpose()?;
        let draft = Draft {
            module,
            replaces: replaces.unwrap_or_default(),
            ..self.draft.into_message(&board)?
        };
        Ok(Read::One(CheckRequest {
            board,
            items: vec![draft],
            base,
        }))
    }
}

/// Takes the contents of drafts, made harmless.
pub(crate) fn contents_of(items: &[Draft]) -> Vec<String> {
    items
        .iter()
        .map(|draft| text::harmless(&draft.content))
        .collect()
}

/// Reads the contents of an intake document as far as it can be read; the server judges it.
pub(crate) fn contents_of_document(document: &[u8]) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_slice(document).unwrap_or_default();
    let items = document
        .get("assertions")
        .and_then(serde_json::Value::as_array);
    let content = |item: &serde_json::Value| {
        let content = item.get("content").and_then(serde_json::Value::as_str);
        text::harmless(content.unwrap_or_default())
    };
    items.into_iter().flatten().map(content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_goes_with_no_option_for_one_assertion() {
        #[derive(clap::Parser, Debug)]
        struct Line {
            #[command(flatten)]
            _items: Items,
        }
        for option in [
            "--content",
            "--rationale",
            "--replaces",
            "--subject",
            "--quote",
        ] {
            let line = ["pawl", "batch.json", option, "x"];
            let error = <Line as clap::Parser>::try_parse_from(line).expect_err(option);
            assert_eq!(
                error.kind(),
                clap::error::ErrorKind::ArgumentConflict,
                "{option}"
            );
        }
    }

    #[test]
    fn contents_are_read_where_they_can_be() {
        assert_eq!(
            contents_of_document(br#"{"assertions":[{"content":"a"},{"x":1},7]}"#),
            ["a", "", ""]
        );
        assert!(contents_of_document(b"{").is_empty());
    }
}
