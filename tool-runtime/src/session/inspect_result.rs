//! Inspects the answer of a tool. Adds warnings about a doubtful result, or about a likely cause of an error.
//!
//! In: the outcome of a call, and the arguments with which the tool ran. Out: the same outcome, with warnings. Invariants: the result is changed only if
//! the host asked for it. A small result without warnings is not copied.

use super::Outcome;
use super::run_interruptible::guarded;
use super::sent_arguments::SentArguments;
use super::session_with_toolbox::SessionView;
use crate::bounded;
use crate::event::EventKind;
use crate::failure::Failure;
use crate::find_parameter_markup;
use crate::input::Arguments;
use crate::result_guard::{CheckedResult, Subject, is_quoting, unquoted};
use crate::shape::{Kind, Ref, Text, lists};
use crate::spill::ResultStore;
use crate::tool::Payload;
use crate::toolbox::Entry;

/// Inspects the result of a tool.
#[inline]
pub(super) fn inspect_result(view: &SessionView, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
    if may_have_markup(arguments) {
        warn_of_markup(view, entry, arguments, outcome);
    }
    match outcome.as_result() {
        Ok(payload) if is_doubtful(view, entry, arguments, payload) => {
            inspect_in_full(view, entry, arguments, outcome);
        }
        Ok(_) => {}
        Err(_) => explain(view, entry, arguments, outcome),
    }
}

/// Returns `true` if a result has to be inspected. The check is cheap.
#[expect(clippy::inline_always, reason = "most of the branches are short")]
#[inline(always)]
pub(super) fn is_doubtful(view: &SessionView, entry: &Entry, arguments: &Arguments<'_>, payload: &Payload) -> bool {
    let is_doubtful =
        is_checked_by_schema(entry) || entry.guard.may_doubt(payload, arguments) || may_have_markup(arguments);
    is_doubtful && !view.shared.durability.are_elsewhere()
}

/// Adds a warning if a parameter that was not sent is inside the text of another one, as markup.
#[cold]
fn warn_of_markup(view: &SessionView, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
    let Ok(json) = arguments.to_json() else { return };
    let input = view.input(entry);
    let is_absent = |name: &str| json.get(name).is_none() && lists(&input.shape(), name);
    let warning = |(field, name): (&str, &str)| {
        let (field, name) = (bounded::name(field), bounded::name(name));
        Text::from(format!("{name} was not sent, but is inside {field}, as markup."))
    };
    let warnings = find_parameter_markup::swallowed(&json, is_absent).into_iter().map(warning).collect();
    warn_of_result(view, entry, arguments, outcome, warnings);
}

/// Adds a warning to the error of a tool if there is a likely cause of the error.
#[cold]
fn explain(view: &SessionView, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
    if !outcome.failure().is_some_and(Failure::is_of_tool) {
        return;
    }
    let warning = guarded(|| entry.guard.path_warning(arguments)).ok().flatten();
    warn_of_result(view, entry, arguments, outcome, warning.into_iter().collect());
}

#[cold]
fn inspect_in_full(view: &SessionView, entry: &Entry, arguments: &Arguments<'_>, outcome: &mut Outcome) {
    let is_shown = |cursor: &&str| entry.conditional.is_none() || has_field(&view.input(entry), cursor);
    let subject = Subject { tool: &entry.name, cursor: entry.cursor.as_deref().filter(is_shown) };
    let keep = |store: &dyn ResultStore, text: &str| {
        let has_secrets = SentArguments::new(arguments).conceals(entry);
        view.scope.results.keep(store, text, has_secrets)
    };
    let judge =
        |payload: &Payload| guarded(|| entry.guard.checked(&subject, payload, arguments, keep)).unwrap_or_default();
    let by_schema = |payload: &Payload| {
        if !is_checked_by_schema(entry) {
            return None;
        }
        // The tool author's validator may panic.
        guarded(|| entry.described.warning(payload)).ok().flatten()
    };
    let Ok((CheckedResult { warnings, payload }, unfitting)) =
        outcome.as_result().map(|payload| (judge(payload), by_schema(payload)))
    else {
        return;
    };
    if let Some(payload) = payload {
        outcome.replace(payload);
    }
    warn_of_result(view, entry, arguments, outcome, unfitting.into_iter().chain(warnings).collect());
}

/// Adds warnings to an outcome. The observer receives them in full length.
fn warn_of_result(
    view: &SessionView,
    entry: &Entry,
    arguments: &Arguments<'_>,
    outcome: &mut Outcome,
    warnings: Vec<Text>,
) {
    // A warning may quote arguments and results, so it is hidden wherever the tool's own texts are hidden.
    let conceals = warnings.iter().any(|warning| is_quoting(warning)) && SentArguments::new(arguments).conceals(entry);
    for warning in warnings {
        let shown = if conceals { unquoted(&warning) } else { warning.clone() };
        let warned = |warning| EventKind::Warned { tool: &entry.name, warning };
        view.observe_apart(outcome.call_id(), || warned(&warning), || warned(&shown));
        outcome.warn(shown);
    }
}

/// Returns `true` if the text of arguments may contain the markup of a parameter.
#[inline]
fn may_have_markup(arguments: &Arguments<'_>) -> bool {
    matches!(arguments, Arguments::Text(text) if text.as_bytes().contains(&b'<') && find_parameter_markup::may_contain_parameter_markup(text))
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
