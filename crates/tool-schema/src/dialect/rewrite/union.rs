//! Rewrites unions: each branch is written separately, and a value that the model sends is matched to its branch.

use super::super::distinguish_branches::alternatives;
use super::super::inverse_plan::{Branch, Plan};
use super::super::type_keyword::types;
use super::schema_builder::SchemaBuilder;
use super::{Rewriter, Unsettled};
use crate::json::build::{list, member, object, string};
use crate::json::{Json, JsonType, Member, Node};

/// The keywords that constrain a value and may be beside branches.
const STRUCTURE: [&str; 12] = [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "items",
    "prefixItems",
    "allOf",
    "anyOf",
    "oneOf",
    "enum",
    "const",
    "unevaluatedProperties",
];

impl Rewriter<'_> {
    pub(super) fn union(
        &mut self,
        schema: &Json<'static>,
        keyword: &str,
        branches: &[Json<'static>],
    ) -> (Json<'static>, Plan) {
        let has_structure = STRUCTURE.iter().any(|other| *other != keyword && schema.get(other).is_some());
        if has_structure || (branches.iter().all(only_asserts) && !types(schema).is_empty()) {
            return self.beside_structure(schema, keyword, branches);
        }
        if branches.is_empty() && self.form.needs_types {
            self.lose(format!("`{keyword}` is empty, so that it accepts no value"));
        }
        let (mut written, mut plans) = (Vec::new(), Vec::new());
        for (index, branch) in branches.iter().enumerate() {
            let length = self.location.follow(&[keyword, &index.to_string()]);
            let (branch, plan) = self.branch(schema, branch);
            self.location.shorten(length);
            written.push(branch);
            plans.push(plan);
        }
        let plan = self.told_apart(&written, plans);
        let mut draft = SchemaBuilder::default();
        for entry in &*super::last_of_each_key(schema.members()) {
            match &*entry.key {
                key if key == keyword => {
                    let keyword = if self.form.any_of_only || keyword == "anyOf" { "anyOf" } else { "oneOf" };
                    draft.push(keyword, list(std::mem::take(&mut written)));
                }
                "type" => {}
                "description" => self.keyword(entry, &[], &mut draft),
                _ if self.form.needs_types => draft.say_keyword(&entry.key, &entry.value),
                _ => self.keyword(entry, &[], &mut draft),
            }
        }
        (draft.finish(self.form), plan)
    }

    /// Writes branches beside keywords that already constrain the value.
    fn beside_structure(
        &mut self,
        schema: &Json<'static>,
        keyword: &str,
        branches: &[Json<'static>],
    ) -> (Json<'static>, Plan) {
        let asserts = branches.iter().all(only_asserts);
        if self.form.one_type {
            return self.in_words(schema, keyword);
        }
        if self.form.needs_types && !asserts {
            self.lose(format!("`{keyword}` stands beside keywords that say what the value looks like"));
        }
        if !asserts && self.form.keywords.is_none() {
            return (self.verbatim(schema), Plan::Same);
        }
        let others: Vec<_> = schema.members().iter().filter(|member| member.key != keyword).cloned().collect();
        let (written, plan) = self.schema(&object(others));
        let Node::Object(members) = written.node else { return (written, plan) };
        let mut draft = SchemaBuilder::from_members(members);
        let branches = schema.get(keyword).cloned().unwrap_or_else(|| list([]));
        if self.form.keywords.is_none() || (self.form.keeps_unread && !self.form.needs_types) {
            let branches = self.verbatim(&branches);
            draft.members.push(member(keyword.to_owned(), branches));
        } else {
            draft.say_keyword(keyword, &branches);
        }
        (draft.finish(self.form), plan)
    }

    /// Writes a schema without one of its keywords, which is repeated in words.
    pub(super) fn in_words(&mut self, schema: &Json<'static>, keyword: &str) -> (Json<'static>, Plan) {
        let others: Vec<_> = schema.members().iter().filter(|member| member.key != keyword).cloned().collect();
        let (written, plan) = self.schema(&object(others));
        let Node::Object(members) = written.node else { return (written, plan) };
        let mut draft = SchemaBuilder::from_members(members);
        if let Some(value) = schema.get(keyword) {
            draft.say_keyword(keyword, value);
        }
        (draft.finish(self.form), plan)
    }

    /// Writes a branch, after adding the type that the union states for all branches.
    fn branch(&mut self, schema: &Json<'static>, branch: &Json<'static>) -> (Json<'static>, Plan) {
        if *types(branch) == [JsonType::Null] {
            let mut draft = SchemaBuilder::default();
            draft.push("type", string("null"));
            return (draft.finish(self.form), Plan::Same);
        }
        let Some(named) = schema.get("type") else { return self.schema(branch) };
        let says = |keyword: &&str| branch.get(keyword).is_some();
        match &branch.node {
            Node::Object(members) if !["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"].iter().any(says) => {
                let typed: Vec<Member<'static>> =
                    [member("type", named.clone())].into_iter().chain(members.iter().cloned()).collect();
                self.schema(&object(typed))
            }
            _ => self.schema(branch),
        }
    }

    /// Returns the plan of a union. Its branches are distinguished once all definitions are written.
    fn told_apart(&mut self, written: &[Json<'static>], plans: Vec<Plan>) -> Plan {
        if plans.iter().all(|plan| *plan == Plan::Same) {
            return Plan::Same;
        }
        let definition = |reference: &str| self.definitions.by_pointer.get(reference).copied();
        let branches = written.iter().map(|branch| alternatives(branch, &definition)).collect();
        self.branches.push(Unsettled {
            place: self.location.words().to_owned(),
            pointer: self.location.pointer().to_owned(),
            branches,
        });
        let branch = |plan| Branch { objects: Vec::new(), has_arrays: false, plan };
        // The number of the union is the index of its branches in the list; `settle` replaces the open plan.
        Plan::Open(self.branches.len() - 1, plans.into_iter().map(branch).collect())
    }
}

/// Returns `true` if a branch only adds conditions, such as required keys, to a value that is described elsewhere.
fn only_asserts(branch: &Json<'static>) -> bool {
    let structure = [
        "type",
        "$ref",
        "properties",
        "items",
        "prefixItems",
        "enum",
        "const",
        "additionalProperties",
        "allOf",
        "anyOf",
        "oneOf",
    ];
    matches!(branch.node, Node::Object(_)) && structure.iter().all(|keyword| branch.get(keyword).is_none())
}
