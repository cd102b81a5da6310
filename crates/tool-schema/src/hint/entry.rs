//! The entry of a hint about one field: [`Entry`], an element of `constraints`.
//!
//! It consists of the members that `docs/wire.md` lists, in that order. Invariant: a reader can correct the field from the entry alone. An
//! entry with `allowed_values` and no `type` is about the name of a key.

mod shorten;

use std::borrow::Cow;
use std::ops::Range;

use super::bounded_path_text::{MAX_EXPECTED_BYTES, text_to_send};
use super::group_by_field::Fault;
use super::missing_fields_example::has_value;
use super::placeholder;
use crate::bounded;
use crate::issue::{Constraint, Expected, ExpectedFacts, Issue, to_escaped_text};
use crate::json::{JsonType, Number, ObjectWriter, Writer};
use crate::shape::Text;

/// The maximum number of bytes for the expectation of a required field.
const REQUIRED_FIELD: usize = 100;
/// The usual number of bytes in an entry.
const USUAL: usize = 256;
/// The usual number of members in an entry.
const MEMBERS: usize = 8;
/// The maximum number of values, required fields or variants listed.
const LISTED: usize = 5;

/// The mark after a shortened list of texts.
static CUT: Text = Text::from_static("…");
/// The mark after a shortened list of values, as JSON.
static ELLIPSIS: Text = Text::from_static("\"…\"");

/// A target for the members of an entry.
pub(super) trait HintMembers {
    /// Writes one more member. The key must not contain characters that need an escape.
    fn put(&mut self, key: &'static str, write: impl FnOnce(Writer<'_>));
}

/// The text of the hint itself, which usually has room for all members.
impl HintMembers for ObjectWriter<'_> {
    fn put(&mut self, key: &'static str, write: impl FnOnce(Writer<'_>)) {
        write(self.known(key));
    }
}

/// An entry of a hint with little room, from which members can be removed.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The JSON texts of all values, one after the other.
    values: String,
    /// The key of each member, and the range of its value in `values`.
    members: Vec<(&'static str, Range<usize>)>,
    /// `true` if only the example shows an acceptable value.
    needs_example: bool,
}

impl HintMembers for Entry {
    fn put(&mut self, key: &'static str, write: impl FnOnce(Writer<'_>)) {
        let start = self.values.len();
        write(Writer::new(&mut self.values));
        self.members.push((key, start..self.values.len()));
    }
}

impl Entry {
    pub(super) fn new(fault: &Fault<'_>, expected: &str, facts: &mut ExpectedFacts) -> Self {
        let mut entry =
            Self { values: String::with_capacity(USUAL), members: Vec::with_capacity(MEMBERS), needs_example: false };
        entry.needs_example = write_members(&mut entry, fault, expected, facts);
        entry
    }

    pub(super) fn write(&self, object: &mut ObjectWriter<'_>) {
        self.members.iter().for_each(|(key, value)| object.known(key).escaped_json_text(&self.values[value.clone()]));
    }

    /// Removes the example, unless only the example shows an acceptable value.
    pub(super) fn drop_example(&mut self) -> bool {
        let is_alone = self.needs_example;
        self.members
            .pop_if(|(key, value)| *key == "example" && !(is_alone && value.len() <= MAX_EXPECTED_BYTES))
            .is_some()
    }

    /// Removes the largest of the members that do not contain the correction.
    pub(super) fn drop_largest(&mut self) -> bool {
        let members =
            self.members.iter().enumerate().filter(|(_, (key, _))| !matches!(*key, "rename_to" | "remove" | "content"));
        let largest = members.max_by_key(|(_, (_, value))| value.len()).map(|(index, _)| index);
        largest.map(|index| self.members.remove(index)).is_some()
    }

    fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(key, _)| *key == name)
    }
}

/// Returns `true` if an issue has an entry. A missing field has none if `example_input` shows its value, unless it is an object.
pub(super) fn has_members(issue: &Issue, facts: &ExpectedFacts) -> bool {
    let is_missing = matches!(issue.constraint, Constraint::Required);
    !is_missing || !facts.required_fields.is_empty() || issue.inside.is_some() || !has_value(issue)
}

/// Writes the members of an issue besides its path; returns `true` if only the example shows an acceptable value.
pub(super) fn write_members(
    members: &mut impl HintMembers,
    fault: &Fault<'_>,
    expected: &str,
    facts: &mut ExpectedFacts,
) -> bool {
    let issue = fault.issue();
    let mut entry = Scribe { members, has_more: false };
    match &issue.constraint {
        Constraint::UnknownField { .. } => match fault.renamed().and_then(|missing| missing.path.last_key()) {
            Some(key) => entry.name("rename_to", key),
            None => entry.remove(issue),
        },
        Constraint::Wrapper { contains_all_fields, tool, parameter, .. } => {
            entry.text("content", if *contains_all_fields { "replaces_arguments" } else { "joins_arguments" });
            if let Some(tool) = tool {
                entry.name("of_tool", tool);
            }
            if let Some(parameter) = parameter.as_ref().filter(|_| !contains_all_fields) {
                entry.name("without", parameter);
            }
        }
        Constraint::RepeatedField { other_name: Some(_) } => entry.put("remove", |value| value.bool(true)),
        Constraint::Discriminator { is_key: true, allowed, .. } => entry.rename_variant(issue, allowed),
        Constraint::Required => {
            entry.describe(expected, facts);
            if let Some(field) = &issue.inside {
                entry.name("inside", field);
            } else if !has_value(issue)
                && let Some(example) = placeholder::value(&issue.expected)
            {
                entry.put("example", |value| value.json_text(&example));
                return facts.pattern.is_some();
            }
        }
        _ => return entry.correct(fault, expected, facts),
    }
    false
}

/// Writes the members of one entry in order.
struct Scribe<'m, M> {
    members: &'m mut M,
    /// `true` once the member `more` was written, which counts the values that a list omits.
    has_more: bool,
}

impl<M: HintMembers> Scribe<'_, M> {
    fn remove(&mut self, issue: &Issue) {
        self.put("remove", |value| value.bool(true));
        if let Some(name) = &issue.suggestion {
            self.text("did_you_mean", name);
        }
    }

    /// Writes the members for a wrong key that should be the name of a variant. Without a `type`, `allowed_values` are names, not values.
    fn rename_variant(&mut self, issue: &Issue, allowed: &[Text]) {
        self.list("allowed_values", allowed);
        if let Some(name) = &issue.suggestion {
            self.name("rename_to", name);
        }
    }

    fn correct<'i>(&mut self, fault: &Fault<'i>, expected: &str, facts: &mut ExpectedFacts) -> bool {
        fault.issues().for_each(|issue| complete(facts, &issue.constraint));
        self.describe(expected, facts);
        let meant = |issue: &'i Issue| issue.suggestion.as_deref().or_else(|| text_to_send(issue));
        if let Some(suggestion) = fault.issues().find_map(meant) {
            self.text("did_you_mean", suggestion);
        }
        let variants: Vec<_> =
            facts.variants.iter().map(|words| Text::from(bounded::truncated_name(words).into_owned())).collect();
        self.list("variants", &variants);
        let Some(example) = fault.issues().find_map(|issue| example(issue, fault, facts)) else { return false };
        self.put("example", |value| value.json_text(&example));
        facts.pattern.is_some() || fault.issues().any(|issue| matches!(issue.constraint, Constraint::Custom(_)))
    }

    /// Writes the members that do not depend on the value that was sent.
    fn describe(&mut self, expected: &str, facts: &ExpectedFacts) {
        if !expected.is_empty() {
            self.text("expected", expected);
        }
        for (key, name) in [("type", facts.json_type), ("items_type", facts.items_type)] {
            if let Some(name) = name {
                self.text(key, name);
            }
        }
        self.texts("allowed_values", &facts.allowed_values, facts.nullable);
        self.values(&facts.values);
        if let Some(pattern) = &facts.pattern {
            self.text("pattern", pattern);
        }
        if let Some(format) = facts.format {
            self.text("format", format.name());
        }
        self.number("min", facts.min.filter(|_| !facts.is_min_of_type));
        self.number("max", facts.max.filter(|_| !facts.is_max_of_type));
        self.number("exclusive_min", facts.exclusive_min);
        self.number("exclusive_max", facts.exclusive_max);
        self.number("multiple_of", facts.multiple_of);
        self.count("min_length", facts.min_length);
        self.count("max_length", facts.max_length);
        self.count("min_items", facts.min_items);
        self.count("max_items", facts.max_items);
        if facts.unique_items {
            self.put("unique_items", |value| value.bool(true));
        }
        self.count("min_properties", facts.min_properties);
        self.count("max_properties", facts.max_properties);
        self.required_fields(&facts.required_fields);
    }

    fn required_fields(&mut self, fields: &[(Text, Expected)]) {
        if fields.is_empty() {
            return;
        }
        self.put("required_fields", |value| {
            value.object(|object| {
                for (name, expected) in fields.iter().take(LISTED) {
                    let words = to_escaped_text(expected);
                    object.string(name, &bounded::sentence(&words, REQUIRED_FIELD));
                }
            });
        });
        self.more(fields.len());
    }

    fn list(&mut self, key: &'static str, texts: &[Text]) {
        self.texts(key, texts, false);
    }

    /// Writes at most five texts, then `null` if it is accepted too, then `…` and the number of the others.
    fn texts(&mut self, key: &'static str, texts: &[Text], is_nullable: bool) {
        if texts.is_empty() {
            return;
        }
        let shown = texts.iter().take(LISTED).map(Some).chain(is_nullable.then_some(None));
        let shown = shown.chain((texts.len() > LISTED).then_some(Some(&CUT)));
        self.put(key, |value| {
            value.array(shown, |item, text| match text {
                Some(text) => item.string(text),
                None => item.null(),
            });
        });
        self.more(texts.len());
    }

    /// Writes at most five values that are already JSON.
    fn values(&mut self, values: &[Text]) {
        let shown = || values.iter().take(LISTED);
        if !values.is_empty() && shown().all(|value| value.len() <= MAX_EXPECTED_BYTES) {
            self.put("allowed_values", |out| {
                out.array(shown().chain((values.len() > LISTED).then_some(&ELLIPSIS)), |item, value| {
                    item.json_text(value);
                });
            });
            self.more(values.len());
        }
    }

    /// Writes the number of values that a list omits. Only the first list that is too long gets this count.
    fn more(&mut self, all: usize) {
        if all > LISTED && !self.has_more {
            self.has_more = true;
            self.count("more", Some((all - LISTED) as u64));
        }
    }

    /// Writes a name, unshortened if possible.
    fn name(&mut self, key: &'static str, name: &str) {
        let is_short = bounded::json_string_len(name) + "\"\"".len() <= MAX_EXPECTED_BYTES;
        let shown = if is_short { Cow::Borrowed(name) } else { bounded::truncated_name(name) };
        self.text(key, &shown);
    }

    fn text(&mut self, key: &'static str, text: &str) {
        self.put(key, |value| value.string(text));
    }

    fn number(&mut self, key: &'static str, number: Option<Number>) {
        if let Some(number) = number {
            self.put(key, |value| value.number(number));
        }
    }

    fn count(&mut self, key: &'static str, count: Option<u64>) {
        self.number(key, count.map(|count| Number::Integer(count.into())));
    }

    fn put(&mut self, key: &'static str, write: impl FnOnce(Writer<'_>)) {
        self.members.put(key, write);
    }
}

/// Adds facts that the shape does not provide, but the violated constraint does.
fn complete(facts: &mut ExpectedFacts, constraint: &Constraint) {
    match constraint {
        Constraint::Type(types) => {
            // With several types, no single type can be given.
            if let [only] | [only, JsonType::Null] = types[..] {
                facts.json_type = facts.json_type.or(Some(only.name()));
            }
        }
        Constraint::Enum(allowed) | Constraint::Discriminator { allowed, .. } if facts.allowed_values.is_empty() => {
            facts.allowed_values = allowed.to_vec();
        }
        Constraint::Values(values) if facts.values.is_empty() => facts.values = values.clone(),
        Constraint::AnyOf { variants } if facts.variants.is_empty() => facts.variants = variants.to_vec(),
        // A violated bound is always shown, even if it is only the bound of the type.
        Constraint::Minimum(bound) => {
            facts.min = facts.min.or(Some(*bound));
            facts.is_min_of_type = false;
        }
        Constraint::Maximum(bound) => {
            facts.max = facts.max.or(Some(*bound));
            facts.is_max_of_type = false;
        }
        Constraint::ExclusiveMinimum(bound) => facts.exclusive_min = facts.exclusive_min.or(Some(*bound)),
        Constraint::ExclusiveMaximum(bound) => facts.exclusive_max = facts.exclusive_max.or(Some(*bound)),
        Constraint::MultipleOf(divisor) => facts.multiple_of = facts.multiple_of.or(Some(*divisor)),
        Constraint::MinLength(length) => facts.min_length = facts.min_length.or(Some(*length)),
        Constraint::MaxLength(length) => facts.max_length = facts.max_length.or(Some(*length)),
        Constraint::MinItems(length) => facts.min_items = facts.min_items.or(Some(*length)),
        Constraint::MaxItems(length) => facts.max_items = facts.max_items.or(Some(*length)),
        Constraint::MinProperties(count) => facts.min_properties = facts.min_properties.or(Some(*count)),
        Constraint::MaxProperties(count) => facts.max_properties = facts.max_properties.or(Some(*count)),
        Constraint::UniqueItems { .. } => facts.unique_items = true,
        Constraint::Pattern(pattern) => facts.pattern = facts.pattern.take().or(Some(pattern.clone())),
        Constraint::Format(format) => facts.format = facts.format.or(Some(*format)),
        _ => {}
    }
}

/// Returns a valid value if the other members do not show one. For a custom rule, only the author's example is valid; for a pattern and for
/// a value of several parts, the value may be generated.
fn example(issue: &Issue, fault: &Fault<'_>, facts: &ExpectedFacts) -> Option<String> {
    match issue.constraint {
        Constraint::Custom(_) => issue.expected.example.as_deref().map(str::to_owned),
        _ if facts.pattern.is_some() => {
            let example = issue.expected.example.as_deref().map(str::to_owned);
            example.or_else(|| knows_patterns(&issue.expected, fault).then(|| placeholder::value(&issue.expected))?)
        }
        _ if !facts.variants.is_empty() => placeholder::value(&issue.expected),
        Constraint::Type(_) | Constraint::MinItems(_) | Constraint::MinProperties(_) => {
            let is_compound = |name| matches!(name, None | Some("array" | "object"));
            let is_list = facts.json_type == Some("array");
            let needed = is_compound(if is_list { facts.items_type } else { facts.json_type });
            needed.then(|| placeholder::value(&issue.expected)).flatten()
        }
        _ => None,
    }
}

/// Returns `true` if the expectation contains every violated pattern, so that a generated value matches all of them.
fn knows_patterns(expected: &Expected, fault: &Fault<'_>) -> bool {
    fault.issues().all(|issue| match &issue.constraint {
        Constraint::Pattern(source) => expected.has_pattern(source),
        _ => true,
    })
}
