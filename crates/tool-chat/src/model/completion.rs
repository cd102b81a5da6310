//! The future of an answer: [`ResponseFuture`].

use std::future::Future;
use std::pin::Pin;

use super::{ModelError, Response};

/// The future of an answer.
///
/// ```
/// use tool_chat::model::{ResponseFuture, Response};
///
/// let answer: ResponseFuture<'static> = Box::pin(async { Ok(Response::text("Noon.")) });
/// assert_eq!(pollster::block_on(answer)?.text, "Noon.");
/// # Ok::<(), tool_chat::model::ModelError>(())
/// ```
pub type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<Response, ModelError>> + Send + 'a>>;
