//! A request of the client that several servers answer: [`Job`].

use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use super::super::frame::{Frame, object};
use super::hello::Answered;
use super::pages::{Listing, Pages};

/// A request whose answer is made from the answers of several servers.
pub(super) struct Job {
    pub(super) kind: Kind,
    pub(super) is_modern: bool,
    /// The `_meta` of the request, as JSON text.
    pub(super) meta: Option<String>,
    /// The answer of each server.
    pub(super) shares: Vec<Share>,
    /// The time at which the answers must be there.
    pub(super) deadline: Option<Instant>,
}

/// The kind of a request that several servers answer.
pub(super) enum Kind {
    List(Listing),
    Initialize,
    Discover,
    /// A request that has no content in its result.
    All,
    /// A subscription, which stays open.
    Listen(Box<Listen>),
}

/// A subscription of revision 2026-07-28.
pub(super) struct Listen {
    /// The client's request, which restarted servers get too.
    pub(super) frame: Frame,
    /// The id of the request as JSON text.
    pub(super) id: String,
    /// The notifications that the client asked for.
    pub(super) wanted: Wanted,
    /// The accepted notifications; `None` once the client knows them.
    pub(super) accepted: Option<serde_json::Map<String, Value>>,
    /// The servers that have accepted.
    pub(super) acknowledged: Vec<usize>,
}

/// The notifications about changed lists that a subscription asks for.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Wanted {
    pub(super) tools_list_changed: bool,
    pub(super) prompts_list_changed: bool,
    pub(super) resources_list_changed: bool,
}

#[derive(Deserialize)]
struct ListenParams {
    notifications: Wanted,
}

/// The answer of one server.
pub(super) enum Share {
    /// The server was not asked, because it is not running or cannot answer.
    Absent,
    /// The server has a request with this id.
    Waiting(RequestId, Box<Pages>),
    Pages(Box<Pages>),
    Greeting(Box<Answered>),
    /// The result or error as JSON text.
    Result(String),
    Error(String),
    /// The server has ended, or has not answered in time.
    Missing,
}

impl Job {
    /// Returns `true` if no server has to answer any more.
    pub(super) fn is_done(&self) -> bool {
        !self.shares.iter().any(|share| matches!(share, Share::Waiting(..)))
    }

    /// Returns the first error of a server.
    pub(super) fn error(&self) -> Option<&str> {
        self.shares.iter().find_map(|share| match share {
            Share::Error(error) => Some(error.as_str()),
            _ => None,
        })
    }

    /// Returns the bytes that are kept for the job.
    pub(super) fn bytes(&self) -> usize {
        let request = if let Kind::Listen(listen) = &self.kind { listen.frame.line().len() } else { 0 };
        let shares = self.shares.iter().map(|share| match share {
            Share::Waiting(_, pages) | Share::Pages(pages) => pages.bytes,
            Share::Result(text) | Share::Error(text) => text.len(),
            Share::Absent | Share::Greeting(_) | Share::Missing => 0,
        });
        request + shares.sum::<usize>()
    }
}

impl Listen {
    pub(super) fn new(frame: &Frame, id: String, params: &str) -> Self {
        let wanted = object::<ListenParams>(params).map(|params| params.notifications).unwrap_or_default();
        let (frame, accepted) = (frame.clone(), Some(serde_json::Map::new()));
        Self { frame, id, wanted, accepted, acknowledged: Vec::new() }
    }
}
