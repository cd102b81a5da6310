//! Rewrites references: a reference is kept, joined with the keywords beside it, or replaced by its target.

use super::super::inverse_plan::Plan;
use super::super::ref_targets::RefTarget;
use super::super::rules::References;
use super::schema_builder::SchemaBuilder;
use super::{Definition, Rewriter, is_silent};
use crate::json::build::{list, member, object, string};
use crate::json::{Json, Member, Node};

impl Rewriter<'_> {
    pub(super) fn reference(&mut self, schema: &Json<'static>, reference: &str) -> (Json<'static>, Plan) {
        let Some(place) = self.document.target(reference) else {
            self.lose_reference(reference);
            return (schema.clone(), Plan::Same);
        };
        let is_recursive = self.document.place(place).is_recursive;
        let beside = |member: &&Member<'static>| member.key != "$ref" && !is_silent(&member.key);
        let siblings: Vec<_> = schema.members().iter().filter(beside).cloned().collect();
        match self.form.references {
            References::Inlined => return self.inline(place, siblings),
            References::AloneAndFinite if is_recursive => self.lose("is recursive"),
            References::WithSiblings => {
                let pointer = self.define(place);
                let beside = siblings.iter().map(|sibling| {
                    let value = self.verbatim(&sibling.value);
                    Member { value, ..sibling.clone() }
                });
                let members: Vec<_> = [member("$ref", string(pointer.clone()))].into_iter().chain(beside).collect();
                return (object(members), self.leads_to(&pointer));
            }
            _ => {}
        }
        if siblings.is_empty() {
            let pointer = self.define(place);
            let plan = self.leads_to(&pointer);
            return (object([member("$ref", string(pointer))]), plan);
        }
        if !is_recursive && joins(&siblings) && self.document.place(place).weight <= self.room {
            return self.inline(place, siblings);
        }
        // A recursive reference with other keywords becomes a union of one branch. The keywords are written beside that
        // union.
        let mut draft = SchemaBuilder::default();
        let pointer = self.define(place);
        let plan = self.leads_to(&pointer);
        draft.push("anyOf", list([object([member("$ref", string(pointer))])]));
        for sibling in &siblings {
            if self.form.needs_types && !is_note(&sibling.key) {
                draft.say_keyword(&sibling.key, &sibling.value);
            } else {
                self.keyword(sibling, &[], &mut draft);
            }
        }
        (draft.finish(self.form), plan)
    }

    fn lose_reference(&mut self, reference: &str) {
        if self.form.needs_types || self.form.references == References::Inlined {
            let reference: String = reference.chars().take(100).collect();
            self.lose(format!("refers to `{reference}`, which the schema does not have"));
        }
    }

    /// Replaces a reference by its target.
    fn inline(&mut self, place: usize, siblings: Vec<Member<'static>>) -> (Json<'static>, Plan) {
        if self.inlined.contains(&place) {
            self.lose("is recursive");
            return (object([]), Plan::Same);
        }
        let RefTarget { schema: target, pointer, weight, .. } = self.document.place(place);
        let Some(room) = self.room.checked_sub(*weight) else {
            self.lose("the schema is too large without references");
            return (object([]), Plan::Same);
        };
        self.room = room;
        let Node::Object(_) = target.node else { return self.schema(target) };
        let own = target.members().iter().filter(|member| !siblings.iter().any(|sibling| sibling.key == member.key));
        let joined: Vec<_> = own.cloned().chain(siblings.iter().cloned()).collect();
        self.inlined.push(place);
        let before = self.location.replace_pointer(pointer.clone());
        let written = self.schema(&object(joined));
        self.location.replace_pointer(before);
        self.inlined.pop();
        written
    }

    /// Returns the pointer to the definition of a target.
    fn define(&mut self, place: usize) -> String {
        let definitions = &mut self.definitions;
        if let Some(&known) = definitions.by_place.get(&place) {
            return format!("#/$defs/{}", definitions.all[known].name);
        }
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
        let base: String = self.document.place(place).name.chars().map(plain).take(56).collect();
        let base = if base.is_empty() { "definition".to_owned() } else { base };
        let mut name = base.clone();
        let mut number = definitions.all.len();
        while !definitions.names.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        let pointer = format!("#/$defs/{name}");
        definitions.by_place.insert(place, definitions.all.len());
        definitions.by_pointer.insert(pointer.clone(), definitions.all.len());
        definitions.all.push(Definition { place, name });
        pointer
    }

    fn leads_to(&self, pointer: &str) -> Plan {
        self.definitions.by_pointer.get(pointer).map_or(Plan::Same, |&definition| Plan::Definition(definition))
    }

    /// Returns a part of the schema unchanged, except that its references point to the new definitions. The recursion
    /// is bounded, because the nesting of `Json` is.
    pub(super) fn verbatim(&mut self, json: &Json<'static>) -> Json<'static> {
        match &json.node {
            Node::Array(items) => list(items.iter().map(|item| self.verbatim(item)).collect::<Vec<_>>()),
            Node::Object(members) => {
                let members = members.iter().map(|entry| {
                    let place =
                        entry.value.as_str().filter(|_| entry.key == "$ref").and_then(|to| self.document.target(to));
                    let value = match place {
                        Some(place) => {
                            self.is_copied = true;
                            string(self.define(place))
                        }
                        None => self.verbatim(&entry.value),
                    };
                    Member { value, ..entry.clone() }
                });
                object(members.collect::<Vec<_>>())
            }
            _ => json.clone(),
        }
    }
}

/// Returns `true` if all keywords are annotations, which can be joined with the target of a reference.
fn joins(siblings: &[Member<'static>]) -> bool {
    siblings.iter().all(|sibling| is_note(&sibling.key))
}

fn is_note(keyword: &str) -> bool {
    matches!(keyword, "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly")
}
