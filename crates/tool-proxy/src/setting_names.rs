//! The names of tools in the settings, compared with the list of the server: [`unmatched`].

use super::access::fits;
use super::settings::Settings;
use crate::private::bounded;
use crate::private::suggest::nearest;

/// The largest number of names that are reported.
const MOST: usize = 20;

/// Returns a sentence for each name or pattern of the settings that no tool has, with the nearest name.
pub(super) fn unmatched(settings: &Settings, tools: &[&str]) -> Vec<String> {
    let mut options: Vec<&str> = settings.tools.keys().map(String::as_str).collect();
    options.sort_unstable();
    let options = options.into_iter().map(|name| ("tools", name));
    let patterns = settings.access.patterns().chain(settings.approval.patterns()).chain(options);
    let is_unmatched = |(key, pattern): &(&str, &str)| {
        !tools.iter().any(|tool| if *key == "tools" { tool == pattern } else { fits(pattern, tool) })
    };
    let sentence = |(key, pattern): (&str, &str)| {
        let suggestion = nearest(pattern, tools.iter().copied());
        let suggestion = suggestion.map(|name| format!("; did you mean {}?", bounded::exact_name(name)));
        format!("{key}: no tool has the name {}{}", bounded::name(pattern), suggestion.unwrap_or_default())
    };
    patterns.filter(is_unmatched).take(MOST).map(sentence).collect()
}
