//! Renders the sent arguments with every issue on its line ([`annotated_arguments`], see `docs/wire.md`).
//!
//! Invariant: the text has at most 4,096 bytes and contains the most important issue, but no secrets. Without its remarks and `undefined`
//! lines, it equals the sent arguments, unless parts had to be omitted.

use super::issue_locations::IssueLocations;
use super::write_arguments::{Hand, written};
use crate::issue::Issue;
use crate::json::Json;
use crate::shape::Shape;

/// The maximum number of bytes of marked-up arguments or markdown.
pub const BUDGET: usize = 4_096;

/// Renders the arguments that were sent, with a comment for each issue on the line of the faulty value.
///
/// `issues` are the findings of [`check`](crate::check::check) for these arguments. The result has at most 4,096 bytes. An issue of an
/// object or array itself follows its opening bracket. Missing fields are shown as `undefined`, and issues without a location in the
/// arguments are listed under `Elsewhere:`. If the text is too long, parts without an issue are replaced by `…` first, then the least
/// important issues are left out.
///
/// ```
/// use std::collections::BTreeMap;
/// use tool_schema::{ToolInput, check::check, feedback::annotated_arguments, json::Json};
///
/// let shape = <BTreeMap<String, Vec<u8>>>::SHAPE;
/// let sent = Json::parse(r#"{"a": [1, 300], "b": []}"#)?;
/// assert_eq!(
///     annotated_arguments(shape, &sent, &check(shape, &sent)),
///     r#"{
///   "a": [
///     1,
///     300 // ❌ integer from 0 to 255
///   ],
///   "b": []
/// }"#,
/// );
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn annotated_arguments(shape: &Shape, json: &Json<'_>, issues: &[Issue]) -> String {
    written(&IssueLocations::new(shape, json, issues), Hand::Marked, BUDGET)
}
