//! Any messages of a client and a server of different revisions, through a translator without a proxy around it.
//!
//! Each step of a case is three numbers: the kind of message, and two that select its content. Each request and each result has a number of its
//! own as an unknown member, by which its other side is found.

mod legacy;
mod modern;

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::members::{CAPABILITIES, CLIENT, VERSION};
use super::output::Translated;
use super::{Translator, TranslatorState};

/// A step of a case.
type Step = (u8, u8, u8);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    vec(any::<Step>(), 0..80)
}

/// The translator between both sides, and the requests that are open on each.
struct World {
    translator: Translator,
    /// The requests of the client without an answer, by their ids as JSON text.
    open: HashMap<String, Value>,
    /// The requests at the server that it has not answered.
    at_server: Vec<Value>,
    /// The parameters of the requests of the client, and the results of the server, by their numbers.
    params: Vec<Value>,
    results: Vec<Value>,
    count: u64,
}

impl World {
    fn new(translator: Translator) -> Self {
        let (open, at_server) = (HashMap::new(), Vec::new());
        Self { translator, open, at_server, params: Vec::new(), results: Vec::new(), count: 0 }
    }

    fn client(&mut self, message: &Value) -> Translated {
        let mut out = Translated::default();
        self.translator.client(message.to_string().into(), &mut out);
        out
    }

    fn server(&mut self, message: &Value) -> Translated {
        let mut out = Translated::default();
        self.translator.server(message.to_string().into(), &mut out);
        out
    }

    /// Returns a new request of the client. Its id is a number or a text.
    fn request(&mut self, method: &str, mut params: Value) -> Value {
        self.count += 1;
        let id = if self.count.is_multiple_of(2) { json!(self.count) } else { json!(format!("c{}", self.count)) };
        params["x/number"] = self.params.len().into();
        self.params.push(params.clone());
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.open.insert(id.to_string(), request.clone());
        request
    }

    /// Takes an open request from the server, if it has any.
    fn take(&mut self, at: u8) -> Option<Value> {
        let count = self.at_server.len();
        (count > 0).then(|| self.at_server.remove(usize::from(at) % count))
    }

    /// Returns the answer of the server with a result that it has not used before.
    fn result(&mut self, request: &Value, mut result: Value) -> Value {
        result["x/number"] = self.results.len().into();
        self.results.push(result.clone());
        json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
    }

    /// Notes a request that the server has received.
    fn asked(&mut self, message: &Value) {
        assert!(!self.at_server.iter().any(|request| request["id"] == message["id"]), "an id twice: {message}");
        self.at_server.push(message.clone());
    }

    /// Notes an answer that the client has received.
    fn answered(&mut self, message: &Value) -> Value {
        let request = self.open.remove(&message["id"].to_string());
        request.unwrap_or_else(|| panic!("an answer that nobody waits for: {message}"))
    }

    /// Returns the numbers of entries in the tables of the translator.
    fn entries(&self) -> Vec<usize> {
        match &self.translator.state {
            TranslatorState::Modern(client) => client.entries(),
            TranslatorState::Legacy(client) => client.entries(),
            _ => panic!("nothing is translated"),
        }
    }
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The members of `_meta` that each request of protocol version 2026-07-28 has.
fn modern_meta() -> Value {
    json!({VERSION: "2026-07-28", CLIENT: {"name": "c", "version": "1"}, CAPABILITIES: {"elicitation": {}, "roots": {}}})
}

/// Returns the number of a message, with which the test has sent its parameters or its result.
fn number(content: &Value) -> Option<usize> {
    content["x/number"].as_u64().and_then(|number| usize::try_from(number).ok())
}

/// Removes the members of `_meta` that belong to the protocol.
fn without_protocol(mut params: Value) -> Value {
    if let Some(params) = params.as_object_mut() {
        let mut meta = params.remove("_meta").unwrap_or_default();
        if let Some(meta) = meta.as_object_mut() {
            meta.retain(|name, _| !name.starts_with("io.modelcontextprotocol/"));
        }
        if meta.as_object().is_some_and(|meta| !meta.is_empty()) {
            params.insert("_meta".to_owned(), meta);
        }
    }
    params
}

fn without(mut content: Value, names: &[&str]) -> Value {
    if let Some(members) = content.as_object_mut() {
        members.retain(|name, _| !names.contains(&&**name));
    }
    content
}

fn object(members: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Map<_, _>>())
}
