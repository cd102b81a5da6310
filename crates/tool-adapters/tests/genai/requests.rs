//! Tests of requests: messages, tools, options and keys.

use serde_json::{Value, json};
use tests::fixtures::GetWeatherTool;
use tool_adapters::GenAi;
use tool_chat::model::{ChatModel, Message, ModelErrorKind, Options, Request, Response, ToolCall, ToolChoice};
use tool_runtime::tool::{Content, ContentParts};
use tool_runtime::{Toolbox, tool};

use super::dialect::{ALL, Dialect, KEY};
use super::server::{Asked, Server};

/// Searches the web.
#[tool]
fn web_search(
    /// What for.
    query: String,
) -> String {
    query
}

/// Finds pages.
#[tool]
fn find(
    /// What for.
    query: String,
    /// How many.
    #[tool(range(min = 1, max = 50))]
    limit: Option<u8>,
) -> String {
    format!("{query} {limit:?}")
}

async fn asked(dialect: Dialect, messages: &[Message], options: &Options) -> Asked {
    let server = Server::start([dialect.reply(false, "Noon.", &[])]);
    let model = dialect.model(&server);
    let session = Toolbox::builder().tool(GetWeatherTool).build().expect("a toolbox").session();
    let tools = session.definitions_in(ChatModel::dialect(&model));
    model.complete(Request::new(messages, &tools, options)).await.expect("an answer");
    server.asked().remove(0)
}

fn user() -> [Message; 1] {
    [Message::User("What is the weather?".to_owned())]
}

#[tokio::test]
async fn the_key_is_sent_in_the_header_of_the_provider() {
    for dialect in ALL {
        let Asked { path, headers, .. } = asked(dialect, &user(), &Options::default()).await;
        let (expected, header, value) = match dialect {
            Dialect::ChatCompletions => ("/v1/chat/completions", "authorization", format!("Bearer {KEY}")),
            Dialect::Responses => ("/v1/responses", "authorization", format!("Bearer {KEY}")),
            Dialect::Anthropic => ("/v1/messages", "x-api-key", KEY.to_owned()),
            Dialect::Gemini => ("/v1beta/models/gemini-test:generateContent", "x-goog-api-key", KEY.to_owned()),
        };
        assert_eq!((path.as_str(), headers.get(header)), (expected, Some(&value)));
    }
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    // The address may end with or without a slash, or contain the full path.
    for end in ["v1", "v1/", "v1/chat/completions"] {
        let server = Server::start([Dialect::ChatCompletions.reply(false, "Noon.", &[])]);
        let model = GenAi::openai_compatible(&format!("{}/{end}", server.address()), "mistral-medium", None);
        super::answers::ask(&model, false).await.expect("an answer");
        let Asked { path, headers, body, .. } = server.asked().remove(0);
        assert_eq!((path.as_str(), headers.get("authorization")), ("/v1/chat/completions", None));
        // genai would interpret the end of the name as a reasoning effort.
        assert_eq!((&body["model"], body.get("reasoning_effort")), (&json!("mistral-medium"), None));
    }
}

#[tokio::test]
async fn a_tool_is_sent_with_its_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "location": {
                "type": "string",
                "description": "City and country.",
                "minLength": 1,
                "maxLength": 80,
                "examples": ["Paris, France"],
            },
            "days": {"type": ["integer", "null"], "description": "Days of forecast.", "minimum": 1, "maximum": 14},
        },
        "required": ["location"],
        "additionalProperties": false,
    });
    for dialect in ALL {
        let body = asked(dialect, &user(), &Options::default()).await.body;
        let (tool, key) = match dialect {
            Dialect::ChatCompletions => (&body["tools"][0]["function"], "parameters"),
            Dialect::Responses => (&body["tools"][0], "parameters"),
            Dialect::Anthropic => (&body["tools"][0], "input_schema"),
            Dialect::Gemini => (&body["tools"][0]["functionDeclarations"][0], "parametersJsonSchema"),
        };
        assert_eq!(
            (&tool["name"], &tool["description"]),
            (&json!("get_weather"), &json!("Current weather for a city."))
        );
        let mut expected = schema.clone();
        if dialect == Dialect::Gemini {
            // Gemini does not read these keywords.
            let words = "City and country.\nAt least 1 character. At most 80 characters. Examples: \"Paris, France\".";
            expected["properties"]["location"]["description"] = words.into();
        }
        assert_eq!(tool[key], expected, "{dialect:?}");
        // Unset options are left out, because some servers do not know them.
        assert!(
            ["tool_choice", "toolConfig", "temperature", "seed"].iter().all(|key| body.get(key).is_none()),
            "{body}"
        );
    }
}

/// The definition in the request equals the definition of the tool.
#[tokio::test]
async fn a_tool_is_sent_exactly_as_defined() {
    for dialect in ALL {
        let session = Toolbox::builder().tool(FindTool).build().expect("a toolbox").session();
        let server = Server::start([dialect.reply(true, "Noon.", &[]), dialect.reply(false, "Noon.", &[])]);
        let model = dialect.model(&server);
        let tools = session.definitions_in(ChatModel::dialect(&model));
        let said: Vec<Value> = tools.iter().map(|tool| tool.as_json().to_value()).collect();
        let (messages, options) = (user(), Options::default());
        let request = || Request::new(&messages, &tools, &options);
        let mut stream = model.stream(request());
        while tool_chat::model::next_delta(&mut stream).await.is_some() {}
        model.complete(request()).await.expect("an answer");
        for Asked { body, .. } in server.asked() {
            let sent = match dialect {
                Dialect::Gemini => &body["tools"][0]["functionDeclarations"],
                _ => &body["tools"],
            };
            assert_eq!(*sent, Value::Array(said.clone()), "{dialect:?}");
        }
    }
}

/// The Responses API is strict by default, whatever the dialect of the definitions.
#[tokio::test]
async fn strictness_is_turned_off_for_the_responses_api() {
    for dialect in ["openai", "openai-responses", "anthropic", "mcp"] {
        let session = Toolbox::builder().tool(FindTool).build().expect("a toolbox").session();
        let server = Server::start([Dialect::Responses.reply(false, "Noon.", &[])]);
        let (tools, messages, options) =
            (session.definitions_in(dialect.parse().expect("a dialect")), user(), Options::default());
        let request = Request::new(&messages, &tools, &options);
        Dialect::Responses.model(&server).complete(request).await.expect("an answer");
        let tool = &server.asked().remove(0).body["tools"][0];
        assert_eq!(tool["strict"], false, "{dialect}");
        // An optional argument stays optional, and the schema is unchanged.
        assert_eq!(tool["parameters"]["required"], json!(["query"]), "{dialect}");
        assert_eq!(tool["parameters"]["properties"]["limit"]["minimum"], 1, "{dialect}");
    }
}

#[tokio::test]
async fn a_tool_choice_is_sent() {
    for (choice, chat, responses, anthropic, gemini) in [
        (ToolChoice::None, json!("none"), json!("none"), json!({"type": "none"}), json!({"mode": "NONE"})),
        (ToolChoice::Required, json!("required"), json!("required"), json!({"type": "any"}), json!({"mode": "ANY"})),
        (
            ToolChoice::Tool("get_weather".to_owned()),
            json!({"type": "function", "function": {"name": "get_weather"}}),
            json!({"type": "function", "name": "get_weather"}),
            json!({"type": "tool", "name": "get_weather"}),
            json!({"mode": "ANY", "allowedFunctionNames": ["get_weather"]}),
        ),
    ] {
        let mut options = Options::default();
        options.tool_choice = choice;
        let sent = async |dialect| asked(dialect, &user(), &options).await.body;
        assert_eq!(sent(Dialect::ChatCompletions).await["tool_choice"], chat);
        assert_eq!(sent(Dialect::Responses).await["tool_choice"], responses);
        assert_eq!(sent(Dialect::Anthropic).await["tool_choice"], anthropic);
        assert_eq!(sent(Dialect::Gemini).await["toolConfig"]["functionCallingConfig"], gemini);
    }
}

#[tokio::test]
async fn tools_that_must_not_be_called_are_not_sent_to_ollama() {
    let session = Toolbox::builder().tool(GetWeatherTool).tool(WebSearchTool).build().expect("a toolbox").session();
    for (choice, expected) in [
        (ToolChoice::Auto, vec!["get_weather", "web_search"]),
        (ToolChoice::Tool("web_search".to_owned()), vec!["web_search"]),
        (ToolChoice::None, vec![]),
    ] {
        let answer = r#"{"model": "m", "message": {"role": "assistant", "content": "Noon."}, "done": true}"#;
        let server = Server::start([super::server::Reply::json(answer)]);
        let model = super::answers::over(&server, "ollama::m");
        let tools = session.definitions_in(ChatModel::dialect(&model));
        let mut options = Options::default();
        options.tool_choice = choice;
        model.complete(Request::new(&user(), &tools, &options)).await.expect("an answer");
        let body = server.asked().remove(0).body;
        let offered = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names: Vec<_> = offered.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect();
        assert_eq!(names, expected);
    }
}

#[tokio::test]
async fn options_are_sent() {
    let mut options = Options::default();
    (options.temperature, options.max_tokens, options.seed) = (Some(0.5), Some(100), Some(7));
    let body = asked(Dialect::ChatCompletions, &user(), &options).await.body;
    assert_eq!((&body["temperature"], &body["max_tokens"], &body["seed"]), (&json!(0.5), &json!(100), &json!(7)));
    let body = asked(Dialect::Anthropic, &user(), &options).await.body;
    assert_eq!((&body["temperature"], &body["max_tokens"]), (&json!(0.5), &json!(100)));
    let config = &asked(Dialect::Gemini, &user(), &options).await.body["generationConfig"];
    assert_eq!(*config, json!({"temperature": 0.5, "maxOutputTokens": 100, "seed": 7}));
}

#[tokio::test]
async fn calls_and_their_answers_are_sent_back_with_their_ids() {
    let answer = |id: &str, text: &str| Message::tool(id, "get_weather", text);
    let calls = vec![
        ToolCall::new("id_1", "get_weather", r#"{"location":"Paris"}"#),
        ToolCall::new("id_2", "get_weather", r#"{"location": "Lon"#),
    ];
    let messages = [
        Message::System("Be brief.".to_owned()),
        Message::User("What is the weather?".to_owned()),
        Response::from_calls(calls).into(),
        answer("id_1", "22 °C"),
        answer("id_2", "not JSON"),
    ];
    let (paris, london) = (json!({"location": "Paris"}), json!({"INVALID_JSON": "{\"location\": \"Lon"}));

    let body = asked(Dialect::ChatCompletions, &messages, &Options::default()).await.body;
    let said = &body["messages"];
    assert_eq!(said[0], json!({"role": "system", "content": "Be brief."}));
    let arguments = |call: usize| -> Value {
        let text = said[2]["tool_calls"][call]["function"]["arguments"].as_str().unwrap_or_default();
        serde_json::from_str(text).unwrap_or_default()
    };
    assert_eq!((arguments(0), arguments(1)), (paris.clone(), london.clone()));
    assert_eq!(said[3], json!({"role": "tool", "tool_call_id": "id_1", "content": "22 °C"}));
    assert_eq!(said[4], json!({"role": "tool", "tool_call_id": "id_2", "content": "not JSON"}));

    let body = asked(Dialect::Anthropic, &messages, &Options::default()).await.body;
    assert_eq!(body["system"], "Be brief.");
    let use_of = |id: &str, input: &Value| json!({"type": "tool_use", "id": id, "name": "get_weather", "input": input});
    assert_eq!(body["messages"][1]["content"], json!([use_of("id_1", &paris), use_of("id_2", &london)]));
    let result = |id: &str, text: &str| json!({"type": "tool_result", "tool_use_id": id, "content": text});
    // Anthropic expects all answers to a message in the next message.
    let together = json!({"role": "user", "content": [result("id_1", "22 °C"), result("id_2", "not JSON")]});
    assert_eq!(body["messages"][2], together);

    let body = asked(Dialect::Gemini, &messages, &Options::default()).await.body;
    let call = |id: &str, args: &Value| json!({"functionCall": {"id": id, "name": "get_weather", "args": args}});
    assert_eq!(body["contents"][1]["parts"], json!([call("id_1", &paris), call("id_2", &london)]));
    let results = &body["contents"][2]["parts"];
    assert_eq!(results[1]["functionResponse"]["id"], "id_2");
    assert_eq!(results[1]["functionResponse"]["response"]["content"], "not JSON");
}

#[tokio::test]
async fn a_tool_with_the_name_of_a_built_in_tool_is_rejected() {
    let session = Toolbox::builder().tool(WebSearchTool).build().expect("a toolbox").session();
    let server = Server::start([Dialect::ChatCompletions.reply(false, "Noon.", &[])]);
    let (messages, options) = (user(), Options::default());
    for dialect in [Dialect::Anthropic, Dialect::ChatCompletions] {
        let model = dialect.model(&server);
        let tools = session.definitions_in(ChatModel::dialect(&model));
        let answer = model.complete(Request::new(&messages, &tools, &options)).await;
        let rejected = answer.is_err_and(|error| error.kind == ModelErrorKind::Rejected);
        assert_eq!(rejected, dialect == Dialect::Anthropic);
    }
}

#[tokio::test]
async fn an_image_is_sent_if_the_provider_accepts_it() {
    let call = Response::from_calls([ToolCall::new("id_1", "draw", "{}"), ToolCall::new("id_2", "now", "{}")]);
    let parts = ContentParts::from_parts([
        Content::text("A chart:"),
        Content::image("image/png", b"\x89PNG"),
        Content::audio("audio/wav", b"RIFF"),
    ]);
    let messages = [
        Message::User("Draw.".to_owned()),
        call.into(),
        Message::tool_parts("id_1", "draw", parts),
        Message::tool("id_2", "now", "Noon."),
    ];
    let sent = async |dialect: Dialect, are_sent: Option<bool>| {
        let server = Server::start([dialect.reply(false, "Noon.", &[])]);
        let model = dialect.model(&server);
        let model = if let Some(are_sent) = are_sent { model.images(are_sent) } else { model };
        let (tools, options) = (tool_runtime::tool_schema::dialect::Definitions::default(), Options::default());
        model.complete(Request::new(&messages, &tools, &options)).await.expect("an answer");
        server.asked().remove(0).body
    };
    let described = "A chart:\n[image/png, 4 bytes, not shown]\n[audio/wav, 4 bytes, not shown]";
    let shown = "A chart:\n[image/png, 4 bytes, shown below]\n[audio/wav, 4 bytes, not shown]";

    // Images are not sent to the host's own server, because it is unknown whether its model accepts them.
    let body = sent(Dialect::ChatCompletions, None).await;
    assert_eq!(body["messages"][2]["content"], described);
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(4));
    let body = sent(Dialect::ChatCompletions, Some(true)).await;
    assert_eq!((&body["messages"][2]["content"], &body["messages"][3]["content"]), (&json!(shown), &json!("Noon.")));
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}});
    let follows = json!([{"type": "text", "text": "From the result of draw:"}, image]);
    assert_eq!((&body["messages"][4]["role"], &body["messages"][4]["content"]), (&json!("user"), &follows));

    let body = sent(Dialect::Anthropic, None).await;
    assert_eq!(body["messages"][2]["content"][0]["content"], shown);
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw=="});
    assert_eq!(body["messages"][3]["content"][1]["source"], source);
    let body = sent(Dialect::Anthropic, Some(false)).await;
    assert_eq!(body["messages"][2]["content"][0]["content"], described);
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(3));

    let body = sent(Dialect::Responses, None).await;
    assert!(body.to_string().contains("data:image/png;base64,iVBORw=="), "{body}");

    // Gemini accepts sounds too.
    let body = sent(Dialect::Gemini, None).await;
    let parts = &body["contents"][3]["parts"];
    let data = |at: usize| parts[at].to_string().contains(["iVBORw==", "UklGRg=="][at - 1]);
    assert_eq!((&parts[0]["text"], data(1), data(2)), (&json!("From the result of draw:"), true, true), "{body}");
}
