//! `Draft`: a schema under construction.
//!
//! Keywords are added in any order, but written in a fixed order. Invariant: a keyword is never overwritten by a weaker one (the tightest
//! bound stays, a second pattern goes to `allOf`), and a `$ref` has no siblings, because several providers reject or ignore them.

use std::borrow::Cow;

use crate::json::build::{list, member, object, string};
use crate::json::{Json, Member, Node};
use crate::shape::Text;

/// The order of the keywords; others follow in the order in which they were added.
const ORDER: [&str; 33] = [
    "$ref",
    "type",
    "description",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "default",
    "examples",
    "deprecated",
];

/// Keywords with branches or conditions, which require more than the right `type`.
const COMPOUND: [&str; 7] = ["$ref", "const", "anyOf", "oneOf", "allOf", "not", "if"];

/// A schema that accepts every value until restrictions are added.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    doc: Cow<'static, str>,
    /// Lines after the documentation: the meaning of enum values.
    notes: Vec<String>,
    keywords: Vec<Member<'static>>,
}

impl Draft {
    /// Creates a schema for one JSON type.
    pub(super) fn for_type(json_type: &'static str) -> Self {
        Self::default().with("type", string(json_type))
    }

    /// Creates a schema that accepts only these strings.
    pub(super) fn one_of_strings<'t>(values: impl IntoIterator<Item = &'t Text>) -> Self {
        Self::for_type("string").with("enum", list(values.into_iter().map(text)))
    }

    /// Creates a schema that accepts no value.
    pub(super) fn nothing() -> Self {
        Self::default().with("not", Self::default().finish())
    }

    /// Creates a draft from a finished schema; `true` and values that are not a schema accept everything.
    pub(super) fn from_json(schema: Json<'static>) -> Self {
        match schema.node {
            Node::Object(keywords) => keywords.into(),
            Node::Bool(false) => Self::nothing(),
            _ => Self::default(),
        }
    }

    pub(super) fn with(mut self, keyword: &'static str, value: Json<'static>) -> Self {
        self.set(keyword, value);
        self
    }

    pub(super) fn set(&mut self, keyword: impl Into<Cow<'static, str>>, value: Json<'static>) {
        let keyword = keyword.into();
        match self.keywords.iter_mut().find(|member| member.key == keyword) {
            Some(member) => member.value = value,
            None => self.keywords.push(member(keyword, value)),
        }
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&Json<'static>> {
        self.keywords.iter().find(|member| member.key == keyword).map(|member| &member.value)
    }

    pub(super) fn get_mut(&mut self, keyword: &str) -> Option<&mut Json<'static>> {
        self.keywords.iter_mut().find(|member| member.key == keyword).map(|member| &mut member.value)
    }

    pub(super) fn take(&mut self, keyword: &str) -> Option<Json<'static>> {
        let position = self.keywords.iter().position(|member| member.key == keyword)?;
        Some(self.keywords.remove(position).value)
    }

    /// Returns the JSON type, if the schema has a single one.
    pub(super) fn json_type(&self) -> Option<&str> {
        self.get("type")?.as_str()
    }

    /// Returns the number of keywords, not counting the documentation.
    pub(super) fn len(&self) -> usize {
        self.keywords.len()
    }

    /// Sets the documentation, overriding that of an inner type.
    pub(super) fn describe(&mut self, doc: &Text) {
        if !doc.is_empty() {
            self.doc = cow(doc);
        }
    }

    pub(super) fn note(&mut self, line: String) {
        self.notes.push(line);
    }

    /// Takes the documentation and the notes out of the draft.
    pub(super) fn take_words(&mut self) -> String {
        let doc = std::mem::take(&mut self.doc);
        let mut lines = if doc.is_empty() { Vec::new() } else { vec![doc.into_owned()] };
        lines.append(&mut self.notes);
        lines.join("\n")
    }

    /// Adds a keyword; if there is another one of the same name, both apply.
    pub(super) fn also(&mut self, keyword: impl Into<Cow<'static, str>>, value: Json<'static>) {
        let keyword = keyword.into();
        match self.get(&keyword) {
            None => self.set(keyword, value),
            Some(present) if *present == value => {}
            Some(_) => self.push("allOf", object([member(keyword, value)])),
        }
    }

    /// Adds an element to a keyword that contains a list.
    pub(super) fn push(&mut self, keyword: &'static str, element: Json<'static>) {
        match self.get_mut(keyword).map(|list| &mut list.node) {
            Some(Node::Array(elements)) => elements.push(element),
            _ => self.set(keyword, list([element])),
        }
    }

    /// Extends the schema to accept `null`.
    pub(super) fn or_null(mut self) -> Self {
        let null = || Self::for_type("null").finish();
        let plain = !COMPOUND.iter().any(|keyword| self.get(keyword).is_some());
        match self.get("type").map(|types| types.node.clone()) {
            None if self.keywords.is_empty() => {}
            Some(Node::String(name)) if name == "null" => {}
            Some(Node::String(name)) if plain => {
                self.set("type", list([string(name), string("null")]));
                if self.get("enum").is_some() {
                    self.push("enum", Json::from_node(Node::Null));
                }
            }
            Some(Node::Array(names)) if plain && names.iter().any(|name| name.as_str() == Some("null")) => {}
            _ => {
                if let Some((keyword, branches)) = self.only_branches() {
                    let accepts_null = branches.items().contains(&null());
                    self.set(keyword, branches);
                    if !accepts_null {
                        self.push(keyword, null());
                    }
                } else {
                    let whole = Self::from(std::mem::take(&mut self.keywords)).finish();
                    self.set("anyOf", list([whole, null()]));
                }
            }
        }
        self
    }

    /// Takes the keyword and the branches of a union, if the schema has no other keyword.
    pub(super) fn only_branches(&mut self) -> Option<(&'static str, Json<'static>)> {
        let keyword = ["anyOf", "oneOf"].into_iter().find(|union| self.len() == 1 && self.get(union).is_some())?;
        Some((keyword, self.take(keyword)?))
    }

    /// Returns the schema, with its keywords in order.
    pub(super) fn finish(mut self) -> Json<'static> {
        let words = self.take_words();
        if !words.is_empty() {
            self.set("description", string(words));
        }
        if self.len() > 1
            && let Some(reference) = self.take("$ref")
        {
            self.also("anyOf", list([object([member("$ref", reference)])]));
        }
        let rank = |member: &Member<'_>| ORDER.iter().position(|keyword| *keyword == member.key);
        self.keywords.sort_by_key(|member| rank(member).unwrap_or(ORDER.len()));
        object(self.keywords)
    }
}

impl From<Vec<Member<'static>>> for Draft {
    fn from(keywords: Vec<Member<'static>>) -> Self {
        Self { keywords, ..Self::default() }
    }
}

pub(super) fn text(text: &Text) -> Json<'static> {
    string(cow(text))
}

/// Returns a text without copying it if it is static.
pub(super) fn cow(text: &Text) -> Cow<'static, str> {
    text.as_static().map_or_else(|| Cow::Owned(text.to_string()), Cow::Borrowed)
}
