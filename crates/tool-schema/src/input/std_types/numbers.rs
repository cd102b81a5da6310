//! Numbers: an integer is `Kind::Integer` with the range of its width; a float is `Kind::Number` and finite.

use std::num::NonZero;

use super::leaves;
use crate::input::ToolInput;
use crate::json::Number;
use crate::shape::{Kind, Precision, Range, Ref, Rule, Shape, SharedSlice, Tagging, Text, Union, UnknownKeys, Variant};

/// Returns the shape of the integers between two bounds, inclusive.
macro_rules! integer {
    ($min:expr, $max:expr) => {
        Shape::from_kind_and_rules(
            Kind::Integer,
            const { &[Rule::Range(Range::inclusive(Number::Integer($min), $max))] },
        )
    };
    (exact $min:expr, $max:expr) => {
        integer!($min as i128, Number::Integer($max as i128))
    };
}

macro_rules! unsigned {
    ($($integer:ident)+) => { leaves! {$(
        $integer => integer!(exact 0, $integer::MAX),
        NonZero<$integer> => integer!(exact 1, $integer::MAX),
    )+}};
}

macro_rules! signed {
    ($($integer:ident)+) => { leaves! {$(
        $integer => integer!(exact $integer::MIN, $integer::MAX),
        NonZero<$integer> => either(const { &[
            branch(const { &integer!(exact 1, $integer::MAX) }),
            branch(const { &integer!(exact $integer::MIN, -1) }),
        ] }),
    )+}};
}

unsigned! { u8 u16 u32 u64 usize }
signed! { i8 i16 i32 i64 i128 isize }

leaves! {
    u128 => integer!(0, Number::Large(u128::MAX)),
    NonZero<u128> => integer!(1, Number::Large(u128::MAX)),
    serde_json::Number => Shape::new(Kind::Number(Precision::Double)),
}

/// Returns the shape of the values that any branch accepts.
pub(super) const fn either(branches: &'static [Variant]) -> Shape {
    Shape::new(Kind::Union(Union {
        tagging: Tagging::Untagged,
        variants: SharedSlice::Static(branches),
        unknown: UnknownKeys::Ignored,
    }))
}

/// Returns a variant without a name.
pub(super) const fn branch(shape: &'static Shape) -> Variant {
    Variant {
        name: Text::EMPTY,
        aliases: SharedSlice::EMPTY,
        doc: Text::EMPTY,
        payload: Some(Ref::Static(shape)),
        other: false,
        untagged: false,
        deprecated: false,
        hidden: false,
    }
}

macro_rules! floats {
    ($($float:ident: $precision:ident),+) => {$(
        impl ToolInput for $float {
            const SHAPE: &'static Shape = &Shape::new(Kind::Number(Precision::$precision));

            /// JSON only has finite numbers, but a `serde_json::Value` that is too large for `f32` decodes to infinity.
            #[inline]
            fn guard(&self) -> bool {
                self.is_finite()
            }
        }
    )+};
}

floats! { f32: Single, f64: Double }
