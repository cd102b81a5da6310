//! The requests that wait for a side, with the state that their answers need: [`PendingRequest`], [`Question`].

use rmcp::model::RequestId;

use crate::checker::Running;
use crate::frame::Frame;

/// A request of the client, or one of the proxy to the server.
pub(super) enum PendingRequest {
    Call(Forwarded),
    /// A page of the list of tools.
    List {
        cursor: Option<String>,
        changes: u64,
    },
    /// The client's handshake.
    Initialize,
    /// A request of the proxy for a page of the list of tools.
    OwnList,
    /// A call that waits for the decision of the user. The server does not know it yet.
    Approving(Box<Approving>),
    /// A call or a request for the list of tools that waits for the list. The server does not know it yet.
    Waiting {
        frame: Frame,
        /// The number of changes that the server had reported.
        changes: u64,
    },
    Other,
}

/// A call that was forwarded to the server.
pub(super) struct Forwarded {
    pub(super) running: Running,
    pub(super) has_result_type: bool,
    /// The number of a call that the user has approved in protocol version 2026-07-28.
    pub(super) approved: Option<u64>,
}

/// A call that the user has to approve.
pub(super) struct Approving {
    /// The message that the server gets then.
    pub(super) frame: Frame,
    pub(super) running: Running,
    /// The number of bytes of the client's line.
    pub(super) bytes: usize,
    pub(super) question: RequestId,
}

impl PendingRequest {
    /// Returns `true` if the server has got the request.
    pub(super) const fn is_sent(&self) -> bool {
        !matches!(self, Self::Waiting { .. } | Self::Approving(_))
    }
}

/// A request that the client has to answer.
pub(super) enum Question {
    Server,
    /// The question of the proxy about a call with this id.
    Approval(RequestId),
}
