//! The lines of a recording, as they are written and read: [`RecordedLine`].
//!
//! Invariant: a line that this version writes can be read by every later version. Members that are not known are ignored.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tool_runtime::failure::{Failure, FailureKind};
use tool_runtime::tool_schema::repair::Repair;
use tool_runtime::{Issue, Outcome};

/// The version of the format.
pub const VERSION: u32 = 1;

/// A line of a recording: a list of tools, a call, a prompt of the user, or a text of the model.
///
/// A call has `tool`. In the order of the file, the calls after a text of the model belong to that text, if their `session` is the same.
///
/// ```
/// use tool_report::{RecordedLine, CallVerdict};
///
/// let line: RecordedLine = r#"{"tool": "search", "arguments": {"query": "rain"}, "verdict": "ok", "ms": 3.5}"#.parse()?;
/// assert_eq!((line.tool.as_deref(), line.verdict), (Some("search"), Some(CallVerdict::Ok)));
/// assert_eq!("{}".parse::<RecordedLine>().unwrap_err(), "not a line of a recording: there is none of `tool`, `tools`, `prompt`, `text` and `rejected`");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedLine {
    /// The version of the format, in the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<u32>,
    /// The id of the call, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Box<RawValue>>,
    /// The id of the session or conversation, if the recording has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The number of the call in the order in which the calls were sent. The lines are in the order in which the calls ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The time, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// `Some` if the line is a list of tools. [`tools_line`] writes it.
    #[serde(default, skip_serializing)]
    pub tools: Option<IgnoredAny>,
    /// A prompt of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// A text of the model; empty if the model only called tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The message that the model read because its answer was not a value of the type that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// The tokens of a request to the model and of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenCounts>,
    /// The name of the called tool, as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The arguments: an object, or a text that is not a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Box<RawValue>>,
    /// `true` if the arguments or the name are not those of the model, because of redaction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redacted: bool,
    /// The decision about the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<CallVerdict>,
    /// The repairs of the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<RepairLine>,
    /// The issues of a rejected call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<IssueLine>,
    /// The container that the call expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expands: Option<String>,
    /// The time until a throttled tool may be called again, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_ms: Option<u64>,
    /// The decision of the user: `accepted` or `denied`, and in MCP also `cancelled` and others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// The kind of the end of the call; `None` if the tool did not get it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<CallEndKind>,
    /// The duration of the call in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The sizes of the call and of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<ByteCounts>,
    /// The text that the model got, if it is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// The tokens of a request and of its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenCounts {
    /// The tokens of the request.
    pub input: u64,
    /// The tokens of the answer.
    pub output: u64,
}

/// The sizes of a call and of its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByteCounts {
    /// The bytes of the call.
    #[serde(default)]
    pub call: u64,
    /// The bytes of the answer.
    #[serde(default)]
    pub answer: u64,
}

/// The decision about a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallVerdict {
    /// The call ran as it was sent.
    Ok,
    /// The call ran after repairs.
    Repaired,
    /// Nothing was known about the tool, or the check would have taken too many steps.
    #[default]
    Unchecked,
    /// The call did not run, because of its arguments or its name.
    #[serde(alias = "refused")]
    Rejected,
    /// The call did not run, because its tool is paused.
    Throttled,
}

impl CallVerdict {
    /// Every verdict, in the order of the tables.
    pub const ALL: [Self; 5] = [Self::Ok, Self::Repaired, Self::Rejected, Self::Throttled, Self::Unchecked];

    /// Returns the name in a recording.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Unchecked => "unchecked",
            Self::Rejected => "rejected",
            Self::Throttled => "throttled",
        }
    }

    /// Returns `true` if the call did not reach its tool.
    pub const fn never_reached_tool(self) -> bool {
        matches!(self, Self::Rejected | Self::Throttled)
    }
}

/// The kind of the end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CallEndKind {
    /// A result.
    Result,
    /// A failure of the tool.
    Failure,
    /// An error of the program around the tool, or of the protocol.
    Error,
    /// The tool took too long.
    Timeout,
    /// The server ended before its answer.
    Lost,
    /// The call was cancelled.
    Cancelled,
    /// The server asked the user a question, and the call is repeated with the answer.
    Question,
    /// The call had no end when the recording ended.
    Open,
    /// A kind of a later version.
    #[serde(other)]
    Other,
}

impl CallEndKind {
    /// Returns `true` if the call ran, or should have run, and has no result.
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failure | Self::Error | Self::Timeout | Self::Lost)
    }

    /// Returns the name in a recording.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Failure => "failure",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Lost => "lost",
            Self::Cancelled => "cancelled",
            Self::Question => "question",
            Self::Open => "open",
            Self::Other => "other",
        }
    }
}

/// A repair of a call. Path and texts are left out if they may contain redacted values.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RepairLine {
    /// The name of the rule.
    pub rule: String,
    /// The path of the repaired value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The text before the repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The text after the repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl From<&Repair> for RepairLine {
    fn from(repair: &Repair) -> Self {
        Self {
            rule: repair.rule.name().to_owned(),
            path: Some(repair.path.to_string()),
            before: Some(repair.before.to_string()),
            after: Some(repair.after.to_string()),
        }
    }
}

/// An issue of a call. The path is left out if it may contain redacted keys.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct IssueLine {
    /// The code of the broken rule.
    pub code: String,
    /// The path of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl IssueLine {
    /// Returns the issues of a failure. If a call did not run for another reason than its arguments, the code is the type of the failure.
    fn of(failure: &Failure) -> Vec<Self> {
        let line =
            |issue: &Issue| Self { code: issue.constraint.code().to_owned(), path: Some(issue.path.to_string()) };
        match failure.issues() {
            [] if is_rejection(failure) => vec![Self { code: failure.error_type().to_owned(), path: None }],
            issues => issues.iter().map(line).collect(),
        }
    }
}

/// Returns `true` if a call did not run because of its arguments or its name.
pub(crate) fn is_rejection(failure: &Failure) -> bool {
    matches!(
        failure.error_type(),
        "validation_error"
            | "invalid_json"
            | "container_invocation_error"
            | "container_not_expanded"
            | "ambiguous_tool"
            | "unknown_tool"
            | "tool_removed"
    )
}

impl RecordedLine {
    /// Returns the line as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // The keys are strings, and the numbers are finite or `null`.
    }

    /// Adds the repairs of a call, and the issues and the pause of its failure.
    pub fn add_outcome(&mut self, outcome: &Outcome) {
        self.repairs = outcome.repairs().iter().map(RepairLine::from).collect();
        if let Some(failure) = outcome.failure() {
            self.note_failure(failure);
        }
    }

    /// Adds the issues and the pause of a failure.
    pub(crate) fn note_failure(&mut self, failure: &Failure) {
        self.issues = IssueLine::of(failure);
        let is_throttled = failure.kind() == FailureKind::Throttled;
        let pause = failure.retry_after().filter(|_| is_throttled);
        self.retry_ms = pause.and_then(|pause| u64::try_from(pause.as_millis()).ok());
    }

    /// Removes the paths and texts of repairs and issues, which consist of keys and values that may be secret.
    pub fn hide_repair_and_issue_details(&mut self) {
        for RepairLine { path, before, after, .. } in &mut self.repairs {
            (*path, *before, *after) = (None, None, None);
        }
        for issue in &mut self.issues {
            issue.path = None;
        }
    }

    /// Returns the decision on a call: accepted, repaired, rejected or throttled.
    pub fn call_verdict(&self) -> CallVerdict {
        self.verdict.unwrap_or_default()
    }
}

impl std::str::FromStr for RecordedLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let line: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Self { tool, tools, prompt, text, rejected, .. } = &line;
        match line.recording {
            Some(version) if version > VERSION => Err(format!("version {version} of a recording is not known")),
            _ if tool.is_none() && tools.is_none() && prompt.is_none() && text.is_none() && rejected.is_none() => {
                Err("not a line of a recording: there is none of `tool`, `tools`, `prompt`, `text` and `rejected`"
                    .to_owned())
            }
            _ => Ok(line),
        }
    }
}

/// Returns arguments as a member of a line: a JSON object as it is, any other text as a JSON string. `None` for an empty text.
pub fn arguments_to_json(text: &str) -> Option<Box<RawValue>> {
    let is_object = text.trim_start().starts_with('{') && !text.contains(['\n', '\r']);
    let object = is_object.then(|| RawValue::from_string(text.to_owned()).ok()).flatten();
    object.or_else(|| (!text.is_empty()).then(|| serde_json::value::to_raw_value(text).ok()).flatten())
}

/// Returns the line of a list of tools, which are given as JSON texts. The first line of a recording has its version.
pub fn tools_line<'d>(definitions: impl Iterator<Item = &'d str>, is_first: bool) -> String {
    let version = if is_first { format!("\"recording\":{VERSION},") } else { String::new() };
    let definitions: Vec<&str> = definitions.collect();
    format!("{{{version}\"at_ms\":{},\"tools\":[{}]}}", now_ms(), definitions.join(","))
}

/// Returns the time in milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
