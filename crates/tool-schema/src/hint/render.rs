//! A hint as JSON text, and what of it gives way when it takes too much.
//!
//! In comes a hint with everything that could be said; out goes the same hint within its budget. What is long is said shorter where nothing
//! is lost that a fixer acts on: the question in fewer words, a built example for an author's long one. What gives way then, in order:
//! examples, the question, the last constraints, then what a single field can do without. What always holds: the most important fault stays,
//! and a field that goes is counted in `omitted`.

use super::{BUDGET, HintedField, RetryHint, entry::Entry, question::Question};
use crate::json::{Number, ObjectWriter, Writer};

impl RetryHint {
    /// The hint as compact JSON text of at most 1,024 bytes (WIRE §2).
    ///
    /// ```
    /// # use tool_schema::{check::check, hint::RetryHint, json::Json, shape::{Kind, Shape}};
    /// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
    /// let hint = RetryHint::from_issues("switch", &issues);
    /// assert!(hint.to_json().len() <= 1_024);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn to_json(&self) -> String {
        self.json.clone()
    }

    /// The same without a copy.
    #[doc(hidden)]
    pub fn as_json(&self) -> &str {
        &self.json
    }

    /// Renders it, and lets things give way until it fits.
    pub(super) fn fit(&mut self) {
        self.render();
        while self.json.len() > BUDGET && self.give_way() {
            self.render();
        }
    }

    fn render(&mut self) {
        let mut json = String::with_capacity(BUDGET);
        Writer::new(&mut json).object(|object| {
            object.string("reason", self.reason.as_str());
            object.string("tool", &self.tool);
            write_list(object, "missing_fields", self.missing_fields(), |field, item| item.string(field));
            write_list(object, "constraints", self.entries(), |(field, entry), item| entry.write(field, item));
            if self.omitted > 0 {
                object.number("omitted", Number::Integer(self.omitted as i128));
            }
            if let Some(question) = &self.question {
                object.string("clarifying_question", question.as_str());
            }
            if !self.example_input.is_empty() {
                self.example_input.write(object.value("example_input"));
            }
        });
        self.json = json;
    }

    fn give_way(&mut self) -> bool {
        self.entries_from_last().any(Entry::shorten)
            || self.question.as_mut().is_some_and(Question::shorten)
            || self.example_input.shorten()
            || self.drop_example()
            || self.example_input.pop()
            || self.question.take().is_some()
            || self.drop_last(|field| field.entry.is_some())
            || self.fields.iter_mut().filter_map(|field| field.entry.as_mut()).any(Entry::drop_largest)
            || self.drop_last(|_| true)
    }

    fn drop_example(&mut self) -> bool {
        self.entries_from_last().any(Entry::drop_example)
    }

    fn entries_from_last(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.fields.iter_mut().rev().filter_map(|field| field.entry.as_mut())
    }

    /// Drops the last field of a sort, or only its entry where it is also missing; the first field stays.
    fn drop_last(&mut self, is_of_sort: fn(&HintedField) -> bool) -> bool {
        let Some(index) = self.fields.iter().rposition(is_of_sort).filter(|&index| index > 0) else { return false };
        if self.fields[index].is_missing && self.fields[index].entry.take().is_some() {
            return true;
        }
        self.omitted += self.fields.remove(index).places();
        true
    }
}

fn write_list<T>(
    object: &mut ObjectWriter<'_>,
    key: &str,
    items: impl Iterator<Item = T>,
    write: impl Fn(T, Writer<'_>),
) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        object.array(key, items, |place, item| write(item, place));
    }
}
