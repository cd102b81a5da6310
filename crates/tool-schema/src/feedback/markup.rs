//! The arguments as they were sent, every fault on the line where it stands ([`marked_up`], WIRE §4).
//!
//! In come the shape, the arguments and the issues; out goes text of at most 4,096 bytes. What always holds: without its remarks and its
//! `undefined` lines it is what was sent, where nothing was pruned; the most important fault is in it; secrets are not.

use super::sheet::{Hand, written};
use super::spots::Spots;
use crate::issue::Issue;
use crate::json::Json;
use crate::shape::Shape;

/// The most that marked-up arguments or markdown take.
pub const BUDGET: usize = 4_096;

/// The arguments as they were sent, every fault on the line where it stands.
///
/// In come the shape of the input, the arguments and what [`check`](crate::check::check) found; out go at most 4,096 bytes. A fault of an
/// object or array itself follows its opening bracket, what is missing follows as `undefined`, faults without a place in the arguments stand
/// under `Elsewhere:`. Parts without a fault give way to `…` where there is no room for them, the least important faults after them.
///
/// ```
/// use std::collections::BTreeMap;
/// use tool_schema::{ToolInput, check::check, feedback::marked_up, json::Json};
///
/// let shape = <BTreeMap<String, Vec<u8>>>::SHAPE;
/// let sent = Json::parse(r#"{"a": [1, 300], "b": []}"#)?;
/// assert_eq!(
///     marked_up(shape, &sent, &check(shape, &sent)),
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
pub fn marked_up(shape: &Shape, json: &Json<'_>, issues: &[Issue]) -> String {
    within(shape, json, issues, BUDGET)
}

/// The same text within a number of bytes.
pub fn within(shape: &Shape, json: &Json<'_>, issues: &[Issue], most: usize) -> String {
    written(&Spots::new(shape, json, issues), Hand::Marked, most)
}
