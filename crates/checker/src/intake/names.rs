//! Guesses which field was meant.

/// The known name that is most like another one, if any is like it.
pub(super) fn nearest_name<'known>(name: &str, known: &[&'known str]) -> Option<&'known str> {
    let name = name.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&name, known);
    let nearest = known.iter().copied().min_by_key(|known| distance(known))?;
    (distance(nearest) <= 1 + name.chars().count() / 4).then_some(nearest)
}
