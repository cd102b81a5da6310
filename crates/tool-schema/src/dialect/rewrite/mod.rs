//! From a plain schema to the form of a dialect: [`Rewriter`].
//!
//! In comes a [`Document`] and a [`Form`]; out goes the schema as a model is shown it, the [`Plan`] that undoes it, and the reasons for which
//! the form cannot say the schema. Invariant: the form describes every value that the schema accepts, or there is a reason; a keyword
//! that is left out only makes the form accept more; each schema is written once, and no deeper than a bound.

mod array;
mod fields;
mod keyword;
mod null;
mod reference;
mod settle;
mod union;

// Recursion with `fields`: a schema has properties, and a property is a schema.
// Recursion with `array`: a schema has items, and an item is a schema.

use std::collections::{HashMap, HashSet};

use super::document::Document;
use super::note::Note;
use super::outline::Alternative;
use super::plan::{Members, Plan};
use super::rules::{Form, Values};
use super::types::types;
use super::words::sentence;
use crate::json::{Json, JsonType, Member, Node, Span};
pub(super) use settle::Settled;

/// The most schemas that are written for one tool.
const SCHEMAS: usize = 20_000;
/// The greatest depth of these schemas.
const DEPTH: usize = 96;
/// The most bytes of schemas that are written in the place of references.
const INLINED: usize = 200_000;
/// The most reasons that are kept.
const REASONS: usize = 8;

/// Keywords that say nothing about values and are not shown to a model.
const SILENT: [&str; 9] =
    ["$schema", "$id", "$anchor", "$comment", "$vocabulary", "$dynamicAnchor", "$defs", "definitions", "title"];

/// The state of writing one schema.
pub(super) struct Rewriter<'d> {
    form: &'d Form,
    document: &'d Document<'d>,
    /// `true` for the marked schema of a type: unlisted keys of an object are ignored unless its marks say that they are not.
    is_marked: bool,
    /// Keys are renamed below branches too.
    renames_in_unions: bool,
    unions: usize,
    depth: usize,
    left: usize,
    /// The location in words, for people.
    path: Vec<String>,
    /// The location of the schema in the document.
    pointer: Vec<String>,
    /// The number of bytes that were written in the place of references.
    room: usize,
    /// The definitions that are being written in the place of a reference.
    inlined: Vec<usize>,
    definitions: Definitions,
    /// The definition that is being written leads to itself.
    is_in_circle: bool,
    /// Values are written in another form somewhere.
    is_changed: bool,
    reasons: Vec<Note>,
    branches: Vec<Unsettled>,
}

/// The definitions that references need, in the order in which they were needed.
#[derive(Default)]
struct Definitions {
    by_place: HashMap<usize, usize>,
    by_pointer: HashMap<String, usize>,
    names: HashSet<String>,
    all: Vec<Definition>,
}

struct Definition {
    place: usize,
    name: String,
}

/// A union, before its branches are distinguished.
struct Unsettled {
    /// The location of the union.
    place: String,
    pointer: Vec<String>,
    branches: Vec<Vec<Alternative>>,
}

/// A schema that is being written.
#[derive(Default)]
struct Draft {
    members: Vec<Member<'static>>,
    description: Option<String>,
    /// Sentences that follow the description.
    words: Vec<String>,
}

impl<'d> Rewriter<'d> {
    /// Leaves the keys alone below branches.
    pub(super) fn without_renames_in_unions(mut self) -> Self {
        self.renames_in_unions = false;
        self
    }

    pub(super) fn new(form: &'d Form, document: &'d Document<'d>, is_marked: bool) -> Self {
        Self {
            form,
            document,
            is_marked,
            renames_in_unions: true,
            unions: 0,
            depth: 0,
            left: SCHEMAS,
            path: Vec::new(),
            pointer: Vec::new(),
            room: INLINED,
            inlined: Vec::new(),
            definitions: Definitions::default(),
            is_in_circle: false,
            is_changed: false,
            reasons: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Notes that the form cannot say what the schema says here.
    fn lose(&mut self, reason: impl Into<String>) {
        if self.reasons.len() < REASONS {
            let reason = Note::at(&self.pointer, format!("{}: {}", self.place(), reason.into()));
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }

    fn place(&self) -> String {
        if self.path.is_empty() { "the arguments".to_owned() } else { self.path.join(".") }
    }

    /// Writes what stands a step further on.
    fn at<T>(&mut self, step: &str, tokens: &[&str], write: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step.chars().take(64).collect());
        let length = self.pointer.len();
        self.pointer.extend(tokens.iter().map(|token| (*token).to_owned()));
        let written = write(self);
        self.pointer.truncate(length);
        self.path.pop();
        written
    }

    /// Writes one schema. The depth is bounded, and so is the number of schemas.
    fn schema(&mut self, schema: &Json<'static>) -> (Json<'static>, Plan) {
        if self.left == 0 || self.depth == DEPTH {
            self.lose("the schema is too large or too deep");
            return (object([]), Plan::Same);
        }
        self.left -= 1;
        self.depth += 1;
        let written = self.written(schema);
        self.depth -= 1;
        written
    }

    fn written(&mut self, schema: &Json<'static>) -> (Json<'static>, Plan) {
        let Node::Object(members) = &schema.node else { return (self.boolean(schema), Plan::Same) };
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            return self.reference(schema, reference);
        }
        if self.form.needs_types && ["$dynamicRef", "$recursiveRef"].iter().any(|key| schema.get(key).is_some()) {
            self.lose("refers to another schema dynamically");
        }
        if let Some(parts) = schema.get("allOf").filter(|_| self.form.needs_types) {
            if let [part] = parts.items() {
                return self.merged(schema, "allOf", part);
            }
            self.lose("`allOf` joins several schemas");
            return (object([]), Plan::Same);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = schema.get(keyword) {
                return self.union(schema, keyword, branches.items());
            }
        }
        self.typed(members, schema)
    }

    /// `true` and `false`, and values that are not a schema.
    fn boolean(&mut self, schema: &Json<'static>) -> Json<'static> {
        if self.form.needs_types {
            self.lose(if schema.as_bool() == Some(false) { "accepts no value" } else { "accepts any value" });
        }
        match &schema.node {
            Node::Bool(value) if !self.form.needs_objects => boolean(*value),
            Node::Bool(false) => object([member("not", object([]))]),
            _ => object([]),
        }
    }

    /// A schema together with its only part, whose keywords are not repeated for the part.
    fn merged(&mut self, schema: &Json<'static>, keyword: &str, part: &Json<'static>) -> (Json<'static>, Plan) {
        let own = schema.members().iter().filter(|member| member.key != keyword && !is_silent(&member.key));
        let own: Vec<_> = own.cloned().collect();
        let is_note =
            |member: &Member<'_>| matches!(&*member.key, "description" | "default" | "examples" | "deprecated");
        if own.iter().any(|member| !is_note(member) && part.get(&member.key).is_some()) {
            self.lose(format!("`{keyword}` joins several schemas"));
            return (object([]), Plan::Same);
        }
        if part.get("$ref").is_some() && own.iter().any(|member| !is_note(member)) {
            self.lose(format!("`{keyword}` joins several schemas"));
            return (object([]), Plan::Same);
        }
        let theirs = part.members().iter().filter(|member| !own.iter().any(|own| own.key == member.key)).cloned();
        let joined: Vec<_> = theirs.chain(own.iter().cloned()).collect();
        self.schema(&object(joined))
    }

    /// A schema without branches and references.
    fn typed(&mut self, members: &[Member<'static>], schema: &Json<'static>) -> (Json<'static>, Plan) {
        let stated = types(schema);
        let types = if stated.is_empty() { implied(schema) } else { stated.clone() };
        let mut draft = Draft::default();
        if self.form.needs_types {
            if types.is_empty() {
                let lists = schema.get("properties").is_some() || schema.get("items").is_some();
                let other = "has no type, so that it accepts any other value too";
                self.lose(if lists { other } else { "accepts any value" });
                return (object([]), Plan::Same);
            } else if stated.is_empty() {
                draft.push("type", type_list(&types));
            }
        }
        if self.form.refuses_empty && !self.path.is_empty() {
            self.refuse_empty(schema, &types);
        }
        let is = |name: JsonType| types.is_empty() || types.contains(&name);
        let is_map = self.form.maps_as_entries && types.contains(&JsonType::Object) && self.is_map(schema);
        if is_map && types.contains(&JsonType::Array) {
            self.lose("is either a map or an array, and both are written as an array");
        }
        let mut group = Draft::default();
        let plan = if is_map {
            self.entries(schema, &mut group)
        } else {
            let fields = if is(JsonType::Object) { self.fields(schema, &mut group) } else { Members::default() };
            let items = if is(JsonType::Array) { self.items(schema, &mut group) } else { Plan::Same };
            Plan::inside(fields, items)
        };
        let mut group = Some(group);
        for entry in unrepeated(members) {
            let key = &*entry.key;
            match key {
                "type" if is_map => {
                    let types: Vec<_> = types
                        .iter()
                        .map(|name| if *name == JsonType::Object { JsonType::Array } else { *name })
                        .collect();
                    draft.push("type", type_list(&types));
                }
                _ if fields::OWN.contains(&key) || array::OWN.contains(&key) => {
                    let takes = if fields::OWN.contains(&key) { JsonType::Object } else { JsonType::Array };
                    if let Some(group) = group.take() {
                        draft.members.extend(group.members);
                        draft.words.extend(group.words);
                    }
                    if !is(takes) && !self.form.needs_types {
                        draft.members.push(entry.clone());
                    }
                }
                _ => self.keyword(entry, &types, &mut draft),
            }
        }
        if let Some(group) = group.take() {
            draft.members.extend(group.members);
            draft.words.extend(group.words);
        }
        (draft.finish(self.form), plan)
    }

    /// Notes a value that has nothing to say.
    fn refuse_empty(&mut self, schema: &Json<'static>, types: &[JsonType]) {
        if types == [JsonType::Null] {
            self.lose("can only be `null`");
        }
        let lists_none = schema.get("properties").is_none_or(|properties| properties.members().is_empty());
        if types.contains(&JsonType::Object) && lists_none && !self.is_map(schema) {
            self.lose("is an object without properties");
        }
    }
}

impl Draft {
    fn push(&mut self, keyword: &'static str, value: Json<'static>) {
        self.members.push(member(keyword, value));
    }

    /// The schema; its description stands where there was one, or at the end.
    fn finish(self, form: &Form) -> Json<'static> {
        let Self { mut members, description, words } = self;
        let lines: Vec<String> = description.into_iter().chain((!words.is_empty()).then(|| words.join(" "))).collect();
        let slot = members.iter_mut().find(|member| member.key == "description");
        match (slot, lines.is_empty()) {
            (Some(slot), false) => slot.value = text(lines.join("\n")),
            (None, false) => members.push(member("description", text(lines.join("\n")))),
            (_, true) => members.retain(|member| member.key != "description"),
        }
        if let Some(finish) = form.finish {
            members = finish(members);
        }
        object(members)
    }
}

fn is_silent(keyword: &str) -> bool {
    SILENT.contains(&keyword)
}

/// The members of an object; of a repeated key the last.
fn unrepeated<'m>(members: &'m [Member<'static>]) -> Vec<&'m Member<'static>> {
    let mut seen = HashSet::new();
    let mut kept: Vec<_> = members.iter().rev().filter(|member| seen.insert(&*member.key)).collect();
    kept.reverse();
    kept
}

/// The types of the only values, where the schema lists them.
fn implied(schema: &Json<'static>) -> Vec<JsonType> {
    let values = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(values)) => values.items(),
        (None, None) => &[],
    };
    let mut types = Vec::new();
    for value in values {
        let own = value.json_type();
        if !types.contains(&own) {
            types.push(own);
        }
    }
    types
}

fn type_list(types: &[JsonType]) -> Json<'static> {
    let name = |json_type: &JsonType| word(json_type.name());
    match types {
        [only] => name(only),
        _ => Json::new(Node::Array(types.iter().map(name).collect())),
    }
}

/// Returns `true` if an `enum` may list a value.
fn is_listed(value: &Json<'static>, values: Values) -> bool {
    match values {
        Values::Any => true,
        Values::Primitives => !matches!(value.node, Node::Array(_) | Node::Object(_)),
        Values::StringsAndNumbers => matches!(value.node, Node::String(_) | Node::Number(_)),
        Values::Strings => matches!(value.node, Node::String(_)),
    }
}

fn member(key: &'static str, value: Json<'static>) -> Member<'static> {
    Member { key: key.into(), key_span: Span::default(), value }
}

fn named(key: &str, value: Json<'static>) -> Member<'static> {
    Member { key: key.to_owned().into(), key_span: Span::default(), value }
}

fn object(members: impl IntoIterator<Item = Member<'static>>) -> Json<'static> {
    Json::new(Node::Object(members.into_iter().collect()))
}

fn list(items: impl IntoIterator<Item = Json<'static>>) -> Json<'static> {
    Json::new(Node::Array(items.into_iter().collect()))
}

fn word(word: &'static str) -> Json<'static> {
    Json::new(Node::String(word.into()))
}

fn text(text: impl Into<String>) -> Json<'static> {
    Json::new(Node::String(text.into().into()))
}

fn boolean(value: bool) -> Json<'static> {
    Json::new(Node::Bool(value))
}
