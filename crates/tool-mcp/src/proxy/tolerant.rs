//! A tool whose schema is closed, for a server that may ignore unknown keys: [`Tolerant`].
//!
//! Many servers list `"additionalProperties": false` and drop unknown keys, because their library writes the former and does the latter. So
//! a call with unknown keys is only rejected if a value could be lost in silence.
//!
//! Invariant: apart from unknown keys that resemble no absent key, arguments are accepted only if the server's schema accepts them.

use std::sync::atomic::{AtomicBool, Ordering};

use tool_dynamic::DynamicTool;
use tool_runtime::tool::{Invocation, Prepared, Tool, ToolSpec};
use tool_runtime::tool_schema::decode::Rejected;
use tool_runtime::tool_schema::issue::Constraint;
use tool_runtime::tool_schema::repair::{Mended, mend};
use tool_runtime::{Arguments, CallContext, Issue, RepairPolicy, ValidationError};

/// The schema of a tool as the server stated it, and with all objects open.
pub(super) struct Tolerant {
    spec: ToolSpec,
    stated: DynamicTool,
    open: DynamicTool,
    policy: RepairPolicy,
    /// `true` after unknown keys were tolerated, until [`remark`](Self::remark) is called. A checked call needs no second check then.
    has_tolerated: AtomicBool,
}

impl Tolerant {
    /// Creates the tool from the one that the server stated, and the same with open objects.
    pub(super) fn new(stated: DynamicTool, open: DynamicTool, policy: RepairPolicy) -> Self {
        let mut spec = open.spec().clone();
        spec.declared.clone_from(&stated.spec().declared);
        Self { spec, stated, open, policy, has_tolerated: AtomicBool::new(false) }
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

    /// Returns `true` if arguments that the stated schema rejects can be forwarded without a loss.
    fn tolerates(&self, arguments: &Arguments<'_>, error: &ValidationError) -> bool {
        let is_harmless = |issue: &Issue| is_unknown(issue) && issue.suggestion.is_none();
        let tolerates = error.issues().iter().all(is_harmless)
            && self.open.check(arguments).is_ok()
            // The unknown key may be a wrapper around all arguments.
            && !matches!(
                mend(&self.spec.name, &self.stated.spec().input, arguments, self.policy),
                Mended::Repaired { .. }
            );
        self.has_tolerated.store(tolerates, Ordering::Relaxed);
        tolerates
    }
}

/// Returns `true` if a schema has a closed object.
pub(super) fn is_closed(tool: &DynamicTool) -> bool {
    let schema = tool.schema().to_text();
    [r#""additionalProperties":false"#, r#""unevaluatedProperties":false"#].iter().any(|closed| schema.contains(closed))
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
        self.stated
            .check(arguments)
            .or_else(|error| if self.tolerates(arguments, &error) { Ok(()) } else { Err(error) })
    }

    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<Prepared>, Box<Rejected<'a>>> {
        self.stated.prepare(arguments).or_else(|rejected| {
            if self.tolerates(arguments, rejected.error()) { self.open.prepare(arguments) } else { Err(rejected) }
        })
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a> {
        self.open.call(arguments, cx)
    }
}
