//! Where the search for readings is: what holds there whatever the value.

use crate::json::DEPTH_LIMIT;
use crate::shape::{Field, MOST_HOPS, RepairPolicy};

/// How many strings on the way to a value may have been read as JSON.
///
/// Each such level doubles the backslashes of those inside it, so a text of n bytes has at most log n of them and all the parsing takes
/// n log n; five is more than any client or model has been seen to make, and beyond it nobody wrote what they meant.
pub(super) const MOST_TEXTS: u8 = 5;

/// A place in the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) policy: RepairPolicy,
    /// Whether nobody may read what stands here.
    pub(super) is_hidden: bool,
    /// Whether it is an item of an array, which one value more around it would make ambiguous.
    pub(super) is_item: bool,
    /// How many strings on the way here were read as JSON.
    pub(super) texts: u8,
    hops: u8,
    /// How many arrays and objects are open around the value.
    depth: u8,
}

impl Place {
    pub(super) const fn root(policy: RepairPolicy) -> Self {
        Self { policy, is_hidden: false, is_item: false, texts: 0, hops: 0, depth: 0 }
    }

    /// The value of a field.
    pub(super) fn field(self, field: &Field) -> Self {
        Self {
            policy: field.repair.unwrap_or(self.policy),
            is_hidden: self.is_hidden || field.sensitive,
            ..self.member()
        }
    }

    /// The object itself, as a flattened field sees it.
    pub(super) fn flattened(self, field: &Field) -> Option<Self> {
        Some(Self { hops: self.hops + 1, depth: self.depth, ..self.hop()?.field(field) })
    }

    /// The value of a member that no field describes.
    pub(super) const fn member(self) -> Self {
        Self { is_item: false, hops: 0, depth: self.depth.saturating_add(1), ..self }
    }

    /// An item of an array or a tuple.
    pub(super) const fn item(self) -> Self {
        Self { is_item: true, ..self.member() }
    }

    /// The same value, read out of a string.
    pub(super) const fn text(self) -> Self {
        Self { texts: self.texts + 1, hops: 0, ..self }
    }

    /// The same value, where it may belong to a variant that has secrets.
    pub(super) const fn veiled(self, is_veiled: bool) -> Self {
        Self { is_hidden: self.is_hidden || is_veiled, ..self }
    }

    /// The same value after one more edge; `None` where there were too many.
    pub(super) fn hop(self) -> Option<Self> {
        (usize::from(self.hops) < MOST_HOPS).then_some(Self { hops: self.hops + 1, ..self })
    }

    /// Whether no edge was followed to get from the value around it to this one.
    pub(super) const fn is_first(self) -> bool {
        self.hops == 0
    }

    pub(super) fn is_strict(self) -> bool {
        self.policy == RepairPolicy::Strict
    }

    /// Whether a value with so many levels of its own may stand here.
    pub(super) const fn holds(self, levels: usize) -> bool {
        self.depth as usize + levels <= DEPTH_LIMIT
    }
}
