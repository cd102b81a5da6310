//! [`UnknownFields`]: the treatment of keys that a schema does not list.
//!
//! The document itself is changed, so that the shape, the validator and the model use the same schema.
//!
//! Invariants: `Reject` closes an object as a whole. It does not close the parts of which the object is composed, because these would
//! reject each other's keys. `Ignore` accepts everything that the unchanged schema accepts.

use std::collections::{BTreeMap, HashSet};

use tool_runtime::tool_schema::json::{Json, Member, Node};

use super::document::{At, Document};
use super::schema_bounds::parts;
use crate::private::json::build::{boolean, member, object};
use crate::private::schema::keywords::{AppliesTo, join};

/// The treatment of keys that a schema does not list.
///
/// JSON Schema accepts such keys: an object without `additionalProperties` is open. Most authors of tools do not intend that, and most
/// models that send an unknown key have misspelled a known key.
///
/// ```
/// use tool_dynamic::{InputSchema, UnknownFields};
///
/// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
/// let open = InputSchema::parse(schema)?;
/// assert!(open.check(&r#"{"town": "Paris"}"#.into()).is_empty());
///
/// let closed = InputSchema::builder(schema).unknown_fields(UnknownFields::Reject).parse()?;
/// assert_eq!(closed.check(&r#"{"town": "Paris"}"#.into())[0].path.to_string(), "town");
/// # Ok::<(), tool_dynamic::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownFields {
    /// The schema itself decides whether unknown keys are accepted.
    #[default]
    AsInSchema,
    /// An object that lists properties is closed, unless the schema states how to treat other keys. A required key is known, even if it is
    /// not listed. An object without listed properties stays open.
    Reject,
    /// All objects are open, even if the schema closes them. Unknown keys are passed to the tool like all others.
    Ignore,
}

impl UnknownFields {
    /// Returns the changed document, or `None` if nothing changes.
    pub(super) fn apply(self, document: &Document) -> Option<Json<'static>> {
        match self {
            Self::AsInSchema => None,
            Self::Reject => {
                let mut closer =
                    Closer { document, seen: HashSet::new(), closed: BTreeMap::new(), parts: HashSet::new() };
                closer.visit(&document.start(), true);
                let Closer { mut closed, parts, .. } = closer;
                closed.retain(|pointer, _| !parts.contains(pointer));
                (!closed.is_empty()).then(|| {
                    change(&document.root, "", &mut |pointer, members| {
                        if let Some(names) = closed.get(pointer) {
                            close(members, names);
                        }
                    })
                })
            }
            Self::Ignore => {
                let conditions = conditions(document);
                Some(change(&document.root, "", &mut |pointer, members| {
                    if !conditions.contains(pointer) && document.is_schema(pointer) {
                        open(members);
                    }
                }))
            }
        }
    }
}

/// A search for the objects to close.
struct Closer<'d> {
    document: &'d Document,
    seen: HashSet<(String, bool)>,
    /// The objects to close, keyed by pointer, with all keys that the object and its parts list or require.
    closed: BTreeMap<String, Vec<String>>,
    /// The schemas that are used as a part of an object somewhere, and must not be closed themselves.
    parts: HashSet<String>,
}

impl<'d> Closer<'d> {
    fn visit(&mut self, at: &At<'d>, is_whole: bool) {
        if !self.seen.insert((at.pointer.clone(), is_whole)) {
            return;
        }
        let has = |keyword: &str| at.schema.get(keyword).is_some();
        let lists = at.schema.get("properties").is_some_and(|listed| !listed.members().is_empty());
        let composes =
            has("allOf") || has("$ref") && at.schema.members().iter().any(|member| is_structure(&member.key));
        let closes = is_whole && (lists || composes);
        if closes {
            let mut names = Names::default();
            self.names(at, &mut names);
            if !names.is_stated && !names.found.is_empty() {
                names.found.extend(names.required);
                self.closed.insert(at.pointer.clone(), names.found);
            }
        } else if !is_whole {
            self.parts.insert(at.pointer.clone());
        }
        let Ok(parts) = parts(self.document, at) else { return };
        for (about, part) in parts {
            let keyword = part.pointer.strip_prefix(&at.pointer).and_then(|rest| rest.split('/').nth(1));
            let is_condition =
                matches!(keyword, Some("not" | "if" | "then" | "else" | "dependentSchemas" | "dependencies"));
            match about {
                AppliesTo::Same => self.visit(&part, is_whole && !closes && !is_condition),
                AppliesTo::Inside => self.visit(&part, !matches!(keyword, Some("contains" | "propertyNames"))),
                AppliesTo::Nothing => {}
            }
        }
    }

    /// Collects the keys that the schema of an object lists or requires, itself or in its parts.
    fn names(&self, at: &At<'d>, names: &mut Names) {
        if !names.seen.insert(at.pointer.clone()) {
            return;
        }
        let stated = ["additionalProperties", "unevaluatedProperties", "patternProperties"];
        names.is_stated |= stated.iter().any(|keyword| at.schema.get(keyword).is_some());
        for member in at.schema.get("properties").map_or(&[][..], Json::members) {
            if names.known.insert(member.key.to_string()) {
                names.found.push(member.key.to_string());
            }
        }
        names.required.extend(required(at.schema).filter_map(Json::as_str).map(str::to_owned));
        let Ok(parts) = parts(self.document, at) else { return };
        for (_, part) in parts.into_iter().filter(|(about, _)| *about == AppliesTo::Same) {
            self.names(&part, names);
        }
    }
}

/// Returns the keys that a schema requires, always or beside another key.
fn required<'s>(schema: &'s Json<'static>) -> impl Iterator<Item = &'s Json<'static>> {
    let own = schema.get("required").map_or(&[][..], Json::items);
    let lists = ["dependentRequired", "dependencies"].into_iter().filter_map(|keyword| schema.get(keyword));
    own.iter().chain(lists.flat_map(Json::members).flat_map(|member| member.value.items()))
}

#[derive(Default)]
struct Names {
    /// The listed keys.
    found: Vec<String>,
    /// The required keys, whether they are listed or not.
    required: Vec<String>,
    known: HashSet<String>,
    seen: HashSet<String>,
    /// `true` if a part states how to treat other keys.
    is_stated: bool,
}

fn is_structure(keyword: &str) -> bool {
    matches!(keyword, "properties" | "required" | "allOf" | "anyOf" | "oneOf")
}

fn close(members: &mut Vec<Member<'static>>, names: &[String]) {
    if !members.iter().any(|member| member.key == "properties") {
        members.push(member("properties", object([])));
    }
    for listed in members.iter_mut().filter(|member| member.key == "properties") {
        if let Node::Object(listed) = &mut listed.value.node {
            let mut known: HashSet<String> = listed.iter().map(|member| member.key.to_string()).collect();
            let others = names.iter().filter(|name| known.insert((*name).clone()));
            listed.extend(others.map(|name| member(name.clone(), boolean(true))));
        }
    }
    members.push(member("additionalProperties", boolean(false)));
}

fn open(members: &mut Vec<Member<'static>>) {
    let is_closed = |member: &Member<'_>| {
        matches!(&*member.key, "additionalProperties" | "unevaluatedProperties")
            && member.value.as_bool() == Some(false)
    };
    members.retain(|member| !is_closed(member));
    // Once the branches are open, a value may match several of them, which `oneOf` would reject.
    if !members.iter().any(|member| member.key == "anyOf") {
        for member in members.iter_mut().filter(|member| member.key == "oneOf") {
            member.key = "anyOf".into();
        }
    }
}

/// Returns the schemas that are used as conditions, directly or through a reference. If such a schema were changed to accept unknown keys,
/// values that the unchanged schema accepts could be rejected.
fn conditions(document: &Document) -> HashSet<String> {
    let is_condition = |pointer: &&String| pointer.split('/').any(decides);
    let mut found: HashSet<String> = document.pointers().filter(is_condition).cloned().collect();
    let (mut seen, mut open) = (HashSet::new(), vec![(document.start(), false)]);
    while let Some((at, is_condition)) = open.pop() {
        if !seen.insert((at.pointer.clone(), is_condition)) {
            continue;
        }
        for (_, part) in parts(document, &at).unwrap_or_default() {
            let keyword = part.pointer.strip_prefix(&at.pointer).and_then(|rest| rest.split('/').nth(1));
            let decides = is_condition || keyword.is_some_and(decides);
            open.push((part, decides));
        }
        if is_condition {
            found.insert(at.pointer);
        }
    }
    found
}

/// Returns `true` for a keyword whose subschema is a condition, not a requirement.
fn decides(keyword: &str) -> bool {
    matches!(keyword, "not" | "if" | "contains")
}

/// Copies a tree and edits the members of each object.
fn change(json: &Json<'static>, pointer: &str, edit: &mut dyn FnMut(&str, &mut Vec<Member<'static>>)) -> Json<'static> {
    Json::from_node(match &json.node {
        Node::Array(items) => Node::Array(
            (0_usize..)
                .zip(items)
                .map(|(index, item)| change(item, &join(pointer, &index.to_string()), edit))
                .collect(),
        ),
        Node::Object(members) => {
            let inner = |member: &Member<'static>, edit: &mut dyn FnMut(&str, &mut Vec<Member<'static>>)| Member {
                value: change(&member.value, &join(pointer, &member.key), edit),
                key: member.key.clone(),
                key_span: member.key_span,
            };
            let mut members: Vec<_> = members.iter().map(|member| inner(member, edit)).collect();
            edit(pointer, &mut members);
            Node::Object(members)
        }
        other => other.clone(),
    })
}
