//! Remembers which arguments of which tools were rejected before in this session: [`Rejected`].
//!
//! In: the rejections and successes of tools. Out: an issue at a path that was rejected before, once for each path.
//! Invariants: at most [`TOOLS`] tools with [`PATHS`] paths each are kept, and the oldest are dropped first. A path is stored in a few
//! bytes, however long it is. As long as nothing was rejected, an accepted call takes no lock.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::snapshot::format::{SavedPath, SavedRejections, SavedWrong};
use crate::failure::IssueKind;
use crate::hint;
use crate::issue::{Issue, Path};
use crate::throttle::{Damaged, Digest, at_most};

const TOOLS: usize = 32;
const PATHS: usize = 16;

/// The rejected paths of a session.
#[derive(Default)]
pub(super) struct Rejected {
    any: AtomicBool,
    tools: Mutex<VecDeque<Places>>,
}

/// The paths of one tool that were rejected since its last success, oldest first.
struct Places {
    tool: Box<str>,
    paths: VecDeque<Place>,
}

/// One rejected path.
struct Place {
    path: u64,
    wrong: IssueKind,
    /// `true` once the model has read that the path was rejected repeatedly.
    is_told: bool,
}

impl Rejected {
    /// Remembers the paths of issues. Returns an issue at a path that was rejected before, and the earlier issue at this path. If there are
    /// several such issues, returns the most important one. Each path is returned at most once until the tool succeeds.
    pub(super) fn again<'i>(&self, tool: &str, issues: &'i [Issue]) -> Option<(&'i Issue, IssueKind)> {
        let most_important = most_important(issues);
        let mut tools = self.lock();
        let position = tools.iter().position(|places| *places.tool == *tool);
        let mut places = position
            .and_then(|position| tools.remove(position))
            .unwrap_or_else(|| Places { tool: tool.into(), paths: VecDeque::new() });
        let mut repeated = Vec::new();
        for issue in most_important {
            let mut place = Place { path: number(&issue.path), wrong: IssueKind::from_issue(issue), is_told: false };
            let known = places.paths.iter().position(|known| known.path == place.path);
            match known.and_then(|position| places.paths.remove(position)) {
                Some(known) => {
                    place.is_told = known.is_told;
                    if !known.is_told {
                        repeated.push((issue, known.wrong));
                    }
                }
                None if places.paths.len() == PATHS => drop(places.paths.pop_front()),
                None => {}
            }
            places.paths.push_back(place);
        }
        let reported = match repeated[..] {
            [] | [_] => repeated.pop(),
            _ => ranked(issues)
                .find_map(|issue| repeated.iter().find(|(repeated, _)| std::ptr::eq(*repeated, issue)).copied()),
        };
        let path = reported.map(|(issue, _)| number(&issue.path));
        if let Some(place) = places.paths.iter_mut().find(|place| Some(place.path) == path) {
            place.is_told = true;
        }
        if tools.len() == TOOLS {
            tools.pop_front();
        }
        tools.push_back(places);
        self.any.store(true, Ordering::Release);
        reported
    }

    /// Forgets the rejected paths of a tool that has succeeded.
    #[inline]
    pub(super) fn succeeded(&self, tool: &str) {
        if self.any.load(Ordering::Acquire) {
            self.forget(tool);
        }
    }

    fn forget(&self, tool: &str) {
        let mut tools = self.lock();
        tools.retain(|places| *places.tool != *tool);
        self.any.store(!tools.is_empty(), Ordering::Release);
    }

    /// Returns the rejected paths as data.
    pub(super) fn saved(&self) -> Vec<SavedRejections> {
        let wrong = |wrong| match wrong {
            IssueKind::Missing => SavedWrong::Missing,
            IssueKind::Unknown => SavedWrong::Unknown,
            IssueKind::NotJson => SavedWrong::NotJson,
            IssueKind::Value(value) => SavedWrong::Value(value.map(Digest)),
        };
        let path =
            |place: &Place| SavedPath { path: Digest(place.path), wrong: wrong(place.wrong), is_told: place.is_told };
        let tools = self.lock();
        let all = tools.iter().enumerate().map(|(age, places)| SavedRejections {
            age,
            tool: places.tool.to_string(),
            paths: places.paths.iter().map(path).collect(),
        });
        all.collect()
    }

    /// Creates the rejected paths from data.
    pub(super) fn resumed(mut saved: Vec<SavedRejections>) -> Result<Self, Damaged> {
        at_most(&saved, TOOLS, "there are too many tools with rejected paths")?;
        saved.sort_by_key(|rejections| rejections.age);
        let wrong = |wrong| match wrong {
            SavedWrong::Missing => IssueKind::Missing,
            SavedWrong::Unknown => IssueKind::Unknown,
            SavedWrong::NotJson => IssueKind::NotJson,
            SavedWrong::Value(value) => IssueKind::Value(value.map(|digest| digest.0)),
        };
        let mut tools = VecDeque::new();
        for SavedRejections { tool, paths, .. } in saved {
            at_most(&paths, PATHS, "a tool has too many rejected paths")?;
            let place =
                |saved: SavedPath| Place { path: saved.path.0, wrong: wrong(saved.wrong), is_told: saved.is_told };
            tools.push_back(Places { tool: tool.into(), paths: paths.into_iter().map(place).collect() });
        }
        Ok(Self { any: AtomicBool::new(!tools.is_empty()), tools: Mutex::new(tools) })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Places>> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns one issue for each path to remember. If there are too many, the most important ones are chosen.
fn most_important(issues: &[Issue]) -> Vec<&Issue> {
    if issues.len() > PATHS {
        return ranked(issues).take(PATHS).collect();
    }
    let is_first = |index: usize| issues[..index].iter().all(|earlier| earlier.path != issues[index].path);
    issues.iter().enumerate().filter(|&(index, _)| is_first(index)).map(|(_, issue)| issue).collect()
}

/// Returns one issue for every faulty field, most important first.
fn ranked(issues: &[Issue]) -> impl Iterator<Item = &Issue> {
    hint::faults(issues).into_iter().filter_map(|(of_field, _)| of_field.first().copied())
}

/// Returns a hash of a path. A collision is harmless, because it only makes a rejection more emphatic than necessary.
fn number(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolInput;
    use crate::check::check;
    use crate::json::Json;

    /// Returns the issues of an object whose values should be numbers but are strings.
    fn issues(keys: impl IntoIterator<Item = usize>) -> Vec<Issue> {
        let members: Vec<_> = keys.into_iter().map(|key| format!(r#""k{key}":"x""#)).collect();
        let text = format!("{{{}}}", members.join(","));
        let shape = <std::collections::BTreeMap<String, u8>>::SHAPE;
        Json::parse(&text).map(|json| check(shape, &json)).unwrap_or_default()
    }

    fn again(rejected: &Rejected, tool: &str, keys: impl IntoIterator<Item = usize>) -> Option<String> {
        rejected.again(tool, &issues(keys)).map(|(issue, _)| issue.path.to_string())
    }

    #[test]
    fn only_the_same_path_of_the_same_tool_is_a_repetition() {
        let rejected = Rejected::default();
        assert_eq!(again(&rejected, "a", [1, 2]), None);
        assert_eq!(again(&rejected, "b", [1, 2]), None);
        assert_eq!(again(&rejected, "a", [3]), None);
        assert_eq!(again(&rejected, "a", [4, 2, 1]).as_deref(), Some("k2"));
        assert_eq!(again(&rejected, "a", [4]).as_deref(), Some("k4"));
    }

    #[test]
    fn a_repetition_is_returned_once_for_each_path() {
        let rejected = Rejected::default();
        let reported: Vec<_> = (0..6).map(|_| again(&rejected, "a", [1, 2])).collect();
        assert_eq!(reported, [None, Some("k1".to_owned()), Some("k2".to_owned()), None, None, None]);
        rejected.succeeded("a");
        assert_eq!(again(&rejected, "a", [1]), None);
        assert_eq!(again(&rejected, "a", [1]).as_deref(), Some("k1"));
    }

    #[test]
    fn a_success_clears_only_its_own_tool() {
        let rejected = Rejected::default();
        again(&rejected, "a", [1]);
        again(&rejected, "b", [1]);
        rejected.succeeded("a");
        assert_eq!(again(&rejected, "a", [1]), None);
        assert_eq!(again(&rejected, "b", [1]).as_deref(), Some("k1"));
    }

    #[test]
    fn the_kept_paths_are_bounded_and_the_oldest_are_dropped() {
        let rejected = Rejected::default();
        for tool in 0..100 {
            for first in 0..10 {
                again(&rejected, &tool.to_string(), first * 7..first * 7 + 30);
            }
        }
        {
            let tools = rejected.lock();
            assert_eq!(tools.len(), TOOLS);
            assert!(tools.iter().all(|places| places.paths.len() == PATHS));
        }
        assert_eq!(again(&rejected, "0", [63]), None, "the oldest tool has left");
        assert_eq!(again(&rejected, "99", [78]).as_deref(), Some("k78"));
        assert_eq!(again(&rejected, "99", [0]), None, "the oldest place has left");
    }
}
