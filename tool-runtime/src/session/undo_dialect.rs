//! Converts arguments back that were sent in a provider's form. This is the beginning of the decode stage.
//!
//! In: the arguments of a tool that the session has advertised in a rewritten form. Out: the arguments in the tool's own form, or every
//! issue. Invariants: no tool runs here. The text is first parsed as leniently as the policy allows. Ambiguous arguments are rejected.

use tool_schema::dialect::Inverse;

use super::decoded::NotDecoded;
use super::run_interruptible::guarded;
use super::session_with_toolbox::SessionView;
use crate::check::check;
use crate::decode::{Rejected, rejected};
use crate::input::Arguments;
use crate::issue::{Issue, Issues, error_about};
use crate::json::Json;
use crate::private::dialect::{shows, undo};
use crate::repair::{Repair, accepts_argument, read_arguments, redact_ledger};
use crate::shape::{RepairPolicy, Shape};
use crate::toolbox::Entry;

/// Arguments in the tool's own form.
pub(super) struct Restored<'a> {
    pub(super) text: Box<str>,
    pub(super) tree: Json<'a>,
    /// The repairs of the text, and of wrappers around the arguments.
    pub(super) repairs: Vec<Repair>,
}

/// Converts arguments back, if the tool was advertised in a rewritten form.
pub(super) fn undo_dialect<'a>(
    view: &SessionView,
    entry: &Entry,
    arguments: &Arguments<'a>,
) -> Option<Result<Restored<'a>, NotDecoded<'a>>> {
    let advertisement = view.rewritten(entry)?;
    let inverse = advertisement.inverse()?;
    let (input, policy) = (view.input(entry), view.policy(entry));
    // A user-defined rule may panic.
    Some(
        guarded(|| restored(entry, inverse, &input.shape(), arguments, policy))
            .map_err(NotDecoded::Panicked)
            .and_then(|restored| restored.map_err(|rejected| NotDecoded::Rejected(*rejected))),
    )
}

fn restored<'a>(
    entry: &Entry,
    inverse: &Inverse,
    input: &Shape,
    arguments: &Arguments<'a>,
    policy: RepairPolicy,
) -> Result<Restored<'a>, Box<Rejected<'a>>> {
    let knows = |key: &str| shows(inverse, key) || accepts_argument(input, key);
    let (mut tree, mut repairs) = read_arguments(&entry.tool.spec().name, arguments, policy, knows)?;
    redact_ledger(&mut repairs, input);
    let unreadable = undo(inverse, &mut tree);
    if unreadable.is_empty() {
        return Ok(Restored { text: tree.to_text().into(), tree, repairs });
    }
    let issues = all_issues(inverse, input, &tree, unreadable);
    match error_about(Shape::ANY, &tree, issues) {
        Some(error) => Err(Box::new(rejected(error, tree))),
        None => Ok(Restored { text: tree.to_text().into(), tree, repairs }),
    }
}

/// Returns the issues about unreadable entries, and all other issues of the arguments.
fn all_issues(inverse: &Inverse, input: &Shape, tree: &Json<'_>, mut unreadable: Issues) -> Issues {
    // An array with unreadable entries cannot become a map, so the checker reports the whole array. Only the issues about the entries are
    // kept.
    let is_about_entries = |issue: &Issue| {
        let shown = inverse.path_in_sent_arguments(&issue.path, tree);
        unreadable.iter().any(|entry| entry.path.segments().starts_with(shown.segments()))
    };
    let others: Issues = check(input, tree).into_iter().filter(|issue| !is_about_entries(issue)).collect();
    unreadable.extend(others);
    unreadable
}
