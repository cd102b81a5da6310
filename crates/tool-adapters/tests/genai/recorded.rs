//! Exchanges with providers that load definitions, with the shape of recorded ones. `recorded.json` says for each where its shape comes from.

use serde::Deserialize;
use serde_json::Value;
use tool_chat::conversation::Conversation;
use tool_runtime::container::DefinitionLoading;
use tool_runtime::toolbox::FindTools;
use tool_runtime::{Container, Session, Toolbox, tool};

use super::dialect::Dialect;
use super::server::{Reply, Server};

/// Looks up the exchange rate of two currencies.
#[tool(undocumented)]
fn get_exchange_rate(from_currency: String, to_currency: String) -> String {
    format!("1 {from_currency} = 0.92 {to_currency}")
}

#[derive(Deserialize)]
struct Exchange {
    name: String,
    from: String,
    answers: Vec<Answer>,
    /// The items or messages that the client sends after the prompt.
    sent: Vec<Value>,
}

/// An answer of the provider, whole and as a stream.
#[derive(Deserialize)]
struct Answer {
    whole: Value,
    events: Vec<Value>,
}

impl Answer {
    fn reply(&self, streams: bool) -> Reply {
        if !streams {
            return Reply::json(self.whole.to_string());
        }
        let mut events = self.events.clone();
        if self.whole["object"] == "response" {
            events.push(serde_json::json!({"type": "response.completed", "response": self.whole}));
        }
        let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
        Reply::events(events.iter().map(event).collect::<String>())
    }
}

fn session(dialect: Dialect) -> Session {
    let market = Container::new("Market", "Prices of the day.").tool(GetExchangeRateTool);
    let dialect = match dialect {
        Dialect::Responses => tool_runtime::Dialect::OPENAI_RESPONSES,
        _ => tool_runtime::Dialect::ANTHROPIC,
    };
    let builder = Toolbox::builder().container(market).find_tools(FindTools::new());
    builder
        .for_provider(dialect)
        .definition_loading(DefinitionLoading::Native)
        .build()
        .expect("the provider defers")
        .session()
}

#[tokio::test]
async fn native_deferral_has_the_shape_of_recorded_exchanges() {
    let exchanges: Vec<Exchange> = serde_json::from_str(include_str!("recorded.json")).expect("the exchanges");
    for Exchange { name, from, answers, sent } in exchanges {
        assert!(from.contains("pydantic/pydantic-ai"), "{name}");
        let is_openai = answers[0].whole["object"] == "response";
        let (dialect, messages) =
            if is_openai { (Dialect::Responses, "input") } else { (Dialect::Anthropic, "messages") };
        for streams in [false, true] {
            let replies = answers.iter().map(|answer| answer.reply(streams));
            let server = Server::start(replies.chain([dialect.reply(streams, "Done.", &[])]));
            let mut conversation = Conversation::new(session(dialect), dialect.model(&server)).streaming(streams);
            let end = conversation.ask("What is the exchange rate from USD to EUR?").await;
            assert_eq!(end.text(), Some("Done."), "{name}: {end:?}");
            assert!(conversation.transcript().calls().all(|call| call.outcome.is_ok()), "{name}");
            let asked = server.asked();
            let last = asked.last().expect("a request").body[messages].as_array().expect("a list").clone();
            for (place, (item, expected)) in last[1..].iter().zip(&sent).enumerate() {
                assert_eq!(item, expected, "{name}, item {place}, streaming: {streams}");
            }
            assert_eq!(last.len(), sent.len() + 1, "{name}: {last:?}");
            for asked in asked {
                assert_eq!(asked.body["tools"].to_string().contains("defer_loading"), !is_openai, "{name}");
            }
        }
    }
}
