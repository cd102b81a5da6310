//! `const` constructors of rules. Each takes the method that the guard calls, such as `<T as AcceptsRange>::in_range`.
//!
//! The generated shape and the generated guard name the trait with the same tokens, so that rustc merges their errors into one if a rule
//! does not apply to a type. A bound on these functions would add a note to one of the errors, and rustc would report two.

use std::any::TypeId;

use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;

use crate::issue::MISMATCH;
use crate::json::{Json, Number};
use crate::shape::{
    Custom, CustomRuleError, Identity, Length, Measure, Pattern, PatternMatcher, Range, Rule, SharedSlice,
    StringFormat, Text,
};

/// A function that searches for a pattern in a text.
type Test = fn(&str) -> bool;

pub const fn identity<T: 'static>() -> Identity {
    Identity::Type(TypeId::of::<T>)
}

pub const fn length(measure: Measure, min: u64, max: Option<u64>) -> Rule {
    Rule::Length(Length { measure, min, max })
}

pub const fn range<T: ?Sized>(_: fn(&T, &Range) -> bool, range: Range) -> Rule {
    Rule::Range(range)
}

pub const fn multiple_of<T: ?Sized>(_: fn(&T, Number) -> bool, divisor: Number) -> Rule {
    Rule::MultipleOf(divisor)
}

pub const fn pattern<T: ?Sized>(
    _: fn(&T, Test) -> bool,
    source: &'static str,
    matcher: Test,
    sample: &'static str,
) -> Rule {
    let matcher = PatternMatcher::Static(matcher);
    Rule::Pattern(Pattern { source: Text::Static(source), matcher, sample: Text::Static(sample) })
}

pub const fn format<T: ?Sized>(_: fn(&T, StringFormat) -> bool, format: StringFormat) -> Rule {
    Rule::Format(format)
}

pub const fn unique_items<T: ?Sized>(_: fn(&T) -> bool) -> Rule {
    Rule::UniqueItems
}

pub const fn inner(rules: &'static [Rule]) -> Rule {
    Rule::Inner(SharedSlice::Static(rules))
}

pub const fn custom(check: fn(&Json<'_>) -> Result<(), CustomRuleError>) -> Rule {
    Rule::Custom(Custom { check })
}

/// The result of a user's rule.
pub type Verdict = Result<(), CustomRuleError>;

/// Decodes the node of a field and applies the user's rule to the value. A node that does not decode is skipped, because it has issues of
/// its own.
pub fn run_custom<T: DeserializeOwned>(
    node: &Json<'_>,
    rule: impl FnOnce(&T) -> Result<(), CustomRuleError>,
) -> Result<(), CustomRuleError> {
    T::deserialize(node).map_or(Ok(()), |value| rule(&value))
}

/// Returns an error if a value cannot be decoded as `T`, a type that only `schemars` describes. The checker reports this error together
/// with all other issues.
pub fn decodes<T: DeserializeOwned>(node: &Json<'_>) -> Result<(), CustomRuleError> {
    // Types such as `RawValue` can only be decoded by `serde_json`, from text.
    let is_accepted = T::deserialize(node).is_ok() || serde_json::from_str::<T>(&node.to_text()).is_ok();
    if is_accepted { Ok(()) } else { Err(MISMATCH.into()) }
}

/// Returns the schema that `schemars` generates for a type, with definitions inlined unless they are recursive.
pub fn foreign<T: schemars::JsonSchema>() -> schemars::Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
