//! Inspects the answer of a tool. Adds warnings about a doubtful result, or about a likely cause of an error.
//!
//! In: the outcome of a call, and the arguments with which the tool ran. Out: the same outcome, with warnings. Invariants: the result is changed only if
//! the host asked for it. A small result without warnings is not copied.

use super::interruption::guarded;
use super::sent::Sent;
use super::settle::conceals_words;
use super::view::SessionView;
use super::{Outcome, Session};
use crate::bounded;
use crate::event::Decision;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::markup;
use crate::response::{Judged, Subject, is_quoting, kept_text, unquoted};
use crate::shape::{Kind, Ref, Text, lists};
use crate::spill::ResultStore;
use crate::tool::Payload;
use crate::toolbox::Entry;

impl SessionView {
    /// Inspects the result of a tool.
    #[inline]
    pub(super) fn inspect(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        if may_have_markup(arguments) {
            self.warn_of_markup(entry, arguments, outcome);
        }
        match outcome.as_result() {
            Ok(payload) if self.is_doubtful(entry, arguments, payload) => {
                self.inspect_in_full(entry, arguments, outcome);
            }
            Ok(_) => {}
            Err(_) => self.explain(entry, arguments, outcome),
        }
    }

    /// Returns `true` if a result has to be inspected. The check is cheap.
    #[expect(clippy::inline_always, reason = "most of the branches are short")]
    #[inline(always)]
    pub(super) fn is_doubtful(&self, entry: &Entry, arguments: &Arguments<'_>, payload: &Payload) -> bool {
        let is_doubtful =
            is_checked_by_schema(entry) || entry.guard.may_doubt(payload, arguments) || may_have_markup(arguments);
        is_doubtful && !self.shared.starts.are_elsewhere()
    }

    /// Adds a warning if a parameter that was not sent is inside the text of another one, as markup.
    #[cold]
    fn warn_of_markup(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        let Ok(json) = arguments.to_json() else { return };
        let input = self.input(entry);
        let is_absent = |name: &str| json.get(name).is_none() && lists(&input.shape(), name);
        let warning = |(field, name): (&str, &str)| {
            let (field, name) = (bounded::name(field), bounded::name(name));
            Text::from(format!("{name} was not sent, but stands inside {field}, as markup."))
        };
        let warnings = markup::swallowed(&json, is_absent).into_iter().map(warning).collect();
        self.warn_of_result(entry, arguments, outcome, warnings);
    }

    /// Adds a warning to the error of a tool if there is a likely cause of the error.
    #[cold]
    fn explain(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        if !outcome.failure().is_some_and(Failure::is_of_tool) {
            return;
        }
        let warning = guarded(|| entry.guard.path_warning(arguments)).ok().flatten();
        self.warn_of_result(entry, arguments, outcome, warning.into_iter().collect());
    }

    #[cold]
    fn inspect_in_full(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
        let is_shown = |cursor: &&str| entry.conditional.is_none() || has_field(&self.input(entry), cursor);
        let subject = Subject { tool: &entry.name, cursor: entry.cursor.as_deref().filter(is_shown) };
        let keep = |store: &dyn ResultStore, text: &str| {
            let has_secrets = conceals_words(entry, &Sent::new(arguments));
            self.scope.results.keep(store, text, has_secrets)
        };
        let judge =
            |payload: &Payload| guarded(|| entry.guard.judged(&subject, payload, arguments, keep)).unwrap_or_default();
        let by_schema = |payload: &Payload| {
            if !is_checked_by_schema(entry) {
                return None;
            }
            // The tool author's validator may panic.
            guarded(|| entry.described.warning(payload)).ok().flatten()
        };
        let Ok((Judged { warnings, payload }, unfitting)) =
            outcome.as_result().map(|payload| (judge(payload), by_schema(payload)))
        else {
            return;
        };
        if let Some(payload) = payload {
            outcome.replace(payload);
        }
        self.warn_of_result(entry, arguments, outcome, unfitting.into_iter().chain(warnings).collect());
    }

    /// Adds warnings to an outcome. The observer receives them in full length.
    fn warn_of_result(&self, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome, warnings: Vec<Text>) {
        // A warning may quote arguments and results, so it is hidden wherever the tool's own texts are hidden.
        let conceals =
            warnings.iter().any(|warning| is_quoting(warning)) && conceals_words(entry, &Sent::new(arguments));
        for warning in warnings {
            let shown = if conceals { unquoted(&warning) } else { warning.clone() };
            let warned = |warning| Decision::Warned { tool: &entry.name, warning };
            self.observe_apart(outcome.call_id(), || warned(&warning), || warned(&shown));
            outcome.warn(shown);
        }
    }
}

impl Session {
    /// Gives kept results handles that cannot be guessed.
    pub(crate) fn seal_results(&self) {
        self.current().scope.results.seal();
    }

    /// Keeps a text that is longer than a limit in the first store of the toolbox. Returns its beginning, with a notice about reading on;
    /// `None` if the text fits or is not kept.
    pub(crate) fn keep_text(&self, text: String, limit: usize) -> Option<String> {
        let current = self.current();
        let store = current.catalog().stores.first()?;
        kept_text(text, limit, |text| current.scope.results.keep(&**store, text, false))
    }
}

/// Returns `true` if the text of arguments may contain the markup of a parameter.
#[inline]
fn may_have_markup(arguments: &Arguments<'_>) -> bool {
    matches!(arguments, Arguments::Text(text) if text.as_bytes().contains(&b'<') && markup::may_have(text))
}

#[inline]
const fn is_checked_by_schema(entry: &Entry) -> bool {
    entry.described.is_checked() && entry.guard.asks_schema()
}

/// Returns `true` if a tool currently has a parameter of this name, which the state may hide.
fn has_field(input: &Ref, name: &str) -> bool {
    match &input.shape().kind {
        Kind::Object(object) => object.fields.iter().any(|field| field.name == *name),
        _ => false,
    }
}
