//! Phrases for sentences: a number of times, a list of names.

/// Returns a number of times in words: `1 time`, `2 times`.
pub(super) fn times(count: usize) -> String {
    if count == 1 { "1 time".to_owned() } else { format!("{count} times") }
}

/// Returns a list of quoted names: `'get_time', 'search'`.
pub(super) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
}
