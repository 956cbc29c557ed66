//! The options that every command takes.

use std::{path::PathBuf, str::FromStr, time::Duration};

use clap::{Args, ValueEnum};

use super::failure::Failure;

/// The options that every command takes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Options {
    /// The server's address.
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "PAWL_SERVER",
        default_value = "http://127.0.0.1:7617"
    )]
    pub(crate) server: String,
    /// The authorities that the server's certificate may be of, as PEM; the system's unless given.
    #[arg(long, global = true, value_name = "FILE", env = "PAWL_CA")]
    pub(crate) ca: Option<PathBuf>,
    /// The certificate to show the server, as PEM, where it asks for one.
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "PAWL_CLIENT_CERTIFICATE",
        requires = "client_key"
    )]
    pub(crate) client_certificate: Option<PathBuf>,
    /// The private key of the certificate to show, as PEM.
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "PAWL_CLIENT_KEY",
        requires = "client_certificate"
    )]
    pub(crate) client_key: Option<PathBuf>,
    /// The token to call with [env: PAWL_TOKEN, safer: other users can read command lines].
    #[arg(long, global = true, conflicts_with = "global_principal")]
    pub(crate) token: Option<String>,
    /// Call as this principal, with its token from the credentials file [env: PAWL_AS].
    #[arg(
        long = "as",
        global = true,
        value_name = "NAME",
        id = "global_principal"
    )]
    pub(crate) principal: Option<String>,
    /// The board to work on.
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        env = "PAWL_BOARD",
        id = "global_board"
    )]
    pub(crate) board: Option<String>,
    /// Print JSON: one document, or one object a line where there is a stream.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// How long to wait for an answer, such as `30s` or `2m`; streams have no end.
    #[arg(long, global = true, value_name = "TIME", default_value = "30s")]
    pub(crate) timeout: Span,
}

impl Options {
    /// Names the board to work on, or says how to.
    pub(crate) fn board(&self) -> Result<String, Failure> {
        let board = self.chosen_board().ok_or(Failure::BoardMissing)?;
        Ok(board.to_owned())
    }

    /// Names the board where one was chosen; an empty variable chooses none.
    pub(crate) fn chosen_board(&self) -> Option<&str> {
        self.board.as_deref().filter(|board| !board.is_empty())
    }
}

/// When to use colour.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Also into files and pipes.
    Always,
    /// Nowhere.
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// A length of time as written: a whole number and one of `s`, `m`, `h`, `d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

/// Why a length of time could not be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no length of time: write a whole number and a unit, such as `30s`, `5m`, `12h` or `90d`"
)]
pub(crate) struct SpanError(String);

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || SpanError(text.to_owned());
        let (number, seconds) = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)]
            .into_iter()
            .find_map(|(unit, seconds)| text.strip_suffix(unit).map(|number| (number, seconds)))
            .ok_or_else(refuse)?;
        let number: u64 = number.parse().map_err(|_| refuse())?;
        let seconds = number
            .checked_mul(seconds)
            .filter(|seconds| *seconds > 0)
            .ok_or_else(refuse)?;
        Ok(Self(Duration::from_secs(seconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read() {
        let check = |text: &str, seconds: Option<u64>| {
            let span = text.parse::<Span>().ok().map(|span| span.0.as_secs());
            assert_eq!(span, seconds, "{text}");
        };
        check("30s", Some(30));
        check("2m", Some(120));
        check("90d", Some(7_776_000));
        for bad in [
            "",
            "s",
            "0s",
            "-1s",
            "1.5h",
            "30",
            "1w",
            "99999999999999999999d",
            "999999999999999999d",
        ] {
            check(bad, None);
        }
    }
}
