//! The number of errors that a schema itself reports for a value: [`Own`].

use serde_json::Value;
use tool_runtime::tool_schema::json::{Json, Node};

use super::document::At;

/// An estimate of the number of errors that a schema itself reports for a value, without the errors of its subschemas.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// The number of errors that do not depend on the type of the value. The next four fields are for values of one type.
    any: u64,
    number: u64,
    string: u64,
    array: u64,
    object: u64,
    /// The accepted types; empty if the schema does not restrict them.
    types: Vec<String>,
    required: Vec<String>,
    /// The number of known keys if the schema may reject every other key; `None` otherwise.
    closed: Option<usize>,
    /// `true` if an error of this schema contains the errors of its branches.
    pub(super) is_union: bool,
}

/// Number of `enum` values that count as one more error, because the issue lists them.
const VALUES: usize = 8;

impl Own {
    pub(super) fn of(at: &At<'_>) -> Self {
        let mut own = Self::default();
        if let Node::Bool(false) = at.schema.node {
            own.any = 1;
        }
        let strings = |json: &Json<'_>| {
            let items = std::iter::once(json).chain(json.items());
            items.filter_map(Json::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        for member in at.schema.members() {
            let value = &member.value;
            match &*member.key {
                "type" => own.types = strings(value),
                "required" => own.required = strings(value),
                "enum" => own.any += 1 + (value.items().len() / VALUES) as u64,
                "const" | "not" | "$ref" => own.any += 1,
                "anyOf" | "oneOf" => {
                    own.any += 1;
                    own.is_union = true;
                }
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => own.number += 1,
                "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType" => {
                    own.string += 1;
                }
                "minItems" | "maxItems" | "uniqueItems" | "contains" | "additionalItems" | "unevaluatedItems" => {
                    own.array += 1;
                }
                "minProperties" | "maxProperties" => own.object += 1,
                "dependentRequired" | "dependencies" => {
                    let needed = value.members().iter().map(|member| 1 + member.value.items().len() as u64);
                    own.object += needed.sum::<u64>();
                }
                "additionalProperties" | "unevaluatedProperties" | "propertyNames" => {
                    own.closed = at.schema.get("properties").map(|listed| listed.members().len()).or(Some(0));
                }
                _ => {}
            }
        }
        own
    }

    pub(super) fn errors(&self, value: &Value) -> u64 {
        let of_type = match value {
            Value::Number(_) => self.number,
            Value::String(_) => self.string,
            Value::Array(_) => self.array,
            Value::Object(members) => {
                let missing = self.required.iter().filter(|name| !members.contains_key(*name)).count();
                let unknown = self.closed.map_or(0, |known| members.len().saturating_sub(known));
                self.object + (missing + unknown) as u64
            }
            Value::Null | Value::Bool(_) => 0,
        };
        let is_wrong = !self.types.is_empty() && !self.types.iter().any(|name| is_of_type(value, name));
        self.any + of_type + u64::from(is_wrong)
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        // The exact definition of an integer does not matter for this estimate.
        Value::Number(number) => name == "number" || name == "integer" && !number.is_f64(),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}
