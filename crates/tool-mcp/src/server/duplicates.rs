//! A transport on which every request gets exactly one answer: [`Distinct`].
//!
//! rmcp identifies open requests by their ids. If a client sends a second request with the id of an open one, rmcp answers only one of the
//! two. Here, the second request is answered at once with an error, and does not reach rmcp. Invariant: the memory for open requests and for
//! answers is bounded, whatever the client sends, and even if it reads no answers.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorData, JsonRpcError, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

use crate::unsent_messages::UnsentMessages;

/// The maximum number of cancelled requests whose ids are remembered. The call of such a request may still run, so a new request with the
/// same id could get its answer.
const CANCELLED: usize = 1_000;

/// The maximum number of open requests of a connection.
const MOST_OPEN: usize = 1_000;

/// A transport that rejects requests whose id belongs to an open request, and requests beyond the maximum number of open ones.
pub(super) struct Distinct<T> {
    transport: T,
    backlog: UnsentMessages,
    /// The requests without an answer.
    open: HashSet<RequestId>,
    /// The open requests that get no answer because they were cancelled, oldest first.
    cancelled: VecDeque<RequestId>,
}

impl<T> Distinct<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, backlog: UnsentMessages::new(), open: HashSet::new(), cancelled: VecDeque::new() }
    }

    /// Opens a request, or returns the error that answers it.
    fn open(&mut self, id: &RequestId) -> Result<(), ErrorData> {
        if self.open.len().saturating_sub(self.cancelled.len()) >= MOST_OPEN {
            Err(too_many(MOST_OPEN))
        } else if self.open.insert(id.clone()) {
            Ok(())
        } else {
            Err(duplicate())
        }
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

    /// Removes a request, which may have been cancelled before.
    fn answered(&mut self, id: &RequestId) {
        self.open.remove(id);
        self.cancelled.retain(|cancelled| cancelled != id);
    }
}

/// Returns the error for a request with the id of an open one.
pub(super) fn duplicate() -> ErrorData {
    ErrorData::invalid_request("A request with this id is not answered yet.", None)
}

/// Returns the error for a request that is one too many.
pub(super) fn too_many(most: usize) -> ErrorData {
    ErrorData::internal_error(format!("There are {most} open requests, and further ones are rejected."), None)
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
            JsonRpcMessage::Response(response) => self.answered(&response.id),
            JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) => self.answered(id),
            _ => {}
        }
        let (counted, sending) = (self.backlog.add(), self.transport.send(message));
        async move {
            let _counted = counted;
            sending.await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.backlog.has_room().await;
            let message = self.transport.receive().await?;
            match &message {
                JsonRpcMessage::Request(request) => {
                    let Err(error) = self.open(&request.id) else { return Some(message) };
                    let counted = self.backlog.add();
                    let sending = self.transport.send(JsonRpcMessage::error(error, Some(request.id.clone())));
                    // The error is sent in a task, because this future may be dropped while it waits.
                    tokio::spawn(async move {
                        let _counted = counted;
                        sending.await
                    });
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

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    #[test]
    fn an_answered_request_is_no_longer_remembered_as_cancelled() {
        let mut connection = Distinct::new(());
        let id = NumberOrString::Number(0);
        connection.open(&id).expect("no request is open");
        connection.cancel(&id);
        connection.answered(&id);
        connection.open(&id).expect("the first request is answered");
        for other in 1..=i64::try_from(CANCELLED).expect("a small number") {
            let other = NumberOrString::Number(other);
            connection.open(&other).expect("its id is new");
            connection.cancel(&other);
        }
        assert_eq!(connection.open(&id), Err(duplicate()));
    }
}
