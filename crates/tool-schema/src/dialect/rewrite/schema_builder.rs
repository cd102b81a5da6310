//! A schema that is being written: [`SchemaBuilder`], and the parts of JSON that it is made of.

use super::super::keyword_text::sentence;
use super::super::rules::Form;
use crate::json::build::{member, object, string};
use crate::json::{Json, Member};

/// A schema that is being written.
#[derive(Default)]
pub(super) struct SchemaBuilder {
    pub(super) members: Vec<Member<'static>>,
    /// Sentences that follow the description.
    words: String,
}

impl SchemaBuilder {
    /// Creates a draft from keywords that are already written.
    pub(super) fn from_members(members: Vec<Member<'static>>) -> Self {
        Self { members, words: String::new() }
    }

    pub(super) fn push(&mut self, keyword: &'static str, value: Json<'static>) {
        self.members.push(member(keyword, value));
    }

    /// Adds the keywords and the sentences of another draft.
    pub(super) fn append(&mut self, other: Self) {
        self.members.extend(other.members);
        self.say(&other.words);
    }

    /// Adds a sentence.
    pub(super) fn say(&mut self, sentence: &str) {
        if sentence.is_empty() {
            return;
        }
        self.words.reserve(sentence.len() + 1);
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.words.push_str(sentence);
    }

    /// Adds a sentence for a keyword, if the keyword constrains the value.
    pub(super) fn say_keyword(&mut self, keyword: &str, value: &Json<'static>) {
        if let Some(words) = sentence(keyword, value) {
            if self.words.is_empty() { self.words = words } else { self.say(&words) }
        }
    }

    /// Returns the schema. The sentences are added to its description, or become its description.
    pub(super) fn finish(self, form: &Form) -> Json<'static> {
        let Self { mut members, words } = self;
        if !words.is_empty() {
            describe(&mut members, words);
        }
        if let Some(finish) = form.finish {
            members = finish(members);
        }
        object(members)
    }
}

/// Adds a line to the description of a schema.
pub(in super::super) fn describe(members: &mut Vec<Member<'static>>, line: String) {
    match members.iter_mut().find(|member| member.key == "description") {
        Some(known) => known.value = string([known.value.as_str().unwrap_or_default(), "\n", &line].concat()),
        None => members.push(member("description", string(line))),
    }
}
