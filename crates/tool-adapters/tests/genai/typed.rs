//! Tests of typed answers: the request in the form of each provider, or with a tool that stands for the answer, and the end of the turn.

use serde::Deserialize;
use serde_json::{Value, json};
use tests::fixtures::GetWeatherTool;
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_chat::model::{Options, StopReason};
use tool_runtime::{Session, ToolInput, Toolbox};

use super::dialect::{ALL, Dialect};
use super::server::{Reply, Server};

#[derive(Debug, Deserialize, PartialEq, ToolInput)]
#[tool(ignore_unknown)]
struct Invoice {
    /// The person or company that is billed.
    customer: String,
    /// Amount in cents.
    #[tool(range(min = 1))]
    cents: u32,
}

const WRONG: &str = r#"{"customer":"Ada","cents":0}"#;
const RIGHT: &str = r#"{"customer":"Ada","cents":1250}"#;

fn no_tools() -> Session {
    Toolbox::builder().build().expect("nothing is registered").session()
}

/// Returns the schema in the body of a request, with the other keys around it.
fn format(dialect: Dialect, body: &Value) -> (Value, Value) {
    let (place, around) = match dialect {
        Dialect::ChatCompletions => ("/response_format/json_schema/schema", "/response_format"),
        Dialect::Responses => ("/text/format/schema", "/text/format"),
        Dialect::Anthropic => ("/output_config/format/schema", "/output_config/format"),
        Dialect::Gemini => ("/generationConfig/responseJsonSchema", "/generationConfig"),
    };
    let at = |place| body.pointer(place).cloned().unwrap_or_default();
    (at(place), at(around))
}

#[tokio::test]
async fn the_form_of_each_provider_is_sent_and_a_rejected_answer_is_corrected() {
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let server = Server::start([dialect.reply(streams, WRONG, &[]), dialect.reply(streams, RIGHT, &[])]);
        let model = dialect.model(&server).answer_forms(true);
        let mut options = Options::default();
        options.max_tokens = Some(500);
        let mut conversation = Conversation::new(no_tools(), model).request_options(options).streaming(streams);
        let invoice = conversation.answer::<Invoice>("What did Ada buy?").await.expect("an answer");
        assert_eq!(invoice, Invoice { customer: "Ada".to_owned(), cents: 1250 }, "{dialect:?} {streams}");

        let asked = server.asked();
        let (schema, around) = format(dialect, &asked[0].body);
        assert_eq!(schema["required"], json!(["customer", "cents"]), "{dialect:?}: {}", asked[0].body);
        // Models write the properties in the order of the schema.
        let properties: Vec<_> =
            schema["properties"].as_object().into_iter().flatten().map(|(key, _)| &**key).collect();
        assert_eq!(properties, ["customer", "cents"], "{dialect:?}");
        assert_eq!(asked[0].body.get("tools"), None, "{dialect:?}");
        match dialect {
            Dialect::ChatCompletions => {
                assert_eq!(
                    (&around["type"], &around["json_schema"]["name"]),
                    (&json!("json_schema"), &json!("final_answer"))
                );
                assert_eq!(
                    (&around["json_schema"]["strict"], &asked[0].body["max_tokens"]),
                    (&json!(true), &json!(500))
                );
            }
            Dialect::Responses => {
                assert_eq!((&around["type"], &around["name"]), (&json!("json_schema"), &json!("final_answer")));
                assert_eq!(around["strict"], true);
            }
            Dialect::Anthropic => assert_eq!(around["type"], "json_schema"),
            // The options of genai are still there.
            Dialect::Gemini => {
                assert_eq!(
                    (&around["responseMimeType"], &around["maxOutputTokens"]),
                    (&json!("application/json"), &json!(500))
                );
            }
        }
        let second = asked[1].body.to_string();
        assert!(second.contains("cents must be at least 1") && second.contains("correct_answer"), "{second}");
    }
}

#[tokio::test]
async fn a_tool_stands_for_the_answer_if_forms_are_off_or_cannot_be_beside_tools() {
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let call = |arguments| [("id_1", "final_answer", arguments)];
        let server = Server::start([
            dialect.reply(streams, "", &[("id_0", "get_weather", r#"{"location":"Paris","days":1}"#)]),
            dialect.reply(streams, "", &call(WRONG)),
            dialect.reply(streams, "There you are.", &call(RIGHT)),
        ]);
        let has_forms = dialect == Dialect::Gemini;
        let session = Toolbox::builder().tool(GetWeatherTool).build().expect("a toolbox").session();
        let mut conversation =
            Conversation::new(session, dialect.model(&server).answer_forms(has_forms)).streaming(streams);
        let invoice = conversation.answer::<Invoice>("What did Ada buy?").await.expect("an answer");
        assert_eq!(invoice.cents, 1250, "{dialect:?} {streams}");

        for asked in server.asked() {
            let body = asked.body.to_string();
            assert!(body.contains("get_weather") && body.contains("final_answer"), "{dialect:?}: {body}");
            assert_eq!(format(dialect, &asked.body).0, Value::Null, "{dialect:?}: {body}");
            let choice = match dialect {
                Dialect::ChatCompletions | Dialect::Responses => asked.body["tool_choice"] == "required",
                Dialect::Anthropic => asked.body["tool_choice"]["type"] == "any",
                Dialect::Gemini => asked.body["toolConfig"]["functionCallingConfig"]["mode"] == "ANY",
            };
            assert!(choice, "{dialect:?}: {body}");
        }
    }
}

#[tokio::test]
async fn a_refusal_and_an_answer_that_was_cut_off_are_no_values() {
    // Each reply would be a value if the reason of its end were ignored.
    let ends = [
        (
            Dialect::ChatCompletions,
            r#""finish_reason":"stop""#,
            r#""finish_reason":"content_filter""#,
            r#""finish_reason":"length""#,
        ),
        (
            Dialect::Anthropic,
            r#""stop_reason":"end_turn""#,
            r#""stop_reason":"refusal""#,
            r#""stop_reason":"max_tokens""#,
        ),
        (Dialect::Gemini, r#""finishReason":"STOP""#, r#""finishReason":"SAFETY""#, r#""finishReason":"MAX_TOKENS""#),
    ];
    for ((dialect, usual, withheld, cut_off), streams) in ends.into_iter().flat_map(|end| [(end, false), (end, true)]) {
        let reply = |end: &str| {
            if streams {
                Reply::events(dialect.stream(RIGHT, &[]).replace(usual, end))
            } else {
                Reply::json(dialect.whole(RIGHT, &[]).to_string().replace(usual, end))
            }
        };
        let server = Server::start([reply(withheld), reply(cut_off), reply(usual)]);
        let mut conversation =
            Conversation::new(no_tools(), dialect.model(&server).answer_forms(true)).streaming(streams);
        let error = conversation.answer::<Invoice>("What did Ada buy?").await.expect_err("it was withheld");
        assert!(matches!(error.end(), TurnEnd::Answered { stop: StopReason::Filtered, .. }), "{dialect:?}: {error}");
        assert!(error.to_string().contains("withheld"), "{error}");
        assert_eq!(server.asked().len(), 1, "{dialect:?}: a refusal is not asked again");

        let invoice = conversation.answer::<Invoice>("What did Ada buy?").await.expect("an answer");
        assert_eq!(invoice.cents, 1250);
        let asked = server.asked();
        assert!(asked[2].body.to_string().contains("Your answer reached its output limit"), "{dialect:?}");
    }
}
