//! The numbers under which the throttle of a session counts: [`ToolNumbers`].
//!
//! In: the current and the previous toolbox of a session. Out: a number for each tool and container. Invariants: a name keeps its number,
//! and so its pauses and counts, from one toolbox to the next. Under the first toolbox, a number is a position in the catalog. At most
//! [`GONE`] names of removed tools are kept.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::snapshot::format::SavedName;
use crate::shape::{Ref, Shape, Text};
use crate::throttle::{Damaged, ThrottlePolicy};
use crate::toolbox::Catalog;

/// The maximum number of names of removed tools that are kept. The oldest is dropped first.
const GONE: usize = 1_024;

/// The numbers of the items of a catalog.
#[derive(Default)]
pub(super) struct ToolNumbers {
    /// The number for each position in the catalog; `None` under the first toolbox, where a number is a position.
    of: Option<Box<[usize]>>,
    /// The removed tools and containers, oldest first.
    removed: Vec<RemovedTool>,
}

/// A tool or container that an earlier toolbox had.
#[derive(Clone)]
pub(super) struct RemovedTool {
    pub(super) name: Text,
    number: usize,
    pub(super) input: Ref,
}

impl ToolNumbers {
    #[inline]
    pub(super) fn number_at(&self, position: usize) -> usize {
        self.of.as_ref().map_or(position, |numbers| numbers[position])
    }

    /// Returns the number of a removed tool or container.
    pub(super) fn removed(&self, name: &str) -> Option<usize> {
        self.removed.iter().find(|removed| removed.name == *name).map(|removed| removed.number)
    }

    /// Returns the numbers under the next toolbox, and a list of the numbers that are given for the first time.
    pub(super) fn next(&self, before: &Catalog, after: &Catalog) -> (Self, Vec<usize>) {
        let there: HashSet<&Text> = after.names().collect();
        let left = before.names().enumerate().filter(|(_, name)| !there.contains(name));
        let left = left.map(|(position, name)| {
            let input =
                before.tools.get(position).map_or(Ref::Static(Shape::ANY), |entry| entry.tool.spec().input.clone());
            RemovedTool { name: name.clone(), number: self.number_at(position), input }
        });
        let still_gone = self.removed.iter().filter(|removed| !there.contains(&removed.name)).cloned();
        let removed = still_gone.chain(left).collect();
        let known = self.removed.iter().map(|removed| (removed.name.as_str(), removed.number));
        let current = before.names().enumerate().map(|(position, name)| (name.as_str(), self.number_at(position)));
        let call_tool = self.number_at(before.names().count());
        Self::assign(&known.chain(current).collect(), Some(call_tool), removed, after)
    }

    /// Returns the numbers of a restored session, and a list of the numbers that are given for the first time. The number of a saved name
    /// is its index in `saved`.
    pub(super) fn resumed(saved: &[SavedName], after: &Catalog) -> Result<(Self, Vec<usize>), Damaged> {
        let there: HashSet<&str> = after.names().map(Text::as_str).collect();
        let call_tool = saved.iter().position(|saved| saved.is_call_tool);
        let items = saved.iter().enumerate().filter(|(_, saved)| !saved.is_call_tool);
        let known: HashMap<&str, usize> = items.clone().map(|(number, saved)| (saved.name.as_str(), number)).collect();
        if known.len() + usize::from(call_tool.is_some()) < saved.len() {
            return Err(Damaged("two tools have one name"));
        }
        let removed = items.filter(|(_, saved)| !there.contains(saved.name.as_str()));
        let removed = removed.map(|(number, saved)| RemovedTool {
            name: saved.name.clone().into(),
            number,
            input: Ref::Static(Shape::ANY),
        });
        let (mut numbers, fresh) = Self::assign(&known, call_tool, removed.collect(), after);
        if numbers.removed.is_empty() && numbers.all().iter().enumerate().all(|(position, number)| position == *number)
        {
            numbers.of = None;
        }
        Ok((numbers, fresh))
    }

    /// Gives each name of a catalog its known number, or else a free one. Also returns the free numbers that were given.
    fn assign(
        known: &HashMap<&str, usize>,
        call_tool: Option<usize>,
        mut removed: Vec<RemovedTool>,
        after: &Catalog,
    ) -> (Self, Vec<usize>) {
        removed.drain(..removed.len().saturating_sub(GONE));
        // `call_tool` comes last and always stays.
        let kept = after.names().map(|name| known.get(name.as_str()).copied()).chain([call_tool]);
        let kept: Vec<_> = kept.collect();
        let taken: HashSet<usize> =
            kept.iter().copied().flatten().chain(removed.iter().map(|removed| removed.number)).collect();
        let mut free = (0..).filter(|number| !taken.contains(number));
        let mut fresh = Vec::new();
        let mut next = || {
            let number = free.next();
            fresh.extend(number);
            number
        };
        let of = kept.into_iter().filter_map(|number| number.or_else(&mut next)).collect();
        (Self { of: Some(of), removed }, fresh)
    }

    /// Returns all numbers by position, including the number of `call_tool`; empty if each number is the position.
    fn all(&self) -> &[usize] {
        self.of.as_deref().unwrap_or_default()
    }

    /// Returns the removed tools and containers that are kept.
    pub(super) fn all_removed(&self) -> &[RemovedTool] {
        &self.removed
    }

    /// Returns a policy of the throttle with these numbers for all tools, including the removed tools.
    pub(super) fn policy(&self, policy: &Arc<ThrottlePolicy>) -> Arc<ThrottlePolicy> {
        if self.of.is_none() {
            return Arc::clone(policy);
        }
        let removed = self.removed.iter().map(|removed| (removed.number, removed.name.clone(), removed.input.clone()));
        Arc::new(policy.numbered(self.all(), removed))
    }

    /// Returns every number in order, with its name; `None` stands for `call_tool`.
    pub(super) fn in_order<'n>(&'n self, catalog: &'n Catalog) -> Vec<(usize, Option<&'n Text>)> {
        let there = catalog.names().map(Some).chain([None]).enumerate();
        let there = there.map(|(position, name)| (self.number_at(position), name));
        let removed = self.removed.iter().map(|removed| (removed.number, Some(&removed.name)));
        let mut all: Vec<_> = there.chain(removed).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all
    }
}
