//! The brief: its text as it is, for a prompt.

use pawl_proto::v1::Brief;

use crate::cli::output::Page;

pub(crate) fn brief(brief: &Brief, _page: Page) -> String {
    let mut text = brief.text.clone();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
