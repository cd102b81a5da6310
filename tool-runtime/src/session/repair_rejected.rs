//! Repairs arguments that were rejected.
//!
//! In: the rejection, with the parsed arguments. Out: the repaired arguments with the repairs, and the remaining issues. Invariants: no
//! tool runs here. Incomplete text is never repaired. This stage is only reached by calls that were rejected.

use super::attempt::{Attempt, Change, End};
use super::decoded::NotDecoded;
use super::run_interruptible::guarded;
use super::session_with_toolbox::SessionView;
use crate::decode::{ParsedTree, Rejected, check_arguments};
use crate::input::Arguments;
use crate::issue::{Issues, ValidationError, error_about};
use crate::json::Json;
use crate::repair::{Repair, RepairAttempt, RepairPolicy, repair_rejected_arguments};
use crate::shape::Ref;
use crate::tool::CallError;
use crate::toolbox::Entry;

impl SessionView {
    /// Repairs the arguments that the tool has rejected. If no issue remains, they run. The tool did not run when it rejected the arguments,
    /// so it runs at most once. This is a stage.
    pub(super) fn repair_rejected<'a>(
        &'a self,
        entry: &'a Entry,
        call: &mut Attempt<'a>,
        rejected: Rejected<'a>,
    ) -> Result<(), End<'a>> {
        let Repaired { text, repairs, tree, left } = self.repair_arguments(entry, call.arguments(), rejected)?;
        self.note(call.call_id, &mut call.ledger, repairs);
        call.change(Change::Repaired, text);
        match left {
            Some(error) => Err(End::Failed { error: CallError::Invalid(error), tree: ParsedTree::Tree(tree) }),
            None => Ok(()),
        }
    }

    /// Repairs arguments as the policy allows. Nothing runs.
    pub(super) fn repair_arguments<'a>(
        &self,
        entry: &Entry,
        arguments: &Arguments<'a>,
        rejected: Rejected<'a>,
    ) -> Result<Repaired<'a>, NotDecoded<'a>> {
        let (input, policy) = (self.input(entry), self.policy(entry));
        // A user-defined rule may panic.
        let repaired = guarded(|| repaired(entry, &input, arguments, rejected, policy));
        repaired.map_err(NotDecoded::Panicked)?.map_err(NotDecoded::Rejected)
    }
}

/// Arguments after a complete or partial repair.
pub(super) struct Repaired<'a> {
    /// The repaired arguments.
    pub(super) text: Box<str>,
    pub(super) repairs: Vec<Repair>,
    /// The tree of the repaired arguments, which the checker has inspected.
    pub(super) tree: Json<'a>,
    /// The remaining issues; `None` if the repaired arguments are acceptable.
    pub(super) left: Option<ValidationError>,
}

fn repaired<'a>(
    entry: &Entry,
    input: &Ref,
    arguments: &Arguments<'a>,
    rejected: Rejected<'a>,
    policy: RepairPolicy,
) -> Result<Repaired<'a>, Rejected<'a>> {
    let RepairAttempt { arguments, repairs, issues } =
        repair_rejected_arguments(&entry.tool.spec().name, input, arguments, rejected, policy)?;
    let text: Box<str> = arguments.to_text().into();
    let left = if issues.is_empty() { None } else { left(entry, input, &text, &arguments, issues) };
    Ok(Repaired { text, repairs, tree: arguments, left })
}

/// Returns the issues that remain in repaired arguments which the checker still rejects.
fn left(entry: &Entry, input: &Ref, text: &str, tree: &Json<'_>, issues: Issues) -> Option<ValidationError> {
    let spec = entry.tool.spec();
    if spec.decode.is_none() {
        // The tool may check more than its shape requires.
        let arguments = Arguments::from(text);
        return entry.tool.check(&arguments).and_then(|()| check_arguments(input, &arguments)).err();
    }
    error_about(&input.shape(), tree, issues)
}
