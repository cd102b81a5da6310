//! The names that generated code and our other crates use. Nothing here is stable.
//!
//! - shapes: `ShapeInit`, `FieldInit`, `VariantInit`, `object`, `union`, `identity`, and their parts
//! - rules in a shape: `length`, `range`, `multiple_of`, `pattern`, `format`, `unique_items`, `inner`, `custom` (with `run_custom` and `Verdict`)
//! - rules on a typed value: the methods of `HasLength`, `AcceptsRange`, … on the user's type
//! - defaults and examples: `Literal`, `assert_literal_fits`; rules that no value satisfies: `assert_satisfiable_range` and similar
//! - checks of a type together with its inner types: `told_apart`, `flattened`, `variant`
//! - types that only `schemars` describes: `foreign`, `decodes`, `decodes_absent`, `IsOption` (with `Otherwise`)
//! - std under names that no user can shadow: `std`, `core`, `Option`, `Some`, `None`, `Result`, `Ok`, `Err`, `Into`
//! - modules with internals for our other crates: `json`, `decode`, `shape` …

#![allow(missing_docs)]
#![allow(clippy::missing_panics_doc)] // A panic in a `const` is how generated code reports a mistake.
#![allow(clippy::struct_excessive_bools)] // They mirror the independent flags of a field.

mod ambiguity;
mod arguments;
mod init;
mod modules;
mod probe;
mod regex;
mod rules;
#[cfg(test)]
mod tests;

pub use ::{core, schemars, serde, serde_json, std};

pub use ::core::convert::Into;
pub use ::core::option::Option::{self, None, Some};
pub use ::core::result::Result::{self, Err, Ok};

pub use self::ambiguity::{beside_tag, buffered, flattened, hidden, keeps_null, told_apart, variant};
pub use self::arguments::{decode, description, foreign_literal, literal, trimmed};
pub use self::init::{FieldInit, ShapeInit, VariantInit, object, text, union};
pub use self::modules::*;
pub use self::probe::{IsDoubleOption, IsOption, Nullable, Otherwise, Sent, SentOtherwise};
pub use self::regex::Regex;
pub use self::rules::{
    Verdict, custom, decodes, foreign, format, identity, inner, length, multiple_of, pattern, range, run_custom,
    unique_items,
};
pub use crate::decode::Rejected;
pub use crate::decode::serde_precautions::Care;
pub use crate::input::absent::{AbsentKeyDeserializer, decodes_absent};
pub use crate::input::key::MapKey;
pub use crate::input::rules::{
    AcceptsFormat, AcceptsMultipleOf, AcceptsPattern, AcceptsRange, AcceptsUniqueItems, HasItems, HasLength,
};
pub use crate::input::{Arguments, ToolInput};
pub use crate::issue::ValidationError;
pub use crate::json::{Json, Number};
pub use crate::shape::satisfiable::{
    assert_fits_http_header, assert_satisfiable_length, assert_satisfiable_multiple, assert_satisfiable_range,
};
pub use crate::shape::verify_literal::{Literal, assert_literal_fits};
pub use crate::shape::{
    Custom, CustomRuleError, Field, Identity, Kind, Length, Measure, Pattern, PatternMatcher as Matcher, Precision,
    Range, Ref, RepairPolicy as Policy, Rule, Shape, SharedSlice, StringFormat as Format, Tagging, Text, UnknownKeys,
    Variant,
};
