//! A call of a container.
//!
//! In: the container and what it was called with. Out: its members become visible, or the refusal of the arguments. What always holds:
//! a container that is expanded already answers the same again and changes nothing.

use std::borrow::Cow;

use serde_json::Value;

use super::{Outcome, Session};
use crate::event::ToolEvent;
use crate::failure::Failure;
use crate::feedback::expansion_text;
use crate::input::Arguments;
use crate::json::{Json, Node};
use crate::repair::Repair;
use crate::tool::Payload;

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
        let functions = Vec::from_iter(catalog.functions(index));
        if !arguments.is_empty() {
            let failure = Failure::container_invocation(&container.name, &attempted(arguments), functions);
            return self.refuse(call_id, &container.name, repair, failure);
        }
        self.0.visible.expand(index);
        self.observe(|| ToolEvent::Expanded { call_id, container: &container.name });
        let text = expansion_text(&container.name, &functions, container.instructions.as_deref());
        Outcome::new(call_id.to_owned(), container.name.clone(), repair, Ok(Payload::Json(text)))
    }
}

/// What a container was called with, as a tree; a text that is no JSON as the string that it is.
fn attempted(arguments: &Arguments<'_>) -> Json<'static> {
    let parsed = match arguments {
        Arguments::Text(json) => Json::parse(json).map(Json::into_owned),
        Arguments::Bytes(json) => Json::parse_bytes(json).map(Json::into_owned),
        Arguments::Value(value) => Json::from_value(value).map(Json::into_owned),
        Arguments::Map(map) => Json::from_value(&Value::Object(map.clone().into_owned())).map(Json::into_owned),
    };
    let unparsed = match arguments {
        Arguments::Text(json) => Cow::Borrowed(&**json),
        Arguments::Bytes(json) => String::from_utf8_lossy(json),
        Arguments::Value(_) | Arguments::Map(_) => Cow::Borrowed("…"),
    };
    parsed.unwrap_or_else(|_| Json::new(Node::String(Cow::Owned(unparsed.into_owned()))))
}
