//! The requests of servers that the client has not answered: [`Questions`].
//!
//! Two servers can use the same id and the same progress token, so the client gets numbers of the proxy in their place.

use std::collections::{BTreeMap, HashMap};

use rmcp::model::RequestId;
use serde_json::value::RawValue;

use super::super::frame::{Frame, Splice};
use super::super::open::Refused;
use super::super::parts::meta_of;

/// The largest number of open requests of one server.
const MOST: usize = 1_000;

#[derive(Default)]
pub(super) struct Questions {
    open: BTreeMap<i64, Question>,
    numbers: HashMap<(usize, RequestId), i64>,
    count: i64,
}

struct Question {
    server: usize,
    id: RequestId,
    /// The id as the server has written it.
    text: String,
    /// The progress token of the server, as JSON text.
    token: Option<String>,
}

impl Questions {
    /// Adds the request of a server. Returns it for the client.
    pub(super) fn ask(&mut self, server: usize, frame: &Frame, id: RequestId, params: &str) -> Result<Frame, Refused> {
        if self.numbers.contains_key(&(server, id.clone())) {
            return Err(Refused::Repeated);
        }
        if self.open.values().filter(|question| question.server == server).count() >= MOST {
            return Err(Refused::TooMany);
        }
        let part = frame.id_text();
        self.count += 1;
        let number = self.count.to_string();
        let token = meta_of(params).progress_token.map(RawValue::get);
        let parts = [Some(part), token].into_iter().flatten();
        let asked = frame.with(parts.map(|part| Splice { part, text: number.as_str().into() }).collect());
        self.numbers.insert((server, id.clone()), self.count);
        let question = Question { server, id, text: part.to_owned(), token: token.map(str::to_owned) };
        self.open.insert(self.count, question);
        Ok(asked)
    }

    /// Ends a request with the client's answer. Returns the server, and the answer for it.
    pub(super) fn answer(&mut self, id: &RequestId, frame: &Frame) -> Option<(usize, Frame)> {
        let RequestId::Number(number) = id else { return None };
        let Question { server, id, text, .. } = self.open.remove(number)?;
        self.numbers.remove(&(server, id));
        Some((server, frame.with_part(frame.id_text(), &text)))
    }

    /// Ends a request that its server has cancelled. Returns its number.
    pub(super) fn cancel(&mut self, server: usize, id: &RequestId) -> Option<i64> {
        let number = self.numbers.remove(&(server, id.clone()))?;
        self.open.remove(&number);
        Some(number)
    }

    /// Ends all requests of a server, and returns their numbers.
    pub(super) fn lose(&mut self, server: usize) -> Vec<i64> {
        let of_server = self.open.iter().filter(|(_, question)| question.server == server);
        let numbers: Vec<i64> = of_server.map(|(number, _)| *number).collect();
        for number in &numbers {
            self.open.remove(number);
        }
        self.numbers.retain(|(owner, _), _| *owner != server);
        numbers
    }

    /// Returns the server that gets a report of the client's progress, and the server's own token.
    pub(super) fn token(&self, token: &str) -> Option<(usize, &str)> {
        let question = self.open.get(&token.parse().ok()?)?;
        Some((question.server, question.token.as_deref()?))
    }
}
