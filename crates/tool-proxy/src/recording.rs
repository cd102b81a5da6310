//! The recording of calls as JSON Lines, which `toolbox check` and `toolbox report` read: [`Recorder`].
//!
//! The first line has the version of the format and the tools; a changed list of tools has a line of its own. Each call has one line, which is
//! written when the call has ended.
//!
//! Invariants: a line contains no redacted value; results are only recorded if the host asks for them, and up to a number of bytes.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rmcp::model::RequestId;
use tool_runtime::tool_schema::repair::Repair;
use tool_runtime::{Issue, Outcome};

use super::frame::write_id;
use super::writing::json_object;

/// The version of the format.
const VERSION: u32 = 1;
/// The largest number of lists of tools in a recording. A server can change its list any number of times.
const MOST_LISTS: usize = 1_000;

/// A function that gets lines of a recording.
pub(super) type Write = Box<dyn FnMut(&str) + Send>;

/// Writes the lines of a recording.
pub(super) struct Recorder {
    write: Write,
    /// The hash of the list of tools that was written last; `None` before the first line.
    list: Option<u64>,
    lists: usize,
}

/// The decision about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ok,
    Repaired,
    /// Nothing was known about the tool, or the check would have taken too many steps.
    Unchecked,
    Refused,
    Throttled,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Unchecked => "unchecked",
            Self::Refused => "refused",
            Self::Throttled => "throttled",
        }
    }
}

/// The repairs of a call, and its faults if it was refused.
#[derive(Default)]
pub(super) struct Found {
    repairs: Vec<Repair>,
    issues: Vec<Issue>,
}

impl Found {
    pub(super) fn of(outcome: &Outcome) -> Self {
        let issues = outcome.failure().map(|failure| failure.issues().to_vec()).unwrap_or_default();
        Self { repairs: outcome.repairs().to_vec(), issues }
    }
}

/// A call that was checked.
pub(super) struct Entry {
    pub(super) id: RequestId,
    pub(super) tool: String,
    /// The arguments as JSON text; empty if there are none.
    pub(super) arguments: String,
    /// `true` if the arguments or the name are not those of the client, because of redaction.
    pub(super) is_redacted: bool,
    pub(super) verdict: Verdict,
    pub(super) found: Found,
    /// The decision of the user: `accepted` or `declined`.
    pub(super) approval: Option<&'static str>,
    /// The bytes of the client's message.
    pub(super) bytes: usize,
    pub(super) at: SystemTime,
}

/// The end of a call.
#[derive(Default)]
pub(super) struct Ended {
    /// The kind of the end; `None` if the server did not get the call.
    pub(super) result: Option<&'static str>,
    pub(super) time: Duration,
    /// The bytes of the answer.
    pub(super) bytes: usize,
    /// The text that the model got, if it is recorded.
    pub(super) text: Option<String>,
}

impl Recorder {
    pub(super) fn new(write: impl FnMut(&str) + Send + 'static) -> Self {
        Self { write: Box::new(write), list: None, lists: 0 }
    }

    /// Records a list of tools, given as JSON texts, unless it is the one that was recorded last.
    pub(super) fn tools<'d>(&mut self, definitions: impl Iterator<Item = &'d str> + Clone) {
        let mut hasher = DefaultHasher::new();
        definitions.clone().for_each(|definition| definition.hash(&mut hasher));
        let list = hasher.finish();
        if self.list == Some(list) || self.lists == MOST_LISTS {
            return;
        }
        let is_first = self.list.replace(list).is_none();
        self.lists += 1;
        self.write(&json_object(|line| {
            if is_first {
                line.raw("recording", &VERSION.to_string());
            }
            line.raw("at_ms", &milliseconds(SystemTime::now()));
            line.array("tools", definitions, |writer, definition| {
                writer.written(definition);
            });
        }));
    }

    /// Records a call.
    pub(super) fn call(&mut self, entry: &Entry, ended: &Ended) {
        if self.list.is_none() {
            // The server has not listed its tools.
            self.tools(std::iter::empty());
        }
        self.write(&line(entry, ended));
    }

    fn write(&mut self, line: &str) {
        (self.write)(line);
    }
}

fn milliseconds(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis().to_string()
}

fn line(entry: &Entry, ended: &Ended) -> String {
    let Found { repairs, issues } = &entry.found;
    json_object(|line| {
        write_id(line.value("id"), &entry.id);
        line.raw("at_ms", &milliseconds(entry.at));
        line.string("tool", &entry.tool);
        if !entry.arguments.is_empty() {
            line.raw("arguments", &entry.arguments);
        }
        if entry.is_redacted {
            line.bool("redacted", true);
        }
        line.string("verdict", entry.verdict.name());
        // Paths and texts consist of keys and values, which may be redacted ones.
        if !repairs.is_empty() {
            line.array("repairs", repairs, |writer, repair| {
                writer.object(|repaired| {
                    repaired.string("rule", repair.rule.name());
                    if !entry.is_redacted {
                        repaired.string("path", &repair.path.to_string());
                        repaired.string("before", &repair.before);
                        repaired.string("after", &repair.after);
                    }
                });
            });
        }
        if !issues.is_empty() {
            line.array("issues", issues, |writer, issue| {
                writer.object(|found| {
                    found.string("code", issue.constraint.code());
                    if !entry.is_redacted {
                        found.string("path", &issue.path.to_string());
                    }
                });
            });
        }
        if let Some(approval) = entry.approval {
            line.string("approval", approval);
        }
        if let Some(result) = ended.result {
            line.string("result", result);
            line.raw("ms", &format!("{:.1}", ended.time.as_secs_f64() * 1_000.0));
        }
        line.object("bytes", |bytes| {
            bytes.raw("call", &entry.bytes.to_string());
            bytes.raw("answer", &ended.bytes.to_string());
        });
        if let Some(text) = &ended.text {
            line.string("answer", text);
        }
    })
}
