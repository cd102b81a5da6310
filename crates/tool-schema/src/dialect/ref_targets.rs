//! [`RefTargets`]: a schema, the targets of its references, and facts about these targets.
//!
//! A reference is followed if it is a JSON pointer into the same document; any other reference has no target.
//! Invariant: every fact is computed once for each target, so that many references to one target cost no more than the
//! target itself.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use crate::json::pointer::{self, push_token};
use crate::json::{Json, Node};

/// The maximum length of a chain of references that is followed to find out if a schema accepts `null`.
const HOPS: usize = 32;

/// A schema with its references.
pub(super) struct RefTargets<'d> {
    /// The index of each target, keyed by the text of the reference.
    targets: HashMap<String, usize>,
    places: Vec<RefTarget<'d>>,
    nullable: RefCell<Vec<Known>>,
}

/// The target of a reference.
pub(super) struct RefTarget<'d> {
    pub(super) schema: &'d Json<'static>,
    /// The last part of the pointer, for a definition that is named after it.
    pub(super) name: String,
    /// The JSON pointer to the target.
    pub(super) pointer: String,
    /// The approximate length of the target in bytes.
    pub(super) weight: usize,
    /// `true` if the target refers to itself, directly or through other references.
    pub(super) is_recursive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Not,
    Asked,
    Is(bool),
}

impl<'d> RefTargets<'d> {
    pub(super) fn new(root: &'d Json<'static>) -> Self {
        let mut found = Self { targets: HashMap::new(), places: Vec::new(), nullable: RefCell::default() };
        let mut known: HashMap<*const Json<'static>, usize> = HashMap::new();
        each_reference(root, &mut |reference| {
            if found.targets.contains_key(reference) {
                return;
            }
            let Some((schema, tokens)) = follow(root, reference) else { return };
            let place = *known.entry(std::ptr::from_ref(schema)).or_insert_with(|| {
                let name = tokens.last().map_or("root", String::as_str).to_owned();
                let mut pointer = String::new();
                for token in &tokens {
                    push_token(&mut pointer, token);
                }
                found.places.push(RefTarget { schema, name, pointer, weight: weight(schema), is_recursive: true });
                found.places.len() - 1
            });
            found.targets.insert(reference.to_owned(), place);
        });
        found.nullable = RefCell::new(vec![Known::Not; found.places.len()]);
        found.find_recursive();
        found
    }

    /// Returns the target of a reference.
    pub(super) fn target(&self, reference: &str) -> Option<usize> {
        self.targets.get(reference).copied()
    }

    pub(super) fn place(&self, index: usize) -> &RefTarget<'d> {
        &self.places[index]
    }

    /// Returns `true` if a schema refers, at any depth, to a recursive target.
    pub(super) fn leads_in_a_circle(&self, schema: &Json<'static>) -> bool {
        let mut found = false;
        each_reference(schema, &mut |reference| {
            found |= self.target(reference).is_some_and(|target| self.places[target].is_recursive);
        });
        found
    }

    /// Marks the recursive targets. Targets without references are finite, and so are targets that refer only to finite
    /// ones; all others are recursive.
    fn find_recursive(&mut self) {
        let mut waiting = vec![0_usize; self.places.len()];
        let mut led_to_by: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        for (index, place) in self.places.iter().enumerate() {
            each_reference(place.schema, &mut |reference| {
                if let Some(target) = self.target(reference) {
                    waiting[index] += 1;
                    led_to_by[target].push(index);
                }
            });
        }
        let mut finite: Vec<usize> = (0..waiting.len()).filter(|&index| waiting[index] == 0).collect();
        while let Some(index) = finite.pop() {
            self.places[index].is_recursive = false;
            for &other in &led_to_by[index] {
                waiting[other] -= 1;
                if waiting[other] == 0 {
                    finite.push(other);
                }
            }
        }
    }

    /// Returns `true` unless a schema certainly rejects `null`.
    pub(super) fn may_be_null(&self, schema: &Json<'static>) -> bool {
        self.may_be(schema, HOPS)
    }

    fn may_be(&self, schema: &Json<'static>, hops: usize) -> bool {
        if !matches!(schema.node, Node::Object(_)) {
            return schema.as_bool() != Some(false);
        }
        let excludes = |keyword: &str, is_null: &dyn Fn(&Json<'static>) -> bool| {
            schema.get(keyword).is_some_and(|value| match &value.node {
                Node::Array(several) => !several.iter().any(is_null),
                _ => !is_null(value),
            })
        };
        let names_null = |name: &Json<'static>| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case("null"));
        let excluded_by_part = |keyword: &str| {
            let parts = schema.get(keyword).map_or(&[][..], Json::items);
            match keyword {
                "allOf" => parts.iter().any(|part| !self.may_be(part, hops)),
                _ => !parts.is_empty() && !parts.iter().any(|part| self.may_be(part, hops)),
            }
        };
        let target = schema.get("$ref").and_then(Json::as_str).and_then(|reference| self.target(reference));
        !(excludes("type", &names_null)
            || excludes("enum", &Json::is_null)
            || schema.get("const").is_some_and(|value| !value.is_null())
            || ["allOf", "anyOf", "oneOf"].into_iter().any(excluded_by_part)
            || target.is_some_and(|target| !self.place_may_be(target, hops)))
    }

    fn place_may_be(&self, index: usize, hops: usize) -> bool {
        let Some(hops) = hops.checked_sub(1) else { return true };
        let known = self.nullable.borrow()[index];
        match known {
            Known::Is(answer) => answer,
            Known::Asked => true,
            Known::Not => {
                self.nullable.borrow_mut()[index] = Known::Asked;
                let answer = self.may_be(self.places[index].schema, hops);
                self.nullable.borrow_mut()[index] = Known::Is(answer);
                answer
            }
        }
    }
}

/// Visits the text of every `$ref`. The recursion is bounded, because the nesting of `Json` is.
fn each_reference(json: &Json<'static>, visit: &mut impl FnMut(&str)) {
    let references = json.members().iter().filter(|member| member.key == "$ref");
    for reference in references.filter_map(|member| member.value.as_str()) {
        visit(reference);
    }
    json.parts().for_each(|part| each_reference(part, visit));
}

/// Returns the approximate length of a value in bytes. The recursion is bounded, because the nesting of `Json` is.
fn weight(json: &Json<'static>) -> usize {
    match &json.node {
        Node::Null | Node::Bool(_) => 4,
        Node::Number(text) | Node::String(text) => text.len() + 2,
        Node::Array(items) => items.iter().map(|item| weight(item) + 1).sum::<usize>() + 2,
        Node::Object(members) => {
            members.iter().map(|member| member.key.len() + 4 + weight(&member.value)).sum::<usize>() + 2
        }
    }
}

/// Returns the target of a reference into the same document, and the tokens of its pointer.
pub(super) fn follow<'d>(root: &'d Json<'static>, reference: &str) -> Option<(&'d Json<'static>, Vec<String>)> {
    let pointer = pointer::local_ref_pointer(reference)?;
    let target = pointer::value_at(root, &pointer).filter(|at| matches!(at.node, Node::Object(_) | Node::Bool(_)))?;
    Some((target, pointer::tokens(&pointer).map(Cow::into_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_within_the_document() -> Result<(), crate::json::SyntaxError> {
        let root = Json::parse(
            r##"{"properties": {"a": {"$ref": "#/$defs/a%20b~1c"}, "b": {"$ref": "#"}, "c": {"$ref": "#/properties/a"},
                "d": {"$ref": "https://example.org/"}, "e": {"$ref": "#/$defs/none"}, "f": {"$ref": "#/$defs/a%2"}},
                "$defs": {"a b/c": {"type": "string"}}}"##,
        )?
        .into_owned();
        let document = RefTargets::new(&root);
        let name = |reference| document.target(reference).map(|index| document.place(index).name.clone());
        assert_eq!(name("#/$defs/a%20b~1c").as_deref(), Some("a b/c"));
        assert_eq!(name("#").as_deref(), Some("root"));
        assert_eq!(name("#/properties/a").as_deref(), Some("a"));
        for nowhere in ["https://example.org/", "#/$defs/none", "#/$defs/a%2"] {
            assert_eq!(name(nowhere), None, "{nowhere}");
        }
        let is_recursive = |reference| document.target(reference).map(|index| document.place(index).is_recursive);
        assert_eq!(is_recursive("#"), Some(true));
        assert_eq!(is_recursive("#/properties/a"), Some(false));
        Ok(())
    }

    #[test]
    fn null_is_excluded_only_if_that_is_certain() -> Result<(), crate::json::SyntaxError> {
        let cases = [
            (r"{}", true),
            (r"true", true),
            (r"false", false),
            (r#"{"type": "string"}"#, false),
            (r#"{"type": ["string", "null"]}"#, true),
            (r#"{"enum": ["a"]}"#, false),
            (r#"{"enum": ["a", null]}"#, true),
            (r#"{"const": 1}"#, false),
            (r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#, false),
            (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, true),
            (r#"{"allOf": [{"type": "string"}, {}]}"#, false),
            (r##"{"$ref": "#"}"##, true),
        ];
        for (text, expected) in cases {
            let root = Json::parse(text)?.into_owned();
            assert_eq!(RefTargets::new(&root).may_be_null(&root), expected, "{text}");
        }
        Ok(())
    }
}
