//! Why something is done, and the id that makes it repeatable.

use clap::Args;

/// Why something is done.
#[derive(Args, Debug)]
pub(crate) struct Reason {
    /// Why.
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) reason: String,
    #[command(flatten)]
    pub(crate) repeat: Repeat,
}

/// What makes a call repeatable.
#[derive(Args, Debug)]
pub(crate) struct Repeat {
    /// Makes the call repeatable for 7 days: sent again with this id it is not done twice.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    pub(crate) request_id: String,
}
