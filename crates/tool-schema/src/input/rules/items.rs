//! `inner` and `unique_items`: rules on the items of arrays and sets and the values of maps.
//!
//! Items are compared with the type's own `Eq`. In a long array they are also hashed, so that the check takes linear time.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use super::Holder;

/// A value with items: an array, a set, or a map, whose items are its values.
#[diagnostic::on_unimplemented(
    message = "`inner` does not apply to `{Self}`",
    label = "has no items",
    note = "`inner` applies to the items of arrays and sets and to the values of maps, also inside `Option`, `Box`, `Arc` and `Cow`"
)]
pub trait HasItems {
    /// The type of an item.
    type Item;

    /// Returns `true` if every item passes the test.
    fn all_items(&self, test: impl FnMut(&Self::Item) -> bool) -> bool;
}

macro_rules! items {
    ($($iterate:ident: $([$($generics:tt)*] $type:ty => $item:ty),+;)+) => {$($(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> HasItems for $type {
            type Item = $item;

            #[inline]
            fn all_items(&self, test: impl FnMut(&$item) -> bool) -> bool {
                self.$iterate().all(test)
            }
        }
    )+)+};
}

items! {
    iter: [T] [T] => T, [T] Vec<T> => T, [T] VecDeque<T> => T, [T, const N: usize] [T; N] => T,
        [T, S] HashSet<T, S> => T, [T] BTreeSet<T> => T;
    values: [K, V, S] HashMap<K, V, S> => V, [K, V] BTreeMap<K, V> => V,
        [] serde_json::Map<String, serde_json::Value> => serde_json::Value;
}

/// Implements `HasItems` for each holder. With a blanket impl, rustc's error for a type without items would name the trait `Holder` instead
/// of `HasItems`.
macro_rules! held {
    ($([$($bounds:tt)*] $type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: HasItems $($bounds)*> HasItems for $type {
            type Item = T::Item;

            #[inline]
            fn all_items(&self, test: impl FnMut(&T::Item) -> bool) -> bool {
                self.held().is_none_or(|value| value.all_items(test))
            }
        }
    )+};
}

held! { [] Option<T>, [+ ?Sized] Box<T>, [+ ?Sized] Arc<T>, [+ ?Sized + ToOwned] Cow<'_, T> }

/// A value whose items can be compared.
pub trait HasComparableItems {
    /// Returns `true` if no two items are equal.
    fn items_are_unique(&self) -> bool;
}

/// A type to which `unique_items` applies.
#[diagnostic::on_unimplemented(
    message = "`unique_items` does not apply to `{Self}`",
    label = "is not an array of items that implement `Eq` and `Hash`",
    note = "`unique_items` applies to arrays, also inside `Option`, `Box`, `Arc` and `Cow`; their items must implement `Eq` and `Hash`"
)]
pub trait AcceptsUniqueItems {
    /// Calls `HasComparableItems::items_are_unique`. The compile error about this trait is clearer than the one about `HasComparableItems`.
    fn is_unique(&self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: HasComparableItems + ?Sized> AcceptsUniqueItems for T {
    #[inline]
    fn is_unique(&self) -> bool {
        self.items_are_unique()
    }
}

macro_rules! unique {
    ($([$($generics:tt)*] $type:ty),+) => {$(
        impl<T: Eq + Hash, $($generics)*> HasComparableItems for $type {
            fn items_are_unique(&self) -> bool {
                unique(self.len(), self.iter())
            }
        }
    )+};
}

unique! { [] [T], [] Vec<T>, [] VecDeque<T>, [const N: usize] [T; N] }

/// Returns `true` if no two items are equal. A few items are compared with each other, which is faster than hashing; many items are hashed.
fn unique<'a, T: Eq + Hash + 'a>(length: usize, mut items: impl Iterator<Item = &'a T> + Clone) -> bool {
    const FEW: usize = 8;
    if length <= FEW {
        return items.clone().enumerate().all(|(index, item)| items.clone().take(index).all(|earlier| earlier != item));
    }
    let mut seen = HashSet::with_capacity(length);
    items.all(|item| seen.insert(item))
}

macro_rules! sets {
    ($([$($generics:tt)*] $type:ty),+) => {$(
        /// A set never has two equal items.
        impl<$($generics)*> HasComparableItems for $type {
            fn items_are_unique(&self) -> bool {
                true
            }
        }
    )+};
}

sets! { [T, S] HashSet<T, S>, [T] BTreeSet<T> }

#[diagnostic::do_not_recommend]
impl<H: Holder<Held: HasComparableItems>> HasComparableItems for H {
    fn items_are_unique(&self) -> bool {
        self.held().is_none_or(HasComparableItems::items_are_unique)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::rules::HasItems;

    #[test]
    fn has_items() {
        assert!(vec![1, 2, 3].all_items(|item| *item > 0));
        assert!(!Some([1, -2]).all_items(|item| *item > 0));
    }

    #[test]
    fn unique_items() {
        assert!(vec!["a", "b"].items_are_unique());
        assert!(!vec!["a", "b", "a"].items_are_unique());
    }

    #[test]
    fn a_repetition_is_found_at_every_length() {
        for length in [2_usize, 8, 9, 100] {
            let mut items: Vec<usize> = (0..length).collect();
            assert!(items.items_are_unique(), "{length} different items");
            items[length - 1] = 0;
            assert!(!items.items_are_unique(), "the last of {length} items repeats the first");
        }
    }
}
