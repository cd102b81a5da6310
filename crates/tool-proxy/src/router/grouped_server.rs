//! One of several servers, [`GroupedServer`], and the requests of servers that the client has not answered: [`Questions`].
//!
//! Two servers can use the same id and the same progress token, so the client gets numbers of the proxy in their place.

use std::collections::{BTreeMap, VecDeque};

use rmcp::model::RequestId;
use serde_json::{Map, Value};

use crate::frame::Frame;
use crate::members::{Replaced, is_token, meta};
use crate::request_table::{Rejected, RequestTable};

/// A server, as the router knows it.
pub(crate) struct GroupedServer {
    pub(super) name: String,
    pub(super) prefix: String,
    pub(super) state: State,
    /// The capabilities that the server has declared. `None` if it was not asked.
    pub(super) capabilities: Option<Map<String, Value>>,
    pub(super) requests: RequestTable<PendingRequest>,
    /// `true` if the server does not read its input.
    pub(super) is_stuck: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Running,
    /// The client has got its handshake without this server, which has not answered yet.
    Late,
    /// The server cannot be used with this client.
    LeftOut,
    /// The process has ended.
    Ended,
}

/// A request that a server has to answer.
pub(super) enum PendingRequest {
    /// A request that only this server gets.
    Single(SingleRequest),
    /// A request that the next server gets if this one rejects it.
    InTurn(Box<RequestInTurn>),
    /// The share of a request with this id.
    Share(RequestId),
    /// The client's handshake, for a server that has joined later.
    Handshake,
}

pub(super) struct SingleRequest {
    /// `true` if the request is the call of a tool.
    pub(super) is_call: bool,
    pub(super) is_modern: bool,
}

pub(super) struct RequestInTurn {
    pub(super) frame: Frame,
    pub(super) uri: String,
    /// The servers that were not asked yet.
    pub(super) rest: VecDeque<usize>,
    /// The answer of the first server that has rejected the request.
    pub(super) rejected: Option<Frame>,
}

impl GroupedServer {
    pub(super) fn new(name: String, prefix: String) -> Self {
        Self {
            name,
            prefix,
            state: State::Running,
            capabilities: None,
            requests: RequestTable::default(),
            is_stuck: false,
        }
    }

    /// Returns the reason why the server gets no requests at the moment.
    pub(super) fn rejection(&self) -> Option<String> {
        let Self { name, .. } = self;
        match self.state {
            State::Running if self.is_stuck => Some(format!("The MCP server {name} does not read its requests.")),
            State::Running => None,
            State::Late => Some(format!("The MCP server {name} has not started yet.")),
            State::LeftOut => Some(format!("The MCP server {name} cannot be used with this client.")),
            State::Ended => Some(format!("The MCP server {name} is not running.")),
        }
    }

    /// Returns `true` if the server gets requests that need a capability.
    pub(super) fn can(&self, capability: &str) -> bool {
        self.rejection().is_none() && self.has(capability)
    }

    /// Returns `true` if the server has a capability, or may have it.
    pub(super) fn has(&self, capability: &str) -> bool {
        self.capabilities.as_ref().is_none_or(|capabilities| capabilities.contains_key(capability))
    }
}

/// The largest number of open requests of one server.
const MOST: usize = 1_000;

#[derive(Default)]
pub(super) struct Questions {
    /// The requests, by the numbers that the client gets.
    open: BTreeMap<i64, Question>,
    count: i64,
}

struct Question {
    server: usize,
    id: RequestId,
    replaced: Replaced,
}

impl Questions {
    /// Adds the request of a server. Returns it for the client.
    pub(super) fn ask(&mut self, server: usize, frame: &Frame, id: RequestId) -> Result<Frame, Rejected> {
        if self.number(server, &id).is_some() {
            return Err(Rejected::Repeated);
        }
        if self.open.values().filter(|question| question.server == server).count() >= MOST {
            return Err(Rejected::TooMany);
        }
        self.count += 1;
        let token = meta(frame.params(), "progressToken").filter(|token| is_token(token));
        let (asked, replaced) = Replaced::by(self.count, frame, token);
        self.open.insert(self.count, Question { server, id, replaced });
        Ok(asked)
    }

    fn number(&self, server: usize, id: &RequestId) -> Option<i64> {
        let mut open = self.open.iter();
        open.find(|(_, question)| question.server == server && question.id == *id).map(|(number, _)| *number)
    }

    /// Ends a request with the client's answer. Returns the server, and the answer for it.
    pub(super) fn answer(&mut self, id: &RequestId, frame: &Frame) -> Option<(usize, Frame)> {
        let RequestId::Number(number) = id else { return None };
        let Question { server, replaced, .. } = self.open.remove(number)?;
        Some((server, frame.with_part(frame.id_text(), &replaced.id)))
    }

    /// Ends a request that its server has cancelled. Returns its number.
    pub(super) fn cancel(&mut self, server: usize, id: &RequestId) -> Option<i64> {
        let number = self.number(server, id)?;
        self.open.remove(&number);
        Some(number)
    }

    /// Ends all requests of a server, and returns their numbers.
    pub(super) fn lose(&mut self, server: usize) -> Vec<i64> {
        let of_server = self.open.iter().filter(|(_, question)| question.server == server);
        let numbers: Vec<i64> = of_server.map(|(number, _)| *number).collect();
        self.open.retain(|_, question| question.server != server);
        numbers
    }

    /// Returns the server that gets a report of the client's progress, and the server's own token.
    pub(super) fn token(&self, token: &str) -> Option<(usize, &str)> {
        let question = self.open.get(&token.parse().ok()?)?;
        Some((question.server, question.replaced.token.as_deref()?))
    }
}
