//! `SchemaRenderer`: renders a shape as a schema, kind by kind, and keeps the result finite.
//!
//! A named shape that occurs inside itself is recursive and moves to `$defs`. Invariant: the text is nested no deeper than JSON parsers
//! support, and the number of schemas is bounded; parts beyond a bound accept every value, and the schema says so.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use super::integer_keys;
use crate::json::build::{boolean, list, member, number, object, string};
use crate::json::{Json, Node};
use crate::shape::{Identity, Kind, Ref, Shape};

/// The maximum depth of the rendered JSON. Parsers stop at 128 levels, and a definition may add levels around the schema.
const DEPTH: usize = 112;
/// The number of schemas after which named types are moved to `$defs`, however often they are used.
const INLINE: usize = 2_000;
/// The maximum number of schemas.
const SCHEMAS: usize = 20_000;

/// The mark of an optional property whose absence is decoded like `null`.
pub(crate) const ABSENT_IS_NULL: &str = "x-absent-is-null";

/// The state of rendering one schema document.
#[derive(Default)]
pub(super) struct SchemaRenderer {
    named: HashMap<Identity, Named>,
    names: HashSet<String>,
    /// The next number to append to a name, keyed by the definition names that are already used.
    numbers: HashMap<String, usize>,
    /// The definitions in the order of their first use; `None` while one is being rendered.
    definitions: Vec<(String, Option<Json<'static>>)>,
    pub(super) hoisted: Vec<Hoisted>,
    /// `true` if the schema gets marks: `additionalProperties` on an object whose unlisted keys are passed to the tool, and
    /// [`ABSENT_IS_NULL`] on an optional property whose absence means `null`.
    pub(super) marks: bool,
    depth: usize,
    schemas: usize,
}

/// A document from `schemars` that was moved to `$defs`, and its replacement.
pub(super) struct Hoisted {
    pub(super) document: Json<'static>,
    pub(super) root: Json<'static>,
}

/// The state of a named shape.
#[derive(Clone, Copy, Default)]
struct Named {
    /// `true` while the shape is being rendered.
    open: bool,
    definition: Option<usize>,
}

/// Returns the whole schema of a shape, including definitions.
///
/// The root is rendered in place even if it is recursive (with a copy in `$defs`), because providers require `"type": "object"` there.
pub(super) fn document(shape: &Shape) -> Json<'static> {
    SchemaRenderer::default().render_document(shape)
}

/// Returns the schema with marks, so that every object shows whether unlisted keys are passed to the tool. The second value is `false` if a
/// part from `schemars` lacks these marks.
pub(crate) fn marked_document(shape: &Shape) -> (Json<'static>, bool) {
    let mut renderer = SchemaRenderer { marks: true, ..SchemaRenderer::default() };
    let document = renderer.render_document(shape);
    (document, renderer.hoisted.is_empty())
}

impl SchemaRenderer {
    fn render_document(&mut self, shape: &Shape) -> Json<'static> {
        let mut root = self.shape(shape);
        if let Some(reference) = root.take("$ref") {
            self.inline(&reference, &mut root);
        }
        if root.get("type").is_none() && accepts_objects_alone(&root) {
            root.set("type", string("object"));
        }
        let definitions =
            std::mem::take(&mut self.definitions).into_iter().filter_map(|(name, schema)| Some(member(name, schema?)));
        let definitions: Vec<_> = definitions.collect();
        if !definitions.is_empty() {
            root.set("$defs", object(definitions));
        }
        root.finish()
    }
}

/// Returns `true` if all branches of a union are objects.
fn accepts_objects_alone(root: &Draft) -> bool {
    let branches = root.get("oneOf").or_else(|| root.get("anyOf")).map_or(&[][..], Json::items);
    let is_object = |branch: &Json<'_>| branch.get("type").and_then(Json::as_str) == Some("object");
    !branches.is_empty() && branches.iter().all(is_object)
}

impl SchemaRenderer {
    /// Returns the draft of a shape, or a reference to its definition.
    pub(super) fn shape(&mut self, shape: &Shape) -> Draft {
        let Some(identity) = shape.identity else { return self.contents(shape) };
        let crowded = self.schemas > INLINE;
        let mut known = self.named.get(&identity).copied().unwrap_or_default();
        if known.definition.is_none() && (known.open || crowded) {
            known.definition = Some(self.define(&shape.name));
            self.named.insert(identity, known);
        }
        match known.definition {
            Some(index) if known.open || self.definitions[index].1.is_some() => return self.reference(index),
            _ => {}
        }
        self.named.insert(identity, Named { open: true, ..known });
        let draft = self.contents(shape);
        // A reference from inside the shape may have turned it into a definition.
        let definition = self.named.get(&identity).and_then(|named| named.definition);
        self.named.insert(identity, Named { open: false, definition });
        let Some(index) = definition else { return draft };
        self.definitions[index].1 = Some(draft.finish());
        self.reference(index)
    }

    /// Returns the draft of the shape at the end of an edge, rendered `levels` levels deeper in the JSON.
    pub(super) fn below(&mut self, levels: usize, edge: &Ref) -> Draft {
        self.descend(levels);
        let draft = self.shape(&edge.shape());
        self.ascend(levels);
        draft
    }

    pub(super) fn descend(&mut self, levels: usize) {
        self.depth += levels;
    }

    pub(super) fn ascend(&mut self, levels: usize) {
        self.depth -= levels;
    }

    /// Returns `true` if one more schema can be rendered here.
    pub(super) fn has_room(&mut self) -> bool {
        self.schemas += 1;
        self.depth < DEPTH && self.schemas <= SCHEMAS
    }

    fn contents(&mut self, shape: &Shape) -> Draft {
        if !self.has_room() {
            let mut beyond = Draft::default();
            beyond.note("Too deep to be described here: any value fits the schema.".to_owned());
            return beyond;
        }
        let mut draft = self.kind(&shape.kind);
        draft.describe(&shape.doc);
        draft.restrict(&shape.rules);
        draft
    }

    fn kind(&mut self, kind: &Kind) -> Draft {
        match kind {
            Kind::Any => Draft::default(),
            Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number(_) | Kind::String => Draft::for_type(kind.name()),
            Kind::Array(items) => Draft::for_type("array").with("items", self.below(1, items).finish()),
            Kind::Tuple(positions) => self.tuple(positions),
            Kind::Map { keys, values } => {
                let mut map = Draft::for_type("object").with("additionalProperties", self.below(1, values).finish());
                if let Some(names) = self.keys(keys) {
                    map.set("propertyNames", names);
                }
                map
            }
            Kind::Object(object) => self.object(object),
            Kind::Union(union) => self.union(union, false),
            Kind::Nullable(inner) => self.below(2, inner).or_null(),
            Kind::Alias(inner) => self.below(1, inner),
            Kind::Foreign(schema) => self.foreign(&schema()),
        }
    }

    fn tuple(&mut self, positions: &[Ref]) -> Draft {
        let length = number(positions.len());
        let positions: Vec<_> = positions.iter().map(|position| self.below(2, position).finish()).collect();
        let mut tuple = Draft::for_type("array");
        // `prefixItems` must not be empty.
        if !positions.is_empty() {
            tuple.set("prefixItems", list(positions));
        }
        tuple.with("items", boolean(false)).with("minItems", length.clone()).with("maxItems", length)
    }

    /// Returns the schema for the keys of a map, as strings; `None` if every string is accepted.
    pub(super) fn keys(&mut self, keys: &Ref) -> Option<Json<'static>> {
        let mut keys = self.below(1, keys);
        match keys.json_type() {
            Some("integer") => {
                let end = |key| keys.get(key).and_then(Json::as_number);
                let pattern = match (end("minimum"), end("maximum")) {
                    (Some(least), Some(most)) => integer_keys::pattern(least.value(), most.value()).into(),
                    _ => Cow::Borrowed("^(0|-?[1-9][0-9]*)$"),
                };
                Some(Draft::default().with("pattern", Json::from_node(Node::String(pattern))).finish())
            }
            Some("boolean") => Some(Draft::default().with("enum", list([string("true"), string("false")])).finish()),
            Some("string") => {
                keys.take("type");
                keys.take_words();
                (keys.len() > 0).then(|| keys.finish())
            }
            _ => (keys.len() > 0).then(|| keys.finish()),
        }
    }

    /// Reserves a name in `$defs`.
    pub(super) fn define(&mut self, name: &str) -> usize {
        let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
        let base = if name.is_empty() { "Type".to_owned() } else { name.chars().map(plain).collect() };
        let mut name = base.clone();
        let number = self.numbers.entry(base.clone()).or_insert(1);
        while !self.names.insert(name.clone()) {
            *number += 1;
            name = format!("{base}{number}");
        }
        self.definitions.push((name, None));
        self.definitions.len() - 1
    }

    /// Fills a reserved definition.
    pub(super) fn fill(&mut self, index: usize, schema: Json<'static>) {
        self.definitions[index].1 = Some(schema);
    }

    /// Returns the pointer to a definition.
    pub(super) fn pointer(&self, index: usize) -> String {
        format!("#/$defs/{}", self.definitions[index].0)
    }

    pub(super) fn reference(&self, index: usize) -> Draft {
        Draft::default().with("$ref", Json::from_node(Node::String(self.pointer(index).into())))
    }

    /// Adds the keywords of a definition to a draft that refers to it; the draft's own keywords win.
    fn inline(&self, reference: &Json<'_>, draft: &mut Draft) {
        let name = reference.as_str().and_then(|pointer| pointer.strip_prefix("#/$defs/"));
        let definition = self.definitions.iter().find(|(known, _)| Some(&**known) == name);
        for keyword in definition.and_then(|(_, schema)| schema.as_ref()).map_or(&[][..], Json::members) {
            draft.also(keyword.key.clone(), keyword.value.clone());
        }
    }
}
