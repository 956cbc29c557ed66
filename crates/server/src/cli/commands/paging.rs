//! Lists that come in pages.

use clap::Args;

/// Which page of a list, or all of them.
#[derive(Args, Clone, Debug)]
pub(crate) struct Paging {
    /// The most rows of a page, at most 1,000.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u32,
    /// Begin with this page, from the answer before.
    #[arg(
        long,
        value_name = "TOKEN",
        default_value = "",
        hide_default_value = true
    )]
    page_token: String,
    /// Fetch every page from there on.
    #[arg(long)]
    all_pages: bool,
}

/// The largest page the API gives.
const LARGEST_PAGE: u32 = 1_000;

impl Paging {
    /// Says how many rows to ask for at once.
    pub(crate) fn size(&self) -> u32 {
        if self.all_pages {
            LARGEST_PAGE
        } else {
            self.limit
        }
    }

    /// Says where to begin.
    pub(crate) fn first(&self) -> String {
        self.page_token.clone()
    }

    /// Says where to go on after a page; nothing where that was all that was asked for.
    pub(crate) fn after(&self, next_page_token: &str) -> Option<String> {
        (self.all_pages && !next_page_token.is_empty()).then(|| next_page_token.to_owned())
    }
}
