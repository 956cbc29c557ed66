//! Reads text: tokens, stems, numbers, dates, units; a pure function of text and lexicon.
//!
//! Spans are byte ranges into the text as given. Nothing here folds compatibility forms: `１` is not `1`
//! to a reader who must tell two revisions apart.

mod amounts;
pub mod calendar;
mod chinese_date;
mod chinese_number;
pub mod comparator;
pub mod days;
pub mod delta;
mod figures;
pub mod language;
pub mod measure;
pub mod normalise;
pub mod number;
mod number_words;
pub mod quantities;
pub mod stated_unit;
pub mod stem;
pub mod term;
pub mod token;
