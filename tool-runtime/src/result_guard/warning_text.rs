//! The texts of warnings about results (see `docs/wire.md`).
//!
//! Invariants: each text is bounded; a quotation from arguments or results follows a colon, and no other text follows one.

use crate::bounded;
use crate::shape::Text;

pub(super) const KILOBYTE: usize = 1_024;
pub(super) const EMPTY: &str = "Tool succeeded but returned nothing.";
pub(super) const INCOMPLETE: &str = "Result is incomplete but does not say how to get the rest.";

/// Returns the warning about an incomplete result, with the argument that requests the rest.
pub(super) fn incomplete(tool: &str, cursor: &str) -> Text {
    let (tool, cursor) = (bounded::name(tool), bounded::name(cursor));
    format!("Result is incomplete. To get the rest, call {tool} with its argument {cursor}.").into()
}

/// The maximum number of bytes of a quotation, counted as inside a JSON string.
const QUOTED: usize = 200;

pub(super) fn large(bytes: usize) -> Text {
    format!("Large response ({}). May impact context window.", kilobytes(bytes)).into()
}

pub(super) fn reported(message: Option<&str>) -> Text {
    let message = message.map(|message| bounded::sentence(message, QUOTED)).filter(|message| !message.is_empty());
    format!("Tool reported failure: {}", message.as_deref().unwrap_or("it says \"success\": false and no more.")).into()
}

pub(super) fn duplicate_segments(path: &str) -> Text {
    format!("Path contains duplicate segments: {}", bounded::text(path, QUOTED)).into()
}

pub(super) fn control_character(character: char) -> Text {
    format!("Result contains control characters: U+{:04X}.", u32::from(character)).into()
}

pub(super) fn cut(before: usize, after: usize) -> Text {
    format!("Response was cut from {before} bytes to {after}.").into()
}

pub(super) fn kept(bytes: usize, handle: &str, shown: usize) -> Text {
    format!("Response of {bytes} bytes was kept as {handle}; its first {shown} bytes are shown.").into()
}

/// The maximum number of locations in a warning.
pub(super) const PLACES: usize = 3;

/// Returns the warning about a result that does not fit its schema. The locations are JSON Pointers; the pointer to the whole result is
/// empty.
pub(super) fn unfitting(places: &[String], has_more: bool) -> Text {
    let places: Vec<_> = places.iter().filter(|place| !place.is_empty()).collect();
    let shown: Vec<_> = places.iter().map(|place| bounded::sentence(place, QUOTED)).collect();
    let (at, more) = (if shown.is_empty() { "" } else { " at: " }, if has_more { " and elsewhere" } else { "" });
    format!("Result does not fit its output schema{at}{}{more}.", shown.join(", ")).into()
}

/// Returns `true` if a warning may quote arguments or a result.
pub(crate) fn is_quoting(warning: &str) -> bool {
    warning.contains(':')
}

/// Returns the warning without its quotation.
pub(crate) fn unquoted(warning: &Text) -> Text {
    match warning.split_once(':') {
        Some((says, _)) => format!("{}.", says.trim_end_matches(" at")).into(),
        None => warning.clone(),
    }
}

/// Formats a number of bytes as kilobytes, rounded to one decimal place.
fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.saturating_mul(10).saturating_add(KILOBYTE / 2) / KILOBYTE;
    format!("{}.{}KB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unquoted_removes_every_quotation() {
        let all =
            [duplicate_segments("src/src"), reported(Some("no: really")), large(256_512), Text::from_static(EMPTY)];
        let expect = [
            "Path contains duplicate segments.",
            "Tool reported failure.",
            "Large response (250.5KB). May impact context window.",
            EMPTY,
        ];
        assert_eq!(all.each_ref().map(unquoted), expect);
    }

    #[test]
    fn kilobytes_are_rounded_to_a_digit() {
        assert_eq!([1_024, 1_536, 256_512, 0].map(kilobytes), ["1.0KB", "1.5KB", "250.5KB", "0.0KB"]);
        assert_eq!(large(256_512), "Large response (250.5KB). May impact context window.");
    }
}
