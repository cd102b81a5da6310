//! Parses a word from a fixed list, and returns an error for any other word.

use syn::LitStr;

/// Returns the value of a known word.
pub(super) fn one_of<T: Copy>(word: &LitStr, known: &[(&str, T)]) -> syn::Result<T> {
    let name = word.value();
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, meant)| *meant);
    let names = || known.iter().map(|(known, _)| *known).collect::<Vec<_>>();
    found.ok_or_else(|| syn::Error::new(word.span(), unknown(&name, &names())))
}

/// Returns the error text for an unknown name. It suggests the nearest known name, or lists all known names if none is near.
pub(crate) fn unknown(name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(nearest) => format!("unknown `{name}`: did you mean `{nearest}`?"),
        None => format!("unknown `{name}`: write one of `{}`", known.join("`, `")),
    }
}

/// Returns the known name that differs in at most a third of its letters, or that has the same words in another spelling (`min_length`,
/// `minLength`).
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name = fold(name);
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &fold(candidate)), *candidate))
        .filter(|(distance, candidate)| distance * 3 <= candidate.len().max(name.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns a name in lower case without `_` and `-`.
pub(super) fn fold(name: &str) -> String {
    name.replace(['_', '-'], "").to_lowercase()
}
