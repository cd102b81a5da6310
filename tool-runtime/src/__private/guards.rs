//! Rules on typed values, one for each rule of a shape. All inline: on a good call their constants fold into a comparison or two.

use crate::input::ToolInput;
use crate::input::rules::{
    AcceptsFormat, AcceptsMultipleOf, AcceptsPattern, AcceptsRange, AcceptsUniqueItems, HasItems, HasLength,
};
use crate::json::Number;
use crate::shape::{Format, Length, Range};

#[inline]
pub fn guard<T: ToolInput>(value: &T) -> bool {
    !T::GUARDED || value.guard()
}

#[inline]
pub fn guard_length<T: HasLength + ?Sized>(value: &T, min: u64, max: Option<u64>) -> bool {
    value.length_within(Length { measure: T::MEASURE, min, max })
}

#[inline]
pub fn guard_range<T: AcceptsRange + ?Sized>(value: &T, range: &Range) -> bool {
    value.within(range)
}

#[inline]
pub fn guard_multiple_of<T: AcceptsMultipleOf + ?Sized>(value: &T, divisor: Number) -> bool {
    value.multiple_of(divisor)
}

#[inline]
pub fn guard_pattern<T: AcceptsPattern + ?Sized>(value: &T, matcher: fn(&str) -> bool) -> bool {
    value.passes(matcher)
}

#[inline]
pub fn guard_format<T: AcceptsFormat + ?Sized>(value: &T, format: Format) -> bool {
    value.passes(|text| format.accepts(text))
}

#[inline]
pub fn guard_unique<T: AcceptsUniqueItems + ?Sized>(value: &T) -> bool {
    value.items_are_unique()
}

#[inline]
pub fn guard_inner<T: HasItems + ?Sized>(value: &T, item: impl FnMut(&T::Item) -> bool) -> bool {
    value.all_items(item)
}
