//! The counters of one tool.
//!
//! Invariant: memory is bounded. At most [`FIELDS`] fields are counted separately, and all other fields together as `…`.

use crate::bounded;
use crate::issue::{Issue, Path, Segment};
use crate::throttle::CallEnd;

/// The maximum number of fields whose hints are counted separately.
pub(in crate::throttle) const FIELDS: usize = 16;
/// The maximum number of issues that are counted per rejection. An answer names at most five fields.
pub(in crate::throttle) const NAMED: usize = 5;
const OTHERS: &str = "…";

/// The counters of one tool.
#[derive(Debug, Default)]
pub(in crate::throttle) struct Counters {
    pub(in crate::throttle) calls: u64,
    pub(in crate::throttle) failures: u64,
    pub(in crate::throttle) rejected: u64,
    pub(in crate::throttle) undecided: u64,
    pub(in crate::throttle) repaired: u64,
    pub(in crate::throttle) tries: u64,
    pub(in crate::throttle) first_tries: u64,
    /// The total time in nanoseconds.
    pub(in crate::throttle) time: u64,
    pub(in crate::throttle) argument_bytes: u64,
    pub(in crate::throttle) result_bytes: u64,
    pub(in crate::throttle) throttled: u64,
    pub(in crate::throttle) hints: Vec<FieldHints>,
    /// `true` if the arguments of the last call were rejected.
    pub(in crate::throttle) is_correcting: bool,
    /// The indices of the fields that the answer to the last call named.
    pub(in crate::throttle) named: Vec<usize>,
}

/// The hints for one field.
#[derive(Debug)]
pub(in crate::throttle) struct FieldHints {
    pub(in crate::throttle) field: String,
    pub(in crate::throttle) given: u64,
    pub(in crate::throttle) followed: u64,
}

impl Counters {
    #[inline]
    pub(in crate::throttle) fn note(&mut self, exit: CallEnd<'_>, argument_bytes: usize, time: u64) {
        self.calls += 1;
        self.time = self.time.saturating_add(time);
        self.argument_bytes += argument_bytes as u64;
        match exit {
            CallEnd::Succeeded { result, repairs } => {
                self.result_bytes += result.len() as u64;
                self.repaired += u64::from(repairs > 0);
                self.accepted();
            }
            CallEnd::Rejected { issues } | CallEnd::AskedForCorrection { issues } => {
                self.failures += 1;
                self.rejected += 1;
                self.rejected_for(issues);
            }
            CallEnd::Failed { .. } | CallEnd::Unavailable { .. } => {
                self.failures += 1;
                self.accepted();
            }
            CallEnd::Denied | CallEnd::Deferred | CallEnd::Cancelled => self.undecided += 1,
        }
    }

    /// Returns `true` if the tool has returned a result.
    pub(in crate::throttle) const fn has_worked(&self) -> bool {
        self.calls > self.failures + self.undecided
    }

    /// Returns the number of fields that are counted separately.
    #[cfg(test)]
    pub(in crate::throttle) fn fields(&self) -> usize {
        self.hints.len()
    }

    fn accepted(&mut self) {
        if self.is_correcting {
            for field in self.named.drain(..) {
                self.hints[field].followed += 1;
            }
        } else {
            self.tries += 1;
            self.first_tries += 1;
        }
        self.is_correcting = false;
    }

    fn rejected_for(&mut self, issues: &[Issue]) {
        self.tries += u64::from(!self.is_correcting);
        let mut still = Vec::with_capacity(NAMED);
        for issue in issues.iter().take(NAMED) {
            let field = self.field(&issue.path);
            if !still.contains(&field) {
                still.push(field);
            }
        }
        for before in std::mem::take(&mut self.named) {
            self.hints[before].followed += u64::from(!still.contains(&before));
        }
        for &field in &still {
            self.hints[field].given += 1;
        }
        (self.named, self.is_correcting) = (still, true);
    }

    /// Returns the index of a field. A new field is added if there is room.
    fn field(&mut self, path: &Path) -> usize {
        let keys = path.segments().iter().filter(|segment| matches!(segment, Segment::Key(_))).cloned();
        let name = bounded::name(&keys.collect::<Path>().to_string()).into_owned();
        if let Some(at) = self.hints.iter().position(|hinted| hinted.field == name) {
            return at;
        }
        let name = if self.hints.len() + 1 < FIELDS { name } else { OTHERS.to_owned() };
        if let Some(at) = self.hints.iter().position(|hinted| hinted.field == name) {
            return at;
        }
        self.hints.push(FieldHints { field: name, given: 0, followed: 0 });
        self.hints.len() - 1
    }
}
