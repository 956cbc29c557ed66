//! A text derived from another one, and the way back from a place in it to the place it came from.

use std::ops::Range;

/// A text made by copying and replacing pieces of another, in their order. Both are shorter than 4 GiB.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    text: String,
    steps: Vec<Step>,
}

/// A piece of the derived text: a copy, or what stands for a piece of the source.
#[derive(Clone, Copy, Debug)]
struct Step {
    derived: u32,
    source: u32,
    /// The length of what was replaced; [`COPY`] for a copy.
    replaced: u32,
}

/// Marks a step whose places correspond one to one.
const COPY: u32 = u32::MAX;

impl Derived {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends a piece of the source that starts at this place there. Pieces that follow each other make one step.
    pub(crate) fn copy(&mut self, piece: &str, source: usize) {
        if piece.is_empty() {
            return;
        }
        let step = Step {
            derived: narrow(self.text.len()),
            source: narrow(source),
            replaced: COPY,
        };
        let continues = self.steps.last().is_some_and(|last| {
            last.replaced == COPY
                && step.source.checked_sub(last.source) == Some(step.derived - last.derived)
        });
        if !continues {
            self.steps.push(step);
        }
        self.text.push_str(piece);
    }

    /// Appends a text that stands for a range of the source.
    pub(crate) fn replace(&mut self, piece: &str, source: Range<usize>) {
        // One byte for one byte leads back as a copy does, and a table or a wrapped text is full of those.
        if piece.len() == 1 && source.len() == 1 {
            return self.copy(piece, source.start);
        }
        if piece.is_empty() {
            return;
        }
        let (derived, replaced) = (narrow(self.text.len()), narrow(source.len()));
        self.steps.push(Step {
            derived,
            source: narrow(source.start),
            replaced,
        });
        self.text.push_str(piece);
    }

    /// The range of the source that a range of this text came from.
    pub(crate) fn source(&self, range: &Range<usize>) -> Range<usize> {
        let start = self
            .step(range.start)
            .map_or(0, |step| match step.replaced {
                COPY => step.source as usize + (range.start - step.derived as usize),
                _ => step.source as usize,
            });
        let end = self
            .step(range.end.saturating_sub(1))
            .map_or(start, |step| match step.replaced {
                COPY => step.source as usize + (range.end - step.derived as usize),
                replaced => step.source as usize + replaced as usize,
            });
        start..end.max(start)
    }

    /// The step a place of this text lies in.
    fn step(&self, place: usize) -> Option<Step> {
        let following = self
            .steps
            .partition_point(|step| step.derived as usize <= place);
        self.steps.get(following.checked_sub(1)?).copied()
    }
}

/// Places fit: a source has at most 16 MiB, and composing a text at most triples it.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
