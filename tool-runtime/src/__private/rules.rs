//! Constructors of rules, all `const`: generated code names the type of the place and the numbers, the trait bound does the rest.

use std::any::TypeId;

use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;

use crate::input::rules::{
    AcceptsFormat, AcceptsMultipleOf, AcceptsPattern, AcceptsRange, AcceptsUniqueItems, HasItems, HasLength,
};
use crate::json::{Json, Number};
use crate::shape::{Custom, Format, Identity, Length, List, Matcher, Pattern, Range, Rejection, Rule, Text};

pub const fn identity<T: 'static>() -> Identity {
    Identity::Type(TypeId::of::<T>)
}

pub const fn length<T: HasLength + ?Sized>(min: u64, max: Option<u64>) -> Rule {
    Rule::Length(Length { measure: T::MEASURE, min, max })
}

pub const fn range<T: AcceptsRange + ?Sized>(range: Range) -> Rule {
    Rule::Range(range)
}

pub const fn multiple_of<T: AcceptsMultipleOf + ?Sized>(divisor: Number) -> Rule {
    Rule::MultipleOf(divisor)
}

pub const fn pattern<T: AcceptsPattern + ?Sized>(source: &'static str, matcher: fn(&str) -> bool) -> Rule {
    Rule::Pattern(Pattern { source: Text::Static(source), matcher: Matcher::Static(matcher) })
}

pub const fn format<T: AcceptsFormat + ?Sized>(format: Format) -> Rule {
    Rule::Format(format)
}

pub const fn unique_items<T: AcceptsUniqueItems + ?Sized>() -> Rule {
    Rule::UniqueItems
}

pub const fn inner<T: HasItems + ?Sized>(rules: &'static [Rule]) -> Rule {
    Rule::Inner(List::Static(rules))
}

pub const fn custom(check: fn(&Json<'_>) -> Result<(), Rejection>) -> Rule {
    Rule::Custom(Custom { check })
}

/// Decodes the node of a field and runs the user's rule on it. A node that does not decode is passed over: its own issues say why.
pub fn run_custom<T: DeserializeOwned>(
    node: &Json<'_>,
    rule: impl FnOnce(&T) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    // Through text, because a `serde_json::Value` would lose digits and repeated keys.
    serde_json::from_str(&node.to_text()).map_or(Ok(()), |value| rule(&value))
}

/// What `schemars` says of a type, definitions inlined unless they are recursive.
pub fn foreign<T: schemars::JsonSchema>() -> schemars::Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
