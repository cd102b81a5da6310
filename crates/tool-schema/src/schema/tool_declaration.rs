//! The parts of a tool's definition: [`ToolDeclaration`], which a [`Dialect`](crate::dialect::Dialect) renders for a provider.

use crate::json::build::{boolean, member, object};
use crate::json::{Json, Node};
use crate::shape::{Shape, Text};

/// The parts of a tool's definition.
///
/// ```
/// use tool_schema::dialect::Dialect;
/// use tool_schema::{schema::{ToolDeclaration, Hints}, shape::{Shape, Text}};
///
/// let (name, description) = (Text::from_static("ping"), Text::EMPTY);
/// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
/// assert_eq!(
///     Dialect::MCP.render(&declaration, None).to_string(),
///     r#"{"name":"ping","inputSchema":{"type":"object","properties":{}}}"#,
/// );
/// ```
#[derive(Clone, Debug)]
pub struct ToolDeclaration<'a> {
    /// The name that the model calls.
    pub name: &'a Text,
    /// The description for the model; left out if it is empty.
    pub description: &'a Text,
    /// The shape of the arguments.
    pub input: &'a Shape,
    /// The schema of the result, for the providers that accept one.
    pub output: Option<schemars::Schema>,
    /// The behaviour of the tool, for the providers that accept hints.
    pub hints: Hints,
}

/// The behaviour of a tool. A field is `None` if the author has not specified it.
///
/// ```
/// use tool_schema::dialect::Dialect;
/// use tool_schema::{schema::{ToolDeclaration, Hints}, shape::{Shape, Text}};
///
/// let hints = Hints { read_only: Some(true), ..Hints::default() };
/// let (name, description) = (Text::from_static("now"), Text::EMPTY);
/// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints };
/// assert!(Dialect::MCP.render(&declaration, None).to_string().ends_with(r#""annotations":{"readOnlyHint":true}}"#));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// `true` if the tool changes nothing.
    pub read_only: Option<bool>,
    /// `true` if the tool may destroy something.
    pub destructive: Option<bool>,
    /// `true` if a repeated call with the same arguments has no further effect.
    pub idempotent: Option<bool>,
    /// `true` if the tool interacts with systems outside of the program.
    pub open_world: Option<bool>,
    /// `true` if `null` means the same as an absent key for each optional property that accepts both. A strict form then shows such a
    /// property as a required one that accepts `null`, and each `null` is removed from the arguments of calls. No provider sees this hint. It
    /// has no effect for a schema that is generated from a type, because the type decides.
    pub null_is_absent: bool,
}

impl ToolDeclaration<'_> {
    /// Returns the schema of the result, if the result is an object.
    pub(crate) fn result_schema(&self) -> Option<Json<'static>> {
        self.output.as_ref().and_then(output)
    }
}

impl Hints {
    /// Returns the hints as JSON, or `None` if there are none.
    pub(crate) fn to_json(self) -> Option<Json<'static>> {
        let hints = [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ];
        let said: Vec<_> = hints.into_iter().filter_map(|(key, hint)| Some(member(key, boolean(hint?)))).collect();
        (!said.is_empty()).then(|| object(said))
    }
}

/// The JSON Schema dialect that MCP assumes if a schema does not name one.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema of a result; `None` if the result is not an object.
fn output(schema: &schemars::Schema) -> Option<Json<'static>> {
    let mut json = Json::from_value(schema.as_value()).ok()?.into_owned().sorted();
    if let Node::Object(keywords) = &mut json.node {
        // The keyword stays if it names any other dialect, because clients would assume the wrong one.
        keywords.retain(|member| member.key != "$schema" || member.value.as_str() != Some(DIALECT));
    }
    (json.get("type")?.as_str() == Some("object")).then_some(json)
}
