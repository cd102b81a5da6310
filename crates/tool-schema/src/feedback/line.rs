//! Renders the next step after a rejected call: the corrected arguments on one line ([`corrected_line`], see `docs/wire.md`).
//!
//! Invariant: the text has at most the given number of bytes. A value that only the model can know is a `<placeholder>` without quotes. So
//! arguments in which one is left are not valid JSON, and never run.

use super::sheet::{Hand, written};
use super::spots::Spots;
use crate::bounded;
use crate::issue::{Constraint, Issue, REDACTED};
use crate::json::Json;
use crate::shape::Shape;

const FILL_IN: &str = " Replace each <…> with a value.";
const SEND_AGAIN: &str = " Replace each <…> with a value, and <redacted> with the value that you sent.";

/// Renders `Call get_weather again with these arguments.` and the arguments, in at most `most` bytes. Returns `None` if the corrected
/// arguments would be wrong, because the sent ones contain a wrapper or the markup of a parameter.
pub fn corrected_line(tool: &str, shape: &Shape, json: &Json<'_>, issues: &[Issue], most: usize) -> Option<String> {
    if issues.iter().any(|issue| matches!(issue.constraint, Constraint::Wrapper { .. }) || issue.inside.is_some()) {
        return None;
    }
    let lead = format!("Call {} again with these arguments.", bounded::name(tool));
    let room = most.saturating_sub(lead.len() + SEND_AGAIN.len() + 1);
    let arguments = written(&Spots::new(shape, json, issues), Hand::Line, room);
    let fill_in = match (arguments.contains(REDACTED), arguments.contains('<')) {
        (true, _) => SEND_AGAIN,
        (false, true) => FILL_IN,
        (false, false) => "",
    };
    Some(format!("{lead}{fill_in}\n{arguments}"))
}
