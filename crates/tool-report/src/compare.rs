//! The differences between two recordings: [`Comparison`].

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::call_counts::{CallReport, IssueOrRepairCount};

/// The maximum number of changed calls that are listed.
const MOST_CHANGED: usize = 1_000;

/// Two recordings, before and after a change of a prompt, a schema or a model.
///
/// ```
/// use tool_report::{Comparison, CallReport};
///
/// let report = |verdict: &str| -> Result<CallReport, String> {
///     let mut report = CallReport::new();
///     report.add_line(format!(r#"{{"tool": "search", "arguments": {{"limit": "3"}}, "verdict": "{verdict}"}}"#).parse()?);
///     Ok(report)
/// };
/// let comparison = Comparison::new(report("rejected")?, report("repaired")?);
/// assert_eq!((comparison.matched_calls(), comparison.changed_calls().len()), (1, 1));
/// let changed = &comparison.changed_calls()[0];
/// assert_eq!((changed.before, changed.after), ("rejected", "repaired"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Comparison {
    before: CallReport,
    after: CallReport,
    matched: usize,
    changed: Vec<ChangedCall>,
    changed_calls: usize,
}

/// A call that is in both recordings and ended in another way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangedCall {
    /// The tool; empty if the call is not among the first ones.
    pub tool: String,
    /// The arguments; empty if they are not kept.
    pub arguments: String,
    /// The end in the first recording: a verdict, `failed` or `denied`.
    pub before: &'static str,
    /// The end in the second recording.
    pub after: &'static str,
}

impl Comparison {
    /// Compares two recordings. Calls with the same tool and arguments are matched in order. Calls with redacted parts are not matched.
    pub fn new(before: CallReport, after: CallReport) -> Self {
        let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for (index, ended) in before.ended.iter().enumerate() {
            if let Some(hash) = ended.hash {
                waiting.entry(hash).or_default().push_back(index);
            }
        }
        let mut lines = after.kept.iter().filter(|line| line.tool.is_some());
        let (mut matched, mut changed, mut changed_calls) = (0, Vec::new(), 0);
        for ended in &after.ended {
            let line = lines.next();
            let earlier = ended.hash.and_then(|hash| waiting.get_mut(&hash)?.pop_front());
            let Some(earlier) = earlier.map(|index| before.ended[index].end) else { continue };
            matched += 1;
            if earlier == ended.end {
                continue;
            }
            changed_calls += 1;
            if changed.len() < MOST_CHANGED {
                let tool = line.and_then(|line| line.tool.clone()).unwrap_or_default();
                let arguments = line.and_then(|line| line.arguments.as_ref());
                let arguments = arguments.map(|arguments| arguments.get().to_owned()).unwrap_or_default();
                changed.push(ChangedCall { tool, arguments, before: earlier.name(), after: ended.end.name() });
            }
        }
        Self { before, after, matched, changed, changed_calls }
    }

    /// Returns the first recording.
    pub fn before(&self) -> &CallReport {
        &self.before
    }

    /// Returns the second recording.
    pub fn after(&self) -> &CallReport {
        &self.after
    }

    /// Returns the tools of both recordings, in order.
    pub fn tools(&self) -> BTreeSet<&str> {
        self.before.tools().keys().chain(self.after.tools().keys()).map(String::as_str).collect()
    }

    /// Returns the number of calls that are in both recordings.
    pub fn matched_calls(&self) -> usize {
        self.matched
    }

    /// Returns the number of calls that are in both recordings and ended in another way.
    pub fn changed_count(&self) -> usize {
        self.changed_calls
    }

    /// Returns the first of these calls.
    pub fn changed_calls(&self) -> &[ChangedCall] {
        &self.changed
    }

    /// Returns the issues that only the second recording has, the most frequent first.
    pub fn new_issues(&self) -> Vec<IssueOrRepairCount<'_>> {
        only_in(&self.after, &self.before)
    }

    /// Returns the issues that only the first recording has, the most frequent first.
    pub fn resolved_issues(&self) -> Vec<IssueOrRepairCount<'_>> {
        only_in(&self.before, &self.after)
    }
}

/// Returns the issues of one report that another does not have.
fn only_in<'r>(report: &'r CallReport, other: &CallReport) -> Vec<IssueOrRepairCount<'r>> {
    let known: BTreeSet<_> = other.issues().into_iter().map(|count| (count.name, count.tool, count.path)).collect();
    let mut counts = report.issues();
    counts.retain(|count| !known.contains(&(count.name, count.tool, count.path)));
    counts
}
