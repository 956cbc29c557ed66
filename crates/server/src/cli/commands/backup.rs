//! `pawl backup` and `pawl restore`

use std::path::PathBuf;

use clap::Args;
use pawl_ledger::{
    backup::{BackupError, BoardHead, Ending, Manifest, Origin, VERSION, Writer, restore},
    store::Engine,
};
use pawl_proto::v1::{BackupEnd, BackupHeader, BackupRequest, backup_response::Part};

use crate::cli::{
    data_directory, exit_code::Answer, failure::Failure, session::Session, text::harmless,
};

/// Backs up everything the server keeps, as of one moment, while it goes on working.
///
/// The directory then holds all that is on every board, and the digests of all tokens: keep it as
/// safe as the server's own. Server operators only.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    /// A directory that is empty or not there yet.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Restores a backup into an empty data directory; no server may be running there.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    /// What `pawl backup` made.
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    /// Where a server is to keep everything [default: $XDG_DATA_HOME/pawl or ~/.local/share/pawl]
    #[arg(long, env = "PAWL_HOME", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Stores with this engine, fjall or sled [default: fjall]
    #[arg(long, env = "PAWL_ENGINE", value_name = "ENGINE")]
    engine: Option<Engine>,
}

impl Backup {
    pub(crate) async fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let mut writer = Writer::create(&self.directory)?;
        let mut client = session.backups().await?;
        let mut parts = client.backup(BackupRequest {}).await?.into_inner();
        let (mut origin, mut ending) = (None, None);
        while let Some(response) = parts.message().await? {
            match response.part {
                Some(Part::Header(header)) => origin = Some(read_origin(header)?),
                Some(Part::Records(records)) => writer.append(&records)?,
                Some(Part::End(end)) => ending = Some(read_ending(end)),
                None => return Err(Failure::Answer("a part of the backup is of no kind".into())),
            }
        }
        let (Some(origin), Some(ending)) = (origin, ending) else {
            return Err(BackupError::Broken("its end did not come".into()).into());
        };
        let manifest = writer.finish(origin, &ending)?;
        let directory = self.directory.display();
        let done = format!("backed up to `{directory}`; check it with `pawl verify {directory}`");
        tell(session, &manifest, &done)?;
        Ok(Answer::Yes)
    }
}

impl Restore {
    pub(crate) fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let Some(data) = self.data.or_else(data_directory) else {
            return Err(Failure::Usage(
                "name the data directory with `--data`".into(),
            ));
        };
        let store = data.join("store");
        // What a restore that broke off left is begun anew.
        if store.join("FORMAT").exists() && !store.join("RESTORING").exists() {
            return Err(Failure::Input(format!(
                "`{}` holds a store already; name a new or an empty directory with `--data`",
                harmless(&data.display().to_string())
            )));
        }
        let manifest = restore(&self.backup, &data, self.engine)?;
        let data = data.display();
        let done = format!(
            "restored into `{data}`; start it with `pawl serve --data {data}`\n\
             the tokens of the server it was made from are good here: bring its `operator.token`"
        );
        tell(session, &manifest, &done)?;
        Ok(Answer::Yes)
    }
}

/// Tells what is in a backup, then what was done.
fn tell(session: &mut Session, manifest: &Manifest, done: &str) -> Result<(), Failure> {
    if session.output.is_json() {
        let value =
            serde_json::to_value(manifest).map_err(|error| Failure::Answer(error.to_string()))?;
        return session.output.document(&value);
    }
    let Ending {
        records,
        bytes,
        boards,
        ..
    } = &manifest.ending;
    let mut text = String::new();
    for board in boards {
        let BoardHead {
            name,
            entries,
            tree_root,
        } = board;
        text += &format!("board `{name}`: {entries} entries, tree hash {tree_root}\n");
    }
    text += &format!("{records} records, {bytes} bytes\n{done}\n");
    session.output.print(&harmless(&text))
}

fn read_origin(header: BackupHeader) -> Result<Origin, Failure> {
    if header.form != VERSION {
        return Err(Failure::Answer(format!(
            "its backups have form {}, this program writes {VERSION}; use the server's version",
            header.form
        )));
    }
    Ok(Origin {
        layout: header.layout,
        at_ms: header.at_ms,
        server: header.server,
    })
}

fn read_ending(end: BackupEnd) -> Ending {
    let boards = end.boards.into_iter();
    Ending {
        records: end.records,
        bytes: end.bytes,
        digest: end.digest,
        boards: boards
            .map(|board| BoardHead {
                name: board.name,
                entries: board.entries,
                tree_root: board.tree_root,
            })
            .collect(),
    }
}
