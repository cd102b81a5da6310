//! Tools as a provider sees them: [`Definition`] for one tool, [`Definitions`] for the tools of a request.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Dialect;
use super::downgrade_reason::DowngradeReason;
use super::inverse::Inverse;
use super::schema_size::Cost;
use crate::json::build::{boolean, member, string};
use crate::json::{Json, Node, Number, NumberText};
use crate::shape::Text;

/// The key of a deferred definition.
const DEFERRED: &str = "defer_loading";
/// The type of a search for deferred definitions.
const TOOL_SEARCH: &str = "tool_search";

/// The strictness with which a provider applies the definition of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectiveStrictness {
    /// The provider constrains the model's output to the schema.
    Strict,
    /// The provider shows the schema to the model, and constrains nothing.
    Plain,
    /// The tool is left out, because the provider would reject a request with it.
    Omitted,
}

impl EffectiveStrictness {
    /// Returns the name by which the command line selects this form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Plain => "plain",
            Self::Omitted => "omitted",
        }
    }
}

/// The definition of one tool in a [`Dialect`], with the reasons for its form; `Display` and `Serialize` produce the JSON object for the
/// list of tools in the provider's API, with its keys in order.
///
/// ```
/// use tool_schema::dialect::{Dialect, EffectiveStrictness};
/// use tool_schema::schema::{ToolDeclaration, Hints};
/// use tool_schema::shape::{Shape, Text};
///
/// let define = |name: &'static str| {
///     let (name, description) = (Text::from_static(name), Text::EMPTY);
///     let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
///     Dialect::ANTHROPIC.render(&declaration, None)
/// };
/// assert_eq!(define("ping").to_string(), r#"{"name":"ping","input_schema":{"type":"object","properties":{}}}"#);
/// let rejected = define("say hello");
/// assert_eq!((rejected.strictness(), rejected.to_string()), (EffectiveStrictness::Omitted, "null".to_owned()));
/// assert_eq!(rejected.notes()[0].reason(), "the name is rejected: 1 to 128 of letters, digits, `_` and `-`");
/// ```
#[derive(Clone, Debug)]
pub struct Definition(Arc<Rendered>);

/// The parts of a [`Definition`].
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    pub(super) name: Text,
    /// The definition; `null` if the tool is left out.
    pub(super) json: Json<'static>,
    pub(super) form: EffectiveStrictness,
    pub(super) notes: Vec<DowngradeReason>,
    pub(super) inverse: Option<Arc<Inverse>>,
    pub(super) cost: Cost,
}

impl Definition {
    pub(super) fn new(rendered: Rendered) -> Self {
        Self(Arc::new(rendered))
    }

    pub(super) fn omitted(name: &Text, notes: Vec<DowngradeReason>) -> Self {
        let (json, form, cost) = (Json::from_node(Node::Null), EffectiveStrictness::Omitted, Cost::default());
        Self::new(Rendered { name: name.clone(), json, form, notes, inverse: None, cost })
    }

    /// Returns the name that the model calls.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns how strictly the provider applies the definition.
    pub fn strictness(&self) -> EffectiveStrictness {
        self.0.form
    }

    /// Returns `true` if the tool is left out, because the provider would reject a request with it.
    pub fn omits_tool(&self) -> bool {
        self.strictness() == EffectiveStrictness::Omitted
    }

    /// Returns the reasons for the form of the tool: constraints that a stricter form cannot express, or keywords that
    /// the provider rejects.
    pub fn notes(&self) -> &[DowngradeReason] {
        &self.0.notes
    }

    /// Returns the conversion of the model's arguments to the form that the tool accepts; `None` if the two forms are the same.
    pub fn inverse(&self) -> Option<&Arc<Inverse>> {
        self.0.inverse.as_ref()
    }

    /// Returns the definition as an ordered JSON tree; `null` if the tool is left out.
    pub fn as_json(&self) -> &Json<'static> {
        &self.0.json
    }

    /// Returns the definition as a `serde_json::Value`, which sorts the keys unless its feature `preserve_order` is on.
    pub fn to_value(&self) -> serde_json::Value {
        self.0.json.to_value()
    }

    /// Defers the definition, with the key of the providers that [can do so](Dialect::defers_tools).
    #[must_use]
    pub fn deferred(mut self) -> Self {
        self.edit(|json| {
            if let Node::Object(members) = &mut json.node {
                members.push(member(DEFERRED, boolean(true)));
            }
        });
        self
    }

    /// Returns `true` if the model sees the definition only after an answer has loaded it.
    pub fn is_deferred(&self) -> bool {
        self.0.json.get(DEFERRED).is_some_and(|deferred| matches!(deferred.node, Node::Bool(true)))
    }

    /// Converts a function of `OpenAI`'s Responses API to a `tool_search` that the client executes. The model calls it without a name, so the
    /// name is only kept for [`name`](Self::name). It is also the description if there is none, because the API requires one.
    ///
    /// ```
    /// use tool_schema::dialect::Dialect;
    /// use tool_schema::schema::{ToolDeclaration, Hints};
    /// use tool_schema::shape::{Shape, Text};
    ///
    /// let (name, description) = (Text::from_static("find_tools"), Text::from_static("Finds tools."));
    /// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
    /// let search = Dialect::OPENAI_RESPONSES.render(&declaration, None).into_tool_search();
    /// assert_eq!(
    ///     search.to_string(),
    ///     r#"{"type":"tool_search","execution":"client","description":"Finds tools.","parameters":{"type":"object","properties":{}}}"#
    /// );
    /// assert!(search.is_tool_search() && search.name() == "find_tools");
    /// ```
    #[must_use]
    pub fn into_tool_search(mut self) -> Self {
        let name = self.0.name.clone();
        self.edit(|json| {
            if let Node::Object(members) = &mut json.node {
                members.retain(|member| matches!(&*member.key, "description" | "parameters"));
                if members.iter().all(|member| member.key != "description") {
                    members.insert(0, member("description", string(name.to_string())));
                }
                members.splice(0..0, [member("type", string(TOOL_SEARCH)), member("execution", string("client"))]);
            }
        });
        self
    }

    /// Returns `true` if the definition is a `tool_search`.
    pub fn is_tool_search(&self) -> bool {
        self.0.json.get("type").and_then(Json::as_str) == Some(TOOL_SEARCH)
    }

    /// Groups functions of `OpenAI`'s Responses API in a `namespace`. Its description is the name if the text is empty.
    pub fn new_namespace(name: &Text, description: &str, functions: &[Self]) -> Self {
        let description = if description.trim().is_empty() { name } else { description };
        let functions = functions.iter().filter(|function| !function.omits_tool());
        let json = Json::from_node(Node::Object(vec![
            member("type", string("namespace")),
            member("name", string(name.to_string())),
            member("description", string(description.to_owned())),
            member(
                "tools",
                Json::from_node(Node::Array(functions.map(|function| function.as_json().clone()).collect())),
            ),
        ]));
        let (form, notes, cost) = (EffectiveStrictness::Plain, Vec::new(), Cost::default());
        Self::new(Rendered { name: name.clone(), json, form, notes, inverse: None, cost })
    }

    /// Adds a reason before the others.
    #[must_use]
    pub fn with_note(mut self, note: DowngradeReason) -> Self {
        Arc::make_mut(&mut self.0).notes.insert(0, note);
        self
    }

    /// Changes the JSON of the definition.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Json<'static>)) {
        change(&mut Arc::make_mut(&mut self.0).json);
    }

    pub(super) fn cost(&self) -> Cost {
        self.0.cost
    }
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.json == other.0.json
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.json.to_text())
    }
}

impl Serialize for Definition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Ordered(&self.0.json).serialize(serializer)
    }
}

/// The tools of a request in a [`Dialect`], in the order in which the model sees them; `Display` and `Serialize` produce a JSON array.
///
/// It dereferences to the tools that the provider accepts. [`all`](Self::all) also returns those that are left out.
///
/// ```
/// use tool_runtime::Dialect;
/// use tool_runtime::tool::ToolSpec;
/// use tool_runtime::tool_schema::shape::{Ref, Shape, Text};
///
/// let ping = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
/// let tools = ToolSpec::definitions_of_tools(&[(Text::from_static("ping"), &ping), (Text::from_static("no name"), &ping)], Dialect::OPENAI);
/// assert_eq!((tools.len(), tools.all().len()), (1, 2));
/// assert_eq!(tools.to_value()[0]["function"]["name"], "ping");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Definitions {
    dialect: Dialect,
    all: Vec<Definition>,
    /// The accepted tools, if some are not accepted.
    accepted: Option<Vec<Definition>>,
}

impl Definitions {
    /// Collects the tools of a request.
    pub fn new(dialect: Dialect, tools: impl IntoIterator<Item = Definition>) -> Self {
        let all: Vec<_> = tools.into_iter().collect();
        let accepted = all.iter().any(Definition::omits_tool);
        let accepted = accepted.then(|| all.iter().filter(|tool| !tool.omits_tool()).cloned().collect());
        Self { dialect, all, accepted }
    }

    /// Returns the dialect.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns every tool, including those that are left out because the provider would reject them.
    pub fn all(&self) -> &[Definition] {
        &self.all
    }

    /// Returns a tool by its advertised name, also if it is left out.
    pub fn get(&self, name: &str) -> Option<&Definition> {
        self.all.iter().find(|tool| tool.name() == name)
    }

    /// Returns the definitions as a `serde_json::Value`.
    pub fn to_value(&self) -> serde_json::Value {
        self.iter().map(Definition::to_value).collect()
    }
}

impl Default for Definitions {
    /// Returns a list without tools.
    fn default() -> Self {
        Self::new(Dialect::OPENAI, [])
    }
}

impl Deref for Definitions {
    type Target = [Definition];

    fn deref(&self) -> &[Definition] {
        self.accepted.as_ref().unwrap_or(&self.all)
    }
}

impl Serialize for Definitions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl fmt::Display for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (position, definition) in self.iter().enumerate() {
            write!(f, "{}{definition}", if position == 0 { "" } else { "," })?;
        }
        f.write_str("]")
    }
}

/// A tree that serializes as its JSON, for client libraries that serialize a definition.
///
/// Members keep their order (an intermediate `serde_json::Value` would sort them), and integers keep all digits up to 128 bits.
struct Ordered<'a>(&'a Json<'a>);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.node {
            Node::Null => serializer.serialize_unit(),
            Node::Bool(value) => serializer.serialize_bool(*value),
            Node::Number(text) => number(NumberText(text).value(), serializer),
            Node::String(text) => serializer.serialize_str(text),
            Node::Array(items) => serializer.collect_seq(items.iter().map(Ordered)),
            Node::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for member in members {
                    map.serialize_entry(&member.key, &Ordered(&member.value))?;
                }
                map.end()
            }
        }
    }
}

/// Serializes a number in the narrowest type that fits, because not every serializer supports 128 bits.
fn number<S: Serializer>(number: Number, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Number::Integer(value) => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => serializer.serialize_i64(value),
            (_, Ok(value)) => serializer.serialize_u64(value),
            _ => serializer.serialize_i128(value),
        },
        Number::Large(value) => serializer.serialize_u128(value),
        Number::Float(value) => serializer.serialize_f64(value),
    }
}
