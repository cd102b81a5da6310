//! The version with feature `tracing`: the span of a call, and the fields that are recorded once the answer is known.
//!
//! In: a call and its answer. Out: the fields of its span. Invariants: arguments and results are recorded only if the
//! host asked for them; they are omitted if it is not certain which of their values are secret.

use std::future::Future;

use tracing::field::display;
use tracing::{Instrument, Span};

use crate::check::sends_sensitive_field;
use crate::event::trace;
use crate::input::Arguments;
use crate::issue::REDACTED;
use crate::json::Json;
use crate::private::feedback::redact_arguments;
use crate::session::Outcome;
use crate::session::session_with_toolbox::SessionView;
use crate::spill::READ_RESULT;
use crate::toolbox::Item;

/// `true` if calls have spans.
pub(in crate::session) const IS_TRACED: bool = true;

/// A call that is traced.
pub(in crate::session) struct Trace<'a> {
    session: &'a SessionView,
    call_id: &'a str,
    name: &'a str,
    /// The arguments; `None` if the host records neither arguments nor results. They are also needed to record results, which may repeat
    /// their secrets.
    arguments: Option<Arguments<'static>>,
}

pub(in crate::session) fn trace<'a>(
    view: &'a SessionView,
    call_id: &'a str,
    name: &'a str,
    arguments: &Arguments<'_>,
) -> Trace<'a> {
    let content = view.toolbox.parts().settings.tracing;
    let arguments = (content.arguments || content.results).then(|| arguments.as_borrowed().into_owned());
    Trace { session: view, call_id, name, arguments }
}

impl Trace<'_> {
    pub(in crate::session) async fn around(self, answer: impl Future<Output = Outcome> + Send) -> Outcome {
        let catalog = self.session.catalog();
        let description = catalog.find(self.name).map(|item| match item {
            Item::Tool(tool) => &*catalog.tools[tool].tool.spec().description,
            Item::Container(container) => &*catalog.containers[container].spec.description,
            Item::CallTool => "Calls another tool.",
        });
        let span = trace::span(self.call_id, self.name, description);
        let outcome = answer.instrument(span.clone()).await;
        if !span.is_disabled() {
            self.record(&span, &outcome);
        }
        outcome
    }

    fn record(&self, span: &Span, outcome: &Outcome) {
        let catalog = self.session.catalog();
        let item = catalog.find(outcome.tool_name());
        if let (true, Some(item)) = (outcome.tool_name() != self.name, item) {
            let name = catalog.name(item);
            span.record("otel.name", display(format_args!("execute_tool {name}")));
            span.record("gen_ai.tool.name", name.as_str());
        }
        // A deferred call is not a failure.
        if let Err(failure) = outcome.as_result()
            && !failure.is_deferred()
        {
            span.record("error.type", failure.error_type());
            span.record("otel.status_code", "ERROR");
        }
        if let Some(arguments) = &self.arguments {
            let arguments = outcome.repaired_arguments().map_or_else(|| arguments.as_borrowed(), Arguments::from);
            self.record_content(span, outcome, item, &arguments);
        }
    }

    /// Records the content that the host asked for, without secrets. Values are redacted by position, and the result of
    /// a call that sent a secret is omitted.
    fn record_content(&self, span: &Span, outcome: &Outcome, item: Option<Item>, arguments: &Arguments<'_>) {
        let catalog = self.session.catalog();
        let content = self.session.toolbox.parts().settings.tracing;
        let json = arguments.to_json().ok();
        let (shown, sends_sensitive_field) = match item {
            Some(Item::Tool(tool)) => {
                let entry = &catalog.tools[tool];
                let input = entry.tool.spec().input.clone();
                // Sent arguments have the advertised form; repaired arguments have the tool's form.
                let input = match self.session.rewritten(entry) {
                    Some(advertisement) if outcome.repaired_arguments().is_none() => {
                        advertisement.shown_input().clone()
                    }
                    _ => input,
                };
                let shape = input.shape();
                // Arguments that were sent under another name have the form of the item with that name.
                let is_own = outcome.repaired_arguments().is_some() || catalog.find(self.name) == item;
                match &json {
                    // The result is a part of an earlier result, which may repeat the secrets of the earlier call.
                    _ if entry.name == READ_RESULT && self.session.scope.results.has_secrets() => {
                        (Some(written(json.as_ref())), true)
                    }
                    _ if !entry.takes_secrets => (Some(written(json.as_ref())), false),
                    Some(json) if is_own => {
                        (Some(redact_arguments(&shape, json).to_text()), sends_sensitive_field(&shape, json))
                    }
                    _ => (None, true),
                }
            }
            Some(Item::Container(container)) if !catalog.functions_take_secrets(container) => {
                (Some(written(json.as_ref())), false)
            }
            // Arguments for a member or an unknown tool may contain secrets.
            Some(Item::Container(_) | Item::CallTool) | None => (None, true),
        };
        let runs_with_secret = matches!(item, Some(Item::Tool(tool)) if catalog.tools[tool].host_has_secrets);
        if content.arguments {
            span.record("gen_ai.tool.call.arguments", shown.as_deref().unwrap_or(REDACTED));
        }
        if let (true, Ok(payload)) = (content.results, outcome.as_result()) {
            span.record(
                "gen_ai.tool.call.result",
                if sends_sensitive_field || runs_with_secret { REDACTED } else { payload.as_str() },
            );
        }
    }
}

/// Returns arguments without secrets. A text that is not valid JSON is redacted as a whole.
fn written(json: Option<&Json<'_>>) -> String {
    json.map_or_else(|| REDACTED.to_owned(), Json::to_text)
}

/// Wraps work for another thread, so that it runs inside the current span.
pub(in crate::session) fn in_current_span(work: impl FnOnce() + Send) -> impl FnOnce() + Send {
    let span = Span::current();
    move || span.in_scope(work)
}
