//! Renders unions: a branch for each variant, in the form of its tagging.
//!
//! The result is an `enum` if all variants are names, or else `anyOf`. (`oneOf` would mean the same for tagged variants, but fewer
//! providers accept it.) Invariant: hidden variants and aliases are not shown, and a union whose keys are part of another object (`open`)
//! does not reject unknown keys.

use super::draft::{Draft, text};
use super::from_shape::SchemaRenderer;
use super::object::Keys;
use crate::json::Json;
use crate::json::build::{boolean, list, member, number, object, string};
use crate::shape::{Kind, Ref, Tagging, Text, Union, UnknownKeys, Variant};

/// The maximum number of optional types and newtypes that are unwrapped to find the object beside a tag.
const WRAPPERS: usize = 64;

impl SchemaRenderer {
    pub(super) fn union(&mut self, union: &Union, open: bool) -> Draft {
        let unknown = if open { UnknownKeys::Ignored } else { union.unknown };
        let visible = || union.variants.iter().filter(|variant| !variant.hidden);
        let tagged = || visible().filter(|variant| !variant.untagged && union.tagging != Tagging::Untagged);
        let mut branches = Vec::new();
        let mut names = Vec::new();
        for variant in tagged() {
            let branch = match &union.tagging {
                Tagging::External | Tagging::Untagged => match &variant.payload {
                    None if !open => {
                        names.push(variant);
                        continue;
                    }
                    payload => self.external(variant, payload.as_ref(), open),
                },
                Tagging::Internal { tag } => self.internal(tag, variant, open, unknown),
                Tagging::Adjacent { tag, content } => self.adjacent(tag, content, variant, unknown),
            };
            branches.push(with_documentation(branch, variant));
        }
        let untagged = visible().filter(|variant| variant.untagged || union.tagging == Tagging::Untagged);
        for variant in untagged {
            let branch =
                variant.payload.as_ref().map_or_else(|| Draft::for_type("null"), |payload| self.payload(payload, open));
            branches.push(with_documentation(branch, variant));
        }
        if !names.is_empty() {
            let words = words(&names);
            if branches.is_empty() {
                return words;
            }
            branches.insert(0, words.finish());
        }
        match <[Json<'static>; 1]>::try_from(branches) {
            Ok([only]) => Draft::from_json(only),
            Err(branches) if branches.is_empty() => Draft::nothing(),
            Err(branches) => Draft::default().with("anyOf", list(branches)),
        }
    }

    /// Renders `{"Variant": payload}` without other keys; inside another object, a unit variant has the value `null`.
    fn external(&mut self, variant: &Variant, payload: Option<&Ref>, open: bool) -> Draft {
        let payload = payload.map_or_else(|| Draft::for_type("null"), |payload| self.below(4, payload));
        let mut keys = Keys::new(self);
        keys.add(&variant.name, payload.finish(), true);
        keys.finish(if open { UnknownKeys::Ignored } else { UnknownKeys::Rejected })
    }

    /// Renders an object with the tag and the payload's own keys.
    fn internal(&mut self, tag: &Text, variant: &Variant, open: bool, unknown: UnknownKeys) -> Draft {
        let mut keys = Keys::new(self);
        keys.add(tag, tag_schema(variant), true);
        let Some(payload) = &variant.payload else { return keys.finish(unknown) };
        let (end, closed) = bare(payload);
        self.descend(2);
        self.keys_of(&end.shape(), false, &mut keys);
        self.ascend(2);
        let mut draft = keys.finish(if open { UnknownKeys::Ignored } else { closed });
        if !open && matches!(&end.shape().kind, Kind::Union(Union { tagging: Tagging::External, .. })) {
            // The object may have the tag and one more key. Otherwise, two branches would accept an object with the keys of both.
            draft.set("maxProperties", number(2));
        }
        draft.describe(&payload.shape().doc);
        draft
    }

    /// Renders an object with the tag and the content.
    fn adjacent(&mut self, tag: &Text, content: &Text, variant: &Variant, unknown: UnknownKeys) -> Draft {
        let mut keys = Keys::new(self);
        keys.add(tag, tag_schema(variant), true);
        match &variant.payload {
            None => keys.add(content, Draft::for_type("null").finish(), false),
            Some(payload) => {
                let schema = self.below(4, payload).finish();
                // serde decodes absent content as `null` if the payload itself is an `Option`.
                keys.add(content, schema, !matches!(payload.shape().kind, Kind::Nullable(_)));
            }
        }
        keys.finish(unknown)
    }

    /// Renders only the payload; inside another object it does not reject unknown keys.
    fn payload(&mut self, payload: &Ref, open: bool) -> Draft {
        if !open {
            return self.below(2, payload);
        }
        let mut keys = Keys::new(self);
        self.descend(2);
        self.keys_of(&payload.shape(), false, &mut keys);
        self.ascend(2);
        keys.finish(UnknownKeys::Ignored)
    }
}

/// Follows aliases and optional types to the shape whose keys are beside a tag. Returns that shape, and its treatment of unknown keys.
fn bare(payload: &Ref) -> (Ref, UnknownKeys) {
    let mut end = payload.clone();
    for _ in 0..WRAPPERS {
        let shape = end.shape();
        let next = match &shape.kind {
            Kind::Alias(inner) | Kind::Nullable(inner) => inner.clone(),
            Kind::Object(object) => return (end.clone(), object.unknown),
            // A unit struct adds no keys, and an external variant exactly one.
            Kind::Null | Kind::Union(Union { tagging: Tagging::External, .. }) => {
                return (end.clone(), UnknownKeys::Rejected);
            }
            _ => break,
        };
        drop(shape);
        end = next;
    }
    (end, UnknownKeys::Ignored)
}

/// Renders the unit variants of an external union: strings with their meaning.
fn words(variants: &[&Variant]) -> Draft {
    let mut words = Draft::one_of_strings(variants.iter().map(|variant| &variant.name));
    for variant in variants.iter().filter(|variant| variant.deprecated || !variant.doc.is_empty()) {
        let deprecated = if variant.deprecated { " (deprecated)" } else { "" };
        let colon = if variant.doc.is_empty() { "" } else { ": " };
        words.note(format!("{}{deprecated}{colon}{}", variant.name, variant.doc));
    }
    words
}

/// Returns the schema of a tag.
fn tag_schema(variant: &Variant) -> Json<'static> {
    object([member("type", string("string")), member("const", text(&variant.name))])
}

/// Returns a branch with the documentation of the variant.
fn with_documentation(mut branch: Draft, variant: &Variant) -> Json<'static> {
    branch.describe(&variant.doc);
    if variant.deprecated {
        branch.set("deprecated", boolean(true));
    }
    branch.finish()
}
