//! With feature `tracing`: the span of a call, and what is recorded in it when the answer is there.
//!
//! In: a call, its answer. Out: the attributes of its span. What always holds: arguments and results are only kept where the host asked for
//! them; where it is not clear which of their values are secrets, they are not told.

use std::borrow::Cow;
use std::future::Future;

use tracing::field::display;
use tracing::{Instrument, Span};

use crate::check::Secrets;
use crate::event::{Decision, trace};
use crate::input::Arguments;
use crate::issue::REDACTED;
use crate::session::{Outcome, Session};
use crate::toolbox::{Item, Parts};

pub(in crate::session) use crate::event::trace::is_heard;

/// The most that arguments and their secrets may take to be compared, multiplied.
const MOST_COMPARED: usize = 1 << 26;

/// A call that is to be traced.
pub(in crate::session) struct Trace<'a> {
    session: &'a Session,
    call_id: &'a str,
    name: &'a str,
    /// Kept only where somebody wants to see them, or a result that may repeat their secrets.
    arguments: Option<Arguments<'static>>,
}

impl Session {
    pub(in crate::session) fn trace<'a>(
        &'a self,
        call_id: &'a str,
        name: &'a str,
        arguments: &Arguments<'_>,
    ) -> Trace<'a> {
        let content = self.0.toolbox.parts().settings.tracing;
        let arguments = (content.arguments || content.results).then(|| arguments.lent().into_owned());
        Trace { session: self, call_id, name, arguments }
    }
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
        let item = catalog.find(outcome.tool());
        if let (true, Some(item)) = (outcome.tool() != self.name, item) {
            let name = catalog.name(item);
            span.record("otel.name", display(format_args!("execute_tool {name}")));
            span.record("gen_ai.tool.name", name.as_str());
        }
        // What waits for the host has not failed.
        if let Err(failure) = outcome.result()
            && !failure.is_deferred()
        {
            span.record("error.type", failure.error_type());
            span.record("otel.status_code", "ERROR");
        }
        if let Some(arguments) = &self.arguments {
            let arguments = outcome.arguments().map_or_else(|| arguments.lent(), Arguments::from);
            self.record_content(span, outcome, item, &arguments);
        }
    }

    /// What the host has asked for, without the secrets.
    fn record_content(&self, span: &Span, outcome: &Outcome, item: Option<Item>, arguments: &Arguments<'_>) {
        let content = self.session.0.toolbox.parts().settings.tracing;
        let mut arguments = arguments.to_json().ok();
        let secrets = match item {
            Some(Item::Tool(tool)) => {
                let shape = self.session.catalog().tools[tool].tool.spec().input.shape();
                // What was refused may have its secrets under any name, and what came by another name may have them anywhere.
                let is_own = outcome.arguments().is_some() || self.session.catalog().find(self.name) == item;
                let is_known = is_own && outcome.result().err().is_none_or(|failure| !failure.is_about_arguments());
                match &arguments {
                    _ if !shape.has_secrets() => Some(Secrets::default()),
                    Some(arguments) if is_known => Some(Secrets::of(&shape, arguments)),
                    _ => None,
                }
            }
            // What was meant for a member may hold its secrets.
            Some(Item::Container(container)) if self.session.catalog().functions_take_secrets(container) => None,
            Some(Item::Container(_)) => Some(Secrets::default()),
            Some(Item::CallTool) | None => None,
        };
        if content.arguments {
            let shown = match (&mut arguments, &secrets) {
                (Some(json), Some(secrets)) => {
                    let written = json.to_text();
                    if secrets.is_empty() {
                        written
                    } else if written.len().saturating_mul(secrets.count()) > MOST_COMPARED {
                        REDACTED.to_owned()
                    } else {
                        secrets.redact(json);
                        json.to_text()
                    }
                }
                _ => REDACTED.to_owned(),
            };
            span.record("gen_ai.tool.call.arguments", &*shown);
        }
        if let (true, Ok(payload)) = (content.results, outcome.result()) {
            let shown = secrets.as_ref().map_or(Cow::Borrowed(REDACTED), |secrets| secrets.hide(payload.as_str()));
            span.record("gen_ai.tool.call.result", &*shown);
        }
    }
}

/// Work for another thread, inside the span that is current here.
pub(in crate::session) fn carried(work: impl FnOnce() + Send) -> impl FnOnce() + Send {
    let span = Span::current();
    move || span.in_scope(work)
}

pub(in crate::session) fn tell(parts: &Parts, call_id: &str, decision: &Decision<'_>) {
    trace::tell(parts.settings.tracing, call_id, decision);
}
