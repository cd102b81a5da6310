//! What a server is asked: messages, tools, options, keys.

use serde_json::{Value, json};
use tool_adapters::GenAi;
use tool_chat::model::{ChatModel, Message, ModelErrorKind, Options, Request, Response, ToolCall, ToolChoice};
use tool_runtime::{Format, Toolbox, tool};

use crate::dialect::{ALL, Dialect, KEY};
use crate::server::{Asked, Server};

/// Current weather.
#[tool]
fn get_weather(
    /// City and country.
    location: String,
) -> String {
    location
}

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
    let tools = session.definitions(model.format());
    model.complete(Request::new(messages, &tools, options)).await.expect("an answer");
    server.asked().remove(0)
}

fn user() -> [Message; 1] {
    [Message::User("What is the weather?".to_owned())]
}

#[tokio::test]
async fn the_key_goes_where_the_provider_looks_for_it() {
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
    // With the slash at the end, without it, with all of the path: it is the same address.
    for end in ["v1", "v1/", "v1/chat/completions"] {
        let server = Server::start([Dialect::ChatCompletions.reply(false, "Noon.", &[])]);
        let model = GenAi::openai_compatible(&format!("{}/{end}", server.address()), "mistral-medium", None);
        crate::answers::ask(&model, false).await.expect("an answer");
        let Asked { path, headers, body } = server.asked().remove(0);
        assert_eq!((path.as_str(), headers.get("authorization")), ("/v1/chat/completions", None));
        // genai would take the end of the name for an effort.
        assert_eq!((&body["model"], body.get("reasoning_effort")), (&json!("mistral-medium"), None));
    }
}

#[tokio::test]
async fn a_tool_is_described_by_its_schema() {
    let schema = json!({
        "type": "object",
        "properties": {"location": {"type": "string", "description": "City and country."}},
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
        assert_eq!((&tool["name"], &tool["description"]), (&json!("get_weather"), &json!("Current weather.")));
        assert_eq!(tool[key], schema, "{dialect:?}");
        // What is not asked for is not said: not every server knows the words.
        assert!(
            ["tool_choice", "toolConfig", "temperature", "seed"].iter().all(|key| body.get(key).is_none()),
            "{body}"
        );
    }
}

/// What the definition says is what is sent, and the other way round.
#[tokio::test]
async fn a_tool_is_sent_as_its_definition_says() {
    for dialect in ALL {
        let session = Toolbox::builder().tool(FindTool).build().expect("a toolbox").session();
        let server = Server::start([dialect.reply(true, "Noon.", &[]), dialect.reply(false, "Noon.", &[])]);
        let model = dialect.model(&server);
        let tools = session.definitions(model.format());
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

/// A server of the Responses API is strict unless it is told otherwise, whatever form the definitions have.
#[tokio::test]
async fn the_responses_api_is_told_not_to_be_strict() {
    for format in [Format::OpenAi, Format::OpenAiResponses, Format::Anthropic, Format::Mcp] {
        let session = Toolbox::builder().tool(FindTool).build().expect("a toolbox").session();
        let server = Server::start([Dialect::Responses.reply(false, "Noon.", &[])]);
        let (tools, messages, options) = (session.definitions(format), user(), Options::default());
        let request = Request::new(&messages, &tools, &options);
        Dialect::Responses.model(&server).complete(request).await.expect("an answer");
        let tool = &server.asked().remove(0).body["tools"][0];
        assert_eq!(tool["strict"], false, "{format:?}");
        // An optional argument stays optional, and the schema as it is.
        assert_eq!(tool["parameters"]["required"], json!(["query"]), "{format:?}");
        assert_eq!(tool["parameters"]["properties"]["limit"]["minimum"], 1, "{format:?}");
    }
}

#[tokio::test]
async fn a_choice_is_passed_on() {
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
async fn what_must_not_be_called_is_not_offered_to_ollama() {
    let session = Toolbox::builder().tool(GetWeatherTool).tool(WebSearchTool).build().expect("a toolbox").session();
    for (choice, expected) in [
        (ToolChoice::Auto, vec!["get_weather", "web_search"]),
        (ToolChoice::Tool("web_search".to_owned()), vec!["web_search"]),
        (ToolChoice::None, vec![]),
    ] {
        let answer = r#"{"model": "m", "message": {"role": "assistant", "content": "Noon."}, "done": true}"#;
        let server = Server::start([crate::server::Reply::json(answer)]);
        let model = crate::answers::over(&server, "ollama::m");
        let tools = session.definitions(model.format());
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
async fn options_are_passed_on() {
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
async fn calls_and_their_answers_go_back_under_their_ids() {
    let answer = |id: &str, text: &str| Message::tool(id, "get_weather", text);
    let calls = vec![
        ToolCall::new("id_1", "get_weather", r#"{"location":"Paris"}"#),
        ToolCall::new("id_2", "get_weather", r#"{"location": "Lon"#),
    ];
    let messages = [
        Message::System("Be brief.".to_owned()),
        Message::User("What is the weather?".to_owned()),
        Response::calls(calls).into(),
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
    // Anthropic wants all answers to a message in the next one.
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
async fn a_name_that_the_provider_keeps_for_itself_is_refused() {
    let session = Toolbox::builder().tool(WebSearchTool).build().expect("a toolbox").session();
    let server = Server::start([Dialect::ChatCompletions.reply(false, "Noon.", &[])]);
    let (messages, options) = (user(), Options::default());
    for dialect in [Dialect::Anthropic, Dialect::ChatCompletions] {
        let model = dialect.model(&server);
        let tools = session.definitions(model.format());
        let answer = model.complete(Request::new(&messages, &tools, &options)).await;
        let refused = answer.is_err_and(|error| error.kind == ModelErrorKind::Refused);
        assert_eq!(refused, dialect == Dialect::Anthropic);
    }
}
