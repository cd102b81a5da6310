//! Definitions of tools in the forms of providers.
//!
//! A [`Declaration`] (name, description, shapes, hints) is rendered as a [`Definition`], the JSON object for the list of tools in a
//! provider's API, in its plain (not strict) form. Invariant: the keys keep their order, the schema of the arguments describes an object,
//! and its root contains no keyword that the API refuses there.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::draft::{Draft, boolean, member, object, text, word};
use super::relax::without_branches;
use super::serialize::Ordered;
use super::walk::document;
use crate::json::{Json, Member, Node};
use crate::shape::{Shape, Text};

/// The provider's form of a [`Definition`].
///
/// ```
/// use tool_runtime::tool::ToolSpec;
/// use tool_schema::{Format, shape::{Ref, Shape}};
///
/// let ping = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
/// assert_eq!(
///     ping.definition(Format::Anthropic).to_string(),
///     r#"{"name":"ping","description":"Answers at once.","input_schema":{"type":"object","properties":{}}}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An element of `tools` in `OpenAI`'s Chat Completions API: `{"type": "function", "function": {"name", "description",
    /// "parameters"}}`. <https://platform.openai.com/docs/api-reference/chat/create>
    OpenAi,
    /// An element of `tools` in `OpenAI`'s Responses API. It has no inner object, and is strict by default.
    /// <https://platform.openai.com/docs/api-reference/responses/create>
    OpenAiResponses,
    /// An element of `tools` in Anthropic's Messages API: `{"name", "description", "input_schema"}`.
    /// <https://platform.claude.com/docs/en/api/messages/create>
    Anthropic,
    /// An element of `functionDeclarations` in the Gemini API. The schema is in `parametersJsonSchema`, which takes JSON Schema;
    /// `parameters` takes a subset of `OpenAPI` instead. <https://ai.google.dev/api/caching#FunctionDeclaration>
    Gemini,
    /// A `Tool` of the Model Context Protocol, revision 2025-06-18 or later: `{"name", "description", "inputSchema", "outputSchema",
    /// "annotations"}`. The schema of an output that is not an object is left out, because the protocol does not allow it.
    /// <https://modelcontextprotocol.io/specification/2025-06-18/schema#tool>
    Mcp,
}

/// The parts of a tool's definition.
///
/// ```
/// use tool_schema::{Format, schema::{Declaration, Hints}, shape::{Shape, Text}};
///
/// let (name, description) = (Text::new("ping"), Text::EMPTY);
/// let declaration = Declaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
/// assert_eq!(
///     declaration.definition(Format::Mcp).to_string(),
///     r#"{"name":"ping","inputSchema":{"type":"object","properties":{}}}"#,
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Declaration<'a> {
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
/// use tool_schema::{Format, schema::{Declaration, Hints}, shape::{Shape, Text}};
///
/// let hints = Hints { read_only: Some(true), ..Hints::default() };
/// let (name, description) = (Text::new("now"), Text::EMPTY);
/// let declaration = Declaration { name: &name, description: &description, input: Shape::ANY, output: None, hints };
/// assert!(declaration.definition(Format::Mcp).to_string().ends_with(r#""annotations":{"readOnlyHint":true}}"#));
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
}

impl Declaration<'_> {
    /// Renders the definition.
    pub fn definition(&self, format: Format) -> Definition {
        self.rendered(arguments(for_root(document(self.input), format)), format)
    }

    /// Renders the definition with an external schema of the arguments. The keys of that schema keep their order.
    pub(crate) fn definition_of(&self, schema: Json<'static>, format: Format) -> Definition {
        self.rendered(given_arguments(for_root(schema, format)), format)
    }

    /// Returns the schema of the result, if the result is an object.
    pub(crate) fn result_schema(&self) -> Option<Json<'static>> {
        self.output.as_ref().and_then(output)
    }

    fn rendered(&self, input: Json<'static>, format: Format) -> Definition {
        let mut tool = vec![entry("name", text(self.name))];
        if !self.description.is_empty() {
            tool.push(entry("description", text(self.description)));
        }
        let function = || entry("type", word("function"));
        match format {
            Format::OpenAi => {
                tool.push(entry("parameters", input));
                tool = vec![function(), entry("function", object(tool))];
            }
            Format::OpenAiResponses => {
                tool.insert(0, function());
                tool.extend([entry("parameters", input), entry("strict", boolean(false))]);
            }
            Format::Anthropic => tool.push(entry("input_schema", input)),
            Format::Gemini => tool.push(entry("parametersJsonSchema", input)),
            Format::Mcp => {
                tool.push(entry("inputSchema", input));
                tool.extend(self.result_schema().map(|output| entry("outputSchema", output)));
                tool.extend(self.hints.to_json().map(|hints| entry("annotations", hints)));
            }
        }
        Definition::of(object(tool))
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
        let said: Vec<_> = hints.into_iter().filter_map(|(key, hint)| Some(entry(key, boolean(hint?)))).collect();
        (!said.is_empty()).then(|| object(said))
    }
}

/// Returns the schema of the arguments as an explicit object, which every API requires, even if the shape would also
/// accept other values.
fn arguments(schema: Json<'static>) -> Json<'static> {
    let mut draft = Draft::from_json(schema).with("type", word("object"));
    if draft.get("properties").is_none() {
        draft.set("properties", object([]));
    }
    draft.finish()
}

/// Returns an external schema as the schema of an explicit object.
fn given_arguments(mut schema: Json<'static>) -> Json<'static> {
    let Node::Object(keywords) = &mut schema.node else { return arguments(schema) };
    match keywords.iter_mut().find(|keyword| keyword.key == "type") {
        Some(named) => named.value = word("object"),
        None => keywords.insert(0, entry("type", word("object"))),
    }
    if !keywords.iter().any(|keyword| keyword.key == "properties") {
        let behind = keywords.iter().position(|keyword| keyword.key == "type").map_or(0, |at| at + 1);
        keywords.insert(behind, entry("properties", object([])));
    }
    schema
}

/// Removes the keywords that an API refuses at the root.
fn for_root(schema: Json<'static>, format: Format) -> Json<'static> {
    match format {
        Format::OpenAi | Format::OpenAiResponses | Format::Anthropic => without_branches(schema),
        _ => schema,
    }
}

/// The JSON Schema dialect that MCP assumes if a schema does not name one.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema of a result, if the result is an object.
fn output(schema: &schemars::Schema) -> Option<Json<'static>> {
    let mut json = Json::from_value(schema.as_value()).ok()?.into_owned().sorted();
    if let Node::Object(keywords) = &mut json.node {
        // The keyword stays if it names any other dialect, because clients would assume the wrong one.
        keywords.retain(|member| member.key != "$schema" || member.value.as_str() != Some(DIALECT));
    }
    (json.get("type")?.as_str() == Some("object")).then_some(json)
}

fn entry(key: &'static str, value: Json<'static>) -> Member<'static> {
    member(key.into(), value)
}

/// One tool in the form of a provider's API; `Display` and `Serialize` produce the same JSON, with the keys in order.
///
/// See [`Declaration::definition`].
///
/// ```
/// use tool_runtime::tool::ToolSpec;
/// use tool_schema::{Format, shape::{Ref, Shape}};
///
/// let ping = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
/// assert_eq!(serde_json::to_value(ping.definition(Format::Mcp))?["name"], "ping");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Definition(Arc<Json<'static>>);

impl Definition {
    pub(crate) fn of(json: Json<'static>) -> Self {
        Self(Arc::new(json))
    }

    /// Adds members at the end.
    pub(crate) fn extended(mut self, members: impl IntoIterator<Item = (&'static str, Json<'static>)>) -> Self {
        if let Node::Object(own) = &mut Arc::make_mut(&mut self.0).node {
            own.extend(members.into_iter().map(|(key, value)| entry(key, value)));
        }
        self
    }

    /// Adds `x-mcp-header` to parameters; `headers` has pairs of a parameter and the name of its header. A parameter that is not visible,
    /// or that accepts several JSON types, gets no header, because clients drop a tool with such a header.
    pub(crate) fn with_headers<'h>(mut self, headers: impl IntoIterator<Item = (&'h str, &'h str)>) -> Self {
        let schema = member_mut(Arc::make_mut(&mut self.0), "inputSchema");
        if let Some(properties) = schema.and_then(|schema| member_mut(schema, "properties")) {
            for (parameter, header) in headers {
                if let Some(property) = member_mut(properties, parameter) {
                    add_header(property, header);
                }
            }
        }
        self
    }

    /// Returns the definition as a `serde_json::Value`, which sorts the keys unless its feature `preserve_order` is on.
    pub fn to_value(&self) -> serde_json::Value {
        self.0.to_value()
    }

    /// Returns the definition as an ordered JSON tree.
    pub fn as_json(&self) -> &Json<'static> {
        &self.0
    }
}

fn member_mut<'j>(json: &'j mut Json<'static>, key: &str) -> Option<&'j mut Json<'static>> {
    let Node::Object(members) = &mut json.node else { return None };
    members.iter_mut().find(|member| member.key == key).map(|member| &mut member.value)
}

/// Adds `x-mcp-header` to a parameter. The schema of an optional parameter loses `null`, because the header requires a single type; the
/// argument can still be left out.
fn add_header(property: &mut Json<'static>, header: &str) {
    for keyword in ["type", "enum"] {
        if let Some(Json { node: Node::Array(items), .. }) = member_mut(property, keyword) {
            items.retain(|item| {
                !matches!(item.node, Node::Null) && (keyword == "enum" || item.as_str() != Some("null"))
            });
        }
    }
    if let Some(types) = member_mut(property, "type")
        && let Node::Array(names) = &mut types.node
        && let [_] = &names[..]
        && let Some(only) = names.pop()
    {
        *types = only;
    }
    let is_single = property.get("type").is_some_and(|types| types.as_str().is_some());
    if let Node::Object(keywords) = &mut property.node
        && is_single
    {
        keywords.push(entry("x-mcp-header", Json::new(Node::String(header.to_owned().into()))));
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_text())
    }
}

impl Serialize for Definition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Ordered(&self.0).serialize(serializer)
    }
}

/// The tools of a request, in the order in which the model sees them; `Display` and `Serialize` produce a JSON array.
///
/// ```
/// use tool_runtime::{Format, Toolbox, tool};
///
/// /// Answers at once.
/// #[tool]
/// fn ping() {}
///
/// let session = Toolbox::builder().tool(PingTool).build()?.session();
/// let definitions = session.definitions(Format::Anthropic);
/// assert_eq!(definitions.len(), 1);
/// assert_eq!(definitions.to_value()[0]["name"], "ping");
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Definitions(Vec<Definition>);

impl Definitions {
    /// Returns the definitions as a `serde_json::Value`.
    pub fn to_value(&self) -> serde_json::Value {
        self.0.iter().map(Definition::to_value).collect()
    }
}

impl Deref for Definitions {
    type Target = [Definition];

    fn deref(&self) -> &[Definition] {
        &self.0
    }
}

impl FromIterator<Definition> for Definitions {
    fn from_iter<I: IntoIterator<Item = Definition>>(definitions: I) -> Self {
        Self(definitions.into_iter().collect())
    }
}

impl fmt::Display for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (position, definition) in self.0.iter().enumerate() {
            write!(f, "{}{definition}", if position == 0 { "" } else { "," })?;
        }
        f.write_str("]")
    }
}
