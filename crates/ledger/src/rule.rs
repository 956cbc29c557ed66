//! By what a board decides a conflict by itself: rules in an order, and the figures they compare.

use std::{collections::BTreeMap, fmt};

use jiff::{ToSpan, civil::Date};
use serde::{Deserialize, Serialize};

use crate::{
    digest::Digest,
    status::{Measure, Rule},
};

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Day(pub i32);

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let epoch = Date::constant(1970, 1, 1);
        match epoch.checked_add(i64::from(self.0).days()) {
            Ok(date) => write!(formatter, "{date}"),
            Err(_) => write!(formatter, "day {}", self.0),
        }
    }
}

/// The rules of a board. Ranks count from 1, the highest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolutionRules {
    /// In the order they are asked; empty: an arbiter decides everything.
    pub order: Vec<Rule>,
    /// How many ranks there are.
    pub ranks: u32,
    /// The sources that are ranked by their digest.
    pub listed: BTreeMap<Digest, u32>,
}

/// What a rule compared: the figures of the two sides, none where a side has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// What was measured.
    pub measure: Measure,
    /// Of the challenger.
    pub challenger: Option<i64>,
    /// Of what stands.
    pub standing: Option<i64>,
}

impl Figures {
    /// Says who wins by them: the challenger, or what stands; none where they do not tell.
    pub fn challenger_wins(&self) -> Option<bool> {
        match (self.measure, self.challenger, self.standing) {
            (_, None, None) => None,
            // A source without a rank ranks under all that have one.
            (Measure::Rank, challenger, None) => Some(challenger.is_some()),
            (Measure::Rank, None, Some(_)) => Some(false),
            (_, None, _) | (_, _, None) => None,
            (_, Some(challenger), Some(standing)) if challenger == standing => None,
            (Measure::Rank, Some(challenger), Some(standing)) => Some(challenger < standing),
            (_, Some(challenger), Some(standing)) => Some(challenger > standing),
        }
    }

    fn told(&self, figure: Option<i64>) -> String {
        let Some(figure) = figure else {
            return "none".to_owned();
        };
        match self.measure {
            Measure::Rank | Measure::Sources => figure.to_string(),
            Measure::ValidTime | Measure::SourceDate => {
                i32::try_from(figure).map_or_else(|_| figure.to_string(), |it| Day(it).to_string())
            }
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.measure {
            Measure::Rank => "rank",
            Measure::ValidTime => "holds from",
            Measure::SourceDate => "source of",
            Measure::Sources => "sources:",
        };
        let (challenger, standing) = (self.told(self.challenger), self.told(self.standing));
        if challenger == standing {
            return write!(formatter, "{what} {challenger} on both sides");
        }
        write!(formatter, "{what} {challenger} against {standing}")
    }
}

impl Measure {
    /// The rule that measures this.
    pub fn rule(self) -> Rule {
        match self {
            Self::Rank => Rule::Authority,
            Self::ValidTime | Self::SourceDate => Rule::Recency,
            Self::Sources => Rule::FurtherSource,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(measure: Measure, sides: (Option<i64>, Option<i64>), wins: Option<bool>, told: &str) {
        let (challenger, standing) = sides;
        let figures = Figures {
            measure,
            challenger,
            standing,
        };
        assert_eq!(figures.challenger_wins(), wins);
        assert_eq!(figures.to_string(), told);
    }

    #[test]
    fn the_higher_rank_wins_and_any_rank_over_none() {
        let check = |sides, wins, told| check(Measure::Rank, sides, wins, told);
        check((Some(1), Some(3)), Some(true), "rank 1 against 3");
        check((Some(3), Some(1)), Some(false), "rank 3 against 1");
        check((Some(3), None), Some(true), "rank 3 against none");
        check((None, Some(3)), Some(false), "rank none against 3");
        check((Some(2), Some(2)), None, "rank 2 on both sides");
        check((None, None), None, "rank none on both sides");
    }

    #[test]
    fn the_later_day_wins_where_both_have_one() {
        for measure in [Measure::ValidTime, Measure::SourceDate] {
            let what = match measure {
                Measure::ValidTime => "holds from",
                _ => "source of",
            };
            let told = format!("{what} 1970-01-02 against 1969-12-31");
            check(measure, (Some(1), Some(-1)), Some(true), &told);
            check(
                measure,
                (Some(1), None),
                None,
                &format!("{what} 1970-01-02 against none"),
            );
            check(
                measure,
                (Some(1), Some(1)),
                None,
                &format!("{what} 1970-01-02 on both sides"),
            );
        }
    }

    #[test]
    fn more_sources_win() {
        let check = |sides, wins, told| check(Measure::Sources, sides, wins, told);
        check((Some(2), Some(1)), Some(true), "sources: 2 against 1");
        check((Some(0), Some(1)), Some(false), "sources: 0 against 1");
        check((Some(1), Some(1)), None, "sources: 1 on both sides");
    }
}
