//! Prepares the schema of the arguments as a whole, before it is rewritten.
//!
//! Every provider requires an object at the root; most require one without branches and without a reference.

use super::move_ref_targets::anchor;
use super::rules::Form;
use crate::json::build::{boolean, member, object, string};
use crate::json::pointer::resolve_reference;
use crate::json::{Json, Node};
use crate::schema::{ABSENT_IS_NULL, ToolDeclaration, marked_document, outlined, plain_schema};

/// The value of the mark [`ABSENT_IS_NULL`] for a key that not every branch of the root accepts.
pub(super) const OF_A_BRANCH: &str = "of a branch";

/// The maximum number of references that are followed from the root.
const HOPS: usize = 16;

/// The plain schema of the arguments.
pub(super) struct Root {
    pub(super) schema: Json<'static>,
    /// `true` if the schema was generated from a type. In such a schema, marks show for which values `null` means absent.
    pub(super) is_typed: bool,
    /// `true` if the host says that `null` means the same as an absent key (see `Hints::null_is_absent`).
    pub(super) null_is_absent: bool,
    /// `true` if no part of the schema comes from `schemars` either. Marks then also show which objects pass unlisted keys to the tool.
    pub(super) is_marked: bool,
}

impl Root {
    /// Creates the root from the written schema, or else from the shape.
    pub(super) fn from_declaration(
        declaration: &ToolDeclaration<'_>,
        written: Option<&Json<'static>>,
        form: &Form,
    ) -> Self {
        let null_is_absent = declaration.hints.null_is_absent;
        let whole = |schema| Self { schema, is_typed: false, null_is_absent, is_marked: false };
        let root = match written {
            Some(schema) => whole(schema.clone()),
            None if !form.closes_objects => whole(plain_schema(declaration.input)),
            None => {
                let (schema, is_marked) = marked_document(declaration.input);
                Self { schema, is_typed: true, null_is_absent: false, is_marked }
            }
        };
        root.into_object(form)
    }

    /// Returns `true` if a property has a key that the form does not accept.
    pub(super) fn has_other_keys(&self, form: &Form) -> bool {
        form.keys.is_some_and(|rule| has_key(&self.schema, &|key| !rule.accepts(key)))
    }

    /// Converts the root into an object without the constructs that the form rejects there.
    fn into_object(mut self, form: &Form) -> Self {
        anchor(&mut self.schema, form);
        let mut schema = resolve_root(self.schema);
        let mut is_open = false;
        if !form.root_branches {
            let has_branches = ["anyOf", "oneOf", "allOf"].iter().any(|keyword| schema.get(keyword).is_some());
            (schema, is_open) = outlined(schema);
            if has_branches && self.is_typed {
                mark_keys_of_branches(&mut schema);
            }
        }
        let mut members = match schema.node {
            Node::Object(members) => members,
            _ => Vec::new(),
        };
        let word = || string("object");
        match members.iter_mut().find(|member| member.key == "type") {
            Some(named) => named.value = word(),
            None => members.insert(0, member("type", word())),
        }
        if !members.iter().any(|member| member.key == "properties") {
            let behind = members.iter().position(|member| member.key == "type").map_or(0, |at| at + 1);
            members.insert(behind, member("properties", object([])));
        }
        if is_open && form.closes_objects {
            members.push(member("additionalProperties", boolean(true)));
        }
        Self { schema: Json::from_node(Node::Object(members)), ..self }
    }
}

/// Marks those properties of the root that only some branches have: their `null` may mean that the chosen branch does
/// not have the key.
fn mark_keys_of_branches(schema: &mut Json<'static>) {
    let Node::Object(keywords) = &mut schema.node else { return };
    let Some(properties) = keywords.iter_mut().find(|keyword| keyword.key == "properties") else { return };
    let Node::Object(properties) = &mut properties.value.node else { return };
    for property in properties {
        let Node::Object(keywords) = &mut property.value.node else { continue };
        for mark in keywords.iter_mut().filter(|keyword| keyword.key == ABSENT_IS_NULL) {
            mark.value = Json::from_node(Node::String(OF_A_BRANCH.into()));
        }
    }
}

/// Replaces the root's reference by its target; keywords beside the reference take precedence.
fn resolve_root(root: Json<'static>) -> Json<'static> {
    if root.get("$ref").is_none() {
        return root;
    }
    let mut schema = root.clone();
    for _ in 0..HOPS {
        let Some(reference) = schema.get("$ref").and_then(Json::as_str) else { break };
        let Some(Node::Object(target)) = resolve_reference(&root, reference).map(|target| &target.node) else { break };
        let own: Vec<_> = schema.members().iter().filter(|member| member.key != "$ref").cloned().collect();
        let added = target.iter().filter(|member| !own.iter().any(|own| own.key == member.key)).cloned();
        schema = Json::from_node(Node::Object(added.chain(own.iter().cloned()).collect()));
    }
    schema
}

fn has_key(schema: &Json<'static>, is_meant: &impl Fn(&str) -> bool) -> bool {
    let mut properties = schema.members().iter().filter(|member| member.key == "properties");
    properties.any(|properties| properties.value.members().iter().any(|property| is_meant(&property.key)))
        || schema.parts().any(|part| has_key(part, is_meant))
}
