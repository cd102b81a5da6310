//! Rewrites a plain schema in the form of a dialect: [`Rewriter`].
//!
//! In: a [`RefTargets`] and a [`Form`]. Out: the schema that a model sees, the [`Plan`] that converts arguments back, and the reasons why the
//! form cannot express the schema. Invariants: the rewritten schema accepts every value that the plain schema accepts, or else a reason is
//! reported; leaving out a keyword only makes the rewritten schema accept more; each schema is written once, and no deeper than a bound.

mod array;
mod fields;
mod finish;
mod keyword;
mod location;
mod map_as_entries;
mod reference;
mod schema_builder;
mod typed;
mod union;

// Recursion with `fields`: a schema has properties, and a property is a schema.
// Recursion with `array`: a schema has items, and an item is a schema.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::distinguish_branches::Alternative;
use super::downgrade_reason::DowngradeReason;
use super::inverse_plan::Plan;
use super::ref_targets::RefTargets;
use super::root::Root;
use super::rules::Form;
use crate::fast_hash::RandomHashState;
use crate::json::build::{boolean, member, object};
use crate::json::{Json, Member, Node};
pub(super) use finish::Settled;
use location::Location;
pub(super) use schema_builder::describe;

/// The maximum number of schemas that are written for one tool.
const SCHEMAS: usize = 20_000;
/// The maximum depth of these schemas.
const DEPTH: usize = 96;
/// The maximum number of bytes of schemas that are written in place of references.
const INLINED: usize = 200_000;
/// The maximum number of reasons that are kept.
const REASONS: usize = 8;
/// The number of members up to which keys are compared one by one, because a hash table costs more.
const FEW: usize = 16;

/// Keywords that do not constrain values and are not shown to a model.
const SILENT: [&str; 9] =
    ["$schema", "$id", "$anchor", "$comment", "$vocabulary", "$dynamicAnchor", "$defs", "definitions", "title"];

/// The state of writing one schema.
pub(super) struct Rewriter<'d> {
    form: &'d Form,
    document: &'d RefTargets<'d>,
    /// `true` for the marked schema of a type (see `Root::is_marked`). In such a schema, an object without a mark ignores unlisted keys.
    is_marked: bool,
    /// `true` if marks show for which values `null` means absent (see `Root::is_typed`).
    is_typed: bool,
    /// `true` if the host says that `null` means the same as an absent key.
    null_is_absent: bool,
    /// `true` if keys are also renamed below the top level of the arguments.
    renames_below: bool,
    /// `true` if a keyword that is not rewritten was copied and contains a reference.
    is_copied: bool,
    depth: usize,
    left: usize,
    /// The location of the schema in the document.
    location: Location,
    /// The number of bytes that may still be written in place of references.
    room: usize,
    /// The definitions that are being written in place of a reference.
    inlined: Vec<usize>,
    definitions: Definitions,
    /// `true` if the definition that is being written refers to itself, directly or through others.
    is_in_circle: bool,
    /// `true` if some value is written in another form.
    is_changed: bool,
    reasons: Vec<DowngradeReason>,
    branches: Vec<Unsettled>,
}

/// The definitions that references need, in the order in which they were needed.
#[derive(Default)]
struct Definitions {
    by_place: HashMap<usize, usize>,
    by_pointer: HashMap<String, usize>,
    names: HashSet<String>,
    all: Vec<Definition>,
}

struct Definition {
    place: usize,
    name: String,
}

/// A union, before its branches are distinguished.
struct Unsettled {
    /// The location of the union.
    place: String,
    pointer: String,
    branches: Vec<Vec<Alternative>>,
}

impl<'d> Rewriter<'d> {
    /// Leaves all keys unchanged except the top-level keys of the arguments.
    pub(super) fn without_renames_below(mut self) -> Self {
        self.renames_below = false;
        self
    }

    pub(super) fn new(form: &'d Form, document: &'d RefTargets<'d>, root: &Root) -> Self {
        Self {
            form,
            document,
            is_marked: root.is_marked,
            is_typed: root.is_typed,
            null_is_absent: root.null_is_absent,
            renames_below: true,
            is_copied: false,
            depth: 0,
            left: SCHEMAS,
            location: Location::root(),
            room: INLINED,
            inlined: Vec::new(),
            definitions: Definitions::default(),
            is_in_circle: false,
            is_changed: false,
            reasons: Vec::new(),
            branches: Vec::new(),
        }
    }

    /// Adds the reason why the form cannot express the schema at this location.
    fn lose(&mut self, reason: impl Into<String>) {
        if self.reasons.len() < REASONS {
            let words = format!("{}: {}", self.location.words(), reason.into());
            let reason = DowngradeReason::new(self.location.pointer(), words);
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }

    /// Calls `write` with a location that has one more step.
    fn at_step<T>(&mut self, step: &str, tokens: &[&str], write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.location.enter(step, tokens);
        let written = write(self);
        self.location.leave(&before);
        written
    }

    /// Writes one schema. The depth is bounded, and so is the number of schemas.
    fn schema(&mut self, schema: &Json<'static>) -> (Json<'static>, Plan) {
        if self.left == 0 || self.depth == DEPTH {
            self.lose("the schema is too large or too deep");
            return (object([]), Plan::Same);
        }
        self.left -= 1;
        self.depth += 1;
        let written = self.written(schema);
        self.depth -= 1;
        written
    }

    fn written(&mut self, schema: &Json<'static>) -> (Json<'static>, Plan) {
        let Node::Object(members) = &schema.node else {
            let is_any = self.form.one_type && schema.as_bool() == Some(true);
            return if is_any { self.write_typed(&[], &object([])) } else { (self.boolean(schema), Plan::Same) };
        };
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            return self.reference(schema, reference);
        }
        if self.form.needs_types && ["$dynamicRef", "$recursiveRef"].iter().any(|key| schema.get(key).is_some()) {
            self.lose("refers to another schema dynamically");
        }
        if let Some(parts) = schema.get("allOf").filter(|_| self.form.needs_types) {
            if let [part] = parts.items() {
                return self.merge_part(schema, "allOf", part);
            }
            if self.form.one_type {
                return self.in_words(schema, "allOf");
            }
            self.lose("`allOf` joins several schemas");
            return (object([]), Plan::Same);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = schema.get(keyword) {
                return self.union(schema, keyword, branches.items());
            }
        }
        self.write_typed(members, schema)
    }

    /// Writes `true`, `false`, or a value that is not a schema.
    fn boolean(&mut self, schema: &Json<'static>) -> Json<'static> {
        if self.form.needs_types {
            self.lose(if schema.as_bool() == Some(false) { "accepts no value" } else { "accepts any value" });
        }
        match &schema.node {
            Node::Bool(value) if !self.form.needs_objects => boolean(*value),
            Node::Bool(false) => object([member("not", object([]))]),
            _ => object([]),
        }
    }

    /// Writes a schema joined with its only part. Only annotations may occur in both.
    fn merge_part(&mut self, schema: &Json<'static>, keyword: &str, part: &Json<'static>) -> (Json<'static>, Plan) {
        let own = schema.members().iter().filter(|member| member.key != keyword && !is_silent(&member.key));
        let own: Vec<_> = own.cloned().collect();
        let is_note =
            |member: &Member<'_>| matches!(&*member.key, "description" | "default" | "examples" | "deprecated");
        if own.iter().any(|member| !is_note(member) && part.get(&member.key).is_some()) {
            self.lose(format!("`{keyword}` joins several schemas"));
            return (object([]), Plan::Same);
        }
        if part.get("$ref").is_some() && own.iter().any(|member| !is_note(member)) {
            self.lose(format!("`{keyword}` joins several schemas"));
            return (object([]), Plan::Same);
        }
        let theirs = part.members().iter().filter(|member| !own.iter().any(|own| own.key == member.key)).cloned();
        let joined: Vec<_> = theirs.chain(own.iter().cloned()).collect();
        self.schema(&object(joined))
    }
}

fn is_silent(keyword: &str) -> bool {
    SILENT.contains(&keyword)
}

/// Returns the members of an object, with only the last member of each repeated key.
fn last_of_each_key<'m>(members: &'m [Member<'static>]) -> Cow<'m, [Member<'static>]> {
    let is_last = |at: usize| members[at + 1..].iter().all(|later| later.key != members[at].key);
    if members.len() <= FEW && (0..members.len()).all(is_last) {
        return Cow::Borrowed(members);
    }
    let mut seen = HashSet::with_capacity_and_hasher(members.len(), RandomHashState::default());
    let mut kept: Vec<_> = members.iter().rev().filter(|member| seen.insert(&*member.key)).collect();
    if kept.len() == members.len() {
        return Cow::Borrowed(members);
    }
    kept.reverse();
    Cow::Owned(kept.into_iter().cloned().collect())
}
