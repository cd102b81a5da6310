//! A result on its way out: what is doubtful about it becomes a warning. Beside an error of the tool, what may explain it does.
//!
//! In: the outcome of a call, the arguments that led to it. Out: the same outcome with its warnings. What always holds: the result is
//! changed only where the host asked for that; a good small result is looked at and not copied.

use super::invoke::guarded;
use super::{Outcome, Session};
use crate::check::Secrets;
use crate::event::Decision;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::response::Judged;
use crate::shape::Text;
use crate::tool::Payload;
use crate::toolbox::Entry;

impl Session {
    /// Looks at the result of a tool.
    #[inline]
    pub(super) fn doubt(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        let read = outcome.arguments().map(Arguments::from);
        let is_doubtful = |payload| {
            is_held_against_schema(entry) || entry.guard.may_doubt(payload, read.as_ref().unwrap_or(arguments))
        };
        match outcome.result() {
            Ok(payload) if is_doubtful(payload) => self.doubt_in_full(entry, arguments, outcome),
            Ok(_) => {}
            Err(_) => self.explain(entry, arguments, outcome),
        }
    }

    /// Warns beside the error of a tool of what may explain it.
    #[cold]
    fn explain(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        if !outcome.result().is_err_and(Failure::is_of_tool) {
            return;
        }
        let read = outcome.arguments().map(Arguments::from);
        let arguments = read.as_ref().unwrap_or(arguments);
        let warning = guarded(|| entry.guard.path_warning(arguments, || secrets(entry, arguments)));
        if let Ok(Some(warning)) = warning {
            self.observe(outcome.call_id(), || Decision::Warned { tool: &entry.name, warning: &warning });
            outcome.warn(warning);
        }
    }

    #[cold]
    fn doubt_in_full(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        // What led to the result is what the tool was given, not what the model wrote.
        let read = outcome.arguments().map(Arguments::from);
        let arguments = read.as_ref().unwrap_or(arguments);
        let secrets = || secrets(entry, arguments);
        let judge = |payload: &Payload| {
            guarded(|| entry.guard.judged(&entry.name, payload, arguments, secrets)).unwrap_or_default()
        };
        let by_schema = |payload: &Payload| {
            if !is_held_against_schema(entry) {
                return None;
            }
            // The schema is the author's, and a place may be named by a key that was an argument.
            let warning = guarded(|| entry.described.warning(payload)).ok().flatten()?;
            Some(Text::from(secrets().hide(&warning).into_owned()))
        };
        let Ok((Judged { warnings, payload }, unfitting)) =
            outcome.result().map(|payload| (judge(payload), by_schema(payload)))
        else {
            return;
        };
        if let Some(payload) = payload {
            outcome.replace(payload);
        }
        for warning in unfitting.into_iter().chain(warnings) {
            self.observe(outcome.call_id(), || Decision::Warned { tool: &entry.name, warning: &warning });
            outcome.warn(warning);
        }
    }
}

/// What was sent in sensitive fields.
fn secrets(entry: &Entry, arguments: &Arguments<'_>) -> Secrets {
    let shape = entry.tool.spec().input.shape();
    let arguments = if shape.has_secrets() { arguments.to_json().ok() } else { None };
    arguments.map_or_else(Secrets::default, |arguments| Secrets::of(&shape, &arguments))
}

#[inline]
const fn is_held_against_schema(entry: &Entry) -> bool {
    entry.described.is_judged() && entry.guard.asks_schema()
}
