//! Excerpts of a text that is not valid JSON, with a mark at the error ([`annotated_invalid_json`]).
//!
//! Invariant: the excerpt has at most a few hundred bytes, cut between characters. It is omitted if the input has secrets, because their
//! location is unknown.

use crate::bounded;
use crate::issue::{Constraint, Issue, to_escaped_text};
use crate::shape::Shape;
use crate::visible;

/// The number of bytes shown before and after the error.
const BEFORE: usize = 160;
const BEHIND: usize = 80;
/// The number of bytes shown in a line before and after the error.
const LINE_BEFORE: usize = 60;
const LINE_BEHIND: usize = 30;

/// Returns an excerpt of arguments that are not valid JSON, with a mark at the error.
///
/// The result contains the text around the error, with `❌` before the first invalid character, and a line with the expectation. For a tool
/// with sensitive fields, the result is only that line.
///
/// ```
/// use tool_schema::{ToolInput, decode::decode, feedback::annotated_invalid_json};
///
/// let text = r#"{"days": 3, "unit": celsius}"#;
/// let rejected = decode::<std::collections::BTreeMap<String, u8>>(&text.into());
/// let issues = rejected.map_or_else(|error| error.into_issues(), |_| Vec::new());
/// assert_eq!(
///     annotated_invalid_json(u8::SHAPE, text, &issues),
///     "{\"days\": 3, \"unit\": ❌celsius}\n\
///      ❌ byte 20: expected a value (object, array, string in double quotes, number, true, false or null)",
/// );
/// ```
pub fn annotated_invalid_json(shape: &Shape, text: &str, issues: &[Issue]) -> String {
    let Some(issue) = issues.first() else { return String::new() };
    let expected = to_escaped_text(&*issue.expected);
    let expected = bounded::sentence(&expected, 200);
    let (offset, remark) = match issue.constraint {
        Constraint::Syntax { offset } => (offset, format!("byte {offset}: expected {expected}")),
        Constraint::MultipleDocuments { offset } => {
            (offset, format!("byte {offset}: a second value begins here; send one JSON object and nothing behind it"))
        }
        Constraint::Incomplete => (text.len(), "the text ends here, before the JSON is complete".to_owned()),
        _ => {
            let finding = to_escaped_text(issue);
            return format!("❌ {}", bounded::sentence(&finding, 200));
        }
    };
    if shape.has_secrets() {
        return format!("❌ {remark}");
    }
    let shown = |part: &str| visible::escaped(part).replace(['\t', '\r'], " ");
    format!("{}\n❌ {remark}", around(text, offset, (BEFORE, BEHIND), shown))
}

/// Returns the text around the syntax error of an issue with `❌` before the first invalid character; `None` for other issues,
/// and for a shape with secrets.
pub(crate) fn line_around(shape: &Shape, text: &str, issue: &Issue) -> Option<String> {
    let offset = match issue.constraint {
        Constraint::Syntax { offset } | Constraint::MultipleDocuments { offset } => offset,
        Constraint::Incomplete => text.len(),
        _ => return None,
    };
    let is_shown = !shape.has_secrets();
    is_shown.then(|| around(text, offset, (LINE_BEFORE, LINE_BEHIND), str::to_owned))
}

/// Returns the text around an offset.
fn around(
    text: &str,
    offset: usize,
    (before_most, behind_most): (usize, usize),
    shown: impl Fn(&str) -> String,
) -> String {
    let (before, behind) = text.split_at(boundary(text, offset));
    let start = before.char_indices().rev().map(|(at, _)| at).find(|&at| at + before_most <= before.len()).unwrap_or(0);
    let end = boundary(behind, behind_most);
    [
        if start > 0 { "…" } else { "" },
        &shown(&before[start..]),
        "❌",
        &shown(&behind[..end]),
        if end < behind.len() { "…" } else { "" },
    ]
    .concat()
}

/// Returns [`annotated_invalid_json`] in a Markdown code block, so that no line of the excerpt can be mistaken for our own text.
pub fn fenced(shape: &Shape, text: &str, issues: &[Issue]) -> String {
    let marked = annotated_invalid_json(shape, text, issues);
    // A shorter fence would be closed by the first fence inside the text.
    let longest = marked.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{marked}\n{fence}")
}

/// Returns the last character boundary at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
