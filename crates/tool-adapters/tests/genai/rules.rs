//! Tests of `GenAi` with a server that rejects definitions by the rules of each provider, with the provider's error messages.
//!
//! The rules come from `tests::providers`, and were written independently of the code that creates definitions.

use serde_json::{Value, json};
use tests::fixtures::SendTool;
use tests::providers::rejections;
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::model::{ChatModel, Message, ModelErrorKind, Options, Request};
use tool_dynamic::DynamicTool;
use tool_runtime::tool_schema::dialect::{Definition, EffectiveStrictness};
use tool_runtime::toolbox::{Strictness, ToolboxBuilder};
use tool_runtime::{ToolError, Toolbox};

use super::dialect::{ALL, Dialect};
use super::server::{Asked, Reply, Server};

/// A tool whose keys Anthropic rejects.
fn listing() -> DynamicTool {
    let properties = json!({"$top": {"type": "integer"}, "filter[id]": {"type": "string"}});
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    let tool = DynamicTool::builder("list", "Lists.", schema);
    tool.sync_handler(|arguments, _| Ok::<_, ToolError>(Value::Object(arguments).to_string())).expect("a schema")
}

/// Returns the server's rejection of a request by the rules of a dialect, if there is a fault.
fn judged(dialect: Dialect, asked: &Asked) -> Option<Reply> {
    let (name, tools) = match dialect {
        Dialect::ChatCompletions => ("openai-strict", &asked.body["tools"]),
        Dialect::Responses => ("openai-responses-strict", &asked.body["tools"]),
        Dialect::Anthropic => ("anthropic-strict", &asked.body["tools"]),
        Dialect::Gemini => ("gemini", &asked.body["tools"][0]["functionDeclarations"]),
    };
    let rejected = rejections(name, tools.as_array().map_or(&[][..], Vec::as_slice));
    let words = rejected.first()?;
    Some(Reply::json(json!({"error": {"message": words}}).to_string()).status(400))
}

/// The arguments that a model sends for the same request under each definition.
fn arguments(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::ChatCompletions | Dialect::Responses => {
            r#"{"url":"example.org","headers":[{"key":"accept","value":"*/*"}],"retries":null}"#
        }
        Dialect::Anthropic => r#"{"url":"example.org","headers":[{"key":"accept","value":"*/*"}]}"#,
        Dialect::Gemini => r#"{"url":"example.org","headers":{"accept":"*/*"}}"#,
    }
}

fn builder() -> ToolboxBuilder {
    Toolbox::builder().tool(SendTool).tool(listing())
}

#[tokio::test]
async fn every_provider_accepts_its_definitions() {
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let replies =
            [dialect.reply(streams, "", &[("id_1", "send", arguments(dialect))]), dialect.reply(streams, "Sent.", &[])];
        let server = Server::judging(replies, move |asked| judged(dialect, asked));
        let model = dialect.model(&server);
        let provider = model.dialect();
        let toolbox =
            builder().for_provider(provider).definition_strictness(Strictness::Auto).build().expect("two tools");
        let session = toolbox.session();
        let mut conversation = Conversation::new(session.clone(), model).streaming(streams);
        let end = conversation.ask("Send it.").await;
        assert!(matches!(&end, TurnEnd::Answered { text, .. } if text == "Sent."), "{dialect:?} {streams}: {end:?}");

        let asked = server.asked();
        assert!(asked[1].body.to_string().contains(r#"example.org {\"accept\": \"*/*\"} 3"#), "{}", asked[1].body);
        let definitions = session.definitions();
        let form = definitions.get("send").map(Definition::strictness);
        let expected =
            if dialect == Dialect::Gemini { EffectiveStrictness::Plain } else { EffectiveStrictness::Strict };
        assert_eq!(form, Some(expected), "{dialect:?}");
        // The definitions in the request are exactly the advertised definitions.
        let tools = if dialect == Dialect::Gemini {
            &asked[0].body["tools"][0]["functionDeclarations"]
        } else {
            &asked[0].body["tools"]
        };
        assert_eq!(tools.to_string(), definitions.to_value().to_string(), "{dialect:?}");
    }
}

#[tokio::test]
async fn in_another_dialect_a_provider_rejects_the_request_because_of_one_tool() {
    let server =
        Server::judging([Dialect::Anthropic.reply(false, "Sent.", &[])], |asked| judged(Dialect::Anthropic, asked));
    let model = Dialect::Anthropic.model(&server);
    let session = builder().build().expect("two tools").session();
    let (messages, options) = ([Message::User("Send it.".to_owned())], Options::default());
    let ask = async |tools| model.complete(Request::new(&messages, tools, &options)).await;
    let plain = session.definitions();
    let rejected = ask(&plain).await.expect_err("a key is rejected");
    assert_eq!(rejected.kind, ModelErrorKind::Rejected);
    assert!(rejected.message.contains("Property keys should match pattern"), "{rejected}");

    let provider = model.dialect();
    let session = builder().for_provider(provider).build().expect("two tools").session();
    let definitions = session.definitions();
    assert_eq!(ask(&definitions).await.map(|response| response.text), Ok("Sent.".to_owned()));
}

#[test]
fn each_provider_has_the_dialect_of_its_api() {
    let server = Server::start([]);
    let names = ALL.map(|dialect| dialect.model(&server).dialect().name());
    assert_eq!(names, ["openai", "openai-responses", "anthropic", "gemini"]);
}
