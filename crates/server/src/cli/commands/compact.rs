//! A store, rewritten without what was deleted.

use std::path::PathBuf;

use clap::Args;
use pawl_ledger::store::compact;

use super::verify::store_in;
use crate::cli::{data_directory, exit_code::Answer, failure::Failure, session::Session};

/// Rewrites a store that no server has open, so that what was deleted or replaced takes no space and
/// is in no file any more. There has to be room for as much again as the store holds.
#[derive(Args, Debug)]
pub(crate) struct Compact {
    /// The directory of a store or of a server's data [default: the data directory].
    #[arg(value_name = "DIR")]
    store: Option<PathBuf>,
}

impl Compact {
    pub(crate) fn run(self, session: &mut Session) -> Result<Answer, Failure> {
        let path = self.store.or_else(data_directory).map(store_in);
        let Some(path) = path.filter(|path| path.is_dir()) else {
            return Err(Failure::Usage("name the directory of a store".into()));
        };
        let records = compact(&path).map_err(|error| Failure::Local(Box::new(error)))?;
        if session.output.is_json() {
            let told = serde_json::json!({ "records": records });
            session.output.document(&told)?;
        } else {
            let told = format!("rewritten with {records} records\n");
            session.output.print(&told)?;
        }
        Ok(Answer::Yes)
    }
}
