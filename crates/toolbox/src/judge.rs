//! The verdict on one call, without running it.
//!
//! Invariants: a session would give the same verdict, because it uses the same check and the same repair. The issues of a rejected call are
//! those of its answer: an issue that a repair has corrected is listed as the repair.

use std::sync::Arc;

use tool_dynamic::{DynamicTool, InputSchema, UnknownFields};
use tool_runtime::Arguments;
use tool_runtime::failure::Failure;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::dialect::Inverse;
use tool_runtime::tool_schema::issue::Issues;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::{RepairedArguments, RepairedText, repair_arguments, repair_text};
use tool_runtime::{Issue, ValidationError};
use tool_runtime::{Repair, RepairPolicy};

use super::definitions::Definition;
use super::options::Unknown;
use crate::private::issue::error_about;
use crate::private::json::well_formed;
use crate::private::shape::Shape;

/// The verdict on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ok,
    Repaired,
    /// The check would have taken too many steps.
    Unchecked,
    Rejected,
}

impl Verdict {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Unchecked => "unchecked",
            Self::Rejected => "rejected",
        }
    }
}

pub(super) struct Judged {
    /// The name of the tool, or the called name if there is no such tool.
    pub(super) tool: String,
    pub(super) verdict: Verdict,
    /// The arguments that the tool would receive, as JSON text; `None` for a rejected call.
    pub(super) arguments: Option<String>,
    pub(super) repairs: Vec<Repair>,
    /// The issues that the repairs left, or the reason why the arguments were not checked; empty for other calls.
    pub(super) issues: Issues,
    pub(super) failure: Option<Failure>,
    /// The arguments of a rejected call, as text after the repairs, to which the failure refers; `None` for other calls.
    pub(super) read: Option<String>,
}

impl Judged {
    /// Returns the verdict on a call of an unknown tool.
    pub(super) fn unknown(failure: Failure) -> Self {
        Self {
            tool: failure.tool_name().to_owned(),
            verdict: Verdict::Rejected,
            arguments: None,
            repairs: Vec::new(),
            issues: Vec::new(),
            failure: Some(failure),
            read: None,
        }
    }

    /// Replaces the paths of issues by the paths in the form of the arguments that the model sent.
    fn name_as_shown(&mut self, inverse: &Inverse, sent: &Json<'_>) {
        let shown = |issue: &Issue| {
            let mut issue = issue.clone();
            issue.path = inverse.path_in_sent_arguments(&issue.path, sent);
            issue
        };
        self.issues = self.issues.iter().map(shown).collect();
        let Some(failure) = &self.failure else { return };
        let told = failure.issues().iter().map(shown).collect();
        if let Some(rejected) = error_about(Shape::ANY, sent, told) {
            self.failure = Some(Failure::validation(&self.tool, rejected));
        }
    }

    fn runs(tool: &str, arguments: String, repairs: Vec<Repair>) -> Self {
        let verdict = if repairs.is_empty() { Verdict::Ok } else { Verdict::Repaired };
        let (tool, issues) = (tool.to_owned(), Vec::new());
        Self { tool, verdict, arguments: Some(arguments), repairs, issues, failure: None, read: None }
    }

    fn unchecked(tool: &str, arguments: String, repairs: Vec<Repair>, reason: ValidationError) -> Self {
        Self { verdict: Verdict::Unchecked, issues: reason.into_issues(), ..Self::runs(tool, arguments, repairs) }
    }

    fn rejected(tool: &str, read: String, repairs: Vec<Repair>, left: ValidationError) -> Self {
        let issues = left.issues().to_vec();
        let (tool, failure) = (tool.to_owned(), Some(Failure::validation(tool, left)));
        let (arguments, read) = (None, Some(read));
        Self { tool, verdict: Verdict::Rejected, arguments, repairs, issues, failure, read }
    }
}

/// Checks arguments. `respelt` is the repair of the tool name, if it was repaired.
pub(super) fn judge(tool: &dyn Tool, name: &str, sent: &str, policy: RepairPolicy, respelt: Option<Repair>) -> Judged {
    let spec = tool.spec();
    let sent = &*well_formed(sent);
    let arguments = Arguments::from(sent);
    let mut ledger: Vec<_> = respelt.into_iter().collect();
    let rejected = match tool.check(&arguments) {
        Ok(()) => {
            let text = if arguments.is_empty() { "{}".to_owned() } else { one_line(&arguments, sent) };
            return Judged::runs(name, text, ledger);
        }
        Err(reason) if is_undecided(&reason) || is_deep(&reason, sent) => {
            return Judged::unchecked(name, one_line(&arguments, sent), ledger, reason);
        }
        Err(rejected) => rejected,
    };
    let (read, repairs) = match repair_arguments(name, &spec.input, &arguments, spec.settings.repair.unwrap_or(policy))
    {
        RepairedArguments::Repaired { arguments, repairs, .. }
        | RepairedArguments::Rejected { arguments, repairs, .. } => (arguments.to_text(), repairs),
        _ => return Judged::rejected(name, sent.to_owned(), ledger, rejected),
    };
    if repairs.is_empty() {
        return Judged::rejected(name, sent.to_owned(), ledger, rejected);
    }
    ledger.extend(repairs);
    match tool.check(&read.as_str().into()) {
        Ok(()) => Judged::runs(name, read, ledger),
        Err(reason) if is_undecided(&reason) => Judged::unchecked(name, read, ledger, reason),
        Err(left) => Judged::rejected(name, read, ledger, left),
    }
}

/// Checks arguments in the form of a dialect. They are parsed leniently, converted back to the tool's own form, and then checked like all
/// others.
pub(super) fn judge_rewritten(
    tool: &dyn Tool,
    name: &str,
    sent: &str,
    policy: RepairPolicy,
    respelt: Option<Repair>,
    inverse: &Inverse,
) -> Judged {
    let policy = tool.spec().settings.repair.unwrap_or(policy);
    let (read, repairs) = match repair_text(sent) {
        RepairedText::Clean(json) => (json, Vec::new()),
        RepairedText::Repaired { value, repairs } if policy != RepairPolicy::Strict => (value, repairs),
        // Missing or unreadable arguments get the same verdict as without a dialect.
        _ => return judge(tool, name, sent, policy, respelt),
    };
    let ledger: Vec<_> = respelt.into_iter().chain(repairs).collect();
    match inverse.restore(read.clone()) {
        Err(issues) => match error_about(Shape::ANY, &read, issues) {
            Some(rejected) => Judged::rejected(name, read.to_text(), ledger, rejected),
            None => judge(tool, name, sent, policy, None),
        },
        Ok(own) => {
            let mut judged = judge(tool, name, &own.to_text(), policy, None);
            judged.repairs.splice(..0, ledger);
            judged.name_as_shown(inverse, &read);
            if judged.verdict == Verdict::Ok && !judged.repairs.is_empty() {
                judged.verdict = Verdict::Repaired;
            }
            judged
        }
    }
}

fn is_undecided(error: &ValidationError) -> bool {
    error.issues().iter().any(|issue| issue.constraint.code() == InputSchema::TOO_MANY_STEPS_CODE)
}

/// Returns `true` for valid JSON that is nested more deeply than our parser allows.
fn is_deep(error: &ValidationError, sent: &str) -> bool {
    let is_too_deep = error.issues().iter().any(|issue| issue.constraint.keyword() == "depth");
    is_too_deep && serde_json::from_str::<serde::de::IgnoredAny>(sent).is_ok()
}

/// Returns valid arguments as one line, with unchanged members.
fn one_line(arguments: &Arguments<'_>, sent: &str) -> String {
    arguments.to_json().map_or_else(|_| sent.replace(['\n', '\r'], " "), |json| json.to_text())
}

/// Builds a tool from a definition. It can be checked, but not run.
pub(super) fn load(definition: &Definition, unknown: Unknown, formats: bool) -> Result<Arc<dyn Tool>, String> {
    let unknown = match unknown {
        Unknown::Reject => UnknownFields::Reject,
        Unknown::Ignore => UnknownFields::Ignore,
    };
    let tool =
        DynamicTool::builder(definition.name.clone(), definition.description.clone(), definition.schema.as_str());
    let tool = tool.unknown_fields(unknown).assert_formats(formats);
    match tool.external() {
        Ok(tool) => Ok(Arc::new(tool)),
        Err(error) => Err(error.to_string()),
    }
}
