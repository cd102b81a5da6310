//! The output of a conversation: [`Exchange`]. It is text for people, or lines of JSON for programs.
//!
//! The output contains every call with its repairs, its issues, the answer to the model, further attempts, and the result.
//!
//! Invariants: each line of JSON is one value. A text from a tool stays on one line.

mod line;
mod noted;
mod sheet;
mod statistics;

use std::io::{self, Write};
use std::time::Duration;

use line::Line;
pub use noted::Noted;
use tool_chat::conversation::{Conversation, TurnEnd};

/// Returns `true` if a turn ended with an answer. An empty text is not an answer, because some servers send one if the model fails.
pub fn is_answered(end: &TurnEnd) -> bool {
    end.text().is_some_and(|text| !text.trim().is_empty())
}

/// A printer for conversations.
pub struct Exchange<'o> {
    out: &'o mut dyn Write,
    json: bool,
}

impl<'o> Exchange<'o> {
    /// Creates a printer for people or, if `json` is `true`, for programs. For programs, every line is a JSON object.
    pub fn new(out: &'o mut dyn Write, json: bool) -> Self {
        Self { out, json }
    }

    /// Prints the entries of a turn, and its end.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    pub fn turn(&mut self, conversation: &Conversation, noted: &Noted, turn: usize, end: &TurnEnd) -> io::Result<()> {
        for entry in conversation.transcript().entries().iter().filter(|entry| entry.turn() == turn) {
            match Line::of(entry, noted).filter(|_| self.json) {
                Some(line) => self.line(&line)?,
                None => sheet::entry(self.out, entry, noted)?,
            }
        }
        if self.json { self.line(&Line::end(turn, end)) } else { sheet::end(self.out, end) }
    }

    /// Prints that this much time has passed. JSON output does not contain this line.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    pub fn pause(&mut self, pause: Duration) -> io::Result<()> {
        if self.json { Ok(()) } else { writeln!(self.out, "… {} s later\n", pause.as_secs()) }
    }

    /// Prints the statistics of the calls.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
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
