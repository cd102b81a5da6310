//! The numbers under which the throttle of a session counts: [`Numbers`].
//!
//! In: the toolbox of a session, and the one before it. Out: a number for each tool and container. Invariants: a name keeps its number, and so
//! its pauses and counts, from one toolbox to the next; under the first toolbox a number is a position; at most [`GONE`] names are kept whose
//! tool has gone.

use std::collections::{HashMap, HashSet};

use crate::shape::{Ref, Shape, Text};
use crate::toolbox::Catalog;

/// How many names are kept whose tool has gone; the one that went first is forgotten first.
const GONE: usize = 1_024;

/// The numbers of the items of a catalog.
#[derive(Default)]
pub(super) struct Numbers {
    /// By position; under the first toolbox they are the positions themselves.
    of: Option<Box<[usize]>>,
    /// In the order in which they went.
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

    /// The number of a name whose tool has gone.
    pub(super) fn gone(&self, name: &str) -> Option<usize> {
        self.gone.iter().find(|gone| gone.name == *name).map(|gone| gone.number)
    }

    /// The numbers under the next toolbox, and those among them that nothing was counted under.
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

    /// All numbers by position, those of `call_tool` included.
    pub(super) fn all(&self) -> &[usize] {
        self.of.as_deref().unwrap_or_default()
    }

    /// The tools and containers that have gone, as far as they are kept.
    pub(super) fn all_gone(&self) -> &[Gone] {
        &self.gone
    }
}
