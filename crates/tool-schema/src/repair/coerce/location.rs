//! The state of the search at one location.

use crate::json::DEPTH_LIMIT;
use crate::shape::{Field, MOST_HOPS, RepairPolicy};

/// The maximum number of nested strings that are parsed as JSON on the way to a value.
///
/// Each level doubles the backslashes of the levels inside it, so a text of n bytes has at most log n levels, and parsing all of them takes
/// time n log n. Clients and models have been seen to nest fewer than five levels.
pub(super) const MOST_TEXTS: u8 = 5;

/// A location in the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CoercionPlace {
    pub(super) policy: RepairPolicy,
    /// `true` if the value must not be shown.
    pub(super) is_hidden: bool,
    /// `true` for an item of an array, which is never wrapped into another array.
    pub(super) is_item: bool,
    /// `true` inside a union without a tag, where a number or a word may be meant for another variant.
    pub(super) is_in_union: bool,
    /// The number of strings on the way to the value that were parsed as JSON.
    pub(super) texts: u8,
    hops: u8,
    /// The number of arrays and objects around the value.
    depth: u8,
}

impl CoercionPlace {
    pub(super) const fn root(policy: RepairPolicy) -> Self {
        Self { policy, is_hidden: false, is_item: false, is_in_union: false, texts: 0, hops: 0, depth: 0 }
    }

    /// Returns the place of a field's value.
    pub(super) fn field(self, field: &Field) -> Self {
        Self {
            policy: field.repair.unwrap_or(self.policy),
            is_hidden: self.is_hidden || field.sensitive,
            ..self.member()
        }
    }

    /// Returns this place with the settings of a flattened field.
    pub(super) fn flattened(self, field: &Field) -> Option<Self> {
        Some(Self { hops: self.hops + 1, depth: self.depth, ..self.hop()?.field(field) })
    }

    /// Returns the place of a member's value if the member belongs to no field.
    pub(super) const fn member(self) -> Self {
        Self { is_item: false, hops: 0, depth: self.depth.saturating_add(1), ..self }
    }

    /// Returns the place of an item of an array or a tuple.
    pub(super) const fn item(self) -> Self {
        Self { is_item: true, ..self.member() }
    }

    /// Returns this place for the value parsed from a string.
    pub(super) const fn text(self) -> Self {
        Self { texts: self.texts + 1, hops: 0, ..self }
    }

    /// Returns this place for a value that may belong to a variant with secrets.
    pub(super) const fn veiled(self, is_veiled: bool) -> Self {
        Self { is_hidden: self.is_hidden || is_veiled, ..self }
    }

    /// Returns this place for the variants of a union without a tag.
    pub(super) const fn union(self) -> Self {
        Self { is_in_union: true, ..self }
    }

    /// Returns this place after one more edge, or `None` if there were too many.
    pub(super) fn hop(self) -> Option<Self> {
        (usize::from(self.hops) < MOST_HOPS).then_some(Self { hops: self.hops + 1, ..self })
    }

    /// Returns `true` if no edge was followed between the surrounding value and this place.
    pub(super) const fn is_first(self) -> bool {
        self.hops == 0
    }

    /// Returns `true` if words are read as booleans.
    pub(super) fn reads_words(self) -> bool {
        matches!(self.policy, RepairPolicy::Words | RepairPolicy::Assisted)
    }

    pub(super) fn is_strict(self) -> bool {
        self.policy == RepairPolicy::Strict
    }

    /// Returns `true` if a value with this number of levels can be put here without exceeding the depth limit.
    pub(super) const fn holds(self, levels: usize) -> bool {
        self.depth as usize + levels <= DEPTH_LIMIT
    }
}
