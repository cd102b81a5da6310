//! One of several servers: [`Member`].

use std::collections::VecDeque;

use rmcp::model::RequestId;
use serde_json::{Map, Value};

use super::super::deadlines::Deadline;
use super::super::frame::Frame;
use super::super::open::Open;

/// A server, as the router knows it.
pub(crate) struct Member {
    pub(super) name: String,
    pub(super) prefix: String,
    pub(super) state: State,
    /// The capabilities that the server has declared. `None` if it was not asked.
    pub(super) capabilities: Option<Map<String, Value>>,
    pub(super) asked: Open<Asked>,
    /// `true` if a restarted server has accepted the handshake; `None` if it has not answered.
    pub(crate) has_agreed: Option<bool>,
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
pub(super) enum Asked {
    /// A request that only this server gets.
    Only(Only),
    /// A request that the next server gets if this one refuses it.
    InOrder(Box<InOrder>),
    /// The share of a request with this id.
    Share(RequestId),
    /// The client's handshake, for a server that has joined later.
    Handshake,
}

pub(super) struct Only {
    /// `true` if the request is the call of a tool.
    pub(super) is_call: bool,
    pub(super) is_modern: bool,
    /// The resource that the request is about.
    pub(super) uri: Option<String>,
}

pub(super) struct InOrder {
    pub(super) frame: Frame,
    pub(super) uri: String,
    /// The servers that were not asked yet.
    pub(super) rest: VecDeque<usize>,
    /// The answer of the first server that has refused the request.
    pub(super) refused: Option<Frame>,
    /// The end of the time in which the server must answer; `None` for the last server.
    pub(super) turn: Option<Deadline>,
}

impl Member {
    pub(super) fn new(name: String, prefix: String) -> Self {
        Self {
            name,
            prefix,
            state: State::Running,
            capabilities: None,
            asked: Open::default(),
            has_agreed: None,
            is_stuck: false,
        }
    }

    /// Returns the reason why the server gets no requests at the moment.
    pub(super) fn refusal(&self) -> Option<String> {
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
        self.refusal().is_none() && self.has(capability)
    }

    /// Returns `true` if the server has a capability, or may have it.
    pub(super) fn has(&self, capability: &str) -> bool {
        self.capabilities.as_ref().is_none_or(|capabilities| capabilities.contains_key(capability))
    }
}
