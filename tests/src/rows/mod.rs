//! The rows of the agreement: one type for every serde attribute, representation and rule.
//!
//! A row is a type that derives `Deserialize`, `ToolInput` and `JsonSchema`, its own source text, and the ways to judge a text by it. The
//! source is what a test reads to see which attributes have a row, so a row cannot claim an attribute that it does not have.

mod enums;
mod fields;
mod flatten;
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

/// One type under test.
#[derive(Clone, Copy)]
pub struct Row {
    /// The name of the type.
    pub name: &'static str,
    /// The type as it is written, attributes included.
    pub source: &'static str,
    /// What the macro made of it.
    pub shape: &'static Shape,
    /// Whether serde decodes the text and the rules hold for the typed value.
    pub typed: fn(&str) -> bool,
    /// What a call would say of the text.
    pub decode: fn(&str) -> Result<(), ValidationError>,
    /// The schema that `schemars` makes of the type, where it can describe it.
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

/// Every row that the claim covers.
pub fn rows() -> Vec<Row> {
    let ruled = rules::ROWS.iter().chain(rules_met::ROWS).map(|row| Row { schemars: None, ..*row });
    let plain = [enums::ROWS, fields::ROWS, flatten::ROWS, meetings::ROWS, std_types::ROWS, structs::ROWS].concat();
    plain.into_iter().chain(ruled).collect()
}

/// The rows that the claim leaves out: user code decides there.
pub fn outside() -> Vec<Row> {
    outside::ROWS.to_vec()
}

/// Defines types, all of them with the attribute that comes first, and `ROWS` of them. The derives come from the caller, because serde's
/// own code for a container's `default` needs them to have the hygiene of the fields.
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
