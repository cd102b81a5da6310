//! A model that takes its time: [`Unhurried`]. A script answers at once, and calls that come at once are paused by their rate.

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::clock::Clock;
use tool_runtime::model::{ChatModel, Completion, Request};

/// A model whose answers take two seconds of a clock each.
pub struct Unhurried<M> {
    model: M,
    clock: Arc<dyn Clock>,
}

impl<M: ChatModel> Unhurried<M> {
    /// The same model, with time to think.
    pub fn new(model: M, clock: Arc<dyn Clock>) -> Self {
        Self { model, clock }
    }
}

impl<M: ChatModel> ChatModel for Unhurried<M> {
    fn complete<'a>(&'a self, request: Request<'a>) -> Completion<'a> {
        Box::pin(async move {
            self.clock.sleep(Duration::from_secs(2)).await;
            self.model.complete(request).await
        })
    }
}
