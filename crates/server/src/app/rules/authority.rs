//! Which sources rank over which: digests, hosts and beginnings of addresses.

use std::collections::BTreeMap;

use pawl_ledger::{
    board::Board,
    decide::{Denied, Reason},
    digest::Digest,
    ledger::{Ledger, OpenBoard},
    store::StoreError,
};
use pawl_proto::v1::{AuthorityRank, RankWords};
use prost::Message;

use crate::app::{error::AppError, text};

/// The longest way to name sources, in bytes: that of an address.
const MAX_NAMED_BYTES: usize = 2_048;
/// The most ways to name sources of one list.
const MAX_NAMED: usize = 256;

/// The ranks, the highest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authority {
    ranks: Vec<Vec<Named>>,
}

/// A way to name sources.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    /// The one with this digest.
    Digest(Digest),
    /// Those of a host and of the hosts under it.
    Host(String),
    /// Those whose address begins so, up to the end of a part of it.
    Address(String),
}

impl Authority {
    /// Reads what was written, and gives it back as it is kept.
    pub fn parse(ranks: &[AuthorityRank]) -> Result<(Self, RankWords), AppError> {
        let count: usize = ranks.iter().map(|rank| rank.sources.len()).sum();
        if count > MAX_NAMED {
            return Err(Denied::new(
                Reason::FieldTooLong,
                format!(
                    "`authority` names {count} sources, hosts and addresses, at most {MAX_NAMED}; \
                     name hosts instead of single sources"
                ),
            )
            .with("field", "authority")
            .with("limit", MAX_NAMED)
            .into());
        }
        let (mut parsed, mut kept) = (Vec::new(), Vec::new());
        for rank in ranks {
            let (mut named, mut sources) = (Vec::new(), Vec::new());
            for source in &rank.sources {
                let source = text::accept_some("authority", source, MAX_NAMED_BYTES)?.text;
                named.push(parse_one(&source)?);
                sources.push(source);
            }
            if named.is_empty() {
                return Err(crate::app::error::missing(
                    "authority",
                    "at least one digest, host or address for every rank",
                ));
            }
            parsed.push(named);
            kept.push(AuthorityRank { sources });
        }
        Ok((Self { ranks: parsed }, RankWords { ranks: kept }))
    }

    /// Reads what was last set on a board.
    pub fn load(ledger: &Ledger, open: &OpenBoard) -> Result<Self, AppError> {
        let words = words_of(ledger, open)?;
        Ok(Self::parse(&words.ranks)?.0)
    }

    /// How many ranks there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.ranks.len()).unwrap_or(u32::MAX)
    }

    /// The ranks of the digests that are named.
    pub fn listed(&self) -> BTreeMap<Digest, u32> {
        let mut listed = BTreeMap::new();
        for (rank, named) in (1..).zip(&self.ranks) {
            for one in named {
                if let Named::Digest(digest) = one {
                    listed.entry(*digest).or_insert(rank);
                }
            }
        }
        listed
    }

    /// The rank of an address, the highest that fits.
    pub fn rank(&self, address: &str) -> Option<u32> {
        let fits = |named: &Named| match named {
            Named::Digest(_) => false,
            Named::Host(host) => host_of(address).is_some_and(|it| is_under(&it, host)),
            Named::Address(beginning) => begins(&lowered(address), beginning),
        };
        let mut ranks = (1..).zip(&self.ranks);
        ranks.find_map(|(rank, named)| named.iter().any(fits).then_some(rank))
    }
}

/// The words of the rules in force; empty where there are none, or they were erased.
pub(super) fn words_of(ledger: &Ledger, open: &OpenBoard) -> Result<RankWords, AppError> {
    let (position, authority) = {
        let board: &Board = &open.state.read();
        (board.resolution.position, board.resolution.authority)
    };
    let Some(commitment) = authority else {
        return Ok(RankWords::default());
    };
    let words = ledger.words(open.number, position, commitment)?;
    words.map_or(Ok(RankWords::default()), |words| {
        RankWords::decode(words.bytes())
            .map_err(|_| StoreError::Damaged("the words of the resolution rules".into()).into())
    })
}

fn parse_one(text: &str) -> Result<Named, AppError> {
    if text.len() == 64
        && let Ok(digest) = text.parse::<Digest>()
    {
        return Ok(Named::Digest(digest));
    }
    if text.contains("://") && host_of(text).is_some() && !text.contains(char::is_whitespace) {
        return Ok(Named::Address(lowered(text)));
    }
    let is_label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty() && label.bytes().all(plain)
    };
    let is_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if text.split('.').all(is_label) && !(is_digits && text.len() >= 8) {
        return Ok(Named::Host(text.to_ascii_lowercase()));
    }
    let shown: String = text.chars().take(80).collect();
    Err(Denied::new(
        Reason::FieldInvalid,
        format!(
            "`authority`: `{shown}` names no source; use a digest in 64 hexadecimal digits, a host as \
             `example.org`, or the beginning of an address as `https://example.org/reports/`"
        ),
    )
    .with("field", "authority")
    .with("value", shown)
    .into())
}

/// The host of an address, without the user before it and the port behind it.
fn host_of(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let named = rest.get(..end)?;
    let host = named.rsplit('@').next().unwrap_or(named);
    let host = host.split(':').next().unwrap_or(host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

fn is_under(host: &str, named: &str) -> bool {
    host.strip_suffix(named)
        .is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// An address with scheme and host in small letters, in which case does not matter.
fn lowered(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    format!(
        "{}://{}{path}",
        scheme.to_ascii_lowercase(),
        host.to_ascii_lowercase()
    )
}

/// Says whether an address begins so, and not only with a part of a name.
fn begins(address: &str, beginning: &str) -> bool {
    address.strip_prefix(beginning).is_some_and(|rest| {
        rest.is_empty() || beginning.ends_with('/') || rest.starts_with(['/', '?', '#'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authority(ranks: &[&[&str]]) -> Authority {
        let ranks: Vec<AuthorityRank> = ranks
            .iter()
            .map(|sources| AuthorityRank {
                sources: sources.iter().map(ToString::to_string).collect(),
            })
            .collect();
        Authority::parse(&ranks).unwrap().0
    }

    #[track_caller]
    fn check(named: &str, address: &str, fits: bool) {
        let rank = authority(&[&[named]]).rank(address);
        assert_eq!(rank, fits.then_some(1), "`{named}` and `{address}`");
    }

    #[test]
    fn a_host_stands_for_those_under_it_and_for_no_other() {
        check("europa.eu", "https://europa.eu/a", true);
        check("europa.eu", "https://ec.europa.eu/eurostat?x=1", true);
        check("Europa.EU", "HTTPS://EC.EUROPA.EU:443", true);
        check("europa.eu", "https://neweuropa.eu/", false);
        check("europa.eu", "https://europa.eu.example.org/", false);
        check("europa.eu", "https://europa.eu@example.org/", false);
        check("europa.eu", "https://example.org/europa.eu", false);
        check("europa.eu", "https://example.org\\.europa.eu/", false);
        check("europa.eu", "europa.eu/a", false);
        check("europa.eu", "", false);
    }

    #[test]
    fn a_beginning_ends_where_a_part_of_the_address_ends() {
        let named = "https://example.org/reports";
        check(named, "https://example.org/reports", true);
        check(named, "https://EXAMPLE.org/reports/2026", true);
        check(named, "https://example.org/reports?year=2026", true);
        check(named, "https://example.org/reports-of-others", false);
        check(named, "https://example.org/Reports", false);
        check(named, "http://example.org/reports", false);
        check(
            "https://example.org",
            "https://example.org.evil.com/",
            false,
        );
        check(
            "https://example.org",
            "https://example.org@evil.com/",
            false,
        );
        check("https://example.org/a/", "https://example.org/a/b", true);
    }

    #[test]
    fn the_highest_rank_that_fits_counts() {
        let digest = Digest::of(b"a report");
        let hexadecimal = digest.to_string();
        let authority = authority(&[
            &["example.org", &hexadecimal],
            &["https://example.org/drafts/", "example.net"],
            &[&hexadecimal],
        ]);
        assert_eq!(authority.count(), 3);
        assert_eq!(authority.rank("https://example.org/drafts/1"), Some(1));
        assert_eq!(authority.rank("https://example.net/"), Some(2));
        assert_eq!(authority.rank("https://example.com/"), None);
        assert_eq!(authority.listed(), BTreeMap::from([(digest, 1)]));
    }

    #[test]
    fn what_names_no_source_is_refused() {
        for wrong in [
            "",
            "a b",
            "https://",
            "abcdef0123456789",
            "example..org",
            "*.org",
        ] {
            let rank = AuthorityRank {
                sources: vec![wrong.to_owned()],
            };
            assert!(Authority::parse(&[rank]).is_err(), "{wrong}");
        }
        assert!(Authority::parse(&[AuthorityRank::default()]).is_err());
        let many = AuthorityRank {
            sources: vec!["example.org".to_owned(); 257],
        };
        assert!(Authority::parse(&[many]).is_err());
    }
}
