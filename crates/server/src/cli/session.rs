//! What a running command has at hand: its options, the server, the output.

use std::{env, time::Duration};

use pawl_proto::v1::{
    assertion_service_client::AssertionServiceClient, backup_service_client::BackupServiceClient,
    board_service_client::BoardServiceClient, conflict_service_client::ConflictServiceClient,
    document_service_client::DocumentServiceClient, identity_service_client::IdentityServiceClient,
    log_service_client::LogServiceClient, seal_service_client::SealServiceClient,
    server_service_client::ServerServiceClient, source_service_client::SourceServiceClient,
    table_service_client::TableServiceClient, upkeep_service_client::UpkeepServiceClient,
};
use prost::Name;
use tokio::sync::OnceCell;
use tonic::transport::Channel;

use super::{
    connection::{self, ANSWER_LIMIT_BYTES, Caller, TlsFiles, Wire},
    credentials::{self, CredentialsFile, Wish},
    exit_code::Answer,
    failure::Failure,
    options::Options,
    output::{Output, Page},
};

/// What a running command has at hand.
pub(crate) struct Session {
    pub(crate) options: Options,
    pub(crate) output: Output,
    channel: OnceCell<Channel>,
}

impl Session {
    /// Begins without a connection; the first call makes one.
    pub(crate) fn new(options: Options) -> Self {
        let output = Output::to_stdout(options.json, options.color.into());
        Self {
            options,
            output,
            channel: OnceCell::new(),
        }
    }

    /// Prints an answer that is what was asked for.
    pub(crate) fn answer<M: Name + Default>(
        &mut self,
        message: &M,
        render: impl FnOnce(&M, Page) -> String,
    ) -> Result<Answer, Failure> {
        self.output.message(message, render)?;
        Ok(Answer::Yes)
    }

    /// Names the board to work on, or says how to.
    pub(crate) fn board(&self) -> Result<String, Failure> {
        self.options.board()
    }

    /// Opens the door to boards.
    pub(crate) async fn boards(&self) -> Result<BoardServiceClient<Wire>, Failure> {
        let client = BoardServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to quotas, figures and the end of boards.
    pub(crate) async fn upkeep(&self) -> Result<UpkeepServiceClient<Wire>, Failure> {
        let client = UpkeepServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to assertions.
    pub(crate) async fn assertions(&self) -> Result<AssertionServiceClient<Wire>, Failure> {
        let client = AssertionServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to conflicts.
    pub(crate) async fn conflicts(&self) -> Result<ConflictServiceClient<Wire>, Failure> {
        let client = ConflictServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to the checking of documents.
    pub(crate) async fn documents(&self) -> Result<DocumentServiceClient<Wire>, Failure> {
        let client = DocumentServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to conflicts for as long as a comparison takes.
    pub(crate) async fn conflict_streams(&self) -> Result<ConflictServiceClient<Wire>, Failure> {
        let client = ConflictServiceClient::new(self.wire(None).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to principals and tokens.
    pub(crate) async fn identities(&self) -> Result<IdentityServiceClient<Wire>, Failure> {
        let client = IdentityServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to seals.
    pub(crate) async fn seals(&self) -> Result<SealServiceClient<Wire>, Failure> {
        let client = SealServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to reference tables and authorities.
    pub(crate) async fn tables(&self) -> Result<TableServiceClient<Wire>, Failure> {
        let client = TableServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to the server itself.
    pub(crate) async fn servers(&self) -> Result<ServerServiceClient<Wire>, Failure> {
        let client = ServerServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to briefs.
    pub(crate) async fn log(&self) -> Result<LogServiceClient<Wire>, Failure> {
        let client = LogServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to the streams of the log, which may stay open for good.
    pub(crate) async fn log_streams(&self) -> Result<LogServiceClient<Wire>, Failure> {
        let client = LogServiceClient::new(self.wire(None).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to backups and exports, which take as long as they take.
    pub(crate) async fn backups(&self) -> Result<BackupServiceClient<Wire>, Failure> {
        let client = BackupServiceClient::new(self.wire(None).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to sources.
    pub(crate) async fn sources(&self) -> Result<SourceServiceClient<Wire>, Failure> {
        let client = SourceServiceClient::new(self.wire(self.limit()).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    /// Opens the door to the bytes of sources, which take as long as they take.
    pub(crate) async fn source_streams(&self) -> Result<SourceServiceClient<Wire>, Failure> {
        let client = SourceServiceClient::new(self.wire(None).await?);
        Ok(client.max_decoding_message_size(ANSWER_LIMIT_BYTES))
    }

    async fn wire(&self, limit: Option<Duration>) -> Result<Wire, Failure> {
        let server = self.options.server.as_str();
        let token = credentials::choose(&self.wish(), server, CredentialsFile::of_this_user)?;
        let caller = Caller::new(&token, limit)?;
        let channel = self.channel.get_or_try_init(|| self.connect()).await?;
        Ok(Wire::new(channel.clone(), caller))
    }

    /// Connects without saying who calls, for what is open to everybody.
    pub(crate) async fn connect(&self) -> Result<Channel, Failure> {
        let options = &self.options;
        let files = TlsFiles {
            ca: options.ca.as_deref(),
            certificate: options.client_certificate.as_deref(),
            key: options.client_key.as_deref(),
        };
        connection::connect(&options.server, options.timeout.0, &files).await
    }

    fn limit(&self) -> Option<Duration> {
        Some(self.options.timeout.0)
    }

    fn wish(&self) -> Wish {
        Wish {
            token: self.options.token.clone(),
            principal: self.options.principal.clone(),
            token_variable: env::var("PAWL_TOKEN").ok(),
            principal_variable: env::var("PAWL_AS").ok(),
        }
    }
}
