//! Dialects: no provider rejects our definitions, and the arguments that a model sends for a value are restored to that value.
//!
//! The rules of the providers (`tests::providers`), the conversion to the arguments of a model and the values (`tests::dialects`) are
//! written independently of the crate. `jsonschema` decides about validity.

mod accepted;
mod cases;
mod corpora;
mod feedback;
mod hostile;
mod judge;
mod limits;
mod null_or_absent;
mod nullable;
mod number;
mod random;
mod session;
mod shapes;
mod typed;

use serde_json::Value;
use tests::dialects::called::shown;
use tool_schema::dialect::{Definition, Dialect};
use tool_schema::json::Json;
use tool_schema::schema::{Hints, ToolDeclaration};
use tool_schema::shape::{Shape, Text};

/// Renders a tool from a schema.
fn render(dialect: Dialect, name: &str, schema: &Json<'static>) -> Definition {
    let (name, description) = (Text::from(name.to_owned()), Text::from_static("Does it."));
    dialect.render(&declaration(&name, &description), Some(schema))
}

fn declaration<'a>(name: &'a Text, description: &'a Text) -> ToolDeclaration<'a> {
    ToolDeclaration { name, description, input: Shape::ANY, output: None, hints: Hints::default() }
}

fn dialect(name: &str) -> Dialect {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn json(text: &str) -> Json<'static> {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}")).into_owned()
}

/// Restores a sent value with the inverse of a rendition.
fn restored(rendition: &Definition, sent: &Value) -> Result<Value, String> {
    let Some(inverse) = rendition.inverse() else { return Ok(sent.clone()) };
    let text = sent.to_string();
    let own = inverse.restore(Json::parse(&text).map_err(|error| error.to_string())?);
    own.map(|own| own.to_value()).map_err(|issues| format!("{issues:?}"))
}
