//! Tells panics of this code from panics that it takes upon itself to catch.

use std::panic;
use std::path::Path;

/// The thread on which somebody else's parser may panic over a broken file.
const CAUGHT_ON: &str = "pdf";

/// From here on a panic on the parser's thread passes without a word where it is the parser's own; one of this code
/// there, which would be caught and overlooked as well, ends the process. Other panics go on as before.
pub fn watch() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let is_caught = std::thread::current().name() == Some(CAUGHT_ON);
        // Cargo compiles the members of a workspace by paths relative to it, everything else by absolute ones.
        let is_ours = panicked
            .location()
            .is_none_or(|place| Path::new(place.file()).is_relative());
        if is_caught && !is_ours {
            return;
        }
        before(panicked);
        if is_caught {
            std::process::abort();
        }
    }));
}
