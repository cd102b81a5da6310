//! JSON Schema → [`Shape`]: converts those parts of a schema that a shape can express.
//!
//! The result is the shape that a macro would generate for such a type, but owned instead of static.
//!
//! Invariants: a shape rejects nothing that the schema accepts. Keywords that shapes cannot express (`not`, `if`, `patternProperties`,
//! `contains`, …) are left to the `jsonschema` crate, which decides whether a value is valid. Definitions are shared, not copied. A
//! recursive definition refers to itself through `Ref::Weak`, so there are no reference cycles.

mod applicable_schemas;
mod array;
mod collect_schemas;
mod document;
mod enum_values;
mod normalize;
mod object;
mod scalar;
mod schema_bounds;
mod type_set;
mod union;
mod unknown_fields_setting;
mod untagged_union;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use jsonschema::Draft;

pub(super) use document::{At, Document};
pub use unknown_fields_setting::UnknownFields;

use super::SchemaError;
use crate::private::json::pointer::tokens;
use applicable_schemas::Parts;
use document::Target;
use tool_runtime::tool_schema::json::{Json, Node};
use tool_runtime::tool_schema::shape::{Identity, Kind, Ref, Rule, Shape, Text};
use type_set::TypeSet;

/// Parses and inspects a document. Nothing is fetched. Also returns the largest number of schemas for one value.
pub(super) fn document(root: Json<'static>, unknown: UnknownFields) -> Result<(Document, u64), SchemaError> {
    let mut document = Document::new(root)?;
    schema_bounds::inspect(&document)?;
    if let Some(changed) = unknown.apply(&document) {
        document = Document::new(changed)?;
    }
    let same = schema_bounds::inspect(&document)?;
    Ok((document, same))
}

/// The result of the conversion.
pub(super) struct Read {
    pub(super) root: Ref,
    /// The definitions. They must live as long as the root, because cycles only refer to them weakly.
    #[allow(dead_code)] // Held, not read.
    pub(super) definitions: Vec<Arc<Shape>>,
    /// The pointers of the keywords (`anyOf`, `oneOf`) whose unions the shape expresses.
    pub(super) expressed: HashSet<String>,
}

/// Converts the whole document.
pub(super) fn read(document: &Document, is_known_format: &dyn Fn(Draft, &str) -> bool) -> Read {
    let mut reader = Reader::new(document, is_known_format);
    let start = document.start();
    let root = match start.schema.get("type") {
        Some(_) => reader.definition(&start),
        // The arguments are an object. But a reference to the root may apply to a value of any type, so it becomes a separate shape.
        None => Ref::Shared(Arc::new(reader.shape(&[start], TypeSet::OBJECT))),
    };
    Read { root, definitions: reader.done.into_values().collect(), expressed: reader.expressed }
}

/// Converts one schema of the document, so that an issue can describe a location that the shape does not cover.
pub(super) fn read_at(
    document: &Document,
    pointer: &str,
    is_known_format: &dyn Fn(Draft, &str) -> bool,
) -> Option<Ref> {
    let at = document.at(pointer)?;
    let mut reader = Reader::new(document, is_known_format);
    reader.left = WORDS;
    Some(Ref::Shared(Arc::new(reader.shape(&[at], TypeSet::ANY))))
}

/// The maximum number of shapes for one document. Further schemas become shapes that accept anything, so only the validator checks them.
const SHAPES: usize = 50_000;
/// The maximum number of shapes for the description of one location.
const WORDS: usize = 256;
/// The maximum depth of the conversion, including references.
const DEPTH: usize = 320;

struct Reader<'d> {
    document: &'d Document,
    is_known_format: &'d dyn Fn(Draft, &str) -> bool,
    done: HashMap<String, Arc<Shape>>,
    open: HashMap<String, Weak<Shape>>,
    expressed: HashSet<String>,
    /// The pointers of unions whose branches are currently being converted, together with the other keywords beside the union.
    skipped: Vec<String>,
    left: usize,
    depth: usize,
}

/// A counter for the numbers of definitions, which are unique in the program.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl<'d> Reader<'d> {
    fn new(document: &'d Document, is_known_format: &'d dyn Fn(Draft, &str) -> bool) -> Self {
        Self {
            document,
            is_known_format,
            done: HashMap::new(),
            open: HashMap::new(),
            expressed: HashSet::new(),
            skipped: Vec::new(),
            left: SHAPES,
            depth: 0,
        }
    }

    /// Converts the target of a reference, or returns the shape if it was converted before.
    fn definition(&mut self, at: &At<'d>) -> Ref {
        if let Some(shape) = self.done.get(&at.pointer) {
            return Ref::Shared(Arc::clone(shape));
        }
        if let Some(shape) = self.open.get(&at.pointer) {
            return Ref::Weak(Weak::clone(shape));
        }
        let shape = Arc::new_cyclic(|itself| {
            self.open.insert(at.pointer.clone(), Weak::clone(itself));
            let mut shape = self.shape(std::slice::from_ref(at), TypeSet::ANY);
            if is_never(&shape) && !at.pointer.is_empty() {
                shape.kind = Kind::Any;
            }
            shape.identity = Some(Identity::Definition(NUMBER.fetch_add(1, Ordering::Relaxed)));
            shape.name = name(at);
            shape
        });
        self.open.remove(&at.pointer);
        self.done.insert(at.pointer.clone(), Arc::clone(&shape));
        Ref::Shared(shape)
    }

    /// Converts all schemas that apply to one value.
    fn edge(&mut self, schemas: &[At<'d>]) -> Ref {
        let mut shape = self.shape(schemas, TypeSet::ANY);
        if is_never(&shape) {
            // No value is valid here. The shape accepts anything, and the validator reports the issue.
            shape.kind = Kind::Any;
        }
        Ref::Shared(Arc::new(shape))
    }

    /// Converts all schemas that apply to one value, for the types in `limit`.
    fn shape(&mut self, schemas: &[At<'d>], limit: TypeSet) -> Shape {
        if self.left == 0 || self.depth == DEPTH {
            return Shape::new(Kind::Any);
        }
        self.left -= 1;
        self.depth += 1;
        let shape = self.within(schemas, limit);
        self.depth -= 1;
        shape
    }

    fn within(&mut self, schemas: &[At<'d>], limit: TypeSet) -> Shape {
        if let [at] = schemas
            && let Some(alias) = self.alias(at)
        {
            return alias;
        }
        let parts = self.parts(schemas);
        let types = parts.types(limit);
        let mut shape = Self::values(&parts, types)
            .or_else(|| self.union(&parts, types))
            .unwrap_or_else(|| self.by_type(&parts, types));
        if shape.doc.is_empty() {
            shape.doc = parts.doc();
        }
        shape
    }

    /// Converts a schema that only refers to another schema, and may have a description of its own.
    fn alias(&mut self, at: &At<'d>) -> Option<Shape> {
        let says_nothing = |key: &str| {
            matches!(
                key,
                "$ref"
                    | "title"
                    | "description"
                    | "default"
                    | "examples"
                    | "example"
                    | "deprecated"
                    | "readOnly"
                    | "writeOnly"
                    | "$comment"
                    | "$id"
                    | "$schema"
                    | "$anchor"
                    | "$defs"
                    | "definitions"
            )
        };
        let only = |keyword: &str| {
            at.schema
                .members()
                .iter()
                .all(|member| member.key == keyword || member.key != "$ref" && says_nothing(&member.key))
        };
        let target = if let Some(reference) = at.schema.get("$ref").and_then(Json::as_str) {
            if !self.document.ignores_siblings() && !only("$ref") {
                return None;
            }
            match self.document.resolve(at, reference) {
                Target::Here(target) => target,
                _ => return Some(Shape::new(Kind::Any)),
            }
        } else if let [part] = at.schema.get("allOf").map(Json::items)?
            && only("allOf")
        {
            // In older dialects, this is the usual way to add a description to a reference.
            self.document.below(at, "allOf", Some("0"), part)
        } else {
            return None;
        };
        let target = if target.schema.get("$ref").is_some() || at.schema.get("$ref").is_some() {
            self.definition(&target)
        } else {
            self.edge(&[target])
        };
        let mut shape = Shape::new(Kind::Alias(target));
        if let Some(words) = at.schema.get("description").and_then(Json::as_str)
            && !(self.document.ignores_siblings() && at.schema.get("allOf").is_none())
        {
            shape.doc = words.to_owned().into();
        }
        Some(shape)
    }

    /// Converts the schemas of one value for each of these types.
    fn by_type(&mut self, parts: &Parts<'d>, types: TypeSet) -> Shape {
        let (plain, is_nullable) = types.without_null();
        if plain.is_empty() {
            return Shape::new(if is_nullable { Kind::Null } else { untagged_union::untagged(Vec::new()) });
        }
        let shape = if let Some(shape) = self.of_one_type(parts, plain) {
            shape
        } else if types == TypeSet::ANY {
            return shape_with(Kind::Any, self.rules_of_any(parts));
        } else {
            let variants: Vec<_> =
                plain.each().filter_map(|one| self.of_one_type(parts, one)).map(untagged_union::payload).collect();
            Shape::new(untagged_union::untagged(variants))
        };
        if is_nullable { nullable(shape) } else { shape }
    }

    /// Converts the schemas of one value for a single type. Returns `None` if `types` contains several types.
    fn of_one_type(&mut self, parts: &Parts<'d>, types: TypeSet) -> Option<Shape> {
        Some(match types {
            TypeSet::BOOLEAN => Shape::new(Kind::Boolean),
            TypeSet::INTEGER | TypeSet::NUMBER | TypeSet::FRACTION => Self::number(parts, types),
            TypeSet::STRING => self.string(parts),
            TypeSet::ARRAY => self.array(parts),
            TypeSet::OBJECT => self.object(parts),
            _ => return None,
        })
    }
}

/// Makes a shape nullable. The description moves to the new outer shape.
fn nullable(mut shape: Shape) -> Shape {
    let doc = std::mem::replace(&mut shape.doc, Text::EMPTY);
    Shape { doc, ..Shape::new(Kind::Nullable(Ref::Shared(Arc::new(shape)))) }
}

fn shape_with(kind: Kind, rules: Vec<Rule>) -> Shape {
    Shape { rules: rules.into(), ..Shape::new(kind) }
}

/// Returns the name of a definition: its title, or else its key.
fn name(at: &At<'_>) -> Text {
    let title = at.schema.get("title").and_then(Json::as_str).filter(|title| !title.is_empty());
    let key = || tokens(&at.pointer).last().unwrap_or_default().into_owned();
    title.map_or_else(key, str::to_owned).into()
}

/// Returns `true` for a shape that accepts no type, which results from schemas whose types exclude each other.
fn is_never(shape: &Shape) -> bool {
    matches!(&shape.kind, Kind::Union(union) if union.variants.is_empty())
}

/// Returns `true` for the schema `false`, which accepts nothing.
fn is_false(json: &Json<'_>) -> bool {
    matches!(json.node, Node::Bool(false))
}
