//! Converts parameters that were written as text, by the shape of the tool's input.
//!
//! Invariant: a text becomes another type than a string only if it is JSON and the shape says that it is not a string.

use std::borrow::Cow;

use tool_schema::json::{Json, JsonType};
use tool_schema::shape::{Kind, Ref, Shape};

use crate::private::json::Writer;
use crate::private::shape::{AcceptedTypes, has_key};

/// The maximum number of shapes between the input of a tool and one of its fields.
const MOST_HOPS: usize = 16;

/// The text of a parameter.
pub(crate) struct Parameter<'t> {
    pub(crate) key: &'t str,
    pub(crate) text: &'t str,
    /// `Some` if the markup says whether the value is a string.
    pub(crate) is_string: Option<bool>,
}

/// Returns the parameters of a call as a JSON object.
pub(crate) fn arguments(input: &Shape, parameters: &[Parameter<'_>]) -> String {
    let mut out = String::new();
    Writer::new(&mut out).object(|members| {
        for Parameter { key, text, is_string } in parameters {
            let json = match is_string {
                Some(true) => None,
                Some(false) => json(text),
                None => typed(field(input, key, MOST_HOPS).as_ref(), text),
            };
            match json {
                Some(json) => members.json_text(key, &json),
                None => members.string(key, text),
            }
        }
    });
    out
}

/// Returns the shape of a field; `None` if the shape does not list the field.
fn field(shape: &Shape, key: &str, hops: usize) -> Option<Ref> {
    let hops = hops.checked_sub(1)?;
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) => field(&inner.shape(), key, hops),
        Kind::Map { values, .. } => Some(values.clone()),
        Kind::Object(object) => object.fields.iter().find_map(|field_| {
            if field_.flatten {
                return field(&field_.shape.shape(), key, hops);
            }
            has_key(field_, key).then(|| field_.shape.clone())
        }),
        _ => None,
    }
}

/// Returns a text as JSON if it certainly is not a string.
fn typed<'t>(shape: Option<&Ref>, text: &'t str) -> Option<Cow<'t, str>> {
    let types =
        shape.map_or_else(|| AcceptedTypes::from_shape(Shape::ANY), |shape| AcceptedTypes::from_shape(&shape.shape()));
    let json = json(text)?;
    let json_type = Json::parse(&json).ok()?.json_type();
    // `[1]` and `null` are rarely texts; `3` and `true` often are.
    let is_distinct = matches!(json_type, JsonType::Array | JsonType::Object | JsonType::Null);
    let may_be_string = types.contains(JsonType::String);
    (!may_be_string || (types.contains(json_type) && is_distinct)).then_some(json)
}

/// Returns a text as JSON. Templates write `True`, `False` and `None` as Python does.
fn json(text: &str) -> Option<Cow<'_, str>> {
    let json = match text.trim() {
        "True" => "true",
        "False" => "false",
        "None" => "null",
        text => text,
    };
    Json::parse(json).is_ok().then_some(Cow::Borrowed(json))
}
