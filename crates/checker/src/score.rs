//! From what fired to one number; a table until a trained score takes its place.

use pawl_ledger::finding::Score;

use crate::view::{Frame, View};

/// A score from ten-thousandths; more than the highest is the highest.
pub(crate) fn score(ten_thousandths: u16) -> Score {
    Score::new(ten_thousandths).unwrap_or(Score::MAX)
}

/// The similarity under which two texts are not about the same fact, in ten-thousandths.
pub(crate) const SAME_FACT_COSINE: i16 = 4_500;

/// Weighs a rule's own strength by how well the rest of the two texts agrees.
///
/// Nothing but the rule's slot differs: the strength itself. One text only adds or only omits: it loses for each word.
/// Words were replaced or moved beside the slot: a third of it, as much as the shared part covers.
pub(crate) fn weigh(strength: u16, view: &View<'_>) -> Score {
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
