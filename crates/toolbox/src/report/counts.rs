//! The calls of a recording, and their counts: [`Report`].

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

/// The largest number of tools, issues and repairs that are counted one by one. Any name may be in a recording.
const MOST_ROWS: usize = 1_000;
/// The name of the row for everything beyond [`MOST_ROWS`].
const OTHERS: &str = "(others)";
/// The maximum number of calls that are shown one by one.
const MOST_CALLS: usize = 10_000;
/// The maximum number of bytes of the arguments of a call that is shown; longer ones are left out.
const LARGEST: usize = 64 * 1_024;
/// The number of bytes that are shown of a text.
pub(super) const SHOWN: usize = 4_000;
/// The maximum number of issues, and of repairs, that are shown of a call.
const MOST_ENTRIES: usize = 100;

/// A line of a recording: a list of tools, or a call.
#[derive(Deserialize)]
pub(super) struct Line {
    #[serde(default)]
    pub(super) recording: Option<u64>,
    #[serde(default)]
    pub(super) tools: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    pub(super) at_ms: Option<u64>,
    #[serde(default)]
    pub(super) tool: Option<String>,
    #[serde(default)]
    pub(super) verdict: Verdict,
    #[serde(default)]
    pub(super) repairs: Vec<Repair>,
    #[serde(default)]
    pub(super) issues: Vec<Issue>,
    #[serde(default)]
    pub(super) approval: Option<String>,
    #[serde(default)]
    pub(super) result: Option<Kind>,
    #[serde(default)]
    pub(super) ms: Option<f64>,
    #[serde(default)]
    pub(super) arguments: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) redacted: bool,
    #[serde(default)]
    pub(super) answer: Option<String>,
}

impl Line {
    /// Returns a call with as much as the page shows of it.
    fn shortened(mut self) -> Self {
        self.arguments = self.arguments.filter(|arguments| arguments.get().len() <= LARGEST);
        self.answer = self.answer.map(|answer| beginning(&answer));
        self.issues.truncate(MOST_ENTRIES);
        self.repairs.truncate(MOST_ENTRIES);
        self
    }
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Ok,
    Repaired,
    #[default]
    Unchecked,
    Refused,
    Throttled,
}

impl Verdict {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Repaired => "repaired",
            Self::Unchecked => "unchecked",
            Self::Refused => "refused",
            Self::Throttled => "throttled",
        }
    }
}

/// The kind of the end of a call.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Result,
    Failure,
    Error,
    Timeout,
    Lost,
    #[serde(other)]
    Other,
}

impl Kind {
    pub(super) fn is_failure(self) -> bool {
        !matches!(self, Self::Result | Self::Other)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Failure => "failure",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Lost => "lost",
            Self::Other => "no result",
        }
    }
}

#[derive(Clone, Deserialize)]
pub(super) struct Repair {
    pub(super) rule: String,
    #[serde(default)]
    pub(super) path: String,
    #[serde(default)]
    pub(super) before: Option<String>,
    #[serde(default)]
    pub(super) after: Option<String>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Issue {
    pub(super) code: String,
    #[serde(default)]
    pub(super) path: String,
}

/// The counts of one tool.
#[derive(Default)]
pub(super) struct Row {
    pub(super) calls: usize,
    pub(super) repaired: usize,
    pub(super) refused: usize,
    /// The refused calls whose next call of the tool was not refused.
    pub(super) corrected: usize,
    /// `true` if the last call was refused.
    pub(super) was_refused: bool,
    pub(super) throttled: usize,
    pub(super) unchecked: usize,
    pub(super) declined: usize,
    pub(super) failed: usize,
    /// The times of the calls that the server got, in milliseconds.
    pub(super) times: Vec<f32>,
}

#[derive(Default)]
pub(super) struct Report {
    pub(super) rows: BTreeMap<String, Row>,
    pub(super) issues: HashMap<[String; 3], usize>,
    pub(super) repairs: HashMap<[String; 3], usize>,
    pub(super) first: Option<u64>,
    pub(super) last: u64,
    pub(super) unusable: usize,
    /// `true` if the calls are shown one by one.
    pub(super) shows_calls: bool,
    pub(super) seen: Vec<Line>,
}

pub(super) fn read(line: &str) -> Result<Line, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    match line.recording {
        Some(version) if version > 1 => Err(format!("version {version} of a recording is not known")),
        _ if line.tool.is_none() && line.tools.is_none() => Err("neither a call nor a list of tools".to_owned()),
        _ => Ok(line),
    }
}

impl Report {
    pub(super) fn add(&mut self, line: Line) {
        let Some(sent) = &line.tool else { return };
        // A misspelt name counts for the tool that was meant.
        let meant =
            line.repairs.iter().find(|repair| repair.rule == "tool_name").and_then(|repair| repair.after.as_ref());
        let tool = meant.unwrap_or(sent).clone();
        if let Some(at) = line.at_ms {
            self.first.get_or_insert(at);
            self.last = self.last.max(at);
        }
        let is_new = !self.rows.contains_key(&tool);
        let tool = if is_new && self.rows.len() >= MOST_ROWS { OTHERS.to_owned() } else { tool };
        let issues = line.issues.iter().map(|issue| [&issue.code, &tool, &issue.path]);
        count(&mut self.issues, issues);
        let repairs = line.repairs.iter().map(|repair| [&repair.rule, &tool, &repair.path]);
        count(&mut self.repairs, repairs);
        let row = self.rows.entry(tool.clone()).or_default();
        row.calls += 1;
        let is_refused = line.verdict == Verdict::Refused;
        match line.verdict {
            Verdict::Ok => {}
            Verdict::Unchecked => row.unchecked += 1,
            Verdict::Repaired => row.repaired += 1,
            Verdict::Refused => row.refused += 1,
            Verdict::Throttled => row.throttled += 1,
        }
        row.corrected += usize::from(row.was_refused && !is_refused && line.verdict != Verdict::Throttled);
        row.was_refused = is_refused;
        row.declined += usize::from(line.approval.as_ref().is_some_and(|approval| approval != "accepted"));
        row.failed += usize::from(line.result.is_some_and(Kind::is_failure));
        #[expect(clippy::cast_possible_truncation)] // A time is shown with three digits.
        row.times.extend(line.ms.map(|ms| ms as f32));
        if self.shows_calls && self.seen.len() < MOST_CALLS {
            self.seen.push(Line { tool: Some(tool), ..line }.shortened());
        }
    }

    /// Returns the time from the first call to the last one.
    pub(super) fn time(&self) -> Duration {
        Duration::from_millis(self.last.saturating_sub(self.first.unwrap_or(self.last)))
    }
}

impl Row {
    /// Returns the share of the calls that ran as they were sent, in percent.
    pub(super) fn first_try(&self) -> usize {
        (self.calls - self.repaired - self.refused - self.throttled) * 100 / self.calls.max(1)
    }

    pub(super) fn corrected(&self) -> String {
        if self.refused == 0 { "–".to_owned() } else { format!("{} of {}", self.corrected, self.refused) }
    }

    pub(super) fn median_text(&self) -> String {
        let mut times = self.times.clone();
        times.sort_by(f32::total_cmp);
        times.get(times.len() / 2).map_or_else(|| "–".to_owned(), |ms| format!("{ms:.0} ms"))
    }

    /// Returns the number of calls with each verdict: ok, repaired, refused, throttled, unchecked.
    pub(super) fn verdicts(&self) -> [usize; 5] {
        let Self { calls, repaired, refused, throttled, unchecked, .. } = *self;
        [calls - repaired - refused - throttled - unchecked, repaired, refused, throttled, unchecked]
    }
}

/// Counts entries, up to a number of different ones.
fn count<'l>(counts: &mut HashMap<[String; 3], usize>, entries: impl Iterator<Item = [&'l String; 3]>) {
    for entry in entries {
        let key = entry.map(String::clone);
        if counts.len() < MOST_ROWS || counts.contains_key(&key) {
            *counts.entry(key).or_default() += 1;
        }
    }
}

/// Returns the beginning of a text.
pub(super) fn beginning(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns counts with the most frequent first.
pub(super) fn sorted(counts: &HashMap<[String; 3], usize>) -> Vec<(&[String; 3], &usize)> {
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    sorted
}

pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}
