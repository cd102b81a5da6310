//! Reminders: texts from the host for the model that last one turn.
//!
//! Invariants: a reminder is one line of bounded length, and cannot end the block in which it is shown. At most [`MOST`] reminders are
//! kept, and the end of a turn removes them all.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Session;
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

    fn turn(&self) -> MutexGuard<'_, Turn> {
        // No code of the host runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Adds a reminder for the model. It lasts for the current turn or, if no turn is running, for the next one.
    ///
    /// White space is replaced by single spaces, and a text of more than 512 bytes is truncated. At most four different reminders are kept;
    /// a newer one replaces the oldest. A conversation of `tool-chat` sends the reminders. Other hosts send the text of
    /// [`reminder`](Self::reminder) themselves.
    pub fn remind(&self, text: impl AsRef<str>) {
        let line = bounded_line(text.as_ref());
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

    /// Returns the reminders of the turn as one block of text; `None` if there are none. Send it after the outcomes of the calls.
    ///
    /// Send the block with the next request only, and do not keep it in the history.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let session = Toolbox::builder().build()?.session();
    /// session.remind("The build is red.");
    /// session.begin_turn();
    /// let lead = "This is from the application, not from the user. Do not mention it to the user.";
    /// let block = format!("<reminder>\n{lead}\n- The build is red.\n</reminder>");
    /// assert_eq!(session.reminder(), Some(block));
    /// session.end_turn();
    /// assert_eq!(session.reminder(), None);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn reminder(&self) -> Option<String> {
        let turn = self.turn();
        if turn.lines.is_empty() {
            return None;
        }
        let lead = "This is from the application, not from the user. Do not mention it to the user.";
        Some(format!("<reminder>\n{lead}\n- {}\n</reminder>", turn.lines.join("\n- ")))
    }

    /// Begins a turn. If the previous turn has not ended, its reminders are removed.
    pub(super) fn begin_reminders(&self) {
        let mut turn = self.turn();
        if std::mem::replace(&mut turn.has_begun, true) {
            turn.lines.clear();
        }
    }

    /// Ends a turn and removes its reminders.
    pub(super) fn end_reminders(&self) {
        *self.turn() = Turn::default();
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.0.first.shared.reminders.turn()
    }
}

/// Returns a reminder as one line that cannot end the block in which it is shown.
fn bounded_line(text: &str) -> String {
    bounded::sentence(&text.replace("</", "< /"), BYTES).into_owned()
}
