//! Renders a hint as JSON text, and shortens it to its budget.
//!
//! First, parts are shortened: redundant text in entries is removed, the question is abbreviated, and an author's long examples are
//! replaced by generated values. Then parts are removed in this order: examples, the question, the entries of the last fields, the largest
//! members of the entry that is left, and the last fields. Invariant: the most important issue stays, and a removed field is counted in
//! `omitted`.

use std::borrow::Cow;

use super::entry::{self, Entry};
use super::group_by_field::Fault;
use super::missing_fields_example::ExampleInput;
use super::question::Question;
use super::{BUDGET, Draft, HintedField, RetryHint};
use crate::issue::ExpectedFacts;
use crate::json::{Number, Writer};

impl RetryHint {
    /// Returns the hint as compact JSON text of at most 1,024 bytes. Its members are described in `docs/wire.md`.
    pub fn to_json(&self) -> String {
        self.json.clone()
    }

    /// Returns a reference to the JSON text.
    pub(crate) fn as_json(&self) -> &str {
        &self.json
    }

    /// Renders the hint. The optional parts are only given for hints about fields.
    pub(super) fn rendered(
        &self,
        tool: &str,
        constraints: Option<impl FnOnce(Writer<'_>)>,
        example_input: Option<&ExampleInput<'_>>,
    ) -> String {
        let mut json = String::with_capacity(BUDGET);
        Writer::new(&mut json).object(|object| {
            object.known("reason").unescaped_string(self.reason.as_str());
            object.known("tool").string(tool);
            let mut missing = self.fields.iter().filter(|field| field.is_missing).peekable();
            if missing.peek().is_some() {
                object.known("missing_fields").array(missing, |item, field| item.string(self.name(field)));
            }
            if let Some(constraints) = constraints {
                constraints(object.known("constraints"));
            }
            if self.omitted > 0 {
                object.known("omitted").number(Number::from(self.omitted));
            }
            if let Some(question) = &self.question {
                object.known("clarifying_question").string(question.as_str());
            }
            if let Some(example_input) = example_input {
                example_input.write(object.known("example_input"));
            }
        });
        json
    }
}

impl<'i> Draft<'i> {
    /// Renders the hint, and shortens it until it fits.
    pub(super) fn fit(mut self) -> RetryHint {
        let example_input = self.example_input();
        let Self { hint, faults, facts, tool } = &mut self;
        let has_entries = hint.fields.iter().any(|field| field.has_entry);
        let constraints = has_entries.then_some(|place: Writer<'_>| {
            let entries =
                hint.fields.iter().zip(faults.iter()).zip(facts.iter_mut()).filter(|((field, _), _)| field.has_entry);
            place.array(entries, |place, ((field, fault), facts)| {
                place.object(|object| {
                    object.known("field").string(hint.name(field));
                    entry::write_members(object, fault, hint.expected(field), facts);
                });
            });
        });
        let json = hint.rendered(tool, constraints, example_input.as_ref());
        if json.len() > BUDGET {
            return Tight::new(self, example_input).fit();
        }
        self.hint.json = json;
        self.hint
    }

    fn example_input(&self) -> Option<ExampleInput<'i>> {
        let missing = self.faults.iter().filter(|fault| fault.is_missing()).map(Fault::issue);
        let missing = missing.filter(|issue| issue.inside.is_none());
        ExampleInput::from_missing(missing)
    }
}

/// A hint that is too long, split into parts that can be removed.
struct Tight<'i> {
    hint: RetryHint,
    tool: Cow<'i, str>,
    /// One element for each field of the hint, in the same order; `None` for a field without an entry.
    entries: Vec<Option<Entry>>,
    example_input: Option<ExampleInput<'i>>,
}

impl<'i> Tight<'i> {
    fn new(draft: Draft<'i>, example_input: Option<ExampleInput<'i>>) -> Self {
        let Draft { hint, tool, faults, facts } = draft;
        let fields = hint.fields.iter().zip(&faults).zip(facts);
        let entry = |((field, fault), facts): ((&HintedField, &Fault<'_>), &mut ExpectedFacts)| {
            field.has_entry.then(|| Entry::new(fault, hint.expected(field), facts))
        };
        Self { entries: fields.map(entry).collect(), hint, tool, example_input }
    }

    fn fit(mut self) -> RetryHint {
        loop {
            let json = self.rendered();
            if json.len() <= BUDGET || !self.give_way() {
                self.hint.json = json;
                return self.hint;
            }
        }
    }

    fn rendered(&self) -> String {
        let Self { hint, entries, .. } = self;
        let has_entries = entries.iter().any(Option::is_some);
        let constraints = has_entries.then_some(|place: Writer<'_>| {
            let entries = hint.fields.iter().zip(entries).filter_map(|(field, entry)| Some((field, entry.as_ref()?)));
            place.array(entries, |place, (field, entry)| {
                place.object(|object| {
                    object.known("field").string(hint.name(field));
                    entry.write(object);
                });
            });
        });
        hint.rendered(&self.tool, constraints, self.example_input.as_ref())
    }

    fn give_way(&mut self) -> bool {
        self.entries_from_last().any(Entry::shorten)
            || self.hint.question.as_mut().is_some_and(Question::shorten)
            || self.example_input.as_mut().is_some_and(ExampleInput::shorten)
            || self.entries_from_last().any(Entry::drop_example)
            || self.pop_example_input()
            || self.hint.question.take().is_some()
            || self.drop_last(Option::is_some)
            || self.entries.iter_mut().flatten().any(Entry::drop_largest)
            || self.drop_last(|_| true)
    }

    fn entries_from_last(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().rev().flatten()
    }

    /// Removes the last value of the example; an example without values is removed too.
    fn pop_example_input(&mut self) -> bool {
        let is_there = self.example_input.is_some();
        self.example_input.take_if(|example_input| !example_input.pop());
        is_there
    }

    /// Removes the last field whose entry passes `is_of_sort`, but never the first field. If the field is a missing one with an entry, only
    /// the entry is removed.
    fn drop_last(&mut self, is_of_sort: fn(&Option<Entry>) -> bool) -> bool {
        let Some(index) = self.entries.iter().rposition(is_of_sort).filter(|&index| index > 0) else { return false };
        let field = &mut self.hint.fields[index];
        if field.is_missing && self.entries[index].take().is_some() {
            field.has_entry = false;
            return true;
        }
        self.hint.omitted += self.hint.fields.remove(index).places();
        self.entries.remove(index);
        true
    }
}
