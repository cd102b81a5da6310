//! Arrays: `Vec` and similar types, sets, fixed-size arrays and tuples.
//!
//! A set has `uniqueItems`, which only the checker can test, because serde removes repetitions while it decodes. The schema of a fixed-size
//! array has a minimum and a maximum length. The schema of a tuple has an entry for each position.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use serde::de::DeserializeOwned;

use crate::input::ToolInput;
use crate::shape::{Kind, Length, Measure, Ref, Rule, Shape, SharedSlice};

macro_rules! arrays {
    ($([$($generics:tt)*] $type:ty: $rules:expr),+ $(,)?) => {$(
        impl<T: ToolInput $($generics)*> ToolInput for $type {
            const SHAPE: &'static Shape = &Shape::from_kind_and_rules(Kind::Array(Ref::Lazy(|| T::SHAPE)), $rules);
            const GUARDED: bool = T::GUARDED;

            #[inline]
            fn guard(&self) -> bool {
                !T::GUARDED || self.iter().all(T::guard)
            }
        }
    )+};
}

arrays! {
    [] Vec<T>: &[],
    [] VecDeque<T>: &[],
    [] Box<[T]>: &[],
    [+ Ord] BTreeSet<T>: &[Rule::UniqueItems],
    [+ Eq + Hash, S: BuildHasher + Default + Send + 'static] HashSet<T, S>: &[Rule::UniqueItems],
}

#[cfg(feature = "rc")]
arrays! { [+ Sync] std::sync::Arc<[T]>: &[] }

/// serde decodes arrays of up to 32 items.
impl<T: ToolInput, const N: usize> ToolInput for [T; N]
where
    Self: DeserializeOwned,
{
    const SHAPE: &'static Shape = &Shape::from_kind_and_rules(
        Kind::Array(Ref::Static(T::SHAPE)),
        const { &[Rule::Length(Length { measure: Measure::Items, min: N as u64, max: Some(N as u64) })] },
    );
    const GUARDED: bool = T::GUARDED;

    #[inline]
    fn guard(&self) -> bool {
        !T::GUARDED || self.iter().all(T::guard)
    }
}

macro_rules! tuples {
    ($(($($position:tt $type:ident)+))+) => {$(
        impl<$($type: ToolInput),+> ToolInput for ($($type,)+) {
            const SHAPE: &'static Shape =
                &Shape::new(Kind::Tuple(SharedSlice::Static(const { &[$(Ref::Static($type::SHAPE)),+] })));
            const GUARDED: bool = $($type::GUARDED)||+;

            #[inline]
            fn guard(&self) -> bool {
                $(self.$position.guard())&&+
            }
        }
    )+};
}

tuples! {
    (0 A)
    (0 A 1 B)
    (0 A 1 B 2 C)
    (0 A 1 B 2 C 3 D)
    (0 A 1 B 2 C 3 D 4 E)
    (0 A 1 B 2 C 3 D 4 E 5 F)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J 10 K)
    (0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J 10 K 11 L)
}
