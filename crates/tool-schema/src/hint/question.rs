//! The question for the user: [`Question`].
//!
//! It is one sentence that asks for all missing fields. If there is little room, it becomes shorter: first without descriptions, then with
//! only the first field and the number of the others. It is always a complete sentence.

use super::bounded_path_text::push_described;
use crate::bounded;
use crate::issue::Issue;

/// The length in bytes up to which a question has no shorter forms.
const USUAL: usize = 120;
/// The maximum length of the first field and of the tool name in the shortest form.
const NAME: usize = 64;

/// A sentence that asks for the missing fields.
#[derive(Clone, Debug)]
pub(super) struct Question {
    text: String,
    /// Shorter forms, the shortest first.
    shorter: Vec<String>,
}

impl Question {
    /// Asks for every missing field by its path; returns `None` if nothing is missing.
    pub(super) fn for_missing<'i>(
        tool: &str,
        missing: impl Iterator<Item = (&'i Issue, &'i str)> + Clone,
    ) -> Option<Self> {
        let (_, first) = missing.clone().next()?;
        let tool = bounded::name(tool);
        let text =
            question_text(missing.clone(), &tool, |out, (issue, field)| push_described(out, field, &issue.description));
        let mut shorter = Vec::new();
        if text.len() > USUAL {
            let others = match missing.clone().count() - 1 {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            let (first, short) = (bounded::text(first, NAME), bounded::text(&tool, NAME));
            shorter.push(format!("Which {first}{others} should {short} use?"));
            shorter.push(question_text(missing, &tool, |out, (_, field)| out.push_str(field)));
        }
        Some(Self { text, shorter })
    }

    /// Replaces the question by a shorter form; returns `false` if there is none.
    pub(super) fn shorten(&mut self) -> bool {
        while let Some(shorter) = self.shorter.pop() {
            if shorter.len() < self.text.len() {
                self.text = shorter;
                return true;
            }
        }
        false
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

fn question_text<T>(
    fields: impl Iterator<Item = T> + Clone,
    tool: &str,
    mut push: impl FnMut(&mut String, T),
) -> String {
    let all = fields.clone().count();
    let mut question = String::with_capacity(USUAL);
    for (index, field) in fields.enumerate() {
        question.push_str(match index {
            0 => "Which ",
            _ if index + 1 == all => " and ",
            _ => ", ",
        });
        push(&mut question, field);
    }
    question.extend([" should ", tool, " use?"]);
    question
}
