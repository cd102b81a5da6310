//! Tests of whole conversations: a call is rejected, the model answers with prose, is forced to call, and finally answers.

use tests::fixtures::GetWeatherTool;
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_runtime::{Session, Toolbox};

use super::dialect::{ALL, Dialect};
use super::server::{Asked, Server};

fn session() -> Session {
    Toolbox::builder().tool(GetWeatherTool).build().expect("a toolbox").session()
}

const PARIS: (&str, &str, &str) = ("id_1", "get_weather", r#"{"location":"Paris","days":1}"#);
const TOO_LATE: (&str, &str, &str) = ("id_2", "get_weather", r#"{"location":"London","days":70}"#);
const LONDON: (&str, &str, &str) = ("id_3", "get_weather", r#"{"location":"London","days":7}"#);

/// Returns the texts of all answers to calls in a request, each with its id.
fn results(dialect: Dialect, asked: &Asked) -> Vec<(String, String)> {
    let body = &asked.body;
    let messages = ["messages", "contents", "input"].into_iter().find_map(|key| body.get(key)).expect("messages");
    let mut found = Vec::new();
    for message in messages.as_array().expect("a list") {
        let parts = message.get("content").or_else(|| message.get("parts")).and_then(|parts| parts.as_array());
        for part in parts.into_iter().flatten().chain([message]) {
            let (id, text) = match dialect {
                Dialect::ChatCompletions => (&part["tool_call_id"], &part["content"]),
                Dialect::Responses => (&part["call_id"], &part["output"]),
                Dialect::Anthropic => (&part["tool_use_id"], &part["content"]),
                Dialect::Gemini => {
                    (&part["functionResponse"]["name"], &part["functionResponse"]["response"]["content"])
                }
            };
            if let (Some(id), Some(text)) = (id.as_str(), text.as_str()) {
                found.push((id.to_owned(), text.to_owned()));
            }
        }
    }
    found
}

fn forced(dialect: Dialect, asked: &Asked) -> Option<&str> {
    let body = &asked.body;
    match dialect {
        Dialect::ChatCompletions => body["tool_choice"]["function"]["name"].as_str(),
        Dialect::Responses | Dialect::Anthropic => body["tool_choice"]["name"].as_str(),
        Dialect::Gemini => body["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"][0].as_str(),
    }
}

#[tokio::test]
async fn a_rejected_call_is_corrected_in_every_dialect() {
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let server = Server::start([
            dialect.reply(streams, "Let me see.", &[PARIS, TOO_LATE]),
            dialect.reply(streams, "I cannot look that far ahead.", &[]),
            dialect.reply(streams, "", &[LONDON]),
            dialect.reply(streams, "Warm in both.", &[]),
        ]);
        let mut conversation = Conversation::new(session(), dialect.model(&server)).streaming(streams);
        let end = conversation.ask("What is the weather in Paris and London?").await;
        assert!(
            matches!(&end, TurnEnd::Answered { text, .. } if text == "Warm in both."),
            "{dialect:?} {streams} {end:?}"
        );
        let outcomes: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
        assert_eq!(outcomes, [true, false, true], "{dialect:?} {streams}");

        let asked = server.asked();
        assert_eq!(
            asked.iter().map(|asked| forced(dialect, asked)).collect::<Vec<_>>(),
            [None, None, Some("get_weather"), None]
        );
        let results = results(dialect, &asked[3]);
        let ids: Vec<_> = results.iter().map(|(id, _)| id.as_str()).collect();
        match dialect {
            // Ids that Gemini did not send are not sent back to it. The answers are in the order of the calls.
            Dialect::Gemini => assert_eq!(ids, ["get_weather"; 3]),
            _ => assert_eq!(ids, ["id_1", "id_2", "id_3"]),
        }
        assert_eq!(results[0].1, "Paris: sun for 1 days");
        assert!(results[1].1.contains("days"), "{}", results[1].1);
        assert_eq!(results[2].1, "London: sun for 7 days");
    }
}

#[tokio::test]
async fn a_call_with_invalid_json_is_corrected() {
    // The arguments break off in a value, so the call must not run.
    let cut = ("id_1", "get_weather", r#"{"location": "London", "days": "#);
    for streams in [false, true] {
        let dialect = Dialect::ChatCompletions;
        let server = Server::start([
            dialect.reply(streams, "", &[cut]),
            dialect.reply(streams, "", &[LONDON]),
            dialect.reply(streams, "Warm.", &[]),
        ]);
        let mut conversation = Conversation::new(session(), dialect.model(&server)).streaming(streams);
        let end = conversation.ask("What is the weather in London?").await;
        assert_eq!(end.text(), Some("Warm."), "{end:?}");
        let calls: Vec<_> = conversation.transcript().calls().map(|call| call.arguments.clone()).collect();
        assert_eq!(calls, [cut.2, LONDON.2]);
        assert_eq!(results(dialect, &server.asked()[1])[0].0, "id_1");
    }
}
