//! The text of a PDF source, page by page.
//!
//! Text is taken in the order the file draws it, which for columns is one after the other as nearly all programs write
//! them. Where the pen moves to another line there is a line break, which quotes need not keep; a larger step ends the
//! paragraph. Letters are what the fonts say they are (`ToUnicode`, else the names of glyphs); a ligature is the letters
//! it is made of, and digits that are raised and small are superscripts. Invisible text counts, since that is how
//! scans carry what was recognised.
//!
//! The file is hostile until read: it is parsed on a thread with a stack of its own, one at a time, after what its
//! streams unpack to was counted ([`bounds`]), and within a limit of time.

mod bounds;
mod content;
mod layout;

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use hayro_syntax::{LoadPdfError, Pdf};
use parking_lot::Mutex;
use thiserror::Error;

use self::content::Reader;
use self::layout::Layout;

/// The time that reading one file may take.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The stack of the thread that reads: the parser nests as deep as 512 objects.
const STACK_BYTES: usize = 32 << 20;
/// The most pages of a file.
const MAX_PAGES: usize = 10_000;
/// In how many letters one may be unknown before the text as a whole is not to be relied on.
const LETTERS_PER_UNKNOWN: usize = 20;

/// One file is read at a time, so that what reading takes in memory is taken once.
static READING: Mutex<()> = Mutex::new(());

/// Says why a PDF cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PdfError {
    /// A password is set, or rights are.
    #[error("it is encrypted; cite a copy without a password or restrictions")]
    Encrypted,
    /// There is nothing but pictures, or nothing at all.
    #[error("it has no text, as a scan has none; cite a copy with recognised text")]
    NoText,
    /// The letters of its fonts are anybody's guess.
    #[error("its fonts do not say which letters they show; cite another form of the source")]
    NoLetters,
    /// It is damaged, or no PDF.
    #[error("it is damaged or no pdf; cite a copy that opens")]
    Broken,
    /// It unpacks to too much, or takes too long.
    #[error("reading it takes more {0} than one source may; cite the part of it that matters")]
    TooLarge(&'static str),
}

/// The text of a file and the range of each page in it.
pub(super) fn extract(bytes: &[u8]) -> Result<(String, Vec<Range<usize>>), PdfError> {
    let _alone = READING.lock();
    thread::scope(|scope| {
        let reader = thread::Builder::new()
            .name("pdf".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || read(bytes))
            .map_err(|_| PdfError::TooLarge("memory"))?;
        // The parser is somebody else's, and what makes it panic is a broken file: it costs its thread, nothing else.
        reader.join().unwrap_or(Err(PdfError::Broken))
    })
}

fn read(bytes: &[u8]) -> Result<(String, Vec<Range<usize>>), PdfError> {
    bounds::check_file(bytes, bounds::MAX_UNPACKED_BYTES)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => PdfError::Encrypted,
        LoadPdfError::Invalid => PdfError::Broken,
    })?;
    if pdf.pages().len() > MAX_PAGES {
        return Err(PdfError::TooLarge("pages"));
    }
    bounds::check_streams(&pdf)?;
    let mut layout = Layout::default();
    let reader = Reader::new(Instant::now() + MAX_TIME);
    let mut pages = Vec::new();
    for page in pdf.pages().iter() {
        let start = layout.begin_page();
        reader.page(page, &mut layout)?;
        pages.push(start..layout.len());
    }
    if layout.unknown() * LETTERS_PER_UNKNOWN > layout.letters() {
        return Err(PdfError::NoLetters);
    }
    if layout.letters() == 0 {
        return Err(PdfError::NoText);
    }
    Ok((layout.into_text(), pages))
}
