//! What happened, for those who look on: [`Exchange`], as a text for readers or as lines of JSON for programs.
//!
//! In: the transcript of a conversation, and what was noted beside it. Out: every call with what became of it: repairs, what was wrong, what
//! the model was told, further attempts, the result. What always holds: a line of JSON is one value, and a text of a tool stays on one line.

mod line;
mod noted;
mod sheet;
mod statistics;

use std::io::{self, Write};
use std::time::Duration;

use line::Line;
pub use noted::Noted;
use tool_chat::conversation::{Conversation, End};

/// Whether a turn came to an answer. One without a word is none: servers give it where a model lost its way.
pub fn is_answered(end: &End) -> bool {
    end.text().is_some_and(|text| !text.trim().is_empty())
}

/// Prints what happened.
pub struct Exchange<'o> {
    out: &'o mut dyn Write,
    json: bool,
}

impl<'o> Exchange<'o> {
    /// For readers, or for programs: then every line is one JSON object.
    pub fn new(out: &'o mut dyn Write, json: bool) -> Self {
        Self { out, json }
    }

    /// Prints a turn and how it ended.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn turn(&mut self, conversation: &Conversation, noted: &Noted, turn: usize, end: &End) -> io::Result<()> {
        for entry in conversation.transcript().entries().iter().filter(|entry| entry.turn() == turn) {
            match Line::of(entry, noted).filter(|_| self.json) {
                Some(line) => self.line(&line)?,
                None => sheet::entry(self.out, entry, noted)?,
            }
        }
        if self.json { self.line(&Line::end(turn, end)) } else { sheet::end(self.out, end) }
    }

    /// Prints that time has passed; a program sees it from the calls.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn pause(&mut self, pause: Duration) -> io::Result<()> {
        if self.json { Ok(()) } else { writeln!(self.out, "… {} s later\n", pause.as_secs()) }
    }

    /// Prints what the calls came to.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn close(&mut self, conversation: &Conversation) -> io::Result<()> {
        let statistics = &conversation.session().statistics();
        if self.json {
            self.line(&Line::Statistics { statistics, usage: conversation.transcript().usage() })
        } else {
            statistics::table(self.out, statistics)
        }
    }

    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut *self.out, line)?;
        writeln!(self.out)
    }
}
