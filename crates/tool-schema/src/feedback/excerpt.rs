//! A text that is not valid JSON: the stretch of it around the fault, marked where the reader stopped ([`marked_up_text`]).
//!
//! In come the text and the issue of its refusal; out go the stretch with `❌` in it and what was expected there. What always holds: at most
//! a few hundred bytes are repeated, cut between characters, and nothing is where the input has secrets, for nobody knows where they stand.

use crate::bounded;
use crate::issue::{Constraint, Issue, rendered};
use crate::shape::Shape;
use crate::visible;

/// How much is shown before and behind the place.
const BEFORE: usize = 160;
const BEHIND: usize = 80;

/// Arguments that are not valid JSON, marked where they stop being it.
///
/// In come the shape, the text as it was sent and the issues of the refusal; out go the text around the place, `❌` standing before the first
/// character that cannot be, and a line that says what was expected. A tool with sensitive fields gets that line only.
///
/// ```
/// use tool_schema::{ToolInput, decode::decode, feedback::marked_up_text};
///
/// let text = r#"{"days": 3, "unit": celsius}"#;
/// let refused = decode::<std::collections::BTreeMap<String, u8>>(&text.into());
/// let issues = refused.map_or_else(|error| error.into_issues(), |_| Vec::new());
/// assert_eq!(
///     marked_up_text(u8::SHAPE, text, &issues),
///     "{\"days\": 3, \"unit\": ❌celsius}\n\
///      ❌ byte 20: expected a value (object, array, string in double quotes, number, true, false or null)",
/// );
/// ```
pub fn marked_up_text(shape: &Shape, text: &str, issues: &[Issue]) -> String {
    let Some(issue) = issues.first() else { return String::new() };
    let expected = rendered(&*issue.expected);
    let expected = bounded::sentence(&expected, 200);
    let (offset, remark) = match issue.constraint {
        Constraint::Syntax { offset } => (offset, format!("byte {offset}: expected {expected}")),
        Constraint::MultipleDocuments { offset } => {
            (offset, format!("byte {offset}: a second value begins here; send one JSON object and nothing behind it"))
        }
        Constraint::Incomplete => (text.len(), "the text ends here, before the JSON is complete".to_owned()),
        _ => {
            let finding = rendered(issue);
            return format!("❌ {}", bounded::sentence(&finding, 200));
        }
    };
    if shape.has_secrets() {
        return format!("❌ {remark}");
    }
    let (before, behind) = text.split_at(boundary(text, offset));
    let start = before.char_indices().rev().map(|(at, _)| at).find(|&at| at + BEFORE <= before.len()).unwrap_or(0);
    let end = boundary(behind, BEHIND);
    let shown = |part: &str| visible::escaped(part).replace(['\t', '\r'], " ");
    format!(
        "{}{}❌{}{}\n❌ {remark}",
        if start > 0 { "…" } else { "" },
        shown(&before[start..]),
        shown(&behind[..end]),
        if end < behind.len() { "…" } else { "" },
    )
}

/// The same as a block of code, so that no line of the text can pass for one of ours.
pub fn fenced(shape: &Shape, text: &str, issues: &[Issue]) -> String {
    let marked = marked_up_text(shape, text, issues);
    // A shorter fence would end at the first one inside.
    let longest = marked.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{marked}\n{fence}")
}

/// The last place between two characters that is not behind an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
