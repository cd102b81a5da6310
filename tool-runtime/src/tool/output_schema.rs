//! The schema of a tool's results: [`OutputSchema`].

use std::sync::Arc;

use schemars::Schema;
use serde_json::Value;

/// The schema of a tool's results, made from a type or given as JSON. It may describe results of any JSON type, not only objects.
///
/// ```
/// use tool_runtime::tool::OutputSchema;
///
/// let schema = OutputSchema::from_json(serde_json::json!({"type": "array", "items": {"type": "integer"}}));
/// assert_eq!(schema.map(|schema| schema.to_value()["type"].clone()), Some("array".into()));
/// assert!(OutputSchema::from_json(5.into()).is_none()); // not a schema
/// ```
#[derive(Clone, Debug)]
pub struct OutputSchema(Origin);

#[derive(Clone, Debug)]
enum Origin {
    Typed(fn() -> Schema),
    Declared(Arc<Schema>),
}

impl OutputSchema {
    /// Creates the schema of a type. The function `schema` runs each time the schema is needed.
    pub const fn from_type(schema: fn() -> Schema) -> Self {
        Self(Origin::Typed(schema))
    }

    /// Wraps a schema given as JSON. Returns `None` if it is neither an object nor a boolean. Nothing else is checked;
    /// `tool_dynamic::DynamicToolBuilder::output_schema` also checks that the schema is valid.
    pub fn from_json(schema: Value) -> Option<Self> {
        Some(Self(Origin::Declared(Arc::new(Schema::try_from(schema).ok()?))))
    }

    /// Returns the schema.
    pub fn to_value(&self) -> Value {
        self.schema().to_value()
    }

    pub(crate) fn schema(&self) -> Schema {
        match &self.0 {
            Origin::Typed(schema) => schema(),
            Origin::Declared(schema) => Schema::clone(schema),
        }
    }
}
