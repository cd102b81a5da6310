//! What to ask the user: [`Question`].
//!
//! In come the missing fields with their paths; out goes one sentence that asks for all of them. What always holds: where there is little
//! room the same is asked in fewer words, first without descriptions, then by the first field and a number; it stays one whole sentence.

use super::words::push_described;
use crate::bounded;
use crate::issue::Issue;

/// What a sentence usually takes; one that takes no more is not said shorter.
const USUAL: usize = 120;
/// What the first field takes in the fewest words, and the name of the tool.
const NAME: usize = 64;

/// One sentence that asks for what is missing.
#[derive(Clone, Debug)]
pub(super) struct Question {
    text: String,
    /// The same in fewer words, the fewest first.
    shorter: Vec<String>,
}

impl Question {
    /// Asks for every missing field, each told with its path; `None` where nothing is missing.
    pub(super) fn of<'i>(tool: &str, missing: impl Iterator<Item = (&'i Issue, &'i str)> + Clone) -> Option<Self> {
        let (_, first) = missing.clone().next()?;
        let tool = bounded::name(tool);
        let text = asked(missing.clone(), &tool, |out, (issue, field)| push_described(out, field, &issue.description));
        let mut shorter = Vec::new();
        if text.len() > USUAL {
            let others = match missing.clone().count() - 1 {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            let (first, short) = (bounded::text(first, NAME), bounded::text(&tool, NAME));
            shorter.push(format!("Which {first}{others} should {short} use?"));
            shorter.push(asked(missing, &tool, |out, (_, field)| out.push_str(field)));
        }
        Some(Self { text, shorter })
    }

    /// Asks in fewer words; `false` where there are none.
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

fn asked<T>(fields: impl Iterator<Item = T> + Clone, tool: &str, mut push: impl FnMut(&mut String, T)) -> String {
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
