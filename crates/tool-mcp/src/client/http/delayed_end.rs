//! Streams of events that do not end at once: [`delay_early_end`].
//!
//! The transport replaces a stream at once if it breaks off, and after a pause that the server chooses if it ends. So a server or a proxy
//! that ends every stream would be asked for a stream without end and without a pause.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use sse_stream::{Error as SseError, Sse};
use tool_runtime::clock::Clock;

pub(super) type Stream = BoxStream<'static, Result<Sse, SseError>>;

/// The minimum time from the beginning of a stream without a message to its end.
const SHORTEST: Duration = Duration::from_secs(1);

/// Delays the end of a stream that has just begun and contains no message.
pub(super) fn delay_early_end(stream: Stream, clock: Arc<dyn Clock>) -> Stream {
    let ends_at = clock.now().saturating_add(SHORTEST);
    let events = stream::unfold((stream, clock, false), move |(mut stream, clock, has_message)| async move {
        let event = stream.next().await;
        let is_message = |event: &Sse| event.data.as_deref().is_some_and(|data| !data.is_empty());
        let has_message = has_message || event.as_ref().is_some_and(|event| event.as_ref().is_ok_and(is_message));
        if !has_message && event.as_ref().is_none_or(Result::is_err) {
            clock.sleep(ends_at.saturating_sub(clock.now())).await;
        }
        Some((event?, (stream, clock, has_message)))
    });
    events.boxed()
}
