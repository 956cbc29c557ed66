//! From what fired to one number; a table until a trained score takes its place.

use pawl_ledger::finding::Score;

use crate::align::Pair;
use crate::view::{Frame, View};

/// A score from ten-thousandths; more than the highest is the highest.
pub(crate) fn score(ten_thousandths: u16) -> Score {
    Score::new(ten_thousandths).unwrap_or(Score::MAX)
}

/// The similarity under which two texts are not about the same fact, in ten-thousandths.
pub(crate) const SAME_FACT_COSINE: i16 = 4_500;

/// What a strength keeps when something speaks for two subjects rather than one contradiction, in percent.
const DOUBTED: u16 = 65;

/// Weighs a rule whose slot may stand in the subject of the texts.
pub(crate) fn weigh_slot(strength: u16, view: &View<'_>, pair: Pair) -> Score {
    let strength = if view.is_in_subject(pair) {
        strength / 100 * DOUBTED
    } else {
        strength
    };
    weigh(strength, view)
}

/// Weighs a rule's own strength by how well the rest of the two texts agrees.
///
/// Nothing but the rule's slot differs: the strength itself. One text only adds or only omits: it loses for each word.
/// Words were replaced or moved beside the slot: half of it, as much as the shared part covers.
/// Several slots disagree: two texts that say two things of two subjects look like that.
pub(crate) fn weigh(strength: u16, view: &View<'_>) -> Score {
    let strength = if view.disagreements > 1 {
        strength / 100 * DOUBTED
    } else {
        strength
    };
    let extra = u16::try_from(view.added + view.omitted).unwrap_or(u16::MAX);
    let weighed = match view.frame {
        Frame::Exact => strength,
        Frame::OneSided => strength.saturating_sub(extra.saturating_mul(250).min(strength / 3)),
        Frame::Loose => {
            let coverage = u16::try_from(view.coverage_percent()).unwrap_or(100);
            (strength / 100).saturating_mul(coverage) / 2
        }
    };
    score(weighed)
}
