//! Shares on the command line: exact decimals from 0 to 1, ten-thousandths on the wire.

use std::str::FromStr;

/// A share in ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share(pub(crate) u32);

/// Why a share could not be read.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no share: write a number from 0 to 1 with at most 4 decimals, such as `0.9`")]
pub(crate) struct ShareError(String);

impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || ShareError(text.to_owned());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(decimals) || decimals.len() > 4 {
            return Err(refuse());
        }
        let share: u32 = format!("{whole}{decimals:0<4}")
            .parse()
            .map_err(|_| refuse())?;
        if share > 10_000 {
            Err(refuse())
        } else {
            Ok(Self(share))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_exactly() {
        let check = |text: &str, expected: Option<u32>| {
            assert_eq!(
                text.parse::<Share>().ok().map(|share| share.0),
                expected,
                "{text}"
            );
        };
        check("0", Some(0));
        check("1", Some(10_000));
        check("1.0", Some(10_000));
        check("0.9", Some(9_000));
        check("0.8725", Some(8_725));
        for bad in [
            "",
            ".5",
            "5.",
            "1.0001",
            "0.12345",
            "-0.1",
            "90%",
            "NaN",
            "0,9",
            "99999999999",
        ] {
            check(bad, None);
        }
    }
}
