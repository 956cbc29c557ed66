//! `pawl list`

use clap::Args;
use pawl_proto::v1::{self, ListAssertionsRequest, ListAssertionsResponse};

use super::{
    moment::Moment,
    paging::Paging,
    resource::{Resource, ids_on},
    words::{Kind, Level, Status},
};
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Lists assertions; what is given narrows the list, and all of it has to hold.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// These only: `a3@1`, or `a3` for each of its revisions.
    #[arg(value_name = "ID")]
    ids: Vec<Resource>,
    /// In this module only.
    #[arg(long, value_name = "NAME")]
    module: Option<String>,
    /// Of this status only; the standing and the contested unless given.
    #[arg(long = "status", value_name = "STATUS", value_delimiter = ',')]
    statuses: Vec<Status>,
    /// Of this level only.
    #[arg(long = "level", value_name = "LEVEL", value_delimiter = ',')]
    levels: Vec<Level>,
    /// Of this kind only.
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// By this author.
    #[arg(long, value_name = "NAME")]
    principal: Option<String>,
    /// About this entity.
    #[arg(long, value_name = "TEXT")]
    entity: Option<String>,
    /// With this tag.
    #[arg(long, value_name = "TEXT")]
    tag: Option<String>,
    /// With a claim about this subject.
    #[arg(long, value_name = "TEXT")]
    subject: Option<String>,
    /// With a claim of this attribute.
    #[arg(long, value_name = "NAME")]
    attribute: Option<String>,
    /// With a citation of this source: digest, its first 8 digits or more, or address.
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// With these words in the content; what stands in double quotes, as a phrase.
    #[arg(long, value_name = "WORDS")]
    text: Option<String>,
    /// Submitted at this time or later, such as `2024-06-30T12:00:00Z`.
    #[arg(long, value_name = "TIME")]
    from: Option<Moment>,
    /// Submitted before this time.
    #[arg(long, value_name = "TIME")]
    to: Option<Moment>,
    /// Said to hold on this day.
    #[arg(long, value_name = "DATE")]
    valid_at: Option<String>,
    /// Whether a support is lost.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    support_lost: Option<bool>,
    /// Whether an open conflict challenges it.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    challenged: Option<bool>,
    /// As they were after the board's first so many entries.
    #[arg(long, value_name = "POSITION")]
    as_of: Option<u64>,
    #[command(flatten)]
    paging: Paging,
}

impl List {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let board = session.board()?;
        let paging = self.paging.clone();
        let request = self.request(board)?;
        let mut client = session.assertions().await?;
        let mut list = ListAssertionsResponse::default();
        let mut next = Some(paging.first());
        while let Some(page_token) = next {
            let request = ListAssertionsRequest {
                page_token,
                ..request.clone()
            };
            let page = client.list_assertions(request).await?.into_inner();
            list.assertions.extend(page.assertions);
            list.position = page.position;
            list.next_page_token = page.next_page_token;
            next = paging.after(&list.next_page_token);
        }
        session.answer(&list, render::assertion::assertions)
    }

    fn request(self, board: String) -> Result<ListAssertionsRequest, Failure> {
        let statuses = self.statuses.into_iter();
        let levels = self.levels.into_iter();
        let kinds = self.kinds.into_iter();
        Ok(ListAssertionsRequest {
            ids: ids_on(&self.ids, &board)?,
            board,
            module: self.module.unwrap_or_default(),
            statuses: statuses.map(|it| v1::Status::from(it).into()).collect(),
            levels: levels.map(|it| v1::Level::from(it).into()).collect(),
            kinds: kinds.map(|it| v1::Kind::from(it).into()).collect(),
            principal: self.principal.unwrap_or_default(),
            entity: self.entity.unwrap_or_default(),
            tag: self.tag.unwrap_or_default(),
            subject: self.subject.unwrap_or_default(),
            attribute: self.attribute.unwrap_or_default(),
            source: self.source.unwrap_or_default(),
            text: self.text.unwrap_or_default(),
            created_from: self.from.map(Moment::to_wire),
            created_to: self.to.map(Moment::to_wire),
            valid_at: self.valid_at.unwrap_or_default(),
            support_lost: self.support_lost,
            challenged: self.challenged,
            as_of: self.as_of,
            page_size: self.paging.size(),
            page_token: String::new(),
        })
    }
}
