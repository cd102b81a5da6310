//! A transport on which every request gets exactly one answer: [`Distinct`].
//!
//! rmcp identifies open requests by their ids. If a client sends a second request with the id of an open one, rmcp answers only one of the
//! two. Here, the second request is answered at once with an error, and does not reach rmcp.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// The maximum number of cancelled requests whose ids are remembered. The call of such a request may still run, so a new request with the
/// same id could get its answer.
const CANCELLED: usize = 1_000;

/// A transport that refuses requests whose id belongs to a request that is not answered yet.
pub(super) struct Distinct<T> {
    transport: T,
    /// The requests without an answer.
    open: HashSet<RequestId>,
    /// The open requests that get no answer because they were cancelled, oldest first.
    cancelled: VecDeque<RequestId>,
}

impl<T> Distinct<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, open: HashSet::new(), cancelled: VecDeque::new() }
    }

    fn cancel(&mut self, id: &RequestId) {
        if !self.open.contains(id) || self.cancelled.contains(id) {
            return;
        }
        self.cancelled.push_back(id.clone());
        if self.cancelled.len() > CANCELLED
            && let Some(oldest) = self.cancelled.pop_front()
        {
            self.open.remove(&oldest);
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Distinct<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => drop(self.open.remove(&response.id)),
            JsonRpcMessage::Error(error) => drop(error.id.as_ref().map(|id| self.open.remove(id))),
            _ => {}
        }
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.transport.receive().await?;
            match &message {
                JsonRpcMessage::Request(request) if !self.open.insert(request.id.clone()) => {
                    let error = ErrorData::invalid_request("A request with this id is not answered yet.", None);
                    // The error is sent in a task, because this future may be dropped while it waits.
                    tokio::spawn(self.transport.send(JsonRpcMessage::error(error, Some(request.id.clone()))));
                }
                JsonRpcMessage::Notification(notification) => {
                    if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                        && let Some(id) = &cancelled.params.request_id
                    {
                        self.cancel(id);
                    }
                    return Some(message);
                }
                _ => return Some(message),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}
