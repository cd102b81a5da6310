//! Texts with a format or pattern, with different verdicts.

use std::sync::LazyLock;

use regex::Regex;
use tests::generate::Place;
use tests::tree::Tree;
use tool_schema::shape::{Rule, StringFormat};

/// Returns `true` for a label in Punycode, valid or not. DNS ignores case.
pub(super) fn has_undecoded_label(place: &Place, tree: &Tree) -> bool {
    of_format(place, tree).any(|(format, text)| {
        matches!(format, StringFormat::Hostname | StringFormat::Email) && text.to_ascii_lowercase().contains("xn--")
    })
}

/// Returns `true` if one of `*+,-./` is in place of a digit in a date or time.
pub(super) fn has_false_digit(place: &Place, tree: &Tree) -> bool {
    let is_false = |byte: &u8| (b'*'..=b'/').contains(byte);
    let in_date = |text: &str| text.bytes().enumerate().any(|(at, byte)| !matches!(at, 4 | 7) && is_false(&byte));
    let in_time = |text: &str| {
        let bytes = text.as_bytes();
        let offset = if text.ends_with(['Z', 'z']) { bytes.len() } else { bytes.len().saturating_sub(5) };
        bytes.iter().take(8).any(is_false) || bytes[offset..].iter().any(is_false)
    };
    of_format(place, tree).any(|(format, text)| match format {
        StringFormat::Date => in_date(text),
        StringFormat::Time => in_time(text),
        StringFormat::DateTime => {
            text.split_once(['T', 't']).is_some_and(|(date, time)| in_date(date) || in_time(time))
        }
        _ => false,
    })
}

/// Returns `true` for an e-mail address with a display name or a tab.
pub(super) fn is_beyond_mailbox(place: &Place, tree: &Tree) -> bool {
    of_format(place, tree)
        .any(|(format, text)| format == StringFormat::Email && (text.contains(" <") || text.contains('\t')))
}

/// Returns `true` for an e-mail address with an escaped space.
pub(super) fn has_escaped_space(place: &Place, tree: &Tree) -> bool {
    of_format(place, tree).any(|(format, text)| format == StringFormat::Email && text.contains("\\ "))
}

/// The characters that belong to words in Unicode, but not in ECMA-262.
static BEYOND_ASCII: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\w--\p{ascii}]").expect("a pattern"));

/// Returns `true` if a text contains a letter, mark or digit beyond ASCII, and the pattern contains this assertion.
pub(super) fn is_beside_letters(place: &Place, tree: &Tree, assertion: &str) -> bool {
    let Tree::String(text) = tree else { return false };
    let asserts = |rule: &&Rule| matches!(rule, Rule::Pattern(pattern) if pattern.source.contains(assertion));
    BEYOND_ASCII.is_match(text) && place.rules.iter().any(asserts)
}

fn of_format<'t>(place: &Place, tree: &'t Tree) -> impl Iterator<Item = (StringFormat, &'t str)> {
    let text = if let Tree::String(text) = tree { Some(text.as_str()) } else { None };
    let format = place.rules.iter().find_map(|rule| if let Rule::Format(format) = rule { Some(*format) } else { None });
    format.zip(text).into_iter()
}
