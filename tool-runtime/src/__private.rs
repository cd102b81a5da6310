//! The only names that generated code uses. Nothing here is stable.
//!
//! - shapes: `ShapeInit`, `FieldInit`, `VariantInit`, `object`, `union`, `identity`, and the types they are made of
//! - rules in a shape: `length`, `range`, `multiple_of`, `pattern`, `format`, `unique_items`, `inner`, `custom` (with `run_custom` and `Verdict`)
//! - rules on a typed value: the methods of `HasLength`, `AcceptsRange`, … on the type that the user wrote
//! - defaults and examples: `Literal`, `verify`; rules that leave nothing: `satisfiable_range` and its like
//! - functions of the state: `state_of`, `ask`, `enum_from`, `names`, `takes_names`
//! - tools: `ToolInit`, `AnnotationsInit`, `ContainerInit`, `Returned` (what a function returned, whatever its type), `present`, `literal`, `pending`
//! - errors of tools: `ToolFailure`, `Treatment`, `MeaningfulError` and `PlainError` (which of two ways an error takes)
//! - what one type cannot see of the types inside it: `told_apart`, `flattened`, `variant`
//! - types that only `schemars` describes: `foreign`, `decodes`
//! - std under names that no user can shadow: `std`, `core`

#![allow(missing_docs)]
#![allow(clippy::struct_excessive_bools)] // They mirror the independent marks of a field.
#![doc(hidden)]

mod apart;
mod arguments;
mod finish;
mod init;
mod regex;
mod rules;
#[cfg(test)]
mod tests;

pub use ::{core, schemars, serde, serde_json, std};

pub use self::apart::{beside_tag, buffered, flattened, hidden, told_apart, variant};
pub use self::arguments::{
    CallMember, accept, decode, description, foreign_literal, literal, pending, present, trimmed,
};
pub use self::finish::{AnyOutput, AnyResult, AnyReturn, MeaningfulError, Output, PlainError, Returned};
pub use self::init::{
    AnnotationsInit, ContainerInit, FieldInit, ShapeInit, ToolInit, VariantInit, ask, enum_from, names, object,
    state_of, takes_names, union,
};
pub use self::regex::Regex;
pub use self::rules::{
    Verdict, custom, decodes, foreign, format, identity, inner, length, multiple_of, pattern, range, run_custom,
    unique_items,
};
pub use crate::container::{ContainerSpec, Member, PluginContainer};
pub use crate::context::CallContext;
pub use crate::decode::Care;
pub use crate::failure::{ThrottleRule, ToolFailure, Treatment};
pub use crate::input::rules::{
    AcceptsFormat, AcceptsMultipleOf, AcceptsPattern, AcceptsRange, AcceptsUniqueItems, HasItems, HasLength,
};
pub use crate::input::{Arguments, MapKey, ToolInput};
pub use crate::issue::ValidationError;
pub use crate::json::{Json, Number};
pub use crate::shape::satisfiable::{satisfiable_length, satisfiable_multiple, satisfiable_range};
pub use crate::shape::{
    Custom, Field, Format, Identity, Kind, Length, List, Literal, Matcher, Measure, Pattern, Policy, Precision, Range,
    Ref, Rejection, Rule, Shape, Tagging, Text, Unknown, Variant, verify,
};
pub use crate::throttle::{Backoff, Overrides, Rate, Streak};
pub use crate::tool::{Answer, CallError, Invocation, Payload, Retry, StateKey, StateView, Tool, ToolSpec, TypedTool};
