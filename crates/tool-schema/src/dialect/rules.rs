//! The rules of a dialect as data: [`Rules`], and a [`FeedbackForm`] for each way to write a schema.
//!
//! A provider's file fills these in; `rewrite` reads them. This file mentions no provider by name.

use crate::json::{Json, Member};
use crate::schema::ToolDeclaration;

/// A dialect: the envelope of a definition, the accepted names, and the forms of a schema.
pub(super) struct Rules {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// Builds a definition from its parts.
    pub(super) wrap: fn(Parts<'_>) -> Json<'static>,
    pub(super) names: Names,
    /// The maximum number of tools in one request, if the provider states one.
    pub(super) tools: Option<usize>,
    pub(super) plain: &'static Form,
    /// The constrained form. A tool that it cannot express exactly is written in the plain form.
    pub(super) strict: Option<&'static Form>,
    /// The limits of the strict form for one request.
    pub(super) budget: Budget,
    /// The provider's own form of a request for an answer that matches a schema; `None` if a tool has to stand for it.
    pub(super) answer: Option<&'static AnswerRules>,
}

/// The form of a request for an answer that matches a schema.
pub(super) struct AnswerRules {
    /// The rules of the schema. Their `wrap` builds the keys that are added to the body of the request.
    pub(super) rules: Rules,
    /// `true` if the provider rejects a schema that the strict form cannot express.
    pub(super) only_strict: bool,
    /// `true` if the request may also contain tools that the model calls first.
    pub(super) beside_tools: bool,
}

/// The parts of a definition.
pub(super) struct Parts<'a> {
    pub(super) declaration: &'a ToolDeclaration<'a>,
    pub(super) input: Json<'static>,
    pub(super) is_strict: bool,
}

/// The tool names that a provider accepts: ASCII letters, digits, and a few other characters.
pub(super) struct Names {
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) others: &'static [u8],
    /// `true` if the first character must be a letter or `_`.
    pub(super) starts_with_letter: bool,
}

impl Names {
    pub(super) fn accepts(&self, name: &str) -> bool {
        let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || self.others.contains(&byte);
        name.len() >= self.least
            && name.len() <= self.most
            && name.bytes().all(is_allowed)
            && (!self.starts_with_letter || name.bytes().next().is_some_and(is_start))
    }
}

/// The limits of the strict form for all tools of one request.
#[derive(PartialEq, Eq)]
pub(super) struct Budget {
    pub(super) tools: usize,
    pub(super) optionals: usize,
    pub(super) unions: usize,
}

impl Budget {
    pub(super) const UNLIMITED: Self = Self { tools: usize::MAX, optionals: usize::MAX, unions: usize::MAX };
}

/// One way to write a schema.
pub(super) struct Form {
    /// The keywords that the provider reads; `None` for all of them.
    pub(super) keywords: Option<&'static [&'static str]>,
    /// `true` if an unread keyword stays and is repeated in words; `false` if it is replaced by words.
    pub(super) keeps_unread: bool,
    /// The accepted values of `format`; `None` for all of them.
    pub(super) formats: Option<&'static [&'static str]>,
    /// The largest accepted `minItems`.
    pub(super) most_min_items: u64,
    pub(super) values: Values,
    /// `true` if every object has `"additionalProperties": false`.
    pub(super) closes_objects: bool,
    /// `true` if every property is required; an optional property then accepts `null` instead.
    pub(super) requires_all: bool,
    /// `true` if an object with arbitrary keys is written as an array of entries.
    pub(super) maps_as_entries: bool,
    /// `true` if every schema needs a type, so that a schema for any value is impossible.
    pub(super) needs_types: bool,
    /// `true` if a value of several types, or of any type, is written as branches with one type each.
    pub(super) one_type: bool,
    /// `true` if objects without properties, and values that can only be `null`, are rejected.
    pub(super) rejects_empty: bool,
    /// `true` if `true` and `false` are not accepted as schemas.
    pub(super) needs_objects: bool,
    /// `true` if `oneOf` is written as `anyOf`.
    pub(super) any_of_only: bool,
    pub(super) references: References,
    pub(super) arrays: Arrays,
    /// `true` if the root may have branches.
    pub(super) root_branches: bool,
    pub(super) keys: Option<Keys>,
    pub(super) limits: Limits,
    /// The first change to each schema of the document, for the requirements of a single provider.
    pub(super) begin: Option<fn(&mut Json<'static>)>,
    /// The last change to each schema, for the requirements of a single provider.
    pub(super) finish: Option<fn(Vec<Member<'static>>) -> Vec<Member<'static>>>,
}

impl Form {
    /// The form that changes nothing.
    pub(super) const AS_WRITTEN: Self = Self {
        keywords: None,
        keeps_unread: true,
        formats: None,
        most_min_items: u64::MAX,
        values: Values::Any,
        closes_objects: false,
        requires_all: false,
        maps_as_entries: false,
        needs_types: false,
        one_type: false,
        rejects_empty: false,
        needs_objects: false,
        any_of_only: false,
        references: References::WithSiblings,
        arrays: Arrays::AsWritten,
        root_branches: true,
        keys: None,
        limits: Limits::NONE,
        begin: None,
        finish: None,
    };

    /// Returns `true` if only keys of properties may change, so that a schema whose keys are all accepted is not
    /// rewritten.
    pub(super) const fn changes_only_keys(&self) -> bool {
        self.keywords.is_none() && !self.closes_objects && !self.needs_objects && self.finish.is_none()
    }
}

/// The kinds of values that an `enum` may list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Any,
    Primitives,
    /// Numbers, and texts that are not empty.
    StringsAndNumbers,
    /// Texts that are not empty.
    Strings,
    /// As `StringsAndNumbers`, if the value has only one type.
    OfOneType,
}

/// The treatment of `$ref`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// The reference stays, with the keywords beside it.
    WithSiblings,
    /// The reference stays, without other keywords beside it.
    Alone,
    /// The reference stays, without other keywords beside it, and a property that contains itself is not required.
    AloneAndOptional,
    /// The reference stays, without other keywords beside it, and recursive references are rejected.
    AloneAndFinite,
    /// The reference is replaced by its target.
    Inlined,
}

/// The description of the items of arrays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrays {
    /// The items are described as they were.
    AsWritten,
    /// Schemas of positions are in `prefixItems`, as in JSON Schema 2020-12, and not in a list in `items`.
    Positions,
    /// Every array has one schema for its items, also if the positions have different schemas.
    OneSchema,
}

/// The property keys that a provider accepts.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    pub(super) most: usize,
    pub(super) others: &'static [u8],
    pub(super) starts_with_letter: bool,
    /// If the provider only rejects certain keys, returns `true` for them; the other fields then say how such a key is spelled.
    pub(super) rejects: Option<fn(&str) -> bool>,
}

impl Keys {
    pub(super) fn accepts(&self, key: &str) -> bool {
        let Self { most, others, starts_with_letter, rejects } = *self;
        match rejects {
            Some(rejects) => !rejects(key),
            None => Names { least: 1, most, others, starts_with_letter }.accepts(key),
        }
    }

    /// Replaces each rejected character of a key by `_`, and shortens the key. The caller appends a number if two keys
    /// become equal.
    pub(super) fn respelt(&self, key: &str) -> String {
        let is_allowed = |c: char| u8::try_from(c).is_ok_and(|c| c.is_ascii_alphanumeric() || self.others.contains(&c));
        let mut name: String = key.chars().map(|c| if is_allowed(c) { c } else { '_' }).take(self.most - 8).collect();
        if !self.accepts(&name) {
            name.insert(0, '_');
        }
        name
    }
}

/// The limits on the size of a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) properties: usize,
    /// The maximum nesting of objects and arrays.
    pub(super) levels: usize,
    /// The maximum total number of characters in the names of properties, the names of definitions, and listed values.
    pub(super) characters: usize,
    pub(super) values: usize,
    /// The maximum number of characters in one `enum` with more than 250 values.
    pub(super) long_enum: usize,
}

impl Limits {
    pub(super) const NONE: Self = Self {
        properties: usize::MAX,
        levels: usize::MAX,
        characters: usize::MAX,
        values: usize::MAX,
        long_enum: usize::MAX,
    };
}

impl std::fmt::Display for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {} of letters, digits", self.least, self.most)?;
        for (position, byte) in self.others.iter().enumerate() {
            let separator = if position + 1 == self.others.len() { " and" } else { "," };
            write!(f, "{separator} `{}`", char::from(*byte))?;
        }
        if self.starts_with_letter { f.write_str(", a letter or `_` first") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_allowed_characters_and_length() {
        let names = Names { least: 1, most: 4, others: b"_.", starts_with_letter: false };
        for name in ["a", "a.b_", "Z9", "9", ".", "1234"] {
            assert!(names.accepts(name), "{name}");
        }
        for name in ["", "abcde", "a-b", "é", "a b"] {
            assert!(!names.accepts(name), "{name}");
        }
    }

    #[test]
    fn a_name_that_must_start_with_a_letter_may_start_with_an_underscore() {
        let names = Names { least: 1, most: 4, others: b"_.", starts_with_letter: true };
        assert!(["a", "_", "_9", "Z.9"].iter().all(|name| names.accepts(name)));
        assert!(["9", ".a", "1a"].iter().all(|name| !names.accepts(name)));
    }
}
