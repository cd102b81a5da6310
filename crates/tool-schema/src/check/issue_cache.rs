//! [`IssueCache`]: a cache of values that several issues of one walk share. The key is the identity of a part of the shape.
//!
//! Most rejections have few issues, so the first values are found by comparing their keys one by one, which costs less than a map; further
//! values are kept in a map.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

/// Up to this many values, a value is found by comparing keys one by one.
const FEW: usize = 8;

/// A cache of values by an identity.
pub(super) struct IssueCache<K, V> {
    few: ArrayVec<(K, V), FEW>,
    many: BTreeMap<K, V>,
}

impl<K: Copy + Ord, V: Clone> IssueCache<K, V> {
    pub(super) const fn new() -> Self {
        Self { few: ArrayVec::new_const(), many: BTreeMap::new() }
    }

    pub(super) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some((_, value)) = self.few.iter().find(|(known, _)| *known == key) {
            return value.clone();
        }
        if self.few.is_full() {
            return self.many.entry(key).or_insert_with(make).clone();
        }
        let value = make();
        self.few.push((key, value.clone()));
        value
    }
}
