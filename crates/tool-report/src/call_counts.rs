//! The counts of a recording: [`CallReport`].
//!
//! Invariant: the memory grows by a few bytes for each call, apart from the first calls, which are kept for the page up to a number of bytes.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use crate::line::{ByteCounts, CallEndKind, CallVerdict, RecordedLine, TokenCounts};

/// The largest number of tools, issues, repairs and pauses that are counted one by one. Any name may be in a recording.
const MOST_ROWS: usize = 1_000;
/// The name of the row for everything beyond [`MOST_ROWS`].
const OTHERS: &str = "(others)";
/// The maximum number of calls and messages that are kept one by one.
const MOST_KEPT: usize = 10_000;
/// The maximum number of bytes of arguments and answers that are kept of all calls together.
const MOST_BYTES: usize = 32 << 20;
/// The maximum number of bytes of the arguments of a call that is kept; longer ones are left out.
const LARGEST: usize = 64 * 1_024;
/// The number of characters that are shown of a text.
pub(crate) const SHOWN: usize = 4_000;
/// The maximum number of issues, and of repairs, that are kept of a call.
const MOST_ENTRIES: usize = 100;
/// The maximum number of sessions whose last rejections and steps are remembered.
const MOST_SESSIONS: usize = 10_000;
/// The maximum number of calls of one answer that share its tokens.
const MOST_SHARING: usize = 64;

/// The counts of one tool.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolCounts {
    /// The calls.
    pub calls: usize,
    /// The calls that ran after repairs.
    pub repaired: usize,
    /// The calls that did not run because of their arguments or name. Each was answered with a hint.
    pub rejected: usize,
    /// The rejected calls whose next call of the tool in the same session was neither rejected nor throttled.
    pub corrected: usize,
    /// The calls that did not run because the tool was paused.
    pub throttled: usize,
    /// The calls that could not be checked.
    pub unchecked: usize,
    /// The calls that the user or a hook denied.
    pub denied: usize,
    /// The calls that ran and failed.
    pub failed: usize,
    /// The bytes of the calls and of their answers.
    pub bytes: ByteCounts,
    /// The tokens of the answers of the model with calls of the tool. Calls of the same answer share its tokens equally.
    pub output_tokens: f64,
    /// The durations of the calls that reached the tool, in milliseconds.
    times: Vec<f32>,
}

impl ToolCounts {
    /// Returns the share of the calls that ran as they were sent, in percent.
    pub fn first_try_percent(&self) -> usize {
        self.percent_of_calls(self.calls - self.repaired - self.rejected - self.throttled)
    }

    /// Returns the share of a number of calls, in percent.
    pub fn percent_of_calls(&self, calls: usize) -> usize {
        calls * 100 / self.calls.max(1)
    }

    /// Returns the median of the durations in milliseconds.
    pub fn median_ms(&self) -> Option<f32> {
        let mut times = self.times.clone();
        times.sort_by(f32::total_cmp);
        times.get(times.len() / 2).copied()
    }

    /// Returns the number of calls with each verdict, in the order of [`CallVerdict::ALL`].
    pub fn verdicts(&self) -> [usize; 5] {
        let Self { calls, repaired, rejected, throttled, unchecked, .. } = *self;
        [calls - repaired - rejected - throttled - unchecked, repaired, rejected, throttled, unchecked]
    }
}

/// The number of calls with an issue or a repair.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct IssueOrRepairCount<'r> {
    /// The code of the issue, or the rule of the repair.
    pub name: &'r str,
    /// The tool.
    pub tool: &'r str,
    /// The path of the value.
    pub path: &'r str,
    /// The number of calls.
    pub calls: usize,
    /// The number of rejected calls whose next call of the tool did not have the issue any more: the hint was followed.
    pub followed: usize,
}

type Key = [String; 3];

/// The time during which a tool was paused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolPause {
    /// The tool.
    pub tool: String,
    /// The time of the first throttled call, in milliseconds since 1970.
    pub from_ms: u64,
    /// The time of the next call that was not throttled, or the end of the pause if no call followed.
    pub until_ms: u64,
}

/// A call, for the comparison with another recording.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// The hash of tool and arguments; `None` if parts of the call are redacted.
    pub(crate) hash: Option<u64>,
    pub(crate) end: End,
}

/// The way in which a call ended, for the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Ran(CallVerdict),
    Failed,
    Denied,
}

impl End {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ran(verdict) => verdict.name(),
            Self::Failed => "failed",
            Self::Denied => "denied",
        }
    }
}

/// An answer of the model, whose tokens are shared by its calls.
#[derive(Debug, Default)]
struct RecordedStep {
    tokens: TokenCounts,
    tools: Vec<String>,
}

/// The counts of a recording, and its first calls.
#[derive(Debug, Default)]
pub struct CallReport {
    tools: BTreeMap<String, ToolCounts>,
    issues: HashMap<Key, (usize, usize)>,
    repairs: HashMap<Key, (usize, usize)>,
    /// The issues of the last call of a tool in a session, if it was rejected.
    rejected: HashMap<(String, String), Vec<Key>>,
    steps: HashMap<String, RecordedStep>,
    tokens: TokenCounts,
    open_pauses: HashMap<String, usize>,
    pauses: Vec<ToolPause>,
    pub(crate) first: Option<u64>,
    pub(crate) last: u64,
    pub(crate) prompts: usize,
    unusable: usize,
    pub(crate) ended: Vec<Ended>,
    /// The first calls, prompts and texts. The tool of a call is the one that was meant.
    pub(crate) kept: Vec<RecordedLine>,
    /// The positions in `kept` of the calls of the recording.
    pub(crate) kept_calls: usize,
    kept_bytes: usize,
    /// The number of calls whose arguments or answer were left out.
    pub(crate) left_out: usize,
}

impl CallReport {
    /// Creates an empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next line of the recording.
    pub fn add_line(&mut self, line: RecordedLine) {
        if let Some(at) = line.at_ms.filter(|_| line.tools.is_none()) {
            self.first.get_or_insert(at);
            self.last = self.last.max(at);
        }
        match line {
            RecordedLine { tool: Some(_), .. } => self.call(line),
            RecordedLine { tools: Some(_), .. } => {}
            _ => self.message(line),
        }
    }

    /// Counts a line that could not be used.
    pub fn add_unusable_line(&mut self) {
        self.unusable += 1;
    }

    /// Returns the counts of each tool. A misspelt name counts for the tool that was meant.
    pub fn tools(&self) -> &BTreeMap<String, ToolCounts> {
        &self.tools
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> usize {
        self.ended.len()
    }

    /// Returns the number of lines that could not be used.
    pub fn unusable_lines(&self) -> usize {
        self.unusable
    }

    /// Returns the tokens of all requests and answers in the recording.
    pub fn tokens(&self) -> TokenCounts {
        self.tokens
    }

    /// Returns the issues of rejected calls, the most frequent first.
    pub fn issues(&self) -> Vec<IssueOrRepairCount<'_>> {
        sorted(&self.issues)
    }

    /// Returns the repairs, the most frequent first.
    pub fn repairs(&self) -> Vec<IssueOrRepairCount<'_>> {
        sorted(&self.repairs)
    }

    /// Returns the times during which tools were paused, in order, at most 1,000.
    pub fn pauses(&self) -> &[ToolPause] {
        &self.pauses
    }

    /// Returns the time from the first call or message to the last one.
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.last.saturating_sub(self.first.unwrap_or(self.last)))
    }

    fn message(&mut self, line: RecordedLine) {
        self.prompts += usize::from(line.prompt.is_some());
        let session = line.session.clone().unwrap_or_default();
        let tokens = line.tokens.unwrap_or_default();
        self.tokens.input = self.tokens.input.saturating_add(tokens.input);
        self.tokens.output = self.tokens.output.saturating_add(tokens.output);
        if self.steps.len() < MOST_SESSIONS || self.steps.contains_key(&session) {
            self.steps.insert(session, RecordedStep { tokens, tools: Vec::new() });
        }
        if self.kept.len() < MOST_KEPT {
            let shown = |text: Option<String>| text.map(|text| beginning(&text));
            let (prompt, text, rejected) = (shown(line.prompt), shown(line.text), shown(line.rejected));
            self.kept.push(RecordedLine { prompt, text, rejected, ..line });
        }
    }

    fn call(&mut self, mut line: RecordedLine) {
        let tool = self.row_of(&line);
        let session = line.session.clone().unwrap_or_default();
        // A failure of the tool is not an issue of the call.
        let key =
            |code: &str, path: Option<&String>| [code.to_owned(), tool.clone(), path.cloned().unwrap_or_default()];
        let verdict = line.call_verdict();
        let issues: Vec<Key> = match verdict {
            CallVerdict::Rejected => line.issues.iter().map(|issue| key(&issue.code, issue.path.as_ref())).collect(),
            _ => Vec::new(),
        };
        count(&mut self.issues, issues.iter());
        let repairs: Vec<Key> = line.repairs.iter().map(|repair| key(&repair.rule, repair.path.as_ref())).collect();
        count(&mut self.repairs, repairs.iter());
        self.follow(&session, &tool, verdict, issues);
        self.share_tokens(&session, &tool);
        self.pause(&tool, &line);
        let end = end_of(&line);
        let row = self.tools.entry(tool.clone()).or_default();
        row.calls += 1;
        match verdict {
            CallVerdict::Ok => {}
            CallVerdict::Unchecked => row.unchecked += 1,
            CallVerdict::Repaired => row.repaired += 1,
            CallVerdict::Rejected => row.rejected += 1,
            CallVerdict::Throttled => row.throttled += 1,
        }
        row.denied += usize::from(end == End::Denied);
        row.failed += usize::from(line.result.is_some_and(CallEndKind::is_failure));
        let bytes = line.bytes.unwrap_or_default();
        row.bytes.call = row.bytes.call.saturating_add(bytes.call);
        row.bytes.answer = row.bytes.answer.saturating_add(bytes.answer);
        #[expect(clippy::cast_possible_truncation)] // A time is shown with three digits.
        row.times.extend(line.ms.map(|ms| ms as f32));
        self.ended.push(Ended { hash: hash_of(&line), end });
        if self.kept.len() < MOST_KEPT {
            line.tool = Some(tool);
            let line = self.short_line(line);
            self.kept.push(line);
            self.kept_calls += 1;
        }
    }

    /// Returns the name of the row for a call.
    fn row_of(&self, line: &RecordedLine) -> String {
        let sent = line.tool.as_deref().unwrap_or_default();
        let meant =
            line.repairs.iter().find(|repair| repair.rule == "tool_name").and_then(|repair| repair.after.as_deref());
        let tool = meant.unwrap_or(sent);
        let is_known = self.tools.contains_key(tool) || self.tools.len() < MOST_ROWS;
        if is_known { tool.to_owned() } else { OTHERS.to_owned() }
    }

    /// Counts the hints that a call follows, and remembers its own issues.
    fn follow(&mut self, session: &str, tool: &str, verdict: CallVerdict, issues: Vec<Key>) {
        let place = (session.to_owned(), tool.to_owned());
        if let Some(earlier) = self.rejected.remove(&place) {
            if !verdict.never_reached_tool() {
                self.tools.entry(tool.to_owned()).or_default().corrected += 1;
            }
            // A throttled call was not checked.
            for issue in earlier.iter().filter(|issue| verdict != CallVerdict::Throttled && !issues.contains(issue)) {
                if let Some((_, followed)) = self.issues.get_mut(issue) {
                    *followed += 1;
                }
            }
        }
        if verdict == CallVerdict::Rejected && self.rejected.len() < MOST_SESSIONS {
            let mut issues = issues;
            issues.sort();
            issues.dedup();
            issues.truncate(MOST_ENTRIES);
            self.rejected.insert(place, issues);
        }
    }

    /// Gives a call its part of the tokens of the answer that contains it.
    fn share_tokens(&mut self, session: &str, tool: &str) {
        let Some(step) = self.steps.get_mut(session).filter(|step| step.tools.len() < MOST_SHARING) else { return };
        #[expect(clippy::cast_precision_loss)] // No answer has more than 2⁵³ tokens.
        let (tokens, calls) = (step.tokens.output as f64, step.tools.len() as f64);
        for earlier in &step.tools {
            if let Some(row) = self.tools.get_mut(earlier) {
                row.output_tokens -= tokens / calls - tokens / (calls + 1.0);
            }
        }
        self.tools.entry(tool.to_owned()).or_default().output_tokens += tokens / (calls + 1.0);
        step.tools.push(tool.to_owned());
    }

    /// Notes that a tool is paused, or that it is not any more.
    fn pause(&mut self, tool: &str, line: &RecordedLine) {
        let Some(at) = line.at_ms else { return };
        if line.call_verdict() != CallVerdict::Throttled {
            if let Some(pause) = self.open_pauses.remove(tool).and_then(|index| self.pauses.get_mut(index)) {
                pause.until_ms = pause.until_ms.min(at).max(pause.from_ms);
            }
            return;
        }
        let until = at.saturating_add(line.retry_ms.unwrap_or_default());
        if let Some(&index) = self.open_pauses.get(tool) {
            self.pauses[index].until_ms = self.pauses[index].until_ms.max(until);
        } else if self.pauses.len() < MOST_ROWS {
            self.open_pauses.insert(tool.to_owned(), self.pauses.len());
            self.pauses.push(ToolPause { tool: tool.to_owned(), from_ms: at, until_ms: until });
        }
    }

    /// Returns a call with as much as the page shows of it.
    fn short_line(&mut self, mut line: RecordedLine) -> RecordedLine {
        let sizes = |line: &RecordedLine| {
            (line.arguments.is_some(), line.answer.is_some(), line.issues.len(), line.repairs.len())
        };
        let had = sizes(&line);
        line.arguments = line.arguments.filter(|arguments| arguments.get().len() <= LARGEST);
        line.answer = line.answer.map(|answer| beginning(&answer));
        line.issues.truncate(MOST_ENTRIES);
        line.repairs.truncate(MOST_ENTRIES);
        let bytes = line.arguments.as_ref().map_or(0, |arguments| arguments.get().len())
            + line.answer.as_ref().map_or(0, String::len);
        if self.kept_bytes + bytes > MOST_BYTES {
            (line.arguments, line.answer) = (None, None);
        } else {
            self.kept_bytes += bytes;
        }
        self.left_out += usize::from(sizes(&line) != had);
        line
    }
}

fn end_of(line: &RecordedLine) -> End {
    match line.call_verdict() {
        verdict if verdict.never_reached_tool() => End::Ran(verdict),
        _ if line.approval.as_ref().is_some_and(|approval| approval != "accepted") => End::Denied,
        _ if line.result.is_some_and(CallEndKind::is_failure) => End::Failed,
        verdict => End::Ran(verdict),
    }
}

/// Returns the hash of tool and arguments, without the white space of the arguments.
fn hash_of(line: &RecordedLine) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    line.tool.hash(&mut hasher);
    line.arguments.as_ref().map(|arguments| arguments.get()).hash(&mut hasher);
    (!line.redacted).then(|| hasher.finish())
}

/// Counts entries, up to a number of different ones.
fn count<'l>(counts: &mut HashMap<Key, (usize, usize)>, entries: impl Iterator<Item = &'l Key>) {
    for entry in entries {
        if let Some((calls, _)) = counts.get_mut(entry) {
            *calls += 1;
        } else if counts.len() < MOST_ROWS {
            counts.insert(entry.clone(), (1, 0));
        }
    }
}

/// Returns counts with the most frequent first.
fn sorted(counts: &HashMap<Key, (usize, usize)>) -> Vec<IssueOrRepairCount<'_>> {
    let counted = counts.iter().map(|([name, tool, path], (calls, followed))| IssueOrRepairCount {
        name,
        tool,
        path,
        calls: *calls,
        followed: *followed,
    });
    let mut sorted: Vec<_> = counted.collect();
    sorted.sort_by_key(|count| (std::cmp::Reverse(count.calls), count.name, count.tool, count.path));
    sorted
}

/// Returns the beginning of a text.
pub(crate) fn beginning(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
