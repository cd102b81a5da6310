//! A conversation of one turn, compared with the same messages and calls in a hand-written loop.
//!
//! The hand-written loop has a list of messages, but no limits, no transcript, and no turns that wait.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use tool_chat::conversation::{Conversation, TurnLimits};
use tool_chat::model::{ChatModel, Message, Options, Request, Response, ResponseFuture, ToolCall};
use tool_runtime::{Session, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{GetWeatherTool, SMALL};

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("conversation/4", Some(2.0), "Conversation" => conversation(4), "loop by hand" => by_hand(4)),
        comparison!("conversation/40", Some(2.0), "Conversation" => conversation(40), "loop by hand" => by_hand(40)),
    ]
}

/// A model that makes this number of calls, one in each answer, and then answers with text.
struct Calling {
    calls: usize,
    asked: AtomicUsize,
}

impl ChatModel for Calling {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let is_last = black_box(request.messages).len() > 2 * self.calls;
        Box::pin(async move {
            Ok(if is_last {
                Response::from_text("Sun.")
            } else {
                Response::from_calls([ToolCall::new(format!("call_{asked}"), "get_weather", SMALL)])
            })
        })
    }
}

fn session() -> Session {
    let toolbox = Toolbox::builder().no_throttle().tool(GetWeatherTool).build().expect("one tool has no clashes");
    toolbox.session()
}

fn conversation(calls: usize) -> impl Fn() {
    let mut limits = TurnLimits::default();
    limits.steps = None;
    move || {
        let model = Calling { calls, asked: AtomicUsize::new(0) };
        let mut conversation = Conversation::new(session(), model).limits(limits);
        let end = pollster::block_on(conversation.ask("What is the weather?"));
        assert_eq!((end.text(), conversation.transcript().calls().count()), (Some("Sun."), calls));
    }
}

fn by_hand(calls: usize) -> impl Fn() {
    move || {
        let model = Calling { calls, asked: AtomicUsize::new(0) };
        let (session, options) = (session(), Options::default());
        let mut messages = vec![Message::User("What is the weather?".to_owned())];
        let text = pollster::block_on(async {
            loop {
                let tools = session.definitions();
                let response = model.complete(Request::new(&messages, &tools, &options)).await.expect("it answers");
                if response.calls.is_empty() {
                    return response.text;
                }
                let batch = session.call_batch(&response.calls).await;
                let calls = response.calls.clone();
                messages.push(Message::from(response));
                for (call, outcome) in calls.into_iter().zip(batch.outcomes()) {
                    messages.push(Message::tool(call.id, call.name, outcome.to_text()));
                }
            }
        });
        assert_eq!((text.as_str(), messages.len()), ("Sun.", 2 * calls + 1));
    }
}
