//! The loop around a model client, with a client that sends fixed messages.

use examples::layout::laid_out;
use examples::weather::GetWeatherTool;
use tool_runtime::{Session, Toolbox};

/// A call as a client delivers it.
struct ToolCall {
    id: &'static str,
    name: &'static str,
    arguments: &'static str,
}

/// A message of the model: calls, or the answer.
struct Message {
    text: &'static str,
    tool_calls: Vec<ToolCall>,
}

/// A client that sends one fixed message per turn, whatever it receives.
struct Client {
    lines: std::vec::IntoIter<Message>,
}

impl Client {
    #[expect(clippy::unused_async, reason = "a real client waits here")]
    async fn complete(&mut self, _messages: &[String], _tools: impl std::fmt::Display) -> Option<Message> {
        self.lines.next()
    }
}

async fn converse(client: &mut Client, session: &Session) -> Option<&'static str> {
    let mut messages = vec!["What is the weather in Paris?".to_owned()];
    loop {
        let message = client.complete(&messages, session.definitions()).await?;
        if message.tool_calls.is_empty() {
            return Some(message.text);
        }
        for call in &message.tool_calls {
            let outcome = session.call(call.id, call.name, call.arguments).await;
            println!("{} → {}\n", outcome.call_id(), laid_out(&outcome.to_text()));
            messages.push(outcome.to_text().into_owned());
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(GetWeatherTool).build()?.session();
    let call = |id, arguments| Message { text: "", tool_calls: vec![ToolCall { id, name: "get_weather", arguments }] };
    let answer = Message { text: "It is 18.5 °C in Paris.", tool_calls: Vec::new() };
    let lines = vec![call("call_1", r#"{"city": "Paris"}"#), call("call_2", r#"{"location": "Paris"}"#), answer];
    let mut client = Client { lines: lines.into_iter() };
    println!("{}", pollster::block_on(converse(&mut client, &session)).unwrap_or("The client has nothing to say."));
    Ok(())
}
