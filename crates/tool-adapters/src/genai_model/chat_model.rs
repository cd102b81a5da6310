//! [`GenAi`] as a [`ChatModel`].

use tool_chat::model::{ChatModel, DeltaStream, Request, ResponseFuture};
use tool_runtime::Dialect;

use super::{GenAi, stream};

impl ChatModel for GenAi {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(self.answer(request))
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        stream::pieces(self, request)
    }

    fn dialect(&self) -> Dialect {
        self.target.dialect()
    }

    fn has_answer_forms(&self) -> bool {
        self.answer_forms
    }
}
