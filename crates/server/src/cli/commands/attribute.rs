//! `pawl attribute`

use clap::{Args, Subcommand};
use pawl_proto::v1::{self, DeclareAttributeRequest, ListAttributesRequest};

use super::words::ValueType;
use crate::cli::{exit_code::Answer, failure::Failure, render, session::Session};

/// Declares what is said of subjects.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Declares an attribute, or declares it anew.
    Declare(Declare),
    /// Lists attributes.
    List,
}

/// Declares an attribute.
#[derive(Args, Debug)]
pub(crate) struct Declare {
    /// The attribute: 1–63 of `a–z 0–9 - _`, a letter first.
    name: String,
    /// The type of its values.
    #[arg(long = "type", value_name = "TYPE")]
    value_type: ValueType,
    /// The unit of its values.
    #[arg(long, default_value = "", hide_default_value = true)]
    unit: String,
    /// Another name, of any language.
    #[arg(long = "alias", value_name = "NAME", value_delimiter = ',')]
    aliases: Vec<String>,
    /// Several values may hold at once.
    #[arg(long)]
    multi_valued: bool,
    /// For people.
    #[arg(long, default_value = "", hide_default_value = true)]
    description: String,
}

impl Command {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        match self {
            Self::Declare(declare) => declare.run(session).await,
            Self::List => list(session).await,
        }
    }
}

impl Declare {
    async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let request = DeclareAttributeRequest {
            board: session.board()?,
            attribute: self.name,
            r#type: v1::ValueType::from(self.value_type).into(),
            unit: self.unit,
            aliases: self.aliases,
            multi_valued: self.multi_valued,
            description: self.description,
        };
        let attribute = session
            .boards()
            .await?
            .declare_attribute(request)
            .await?
            .into_inner();
        session.answer(&attribute, render::board::attribute)
    }
}

async fn list(session: &mut Session) -> Result<Answer, Failure> {
    let request = ListAttributesRequest {
        board: session.board()?,
    };
    let attributes = session
        .boards()
        .await?
        .list_attributes(request)
        .await?
        .into_inner();
    session.answer(&attributes, render::board::attributes)
}
