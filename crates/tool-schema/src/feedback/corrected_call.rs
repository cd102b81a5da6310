//! Renders the next step after a rejected call: the corrected call on one line ([`corrected_call`], see `docs/wire.md`).
//!
//! Invariant: the text has at most the given number of bytes. A value that only the model can know is a `<placeholder>` without quotes. So a
//! call in which one is left is not valid JSON, and never runs.

use super::issue_locations::IssueLocations;
use super::write_arguments::{Hand, whole};
use crate::bounded;
use crate::check::accepts;
use crate::issue::{Constraint, Issue, REDACTED};
use crate::json::{Json, write_visible};
use crate::shape::Shape;
use crate::suggest::is_same_field;

/// The maximum number of bytes. A longer call is not shortened, because a model could send the shortened text.
const MOST: usize = 1_500;
/// The texts before the call.
const AS_IT_IS: &str = "Send this call:\n";
const FILL_IN: &str = "Send this call, with a value in place of each <…>:\n";
const SEND_AGAIN: &str =
    "Send this call, with a value in place of each <…>, and in place of <redacted> the value that you sent:\n";

/// Renders `Send this call:` and the corrected call, in at most `most` bytes. Returns `None` if the call may be another one than the model
/// meant (the sent arguments contain a wrapper or the markup of a parameter, or a field was left out and nothing has to be filled in), if
/// it would be rejected again, and if it is longer than 1,500 bytes.
///
/// The call has a name and arguments. After the arguments alone, some models describe them instead of calling the tool.
pub fn corrected_call(tool: &str, shape: &Shape, json: &Json<'_>, issues: &[Issue], most: usize) -> Option<String> {
    if issues.iter().any(|issue| matches!(issue.constraint, Constraint::Wrapper { .. }) || issue.inside.is_some()) {
        return None;
    }
    let tool = bounded::name(tool);
    let call = |way: &str, arguments: &str| {
        let mut text = format!("{way}{{\"name\": ");
        write_visible(&mut text, &tool);
        text + ", \"arguments\": " + arguments + "}"
    };
    let room = most.min(MOST).saturating_sub(call(SEND_AGAIN, "").len());
    let arguments = whole(&IssueLocations::new(shape, json, issues), Hand::Line, room)?;
    // With a placeholder, the text is not valid JSON.
    let way = match Json::parse(&arguments) {
        Ok(complete) if issues.iter().any(is_left_out) || !accepts(shape, &complete) => return None,
        Ok(_) => AS_IT_IS,
        Err(_) if arguments.contains(REDACTED) => SEND_AGAIN,
        Err(_) => FILL_IN,
    };
    Some(call(way, &arguments))
}

/// Returns `true` for a field whose value is not a part of the corrected call, and for an issue that only the author's code can check.
fn is_left_out(issue: &Issue) -> bool {
    let names = issue.path.last_key().zip(issue.suggestion.as_deref());
    match issue.constraint {
        Constraint::UnknownField { .. } => !names.is_some_and(|(key, name)| is_same_field(key, name)),
        Constraint::RepeatedField { .. } | Constraint::Custom(_) | Constraint::Stored { .. } => true,
        _ => false,
    }
}
