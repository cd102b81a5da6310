//! A [`Shape`] as JSON Schema 2020-12 and as the definition that a provider wants.
//!
//! In comes a shape; out goes text (or a tree) whose keys stand in a fixed order and whose properties stand in the order of
//! declaration. What always holds: nothing is rendered before somebody asks; the schema accepts what the typed path accepts, except for
//! the rows of `docs/agreement.md`; and it ends, whatever the shape: cycles at `$defs`, everything else at a bound.
//!
//! Types are written where they are used. Only recursive types (and all named types once a schema has grown beyond what anybody reads)
//! stand in `$defs`. A field's documentation takes the place of its type's.

mod definition;
mod draft;
mod foreign;
mod key;
mod object;
mod relax;
mod rules;
mod serialize;
mod union;
mod walk;

pub use definition::{Declaration, Definition, Definitions, Format, Hints};
pub(crate) use relax::outlined;
pub(crate) use walk::{ABSENT_IS_NULL, marked_document};

use crate::shape::Shape;

/// Returns the schema of a shape as an ordered tree.
pub(crate) fn plain_schema(shape: &Shape) -> crate::json::Json<'static> {
    walk::document(shape)
}

/// The schema of a shape as compact JSON text.
///
/// ```
/// use tool_schema::{schema::schema_text, shape::{Kind, Ref, Shape}};
///
/// static NAME: Shape = Shape::of(Kind::String);
/// let names = Shape::of(Kind::Array(Ref::Static(&NAME)));
/// assert_eq!(schema_text(&names), r#"{"type":"array","items":{"type":"string"}}"#);
/// ```
pub fn schema_text(shape: &Shape) -> String {
    walk::document(shape).to_text()
}

/// The schema of a shape as the type that `schemars` has for it, for hosts that work with that.
///
/// `serde_json` decides the order of its keys, and keeps no more than 64 bits of an integer.
///
/// ```
/// use tool_schema::{schema::schemars_schema, shape::{Kind, Shape}};
///
/// assert_eq!(schemars_schema(&Shape::of(Kind::Null)), schemars::json_schema!({"type": "null"}));
/// ```
pub fn schemars_schema(shape: &Shape) -> schemars::Schema {
    walk::document(shape).to_value().try_into().unwrap_or_default()
}
