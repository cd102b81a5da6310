//! Reminders: texts from the host for the model that last one turn.
//!
//! Invariants: a reminder is one line of bounded length, and cannot end the block in which it is shown. At most [`MOST`] reminders are
//! kept, and the end of a turn removes them all.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::snapshot::format::SavedReminders;
use crate::bounded;
use crate::throttle::{Damaged, at_most};

/// The maximum number of bytes of one reminder.
const BYTES: usize = 512;
/// The maximum number of reminders of a turn. A newer one replaces the oldest.
const MOST: usize = 4;

/// The reminders of a session.
#[derive(Default)]
pub(super) struct Reminders(Mutex<Turn>);

#[derive(Default)]
struct Turn {
    has_begun: bool,
    lines: Vec<String>,
}

impl Reminders {
    pub(super) fn saved(&self) -> SavedReminders {
        let turn = self.turn();
        SavedReminders { has_begun: turn.has_begun, lines: turn.lines.clone() }
    }

    pub(super) fn resumed(saved: SavedReminders) -> Result<Self, Damaged> {
        at_most(&saved.lines, MOST, "there are too many reminders")?;
        let lines = saved.lines.iter().map(|line| bounded_line(line)).collect();
        Ok(Self(Mutex::new(Turn { has_begun: saved.has_begun, lines })))
    }

    /// Adds a reminder, unless the text is blank.
    pub(super) fn add(&self, text: &str) {
        let line = bounded_line(text);
        if line.trim().is_empty() {
            return;
        }
        let mut turn = self.turn();
        turn.lines.retain(|other| *other != line);
        if turn.lines.len() == MOST {
            turn.lines.remove(0);
        }
        turn.lines.push(line);
    }

    /// Returns the reminders as one block of text; `None` if there are none.
    pub(super) fn block(&self) -> Option<String> {
        let turn = self.turn();
        if turn.lines.is_empty() {
            return None;
        }
        let lead = "This is from the application, not from the user. Do not mention it to the user.";
        Some(format!("<reminder>\n{lead}\n- {}\n</reminder>", turn.lines.join("\n- ")))
    }

    /// Begins a turn. If the previous turn has not ended, its reminders are removed.
    pub(super) fn begin(&self) {
        let mut turn = self.turn();
        if std::mem::replace(&mut turn.has_begun, true) {
            turn.lines.clear();
        }
    }

    /// Ends a turn and removes its reminders.
    pub(super) fn end(&self) {
        *self.turn() = Turn::default();
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // No code of the host runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a reminder as one line, without a closing tag that could end the block of reminders.
fn bounded_line(text: &str) -> String {
    bounded::sentence(&text.replace("</", "< /"), BYTES).into_owned()
}
