//! The verdict on one call, without running anything.
//!
//! In: a tool and the arguments as a model sent them. Out: whether it would run, after which repairs, or every fault and what the model
//! would be told. What always holds: the verdict is that of a session, because it comes from the same check and the same repair; a
//! refused call lists every fault of what was sent, also those that a repair would have mended.

use std::sync::Arc;

use serde_json::Value;
use tool_dynamic::{DynamicTool, UnknownFields};
use tool_runtime::Arguments;
use tool_runtime::failure::Failure;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::dialect::Inverse;
use tool_runtime::tool_schema::issue::Issues;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::{Mended, Reading, mend, read};
use tool_runtime::{Issue, ValidationError};
use tool_runtime::{Repair, RepairPolicy};

use super::definitions::Definition;
use super::options::Unknown;
use crate::private::issue::error_about;

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ok,
    Repaired,
    Refused,
}

impl Verdict {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Refused => "refused",
        }
    }
}

pub(super) struct Judged {
    /// The name of the tool that was meant, or the name that was called.
    pub(super) tool: String,
    pub(super) verdict: Verdict,
    /// What the tool would get, as JSON text; nothing for a refused call.
    pub(super) arguments: Option<String>,
    pub(super) repairs: Vec<Repair>,
    /// Every fault of what was sent; empty unless the call is refused.
    pub(super) issues: Issues,
    pub(super) failure: Option<Failure>,
    /// The arguments of a refused call as far as they could be read: what the failure is about.
    pub(super) read: Option<String>,
}

impl Judged {
    /// A call of something that is not there.
    pub(super) fn unknown(failure: Failure) -> Self {
        Self {
            tool: failure.tool().to_owned(),
            verdict: Verdict::Refused,
            arguments: None,
            repairs: Vec::new(),
            issues: Vec::new(),
            failure: Some(failure),
            read: None,
        }
    }

    /// Writes the paths of issues as the model knows them.
    fn name_as_shown(&mut self, inverse: &Inverse, sent: &Json<'_>) {
        let shown = |issue: &Issue| {
            let mut issue = issue.clone();
            issue.path = inverse.shown_path(&issue.path, sent);
            issue
        };
        self.issues = self.issues.iter().map(shown).collect();
        let Some(failure) = &self.failure else { return };
        let told = failure.issues().iter().map(shown).collect();
        if let Some(refused) = error_about(sent, told) {
            self.failure = Some(Failure::validation(&self.tool, refused));
        }
    }

    fn runs(tool: &str, arguments: String, repairs: Vec<Repair>) -> Self {
        let verdict = if repairs.is_empty() { Verdict::Ok } else { Verdict::Repaired };
        let (tool, issues) = (tool.to_owned(), Vec::new());
        Self { tool, verdict, arguments: Some(arguments), repairs, issues, failure: None, read: None }
    }

    fn refused(tool: &str, read: String, repairs: Vec<Repair>, sent: Issues, left: ValidationError) -> Self {
        let (tool, failure) = (tool.to_owned(), Some(Failure::validation(tool, left)));
        let (arguments, read) = (None, Some(read));
        Self { tool, verdict: Verdict::Refused, arguments, repairs, issues: sent, failure, read }
    }
}

/// The verdict on arguments as they were sent; `respelt` is what was read otherwise in the tool's name.
pub(super) fn judge(tool: &dyn Tool, name: &str, sent: &str, policy: RepairPolicy, respelt: Option<Repair>) -> Judged {
    let spec = tool.spec();
    let arguments = Arguments::from(sent);
    let mut ledger: Vec<_> = respelt.into_iter().collect();
    let refused = match tool.check(&arguments) {
        Ok(()) => {
            let text = if arguments.is_empty() { "{}".to_owned() } else { one_line(&arguments, sent) };
            return Judged::runs(name, text, ledger);
        }
        Err(refused) => refused,
    };
    let (read, repairs, found) = match mend(&spec.input, &arguments, spec.settings.repair.unwrap_or(policy)) {
        Mended::Repaired { arguments, repairs, sent, .. } | Mended::Refused { arguments, repairs, sent, .. } => {
            (arguments.to_text(), repairs, sent)
        }
        _ => return Judged::refused(name, sent.to_owned(), ledger, refused.issues().to_vec(), refused),
    };
    if repairs.is_empty() {
        return Judged::refused(name, sent.to_owned(), ledger, refused.issues().to_vec(), refused);
    }
    ledger.extend(repairs);
    match tool.check(&read.as_str().into()) {
        Ok(()) => Judged::runs(name, read, ledger),
        Err(left) => {
            // Of broken text only what it was read as has faults at places.
            let all = if arguments.to_json().is_ok() { refused.into_issues() } else { found };
            let all = if all.is_empty() { left.issues().to_vec() } else { all };
            Judged::refused(name, read, ledger, all, left)
        }
    }
}

/// The verdict on arguments that were sent in a rewritten form: read leniently, turned back, and then judged like any others.
pub(super) fn judge_rewritten(
    tool: &dyn Tool,
    name: &str,
    sent: &str,
    policy: RepairPolicy,
    respelt: Option<Repair>,
    inverse: &Inverse,
) -> Judged {
    let policy = tool.spec().settings.repair.unwrap_or(policy);
    let (read, repairs) = match read(sent) {
        Reading::Clean(json) => (json, Vec::new()),
        Reading::Repaired { value, repairs } if policy != RepairPolicy::Strict => (value, repairs),
        // No arguments, or text that cannot be read: the same verdict as for any other tool.
        _ => return judge(tool, name, sent, policy, respelt),
    };
    let ledger: Vec<_> = respelt.into_iter().chain(repairs).collect();
    match inverse.restore(read.clone()) {
        Err(issues) => match error_about(&read, issues) {
            Some(refused) => Judged::refused(name, read.to_text(), ledger, refused.issues().to_vec(), refused),
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

/// Arguments that were accepted as they are, on one line and otherwise as they were written.
fn one_line(arguments: &Arguments<'_>, sent: &str) -> String {
    arguments.to_json().map_or_else(|_| sent.to_owned(), |json| json.to_text())
}

/// A tool out of a definition: it can be checked against, not run.
pub(super) fn load(definition: &Definition, unknown: Unknown, formats: bool) -> Result<Arc<dyn Tool>, String> {
    let unknown = match unknown {
        Unknown::Reject => UnknownFields::Reject,
        Unknown::Ignore => UnknownFields::Ignore,
    };
    let tool =
        DynamicTool::builder(definition.name.clone(), definition.description.clone(), definition.schema.as_str());
    let tool = tool.unknown_fields(unknown).assert_formats(formats);
    match tool.sync_handler(|_, _| Err::<Value, _>("a tool out of a file cannot be run")) {
        Ok(tool) => Ok(Arc::new(tool)),
        Err(error) => Err(error.to_string()),
    }
}
