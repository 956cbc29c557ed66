//! What the exit status of `pawl` says.

/// Done, and the answer is yes.
pub(crate) const YES: u8 = 0;
/// Done, and the answer is no.
pub(crate) const NO: u8 = 1;
/// The command line is wrong; clap's own status for it.
pub(crate) const USAGE: u8 = 2;
/// What was given is not right, or does not fit what stands.
pub(crate) const INPUT: u8 = 3;
/// The caller may not do this.
pub(crate) const NOT_ALLOWED: u8 = 4;
/// The server could not be reached, or failed.
pub(crate) const SERVER: u8 = 5;

/// How a command that was carried out came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All is as it was asked for.
    Yes,
    /// Something was refused or contested.
    No,
    /// An item could not be processed.
    Unprocessed,
}

/// What stands under every help page.
pub(crate) const SHORT_HELP: &str = "Exit status: 0 yes, 1 no, 2 usage, 3 bad input, 4 not allowed, 5 server; see `pawl help exit-codes`.";

/// What `pawl help exit-codes` says.
pub(crate) const LONG_HELP: &str = "\
Explains the exit status of every command.

  0  Done: accepted, no conflict found, sealed, listed. A closed pipe on the output counts as done.
  1  The answer is no: an item was refused or contested (`submit`, `check`), there is something to
     object to in a text (`check-document`), the conditions for a seal do not hold (`seal`), or the
     change contradicts what is locked (`amend`).
  2  The command line is wrong, or an option is missing, such as the board.
  3  Bad input: a field is not valid, something named does not exist or exists already, the state of
     the board does not allow it, or an item of a batch could not be processed.
  4  Not allowed: no token, a token that is wrong, expired or revoked, or a role that is missing.
  5  The server could not be reached in time, or failed.

With 3 to 5 the reason code stands in the message, and with --json as `error.reason` on standard error.";
