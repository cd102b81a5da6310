//! `length`: counts the Unicode scalar values of strings, the items of arrays, and the members of maps.
//!
//! The characters of a string are only counted if its length in bytes does not settle the result.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use super::Holder;
use crate::shape::{Length, Measure};

/// A value with a length as JSON Schema counts it.
#[diagnostic::on_unimplemented(
    message = "`length` does not apply to `{Self}`",
    label = "has no length",
    note = "`length` applies to strings (counted in characters), to arrays and sets (in items) and to maps (in members), also inside `Option`, `Box`, `Arc` and `Cow`"
)]
pub trait HasLength {
    /// The unit of the length.
    const MEASURE: Measure;

    /// Returns `true` if the length is within the bounds.
    fn length_within(&self, length: Length) -> bool;

    /// Returns `true` if the length is within these bounds.
    #[inline]
    fn is_within(&self, min: u64, max: Option<u64>) -> bool {
        self.length_within(Length { measure: Self::MEASURE, min, max })
    }
}

#[diagnostic::do_not_recommend]
impl HasLength for str {
    const MEASURE: Measure = Measure::Characters;

    #[inline]
    fn length_within(&self, length: Length) -> bool {
        let bytes = self.len() as u64;
        // A character takes one to four bytes.
        let (least, most) = (bytes.div_ceil(4), bytes);
        if length.contains(least) && length.contains(most) {
            return true;
        }
        most >= length.min && length.max.is_none_or(|max| least <= max) && length.contains(characters(self))
    }
}

/// Counts the characters. It is not inlined, so that the inlined shortcut stays small.
#[inline(never)]
fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

#[diagnostic::do_not_recommend]
impl HasLength for String {
    const MEASURE: Measure = Measure::Characters;

    #[inline]
    fn length_within(&self, length: Length) -> bool {
        self.as_str().length_within(length)
    }
}

#[diagnostic::do_not_recommend]
impl HasLength for Path {
    const MEASURE: Measure = Measure::Characters;

    fn length_within(&self, length: Length) -> bool {
        self.to_str().is_some_and(|text| text.length_within(length))
    }
}

#[diagnostic::do_not_recommend]
impl HasLength for PathBuf {
    const MEASURE: Measure = Measure::Characters;

    fn length_within(&self, length: Length) -> bool {
        self.as_path().length_within(length)
    }
}

macro_rules! counted {
    ($measure:ident: $([$($generics:tt)*] $type:ty),+ $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> HasLength for $type {
            const MEASURE: Measure = Measure::$measure;

            #[inline]
            fn length_within(&self, length: Length) -> bool {
                length.contains(self.len() as u64)
            }
        }
    )+};
}

counted! { Items: [T] [T], [T] Vec<T>, [T] VecDeque<T>, [T, const N: usize] [T; N], [T, S] HashSet<T, S>, [T] BTreeSet<T> }
counted! { Properties: [K, V, S] HashMap<K, V, S>, [K, V] BTreeMap<K, V>, [] serde_json::Map<String, serde_json::Value> }

#[diagnostic::do_not_recommend]
impl<H: Holder<Held: HasLength>> HasLength for H {
    const MEASURE: Measure = H::Held::MEASURE;

    #[inline]
    fn length_within(&self, length: Length) -> bool {
        self.held().is_none_or(|value| value.length_within(length))
    }
}

#[cfg(test)]
mod tests {

    use crate::input::rules::HasLength;
    use crate::shape::{Length, Measure};

    #[test]
    fn has_length() {
        let at_most_four = Length { measure: String::MEASURE, min: 0, max: Some(4) };
        assert!("Köln".length_within(at_most_four));
        assert!(!"Paris".length_within(at_most_four));
        assert_eq!(Vec::<u8>::MEASURE, Measure::Items);
    }

    #[test]
    fn characters_are_counted_as_unicode_scalar_values() {
        for text in ["", "a", "äö", "日本語", "🦀🦀", "e\u{301}", "plain text that is longer"] {
            for min in 0..5 {
                for max in [None, Some(0), Some(1), Some(2), Some(3), Some(7)] {
                    let length = Length { measure: Measure::Characters, min, max };
                    assert_eq!(
                        text.length_within(length),
                        length.contains(text.chars().count() as u64),
                        "{text:?} within {length:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_absent_value_satisfies_every_length() {
        let one = Length { measure: Measure::Items, min: 1, max: Some(1) };
        assert!(None::<Vec<u8>>.length_within(one));
        assert!(!Some(Vec::<u8>::new()).length_within(one));
        assert!(Box::new([7_u8]).length_within(one));
    }
}
