//! A request of the client that the server has to answer: [`Asked`].

use rmcp::model::RequestId;

use super::checker::Running;
use super::deadlines::Deadline;
use super::frame::Frame;
use super::open::{Open, Refused};
use super::writing::error;

/// Codes of errors of JSON-RPC.
pub(super) const INVALID_REQUEST: i32 = -32_600;
pub(super) const INVALID_PARAMS: i32 = -32_602;
pub(super) const INTERNAL: i32 = -32_603;

/// A request, with the state that its answer needs.
pub(super) enum Asked {
    Call(Forwarded),
    /// A page of the list of tools.
    List {
        cursor: Option<String>,
        changes: u64,
    },
    /// The client's handshake.
    Initialize,
    /// A request of the proxy itself.
    Own(Own),
    /// A call that waits for the decision of the user. The server does not know it yet.
    Approving(Pending),
    /// A call that waits for the list. The server does not know it yet.
    Waiting,
    Other,
}

/// A call that the user has to approve.
pub(super) struct Pending {
    /// The message that the server gets then.
    pub(super) frame: Frame,
    pub(super) running: Running,
    /// The number of bytes of the client's line.
    pub(super) bytes: usize,
    pub(super) question: RequestId,
    pub(super) deadline: Deadline,
}

/// A request that the client has to answer.
pub(super) enum Question {
    Server,
    /// The question of the proxy about a call with this id.
    Approval(RequestId),
}

/// The open requests of both directions.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) asked: Open<Asked>,
    pub(super) questions: Open<Question>,
    /// `true` if the client can ask its user.
    pub(super) can_ask: bool,
}

/// A request of the proxy.
#[derive(Clone, Copy)]
pub(super) enum Own {
    /// A page of the list of tools.
    List,
    /// The client's handshake, with a restarted server.
    Initialize,
}

/// A call that was forwarded to the server.
pub(super) struct Forwarded {
    pub(super) running: Running,
    pub(super) bytes: usize,
    pub(super) deadline: Option<Deadline>,
    pub(super) has_result_type: bool,
    /// The approval of the call in revision 2026-07-28.
    pub(super) approved: Option<Approved>,
}

/// A call that the user has approved in revision 2026-07-28, as the number of the call.
#[derive(Clone, Copy)]
pub(super) struct Approved(pub(super) u64);

/// Returns the error for a request that is refused because of its id or of the number of open requests.
pub(super) fn refused_request(id: &RequestId, refused: &Refused) -> Frame {
    error(
        id,
        INVALID_REQUEST,
        match refused {
            Refused::Repeated => "A request with this id is not answered yet.",
            Refused::TooMany => "Too many requests are not answered yet.",
        },
    )
}

/// Returns an id for a request of the proxy. Whoever has sent the open requests may use any id, so those are left out.
pub(super) fn own_id<T>(open: &Open<T>, requests: &mut u64) -> RequestId {
    loop {
        *requests += 1;
        let id = RequestId::String(format!("toolbox-proxy-{requests}").into());
        if open.refusal(&id) != Some(Refused::Repeated) {
            return id;
        }
    }
}
