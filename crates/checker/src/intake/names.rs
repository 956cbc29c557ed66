//! Guesses which field was meant.

/// The known name that is most like another one, if any is like it.
pub(super) fn nearest_name<'known>(name: &str, known: &[&'known str]) -> Option<&'known str> {
    let name = name.to_lowercase();
    let length = name.chars().count();
    let most = 1 + length / 4;
    // Two names are at least as far apart as their lengths, which spares measuring a name as long as a document.
    let longest = known.iter().map(|known| known.chars().count()).max()?;
    if length.saturating_sub(longest) > most {
        return None;
    }
    let distance = |known: &str| strsim::damerau_levenshtein(&name, known);
    let nearest = known.iter().copied().min_by_key(|known| distance(known))?;
    (distance(nearest) <= most).then_some(nearest)
}
