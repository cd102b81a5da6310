//! The future of an answer: [`ResponseFuture`].

use std::future::Future;
use std::pin::Pin;

use super::{ModelError, Response};

/// The future of an answer.
pub type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<Response, ModelError>> + Send + 'a>>;
