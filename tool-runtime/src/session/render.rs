//! Writes the text of a rejection: more emphatic for a repetition, and in the form that the host chose.
//!
//! In: a failure, and the arguments of its call. Out: the same failure with additions to its text. Invariants: only failures about
//! arguments are changed. For the JSON form, the arguments are not parsed again.

use super::run_interruptible::guarded;
use super::sent_arguments::SentArguments;
use super::session_with_toolbox::SessionView;
use crate::decode::ParsedTree;
use crate::failure::{EscalatedMessage, Failure};
use crate::feedback::{self, FeedbackForm};
use crate::input::Arguments;
use crate::private::dialect::shown_issues;
use crate::private::feedback::redact_arguments;
use crate::private::issue::with_excerpt;
use crate::shape::Ref;
use crate::toolbox::{Advertisement, Entry};

/// Writes the text of a failure of a tool that was advertised in a provider's form, with the names and forms that
/// the model saw.
pub(super) fn render_shown(
    view: &SessionView,
    entry: &Entry,
    failure: Failure,
    advertisement: &Advertisement,
    sent: &SentArguments<'_>,
) -> Failure {
    let (Some(inverse), Some(own)) = (advertisement.inverse(), sent.tree()) else {
        return render(view, entry, failure, advertisement.shown_input(), sent);
    };
    let input = view.input(entry);
    let shown = inverse.show(redact_arguments(&input.shape(), own));
    let failure = failure.map_issues(|issues| shown_issues(inverse, issues, &shown));
    let text = Arguments::from(shown.to_text());
    render(view, entry, failure, advertisement.shown_input(), &SentArguments::parsed(&text, ParsedTree::Tree(shown)))
}

/// Writes the text of a failure; `input` is the input of the tool as the model knows it.
pub(super) fn render(
    view: &SessionView,
    entry: &Entry,
    failure: Failure,
    input: &Ref,
    sent: &SentArguments<'_>,
) -> Failure {
    if !failure.is_about_arguments() {
        return failure;
    }
    let escalation = view.shared.rejected.again(&entry.name, failure.issues());
    // This runs user-defined rules again, and the model must get its answer even if one of them panics.
    let escalation = match escalation {
        Some((issue, _)) if failure.is_cut_off() => Some(EscalatedMessage::of_cut_off(issue)),
        Some((issue, before)) => guarded(|| EscalatedMessage::for_issue(issue, before, input, sent.tree())).ok(),
        None => None,
    };
    let failure = match escalation {
        Some(escalation) => failure.escalated(escalation),
        None => failure,
    };
    let form = view.toolbox.parts().settings.feedback;
    if form == FeedbackForm::Json {
        let text = sent.arguments().to_text();
        let shape = input.shape();
        let add = |issue| with_excerpt(issue, &shape, &text);
        return if sent.tree().is_none() {
            failure.map_issues(|issues| issues.into_iter().map(add).collect())
        } else {
            failure
        };
    }
    match guarded(|| feedback::render_rejection(form, &failure, &input.shape(), sent.arguments(), sent.tree())) {
        Ok(Some(text)) => failure.with_text(text),
        _ => failure,
    }
}
