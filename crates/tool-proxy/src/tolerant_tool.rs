//! A tool that accepts everything that its server may accept: [`Tolerant`].
//!
//! Many servers list `"additionalProperties": false` and drop unknown keys, because their library writes the former and does the latter. So
//! a call with unknown keys is only rejected if a value could be lost in silence. A call whose check would take too many steps is accepted.
//!
//! Invariant: apart from unknown keys that resemble no absent key, arguments are accepted only if the server's schema accepts them, or if that
//! could not be decided.

use std::sync::atomic::{AtomicBool, Ordering};

use tool_dynamic::{DynamicTool, InputSchema};
use tool_runtime::tool::{AnswerOrFuture, DecodedArguments, Tool, ToolSpec};
use tool_runtime::tool_schema::decode::Rejected;
use tool_runtime::tool_schema::issue::Constraint;
use tool_runtime::tool_schema::repair::{RepairedArguments, repair_arguments};
use tool_runtime::{Arguments, CallContext, Issue, RepairPolicy, ValidationError};

/// The schema of a tool as the server stated it, and with all objects open.
pub(super) struct Tolerant {
    spec: ToolSpec,
    stated: DynamicTool,
    /// The tool with open objects; `None` if its schema has no closed object.
    open: Option<DynamicTool>,
    policy: RepairPolicy,
    /// `true` after unknown keys were tolerated, until [`remark`](Self::remark) is called. A checked call needs no second check then.
    has_tolerated: AtomicBool,
    /// `true` after arguments were accepted without a decision, until [`take_undecided`](Self::take_undecided) is called.
    is_undecided: AtomicBool,
}

impl Tolerant {
    /// Creates the tool from the one that the server stated, and the same with open objects if it has closed ones.
    pub(super) fn new(stated: DynamicTool, open: Option<DynamicTool>, policy: RepairPolicy) -> Self {
        let mut spec = open.as_ref().unwrap_or(&stated).spec().clone();
        spec.declared_schema.clone_from(&stated.spec().declared_schema);
        let (has_tolerated, is_undecided) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { spec, stated, open, policy, has_tolerated, is_undecided }
    }

    /// Returns `true` if arguments were accepted without a decision since the last call of this method.
    pub(super) fn take_undecided(&self) -> bool {
        self.is_undecided.swap(false, Ordering::Relaxed)
    }

    /// Returns the text about the unknown keys of accepted arguments; `None` if there are none.
    pub(super) fn remark(&self, arguments: &Arguments<'_>) -> Option<String> {
        if !self.has_tolerated.swap(false, Ordering::Relaxed) {
            return None;
        }
        let error = self.stated.check(arguments).err()?;
        let unknown = error.issues().iter().filter(|issue| is_unknown(issue)).take(MOST_NAMED);
        let messages: Vec<String> = unknown.map(Issue::message).collect();
        (!messages.is_empty())
            .then(|| format!("{}. The server may have rejected the call for this reason.", messages.join("; ")))
    }

    /// Returns `true` if arguments can be forwarded although the stated schema does not accept them.
    fn passes(&self, arguments: &Arguments<'_>, error: &ValidationError) -> bool {
        let is_undecided = is_undecided(error);
        self.is_undecided.store(is_undecided, Ordering::Relaxed);
        is_undecided || self.open.as_ref().is_some_and(|open| self.tolerates(open, arguments, error))
    }

    /// Returns `true` if arguments that the stated schema rejects can be forwarded without a loss.
    fn tolerates(&self, open: &DynamicTool, arguments: &Arguments<'_>, error: &ValidationError) -> bool {
        let opened = open.check(arguments);
        let is_undecided = opened.as_ref().is_err_and(is_undecided);
        let is_harmless = |issue: &Issue| is_unknown(issue) && issue.suggestion.is_none();
        let tolerates = error.issues().iter().all(is_harmless)
            && (opened.is_ok() || is_undecided)
            // The unknown key may be a wrapper around all arguments.
            && !matches!(
                repair_arguments(&self.spec.name, &self.stated.spec().input, arguments, self.policy),
                RepairedArguments::Repaired { .. }
            );
        self.has_tolerated.store(tolerates, Ordering::Relaxed);
        self.is_undecided.store(tolerates && is_undecided, Ordering::Relaxed);
        tolerates
    }
}

/// Returns `true` if a schema has a closed object.
pub(super) fn is_closed(tool: &DynamicTool) -> bool {
    let schema = tool.schema().to_text();
    [r#""additionalProperties":false"#, r#""unevaluatedProperties":false"#].iter().any(|closed| schema.contains(closed))
}

/// Returns `true` for an error about arguments whose check would take too many steps.
fn is_undecided(error: &ValidationError) -> bool {
    error.issues().iter().any(|issue| issue.constraint.code() == InputSchema::TOO_MANY_STEPS_CODE)
}

fn is_unknown(issue: &Issue) -> bool {
    matches!(issue.constraint, Constraint::UnknownField { .. })
}

/// The largest number of unknown keys that a remark names.
const MOST_NAMED: usize = 5;

impl Tool for Tolerant {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        self.stated.check(arguments).or_else(|error| if self.passes(arguments, &error) { Ok(()) } else { Err(error) })
    }

    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<DecodedArguments>, Box<Rejected<'a>>> {
        self.stated.prepare(arguments).or_else(|rejected| match &self.open {
            _ if !self.passes(arguments, rejected.error()) => Err(rejected),
            Some(open) if !self.is_undecided.load(Ordering::Relaxed) => open.prepare(arguments),
            _ => Ok(None),
        })
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        self.open.as_ref().unwrap_or(&self.stated).call(arguments, cx)
    }
}
