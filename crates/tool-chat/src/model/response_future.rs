//! The future of an answer: [`ResponseFuture`].

use std::future::Future;
use std::pin::Pin;

use super::{ModelError, Response};

/// The future that [`ChatModel::complete`](super::ChatModel::complete) returns.
pub type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<Response, ModelError>> + Send + 'a>>;
