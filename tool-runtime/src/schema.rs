//! Placeholder until the schema room lands: its names, without its schemas.
#![allow(missing_docs)]
use std::fmt;

use serde_json::{Value, json};

use crate::shape::{Shape, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    OpenAi,
    OpenAiResponses,
    Anthropic,
    Gemini,
    Mcp,
}

pub struct Declaration<'a> {
    pub name: &'a Text,
    pub description: &'a Text,
    pub input: &'a Shape,
    pub output: Option<schemars::Schema>,
    pub hints: Hints,
}

#[derive(Clone, Copy, Default)]
pub struct Hints {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}

impl Declaration<'_> {
    pub fn definition(&self, format: Format) -> Definition {
        let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
        let (name, description) = (self.name.as_str(), self.description.as_str());
        Definition(match format {
            Format::OpenAi => {
                json!({"type": "function", "function": {"name": name, "description": description, "parameters": schema}})
            }
            _ => json!({"name": name, "description": description, "input_schema": schema}),
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Definition(Value);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definitions(Vec<Definition>);

impl Definitions {
    pub fn to_value(&self) -> Value {
        self.0.iter().map(|definition| definition.0.clone()).collect()
    }
}

impl FromIterator<Definition> for Definitions {
    fn from_iter<I: IntoIterator<Item = Definition>>(definitions: I) -> Self {
        Self(definitions.into_iter().collect())
    }
}

impl fmt::Display for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}
