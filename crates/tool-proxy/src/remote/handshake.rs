//! The handshakes of an exchange: the client's own, and its repetition after a restart or in a new session.

use reqwest::StatusCode;
use tokio::time::timeout;
use tool_mcp::__private_0_1_0::Line;

use crate::action::Received;
use crate::connection::ToClient;
use crate::frame::{Answer, Frame, Message};
use crate::handshake::{INITIALIZING, changed};
use crate::remote::client::{Failure, FailureKind, PostAnswer, RemoteClient, Session};
use crate::remote::connection::{ACCEPTING, Ended, RemoteConnection};
use crate::remote::events::Event;
use crate::sync::locked;

impl<C: ToClient> RemoteConnection<'_, C> {
    /// Sends `initialize`, and passes on the answer. Nothing else is sent before.
    pub(super) async fn begin(&self, frame: &Frame) -> Result<(), Ended> {
        *locked(&self.client.session) = Session::default();
        let mut posted = self.client.post_within(INITIALIZING, frame).await;
        if let Err(Failure { kind: FailureKind::Rejected(status), .. }) = posted
            && let StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED = status
            && self.begin_stream().await
        {
            posted = self.client.post_within(INITIALIZING, frame).await;
        }
        if let Err(Failure { kind: FailureKind::Unreachable | FailureKind::Lost, text }) = &posted
            && locked(&self.connection.layers).has_router()
        {
            return Err(Ended::Lost(text.clone()));
        }
        locked(&self.client.session).initialize = Some(frame.clone());
        self.answer(frame, posted).await;
        *locked(&self.connection.servers[self.number].ending) = self.client.ending().await;
        Ok(())
    }

    /// Begins the stream of the older transport, whose first event names the URL for messages. Returns `false` if the server has none.
    async fn begin_stream(&self) -> bool {
        let begun = timeout(ACCEPTING, async {
            let mut events = self.client.listen(None).await.ok()??;
            let Event { name, data, .. } = events.next().await?;
            let Some(Line::Whole(path)) = data.filter(|_| name == "endpoint") else { return None };
            self.client
                .set_endpoint(&String::from_utf8(path).ok()?)
                .map_err(|error| self.remark(&error.to_string()))
                .ok()?;
            Some(events)
        });
        let events = begun.await.ok().flatten();
        let has_begun = events.is_some();
        *locked(&self.stream) = events;
        if has_begun {
            self.listening.notify_one();
        }
        has_begun
    }

    /// Begins a new session in place of one that the server does not know any more, with the client's handshake.
    pub(super) async fn renew(&self, expired: u64) -> Result<(), Failure> {
        let _renewing = self.renewing.lock().await;
        let Session { generation, version, initialize, initialized, .. } = locked(&self.client.session).clone();
        if generation != expired {
            return Ok(());
        }
        let Some(initialize) = initialize else { return Err(self.client.lost("does not know the session any more")) };
        // Until it has begun, further messages name the session that has expired, and wait here after their rejection.
        let new = self.client.with_new_session(expired + 1);
        let answer = self.renewed(&new, &initialize).await?;
        let Message::Response { answer: Answer::Result(result), .. } = answer.message() else {
            return Err(self.client.lost("has ended the session, and rejects another one"));
        };
        locked(&new.session).set_version(result);
        if locked(&new.session).version != version {
            let text = "has ended the session, and begins another one with another protocol version";
            return Err(self.client.lost(text));
        }
        if let Some(initialized) = &initialized {
            let _ = new.post_within(ACCEPTING, initialized).await;
        }
        let begun = locked(&new.session).clone();
        let initialized = locked(&self.client.session).initialized.take();
        *locked(&self.client.session) = Session { initialize: Some(initialize), initialized, ..begun };
        self.remark("the server has ended the session, so another one was begun");
        *locked(&self.connection.servers[self.number].ending) = self.client.ending().await;
        // The server may be another one now.
        self.act(Received::Frame(changed())).await;
        Ok(())
    }

    /// Sends `initialize` once more, and returns the answer.
    async fn renewed(&self, new: &RemoteClient, initialize: &Frame) -> Result<Frame, Failure> {
        let none = || self.client.lost("has ended the session, and does not answer the handshake for another one");
        let answered = timeout(INITIALIZING, async {
            let line = match new.post(initialize).await? {
                PostAnswer::Json(line) => line,
                PostAnswer::Events(mut events) => loop {
                    match events.next().await.ok_or_else(none)?.data {
                        Some(Line::Whole(line)) if !line.is_empty() => break line,
                        _ => {}
                    }
                },
                PostAnswer::TooLong | PostAnswer::Nothing => return Err(none()),
            };
            let line = String::from_utf8(line).map_err(|_| none())?;
            Frame::parse(line).map_err(|_| none())
        });
        answered.await.unwrap_or_else(|_| Err(none()))
    }
}
