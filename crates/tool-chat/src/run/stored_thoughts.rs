//! The stored form of [`thoughts`](crate::model::Response::thoughts), and of answers that contain them.
//!
//! Invariant: each thought is stored as a string of JSON text. If it were stored as a part of the tree, the file could be nested too deeply
//! to be parsed.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::model::{Response, StopReason, ToolCall, Usage};

pub(super) fn serialize<S: Serializer>(thoughts: &[Value], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(thoughts.iter().map(Value::to_string))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Value>, D::Error> {
    read(&Vec::<String>::deserialize(deserializer)?)
}

fn read<E: Error>(texts: &[String]) -> Result<Vec<Value>, E> {
    texts.iter().map(|text| serde_json::from_str(text).map_err(E::custom)).collect()
}

/// An answer of the model as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored<'r> {
    text: Cow<'r, str>,
    calls: Cow<'r, [ToolCall]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    thoughts: Vec<String>,
    usage: Usage,
    stop: StopReason,
}

/// The stored form of an answer of the model.
pub(super) mod response {
    use super::{Deserialize, Deserializer, Response, Serialize, Serializer, Stored, Value, read};

    pub(in crate::run) fn serialize<S: Serializer>(response: &Response, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = Stored {
            text: (&*response.text).into(),
            calls: (&*response.calls).into(),
            thoughts: response.thoughts.iter().map(Value::to_string).collect(),
            usage: response.usage,
            stop: response.stop,
        };
        stored.serialize(serializer)
    }

    pub(in crate::run) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Response, D::Error> {
        let Stored { text, calls, thoughts, usage, stop } = Stored::deserialize(deserializer)?;
        let response = Response::from_text(text).with_calls(calls.into_owned()).with_thoughts(read(&thoughts)?);
        Ok(response.with_usage(usage).with_stop(stop))
    }
}
