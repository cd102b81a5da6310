//! Moves the targets of references into `$defs`, if the part of the schema that contains them is about to be replaced.
//!
//! In: the schema of the arguments as it was written. Out: the same schema, in which no reference points into the branches of the root or
//! into a list of items. Each reference still leads to the same schema.

use std::collections::{HashMap, HashSet};

use super::ref_targets::follow;
use super::rules::{Arrays, Form};
use crate::json::build::member;
use crate::json::pointer::rename_references;
use crate::json::{Json, Member, Node};

/// The maximum number of bytes of moved targets. A target may contain other targets.
const ROOM: usize = 200_000;

/// Moves the targets that the form replaces.
pub(super) fn anchor(root: &mut Json<'static>, form: &Form) {
    if form.root_branches && form.arrays == Arrays::AsWritten {
        return;
    }
    let mut anchors = Anchors { form, room: ROOM, names: HashMap::new(), taken: HashSet::new(), moved: Vec::new() };
    for entry in root.get("$defs").map_or(&[][..], Json::members) {
        anchors.taken.insert(entry.key.to_string());
    }
    anchors.find(root, root);
    if anchors.moved.is_empty() {
        return;
    }
    let Anchors { names, mut moved, .. } = anchors;
    rename_references(root, &names);
    for entry in &mut moved {
        rename_references(&mut entry.value, &names);
    }
    let Node::Object(members) = &mut root.node else { return };
    match members.iter_mut().find(|entry| entry.key == "$defs") {
        Some(Member { value: Json { node: Node::Object(definitions), .. }, .. }) => definitions.extend(moved),
        _ => members.push(member("$defs", Json::from_node(Node::Object(moved)))),
    }
}

struct Anchors<'f> {
    form: &'f Form,
    room: usize,
    /// The new text of each reference, keyed by its old text.
    names: HashMap<String, String>,
    taken: HashSet<String>,
    moved: Vec<Member<'static>>,
}

impl Anchors<'_> {
    /// Finds the references of a schema. The recursion is bounded, because the nesting of `Json` is.
    fn find(&mut self, root: &Json<'static>, schema: &Json<'static>) {
        for item in schema.items() {
            self.find(root, item);
        }
        for entry in schema.members() {
            match entry.value.as_str() {
                Some(reference) if entry.key == "$ref" => self.add(root, reference),
                _ => self.find(root, &entry.value),
            }
        }
    }

    fn add(&mut self, root: &Json<'static>, reference: &str) {
        if self.room == 0 || self.names.contains_key(reference) {
            return;
        }
        let Some((target, tokens)) = follow(root, reference) else { return };
        if !self.replaces(&tokens) {
            return;
        }
        self.room = self.room.saturating_sub(target.to_text().len());
        if self.room == 0 {
            return;
        }
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let base: String = tokens
            .iter()
            .rev()
            .find(|token| token.parse::<usize>().is_err())
            .into_iter()
            .flat_map(|token| token.chars())
            .filter(is_plain)
            .take(40)
            .collect();
        let mut name = base.clone();
        let mut number = 1;
        while name.is_empty() || !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.names.insert(reference.to_owned(), format!("#/$defs/{name}"));
        self.moved.push(member(name, target.clone()));
    }

    /// Returns `true` if the form replaces a schema at this location.
    fn replaces(&self, tokens: &[String]) -> bool {
        let is_branch = |token: &String| matches!(&**token, "anyOf" | "oneOf" | "allOf" | "not");
        let is_list =
            |pair: &[String]| matches!(&*pair[0], "items" | "prefixItems") && pair[1].parse::<usize>().is_ok();
        !self.form.root_branches && tokens.first().is_some_and(is_branch)
            || self.form.arrays != Arrays::AsWritten && tokens.windows(2).any(is_list)
            || self.form.arrays != Arrays::AsWritten && tokens.iter().any(|token| token == "additionalItems")
    }
}
