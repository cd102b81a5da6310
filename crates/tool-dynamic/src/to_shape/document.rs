//! `Document`: a schema with its dialect. It resolves references by JSON Pointer, `$anchor` or `$id`.
//!
//! Invariants: references are only resolved to targets in the document. The cost of resolving a reference is proportional to the depth of
//! its target.

use std::collections::HashMap;

use jsonschema::Draft;
use tool_runtime::tool_schema::json::{Json, Node};

use super::normalize::normalise;
use crate::SchemaError;
use crate::private::json::pointer;
use crate::private::schema::keywords::{join, subschemas};

/// The maximum number of schemas of a document.
pub(super) const MOST_SCHEMAS: usize = 100_000;

/// The maximum number of schemas with the same `$dynamicAnchor`. A reference to the anchor counts as a reference to each of them.
const MOST_ANCHORS: usize = 16;

/// A schema document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Json<'static>,
    pub(crate) draft: Draft,
    /// The path to each schema, as indices of members and items, keyed by the pointer of the schema.
    schemas: HashMap<String, Box<[u32]>>,
    /// The pointers of schemas with an `$anchor`, keyed by resource and name.
    anchors: HashMap<(String, String), String>,
    /// The pointers of schemas with a `$dynamicAnchor`, keyed by name. Schemas with a `$recursiveAnchor` are under the empty name.
    dynamic: HashMap<String, Vec<String>>,
    /// The pointers of resources, keyed by their `$id`, which is resolved against the surrounding resource.
    resources: HashMap<String, String>,
    /// The `$id` of each resource, keyed by its pointer.
    identifiers: HashMap<String, String>,
}

/// A schema with its location.
#[derive(Clone, Debug)]
pub(crate) struct At<'d> {
    pub(crate) schema: &'d Json<'static>,
    pub(crate) pointer: String,
    /// The pointer of the resource that contains the schema: the nearest schema with an `$id`, this schema included, or else the root.
    pub(crate) base: String,
}

/// The target of a reference.
pub(super) enum Target<'d> {
    Here(At<'d>),
    /// One of the meta-schemas of JSON Schema, which `jsonschema` contains.
    MetaSchema,
    Missing,
    Remote,
}

impl Document {
    pub(super) fn new(mut root: Json<'static>) -> Result<Self, SchemaError> {
        normalise(&mut root);
        let draft = draft(&root)?;
        let mut document = Self {
            root,
            draft,
            schemas: HashMap::new(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
            resources: HashMap::new(),
            identifiers: HashMap::new(),
        };
        document.index()?;
        Ok(document)
    }

    fn index(&mut self) -> Result<(), SchemaError> {
        let mut open: Vec<(String, String, Vec<u32>)> = vec![(String::new(), String::new(), Vec::new())];
        let mut found = Vec::new();
        while let Some((pointer, mut base, steps)) = open.pop() {
            if found.len() > MOST_SCHEMAS {
                return Err(SchemaError::TooLarge { limit: MOST_SCHEMAS });
            }
            let Some(schema) = follow(&self.root, &steps) else { continue };
            if let Some(id) = self.identifier(schema) {
                match id.strip_prefix('#') {
                    Some(anchor) if !anchor.is_empty() => {
                        self.anchors.insert((base.clone(), anchor.to_owned()), pointer.clone());
                    }
                    _ => {
                        let uri = self.absolute(&base, id.trim_end_matches('#'));
                        base.clone_from(&pointer);
                        self.resources.insert(uri.clone(), pointer.clone());
                        self.identifiers.insert(pointer.clone(), uri);
                    }
                }
            }
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(anchor) = schema.get(keyword).and_then(Json::as_str) {
                    self.anchors.insert((base.clone(), anchor.to_owned()), pointer.clone());
                }
            }
            let is_recursive = schema.get("$recursiveAnchor").and_then(Json::as_bool) == Some(true);
            let name = if is_recursive { Some("") } else { schema.get("$dynamicAnchor").and_then(Json::as_str) };
            if let Some(name) = name {
                self.dynamic.entry(name.to_owned()).or_default().push(pointer.clone());
            }
            for sub in subschemas(schema) {
                let mut steps = steps.clone();
                steps.push(sub.steps.0);
                steps.extend(sub.steps.1);
                open.push((sub.pointer(&pointer), base.clone(), steps));
            }
            found.push((pointer, steps.into_boxed_slice()));
        }
        self.schemas = found.into_iter().collect();
        Ok(())
    }

    /// Returns the `$id` of a schema. Drafts before 2019-09 ignore it beside a `$ref`.
    fn identifier<'s>(&self, schema: &'s Json<'static>) -> Option<&'s str> {
        let keyword = if self.draft == Draft::Draft4 { "id" } else { "$id" };
        let is_ignored = self.ignores_siblings() && schema.get("$ref").is_some();
        if is_ignored { None } else { schema.get(keyword).and_then(Json::as_str) }
    }

    /// Returns `true` if keywords beside `$ref` are ignored.
    pub(super) fn ignores_siblings(&self) -> bool {
        matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
    }

    pub(crate) fn start(&self) -> At<'_> {
        At { schema: &self.root, pointer: String::new(), base: String::new() }
    }

    /// Returns the pointers of all schemas.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = &String> {
        self.schemas.keys()
    }

    pub(super) fn is_schema(&self, pointer: &str) -> bool {
        self.schemas.contains_key(pointer)
    }

    /// Returns the schema at a pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<At<'_>> {
        let schema = match self.schemas.get(pointer) {
            Some(steps) => follow(&self.root, steps),
            None => pointer::value_at(&self.root, pointer),
        }?;
        Some(At { schema, pointer: pointer.to_owned(), base: self.base_of(pointer) })
    }

    /// Returns the pointer of the nearest resource that contains a location.
    fn base_of(&self, pointer: &str) -> String {
        if self.identifiers.is_empty() {
            return String::new();
        }
        let mut base = pointer;
        while !base.is_empty() && !self.identifiers.contains_key(base) {
            base = base.rsplit_once('/').map_or("", |(front, _)| front);
        }
        base.to_owned()
    }

    /// Returns the subschema `schema` of `at`, with its location.
    pub(super) fn below<'d>(
        &self,
        at: &At<'d>,
        keyword: &str,
        name: Option<&str>,
        schema: &'d Json<'static>,
    ) -> At<'d> {
        let mut pointer = join(&at.pointer, keyword);
        if let Some(name) = name {
            pointer = join(&pointer, name);
        }
        let starts_resource = self.identifier(schema).is_some_and(|id| !id.starts_with('#'));
        let base = if starts_resource { pointer.clone() } else { at.base.clone() };
        At { schema, pointer, base }
    }

    /// Resolves the `$ref` of a schema.
    pub(super) fn resolve(&self, at: &At<'_>, reference: &str) -> Target<'_> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = if uri.is_empty() {
            at.base.clone()
        } else if let Some(resource) = self.resources.get(&self.absolute(&at.base, uri)) {
            resource.clone()
        } else if uri.starts_with("http://json-schema.org/") || uri.starts_with("https://json-schema.org/") {
            return Target::MetaSchema;
        } else {
            return Target::Remote;
        };
        let fragment = pointer::percent_decode(fragment);
        let pointer = if fragment.is_empty() || fragment.starts_with('/') {
            base + &fragment
        } else {
            match self.anchors.get(&(base, fragment.into_owned())) {
                Some(pointer) => pointer.clone(),
                None => return Target::Missing,
            }
        };
        self.at(&pointer)
            .filter(|at| matches!(at.schema.node, Node::Object(_) | Node::Bool(_)))
            .map_or(Target::Missing, Target::Here)
    }

    /// Returns all possible targets of a dynamic reference to a name.
    pub(super) fn dynamic_anchors(&self, name: &str) -> Result<impl Iterator<Item = At<'_>>, SchemaError> {
        let pointers = self.dynamic.get(name).map_or(&[][..], Vec::as_slice);
        match pointers.get(MOST_ANCHORS) {
            Some(path) => Err(SchemaError::TooManyAnchors { path: path.clone(), limit: MOST_ANCHORS }),
            None => Ok(pointers.iter().filter_map(|pointer| self.at(pointer))),
        }
    }

    /// Returns an error if the schema names another dialect than the document does, because `jsonschema` would switch to that dialect, and
    /// other keywords would apply. Draft-07 inside a newer dialect is allowed, because its keywords are a subset.
    pub(super) fn has_one_dialect(&self, at: &At<'_>) -> Result<(), SchemaError> {
        if at.schema.get("$schema").is_none() {
            return Ok(());
        }
        match (self.draft, draft(at.schema)?) {
            (whole, part) if whole == part => Ok(()),
            (Draft::Draft201909 | Draft::Draft202012, Draft::Draft6 | Draft::Draft7) => Ok(()),
            _ => Err(SchemaError::MixedDialects { path: at.pointer.clone() }),
        }
    }

    /// Resolves a URI against the URI of the resource at a pointer. Text that is not a URI is returned unchanged.
    fn absolute(&self, base: &str, uri: &str) -> String {
        let absolute = match self.identifiers.get(base).map(|known| jsonschema::uri::from_str(known)) {
            Some(Ok(known)) => jsonschema::uri::resolve_against(&known.borrow(), uri),
            _ => jsonschema::uri::from_str(uri),
        };
        absolute.map_or_else(|_| uri.to_owned(), |absolute| absolute.as_str().to_owned())
    }
}

fn follow<'s>(root: &'s Json<'static>, steps: &[u32]) -> Option<&'s Json<'static>> {
    steps.iter().try_fold(root, |json, &step| match &json.node {
        Node::Object(members) => members.get(step as usize).map(|member| &member.value),
        Node::Array(items) => items.get(step as usize),
        _ => None,
    })
}

/// Returns the dialect that `$schema` names. Without `$schema`, the dialect is 2020-12, or draft-07 if `items` is a list, which newer
/// dialects do not allow.
fn draft(root: &Json<'static>) -> Result<Draft, SchemaError> {
    let Some(named) = root.get("$schema") else {
        return Ok(if has_list_of_items(root) { Draft::Draft7 } else { Draft::Draft202012 });
    };
    let unknown = |dialect: &str| SchemaError::UnknownDialect { dialect: dialect.to_owned() };
    let uri = named.as_str().ok_or_else(|| unknown(&named.to_text()))?;
    let bare = uri.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://");
    Ok(match bare {
        "json-schema.org/draft/2020-12/schema" | "json-schema.org/schema" => Draft::Draft202012,
        "json-schema.org/draft/2019-09/schema" => Draft::Draft201909,
        "json-schema.org/draft-07/schema" => Draft::Draft7,
        "json-schema.org/draft-06/schema" => Draft::Draft6,
        "json-schema.org/draft-04/schema" => Draft::Draft4,
        _ => return Err(unknown(uri)),
    })
}

fn has_list_of_items(schema: &Json<'static>) -> bool {
    let is_list = schema.get("items").is_some_and(|items| matches!(items.node, Node::Array(_)));
    is_list || subschemas(schema).iter().any(|sub| has_list_of_items(sub.schema))
}
