//! A body that ends when the server stops: [`BodyUntilStopped`].

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::watch;

type Stopped = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

/// A body that ends when the server stops.
pub struct BodyUntilStopped {
    body: BoxBody<Bytes, Infallible>,
    stopped: Stopped,
}

impl BodyUntilStopped {
    /// Sends the body until `stopped` is true.
    pub fn new(body: BoxBody<Bytes, Infallible>, mut stopped: watch::Receiver<bool>) -> Self {
        let stopped = Box::pin(async move {
            // An error means that the server is gone.
            let _ = stopped.wait_for(|stopped| *stopped).await;
        });
        Self { body, stopped }
    }
}

impl Body for BodyUntilStopped {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.stopped.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
