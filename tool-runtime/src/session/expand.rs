//! A call of a container.
//!
//! In: the container and what it was called with. Out: its members become visible, or the refusal of the arguments. What always holds:
//! a container that is expanded already answers the same again and changes nothing; where a member takes a secret, no value is repeated.

use std::borrow::Cow;

use super::{Outcome, Session};
use crate::event::ToolEvent;
use crate::failure::Failure;
use crate::feedback::expansion_text;
use crate::input::Arguments;
use crate::issue::REDACTED;
use crate::json::{Json, Node};
use crate::repair::Repair;
use crate::tool::Payload;
use crate::toolbox::Entry;

impl Session {
    pub(super) fn expand(
        &self,
        call_id: &str,
        index: usize,
        repair: Option<Repair>,
        arguments: &Arguments<'_>,
    ) -> Outcome {
        let catalog = self.catalog();
        let container = &catalog.containers[index].spec;
        let functions: Vec<_> = catalog.functions(index).collect();
        if !arguments.is_empty() {
            let mut attempted = attempted(arguments);
            if catalog.functions_take_secrets(index) {
                redact(&mut attempted);
            }
            let failure = Failure::container_invocation(&container.name, &attempted, functions);
            return self.refuse(call_id, &container.name, repair, failure);
        }
        let collapsed = self.0.visible.expand(catalog, index);
        self.observe(|| ToolEvent::Expanded { call_id, container: &container.name });
        self.tell_collapsed(call_id, &collapsed);
        let text = expansion_text(&container.name, functions, container.instructions.as_deref());
        Outcome::new(call_id.to_owned(), container.name.clone(), repair, Ok(Payload::Json(text)))
    }

    /// The answer to the call of a member that is not visible.
    pub(super) fn refuse_hidden(&self, call_id: &str, entry: &Entry, repair: Option<Repair>) -> Outcome {
        let container = entry.owners.first().map_or("", |&owner| &self.catalog().containers[owner].spec.name);
        self.refuse(call_id, &entry.name, repair, Failure::container_not_expanded(&entry.name, container))
    }
}

/// What a container was called with, as a tree; a text that is no JSON as the string that it is.
fn attempted<'a>(arguments: &'a Arguments<'_>) -> Json<'a> {
    arguments.to_json().unwrap_or_else(|_| {
        Json::new(Node::String(match arguments {
            Arguments::Text(text) => Cow::Borrowed(text),
            Arguments::Bytes(bytes) => String::from_utf8_lossy(bytes),
            Arguments::Value(_) | Arguments::Map(_) => Cow::Borrowed("nested too deeply to be shown"),
        }))
    })
}

/// Leaves nothing but the keys: what was meant for a member may hold its secrets.
fn redact(attempted: &mut Json<'_>) {
    match &mut attempted.node {
        Node::Object(members) => members.iter_mut().for_each(|member| member.value.node = redacted()),
        node => *node = redacted(),
    }
}

fn redacted() -> Node<'static> {
    Node::String(Cow::Borrowed(REDACTED))
}
