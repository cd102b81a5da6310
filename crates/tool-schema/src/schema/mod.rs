//! Renders a [`Shape`] as JSON Schema 2020-12.
//!
//! Keys are in a fixed order and properties in declaration order. Invariant: nothing is rendered before it is requested; the schema accepts
//! the values that decoding accepts, except for the cases in `docs/agreement.md`; and the schema is finite for every shape, because cycles
//! end at `$defs` and everything else ends at a bound.
//!
//! Types are inlined. Only recursive types are in `$defs`. Once a schema is so large that nobody reads it, all other named types are moved
//! there, too. The documentation of a field replaces that of its type.

mod draft;
mod embed_schemars;
mod flatten_root_unions;
mod from_shape;
mod integer_keys;
pub(crate) mod keywords;
mod object;
mod rules;
mod tool_declaration;
mod union;

pub(crate) use flatten_root_unions::outlined;
pub(crate) use from_shape::{ABSENT_IS_NULL, marked_document};
pub use tool_declaration::{Hints, ToolDeclaration};

use crate::shape::Shape;

/// Returns the schema of a shape as an ordered tree.
pub(crate) fn plain_schema(shape: &Shape) -> crate::json::Json<'static> {
    from_shape::document(shape)
}

/// Returns the schema of a shape as compact JSON text.
///
/// ```
/// use tool_schema::{schema::schema_text, shape::{Kind, Ref, Shape}};
///
/// static NAME: Shape = Shape::new(Kind::String);
/// let names = Shape::new(Kind::Array(Ref::Static(&NAME)));
/// assert_eq!(schema_text(&names), r#"{"type":"array","items":{"type":"string"}}"#);
/// ```
pub fn schema_text(shape: &Shape) -> String {
    from_shape::document(shape).to_text()
}

/// Returns the schema of a shape as a `schemars::Schema`.
///
/// `serde_json` decides the order of its keys, and keeps at most 64 bits of an integer.
///
/// ```
/// use tool_schema::{schema::schemars_schema, shape::{Kind, Shape}};
///
/// assert_eq!(schemars_schema(&Shape::new(Kind::Null)), schemars::json_schema!({"type": "null"}));
/// ```
pub fn schemars_schema(shape: &Shape) -> schemars::Schema {
    from_shape::document(shape).to_value().try_into().unwrap_or_default()
}
