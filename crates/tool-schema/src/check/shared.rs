//! [`Shared`]: values that several issues of one walk share, by the identity of a part of the shape.
//!
//! Most rejections have few issues, so the first values are found by comparing, which costs less than a map; further values are kept in a
//! map.

use std::collections::BTreeMap;

/// The number of values that are found by comparing.
const FEW: usize = 8;

/// A cache of values by an identity.
pub(super) struct Shared<K, V> {
    few: Vec<(K, V)>,
    many: BTreeMap<K, V>,
}

impl<K: Copy + Ord, V: Clone> Shared<K, V> {
    pub(super) const fn new() -> Self {
        Self { few: Vec::new(), many: BTreeMap::new() }
    }

    pub(super) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some((_, value)) = self.few.iter().find(|(known, _)| *known == key) {
            return value.clone();
        }
        if self.few.len() == FEW {
            return self.many.entry(key).or_insert_with(make).clone();
        }
        let value = make();
        self.few.reserve_exact(FEW - self.few.len());
        self.few.push((key, value.clone()));
        value
    }
}
