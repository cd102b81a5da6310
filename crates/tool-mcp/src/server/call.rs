//! One call of a client, from its request to its outcome: progress is forwarded, and a cancellation ends it.

use std::future::Future;
use std::pin::Pin;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::mpsc;
use tool_runtime::Session;

use crate::private::internal::{self, Progress};

/// Runs a call, or the rest of a deferred call, to its end. If the client cancels the call, it ends at once and is reported as cancelled to
/// the observer. The client gets no answer then.
pub(super) async fn run<O>(
    session: &Session,
    call_id: &str,
    mut call: Pin<&mut impl Future<Output = O>>,
    context: &RequestContext<RoleServer>,
) -> O {
    // Pinned by the caller, because a future that holds another one may be twice as large.
    let call = async {
        tokio::select! {
            // The call is polled first, because only a call that has begun can be cancelled.
            biased;
            outcome = &mut call => outcome,
            () = context.ct.cancelled() => {
                session.cancel(call_id);
                call.await
            }
        }
    };
    match context.meta.get_progress_token() {
        Some(token) => with_progress(session, call_id, token, &context.peer, call).await,
        None => call.await,
    }
}

/// Forwards the progress reports of a call to the client. Invariant: all reports are sent before the answer.
async fn with_progress<O>(
    session: &Session,
    call_id: &str,
    token: ProgressToken,
    peer: &Peer<RoleServer>,
    call: impl Future<Output = O>,
) -> O {
    // The channel needs no bound, because a session passes on a bounded number of short reports for each call.
    let (reports, mut received) = mpsc::unbounded_channel();
    let id = call_id.to_owned();
    let listener = internal::listen(session, move |Progress { call_id, done, total, message, .. }| {
        if call_id == id {
            let mut report = ProgressNotificationParam::new(token.clone(), done);
            report.total = total;
            report.message = (!message.is_empty()).then(|| message.to_owned());
            // The receiver lives as long as the call, so this cannot fail.
            let _ = reports.send(report);
        }
    });
    let call = async move {
        let outcome = call.await;
        // This closes the channel, so that the other future ends.
        drop(listener);
        outcome
    };
    let forward = async {
        while let Some(report) = received.recv().await {
            // This fails if the client has disconnected, which is not an error here.
            let _ = peer.notify_progress(report).await;
        }
    };
    tokio::join!(call, forward).0
}

/// Returns `true` if a request has a revision in which each connection has a state.
pub(super) fn has_connection(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_none_or(|version| version.has_initialize())
}
