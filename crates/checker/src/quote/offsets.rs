//! A text derived from another one, and the way back from a place in it to the place it came from.

use std::ops::Range;

/// A text made by copying and replacing pieces of another, in their order.
#[derive(Debug, Default)]
pub(super) struct Derived {
    text: String,
    steps: Vec<Step>,
}

/// A piece of the derived text: a copy, or what stands for a piece of the source.
#[derive(Clone, Copy, Debug)]
struct Step {
    derived: usize,
    source: usize,
    /// The length of what was replaced; none for a copy.
    replaced: Option<usize>,
}

impl Derived {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Appends a piece of the source that starts at this place there. Pieces that follow each other make one step.
    pub(super) fn copy(&mut self, piece: &str, source: usize) {
        if piece.is_empty() {
            return;
        }
        let derived = self.text.len();
        let continues = self.steps.last().is_some_and(|step| {
            step.replaced.is_none() && step.source + (derived - step.derived) == source
        });
        if !continues {
            self.steps.push(Step {
                derived,
                source,
                replaced: None,
            });
        }
        self.text.push_str(piece);
    }

    /// Appends a text that stands for a range of the source.
    pub(super) fn replace(&mut self, piece: &str, source: Range<usize>) {
        if piece.is_empty() {
            return;
        }
        self.steps.push(Step {
            derived: self.text.len(),
            source: source.start,
            replaced: Some(source.len()),
        });
        self.text.push_str(piece);
    }

    /// The range of the source that a range of this text came from.
    pub(super) fn source(&self, range: &Range<usize>) -> Range<usize> {
        let start = self
            .step(range.start)
            .map_or(0, |step| match step.replaced {
                None => step.source + (range.start - step.derived),
                Some(_) => step.source,
            });
        let end = self
            .step(range.end.saturating_sub(1))
            .map_or(start, |step| match step.replaced {
                None => step.source + (range.end - step.derived),
                Some(length) => step.source + length,
            });
        start..end.max(start)
    }

    /// The step a place of this text lies in.
    fn step(&self, place: usize) -> Option<Step> {
        let following = self.steps.partition_point(|step| step.derived <= place);
        self.steps.get(following.checked_sub(1)?).copied()
    }
}
