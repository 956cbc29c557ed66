//! A moment, as it is written on the command line.

use std::str::FromStr;

/// A moment by RFC 3339, or a day, which stands for its beginning in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(jiff::Timestamp);

/// Why a moment could not be read.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no moment: write a day as `2024-06-30`, or a time as `2024-06-30T12:00:00Z`")]
pub(crate) struct MomentError(String);

impl FromStr for Moment {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let day = format!("{text}T00:00:00Z");
        let read = text.parse().or_else(|_| day.parse());
        read.map(Self).map_err(|_| MomentError(text.to_owned()))
    }
}

impl Moment {
    /// Writes it for a request.
    pub(crate) fn to_wire(self) -> prost_types::Timestamp {
        prost_types::Timestamp {
            seconds: self.0.as_second(),
            nanos: self.0.subsec_nanosecond(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_read() {
        let check = |text: &str, seconds: Option<i64>| {
            let moment = text.parse::<Moment>().ok();
            assert_eq!(moment.map(|it| it.to_wire().seconds), seconds, "{text}");
        };
        check("1970-01-02", Some(86_400));
        check("1970-01-01T00:01:00Z", Some(60));
        check("1970-01-01T01:00:00+01:00", Some(0));
        check("yesterday", None);
        check("2024-13-01", None);
        check("", None);
    }
}
