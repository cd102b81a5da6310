//! The rows of the agreement test: one type for every serde attribute, representation and rule.
//!
//! A row is a type that derives `Deserialize`, `ToolInput` and `JsonSchema`, with its source text and the functions that accept or reject a
//! text. A test reads the source to find the attributes with a row, so a row cannot claim an attribute that it lacks.

mod enums;
mod fields;
mod flatten;
mod foreign;
mod meetings;
mod outside;
mod rules;
mod rules_met;
mod std_types;
mod structs;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use tool_runtime::Arguments;
use tool_runtime::ToolInput;
use tool_runtime::ValidationError;
use tool_schema::decode::decode;
use tool_schema::shape::Shape;

/// A type under test.
#[derive(Clone, Copy)]
pub struct Row {
    /// The name of the type.
    pub name: &'static str,
    /// The source of the type, including attributes.
    pub source: &'static str,
    /// The shape from the macro.
    pub shape: &'static Shape,
    /// Returns `true` if serde decodes the text and the typed value satisfies the rules.
    pub typed: fn(&str) -> bool,
    /// Decodes the text as a call would.
    pub decode: fn(&str) -> Result<(), ValidationError>,
    /// The schema from `schemars`, if it can describe the type.
    pub schemars: Option<fn() -> Schema>,
}

impl Row {
    const fn of<T: ToolInput + JsonSchema>(name: &'static str, source: &'static str) -> Self {
        Self { schemars: Some(schemars_schema::<T>), ..Self::without_schemars::<T>(name, source) }
    }

    const fn without_schemars<T: ToolInput>(name: &'static str, source: &'static str) -> Self {
        Self { name, source, shape: T::SHAPE, typed: typed::<T>, decode: decoded::<T>, schemars: None }
    }
}

fn typed<T: ToolInput>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_ok_and(|value| value.guard())
}

fn decoded<T: ToolInput>(text: &str) -> Result<(), ValidationError> {
    decode::<T>(&Arguments::from(text)).map(drop)
}

fn schemars_schema<T: JsonSchema>() -> Schema {
    SchemaGenerator::default().into_root_schema_for::<T>()
}

/// Returns the rows that the agreement covers.
pub fn rows() -> Vec<Row> {
    let ruled =
        rules::ROWS.iter().chain(rules_met::ROWS).chain(foreign::ROWS).map(|row| Row { schemars: None, ..*row });
    let plain = [enums::ROWS, fields::ROWS, flatten::ROWS, meetings::ROWS, std_types::ROWS, structs::ROWS].concat();
    plain.into_iter().chain(ruled).collect()
}

/// Returns the rows that the agreement excludes, because custom code decides.
pub fn outside() -> Vec<Row> {
    outside::ROWS.to_vec()
}

/// Defines types with the first attribute on each, and their `ROWS`. The derives come from the caller, because serde's code for the
/// `default` of a container requires that they have the same hygiene as the fields.
macro_rules! define {
    (#[$derive:meta] $($name:ty => { $($item:tt)* })*) => {
        $(
            #[$derive]
            $($item)*
        )*

        pub(super) const ROWS: &[super::Row] = &[$(super::Row::of::<$name>(stringify!($name), stringify!($($item)*))),*];
    };
}
use define;
