//! The numbers under which the throttle of a session counts: [`Numbers`].
//!
//! In: the current and the previous toolbox of a session. Out: a number for each tool and container. Invariants: a name keeps its number, and
//! so its pauses and counts, from one toolbox to the next; under the first toolbox, a number is a position; at most [`GONE`] names of removed
//! tools are kept.

use std::collections::{HashMap, HashSet};

use crate::shape::{Ref, Shape, Text};
use crate::toolbox::Catalog;

/// The maximum number of kept names of removed tools; the oldest is dropped first.
const GONE: usize = 1_024;

/// The numbers of the items of a catalog.
#[derive(Default)]
pub(super) struct Numbers {
    /// The number for each position; `None` under the first toolbox, where numbers are positions.
    of: Option<Box<[usize]>>,
    /// The removed tools and containers, oldest first.
    gone: Vec<Gone>,
}

/// A tool or container that an earlier toolbox had.
#[derive(Clone)]
pub(super) struct Gone {
    pub(super) name: Text,
    pub(super) number: usize,
    pub(super) input: Ref,
}

impl Numbers {
    #[inline]
    pub(super) fn of(&self, position: usize) -> usize {
        self.of.as_ref().map_or(position, |numbers| numbers[position])
    }

    /// Returns the number of a removed tool or container.
    pub(super) fn gone(&self, name: &str) -> Option<usize> {
        self.gone.iter().find(|gone| gone.name == *name).map(|gone| gone.number)
    }

    /// Returns the numbers under the next toolbox, and which of them are new.
    pub(super) fn next(&self, before: &Catalog, after: &Catalog) -> (Self, Vec<usize>) {
        let there: HashSet<&Text> = after.names().collect();
        let left = before.names().enumerate().filter(|(_, name)| !there.contains(name));
        let left = left.map(|(position, name)| {
            let input =
                before.tools.get(position).map_or(Ref::Static(Shape::ANY), |entry| entry.tool.spec().input.clone());
            Gone { name: name.clone(), number: self.of(position), input }
        });
        let still_gone = self.gone.iter().filter(|gone| !there.contains(&gone.name)).cloned();
        let mut gone: Vec<_> = still_gone.chain(left).collect();
        gone.drain(..gone.len().saturating_sub(GONE));
        let known = self.gone.iter().map(|gone| (&gone.name, gone.number));
        let known: HashMap<&Text, usize> =
            known.chain(before.names().enumerate().map(|(position, name)| (name, self.of(position)))).collect();
        // `call_tool` comes last and always stays.
        let call_tool = self.of(before.names().count());
        let kept = after.names().map(|name| known.get(name).copied()).chain([Some(call_tool)]);
        let kept: Vec<_> = kept.collect();
        let taken: HashSet<usize> = kept.iter().copied().flatten().chain(gone.iter().map(|gone| gone.number)).collect();
        let mut free = (0..).filter(|number| !taken.contains(number));
        let mut fresh = Vec::new();
        let mut next = || {
            let number = free.next();
            fresh.extend(number);
            number
        };
        let of = kept.into_iter().filter_map(|number| number.or_else(&mut next)).collect();
        (Self { of: Some(of), gone }, fresh)
    }

    /// Returns all numbers by position, including that of `call_tool`.
    pub(super) fn all(&self) -> &[usize] {
        self.of.as_deref().unwrap_or_default()
    }

    /// Returns the removed tools and containers that are kept.
    pub(super) fn all_gone(&self) -> &[Gone] {
        &self.gone
    }
}
