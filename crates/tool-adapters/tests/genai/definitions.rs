//! Tests of the definitions in requests to every provider of genai, and of keys that the host adds to these requests.

use serde_json::{Value, json};
use tests::fixtures::SendTool;
use tool_adapters::GenAi;
use tool_adapters::genai::adapter::AdapterKind;
use tool_adapters::genai::chat::ChatOptions;
use tool_adapters::genai::resolver::{AuthData, Endpoint};
use tool_adapters::genai::{Client, ClientConfig};
use tool_chat::model::{ChatModel, Message, ModelErrorKind, Options, Request};
use tool_runtime::tool_schema::dialect::Definitions;
use tool_runtime::toolbox::Strictness;
use tool_runtime::{Dialect, Session, Toolbox, tool};

use super::server::{Reply, Server};

/// Returns the time.
#[tool]
fn file_search() -> u8 {
    12
}

fn session(dialect: Option<Dialect>, strictness: Strictness) -> Session {
    let builder = Toolbox::builder().tool(SendTool).tool(FileSearchTool);
    let builder = match dialect {
        Some(dialect) => builder.for_provider(dialect).definition_strictness(strictness),
        None => builder,
    };
    builder.build().expect("two tools").session()
}

fn configured(server: &Server, kind: AdapterKind) -> ClientConfig {
    let endpoint = Endpoint::from_owned(format!("{}/v1/", server.address()));
    ClientConfig::default().append_provider_config(kind, (endpoint, AuthData::from_single("key")))
}

/// Returns the body of a request with these definitions.
async fn sent(server: &Server, model: &GenAi, tools: &Definitions) -> Value {
    let (messages, options) = ([Message::User("Send it.".to_owned())], Options::default());
    // The answer is an error: only the request is tested.
    drop(model.complete(Request::new(&messages, tools, &options)).await);
    server.asked().pop().map_or(Value::Null, |asked| asked.body)
}

fn rejecting() -> Server {
    Server::start(vec![Reply::json(r#"{"error": {"message": "No."}}"#).status(400); 6])
}

/// Returns a model name for each API of a provider.
fn names(kind: AdapterKind) -> Vec<String> {
    let namespace = kind.as_lower_str();
    match kind {
        AdapterKind::Vertex => vec!["vertex::gemini-m".to_owned(), "vertex::claude-m".to_owned()],
        AdapterKind::OpenCodeGo => vec![format!("{namespace}::m"), format!("{namespace}::minimax-m")],
        // genai replaces the endpoints of these providers, so a request would leave this machine. Their requests are the same as for OpenAI
        // and Anthropic.
        AdapterKind::Zai | AdapterKind::Baidu => Vec::new(),
        _ => vec![format!("{namespace}::m")],
    }
}

/// Returns the location of the definitions in the body of a request.
fn location(name: &str) -> &'static str {
    match name {
        "gemini::m" | "vertex::gemini-m" => "/tools/0/functionDeclarations",
        name if name.starts_with("bedrock") => "/toolConfig/tools",
        _ => "/tools",
    }
}

/// Returns the definition that a provider receives. It differs from `definition` if genai cannot send it unchanged.
fn differing(name: &str, mut definition: Value) -> Value {
    match name {
        "vertex::claude-m" | "opencode_go::minimax-m" => {
            definition.as_object_mut().expect("an object").remove("strict");
        }
        "gemini_ix::m" => {
            let schema = definition.as_object_mut().expect("an object").remove("parametersJsonSchema");
            definition["type"] = "function".into();
            definition["parameters"] = schema.expect("a schema");
        }
        name if name.starts_with("bedrock") => {
            definition["toolSpec"].as_object_mut().expect("an object").remove("strict");
        }
        _ => {}
    }
    definition
}

#[tokio::test]
async fn every_provider_receives_the_definitions_of_its_dialect() {
    let mut count = 0;
    for kind in AdapterKind::all().iter().copied() {
        for (name, is_relayed) in names(kind).into_iter().flat_map(|name| [(name.clone(), true), (name, false)]) {
            let server = rejecting();
            let config = configured(&server, kind);
            let model = if is_relayed {
                GenAi::from_config(config, &name)
            } else {
                GenAi::from_client(Client::builder().with_config(config).build().expect("a client"), &name)
            };
            if kind == AdapterKind::Cohere {
                continue;
            }
            for strictness in [Strictness::Plain, Strictness::Auto] {
                let definitions = session(Some(model.dialect()), strictness).definitions();
                let body = sent(&server, &model, &definitions).await;
                let expected = definitions.iter().map(|tool| differing(&name, tool.to_value()));
                let tools = body.pointer(location(&name));
                assert_eq!(tools, Some(&expected.collect()), "{name} {strictness:?} {is_relayed}\n{body}");
                count += 1;
            }
        }
    }
    assert!(count > 60, "only {count} requests were tested");
}

/// Definitions in another dialect get the envelope of the provider, with the same schemas.
#[tokio::test]
async fn definitions_in_any_dialect_reach_every_provider() {
    let parts = |tool: &Value| {
        let tool = ["function", "toolSpec"].into_iter().find_map(|key| tool.get(key)).unwrap_or(tool);
        let keys = ["parameters", "input_schema", "parametersJsonSchema", "inputSchema"];
        let schema = tool.pointer("/inputSchema/json").or_else(|| keys.into_iter().find_map(|key| tool.get(key)));
        (tool["name"].clone(), tool["description"].clone(), schema.cloned())
    };
    let dialects = [Dialect::OPENAI, Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::MCP];
    let kinds = [
        AdapterKind::OpenAI,
        AdapterKind::OpenAIResp,
        AdapterKind::Anthropic,
        AdapterKind::Gemini,
        AdapterKind::GeminiIx,
        AdapterKind::Vertex,
        AdapterKind::BedrockApi,
        AdapterKind::Ollama,
        AdapterKind::OpenCodeGo,
    ];
    for (kind, name) in kinds.into_iter().flat_map(|kind| names(kind).into_iter().map(move |name| (kind, name))) {
        let server = rejecting();
        let model = GenAi::from_config(configured(&server, kind), &name);
        for dialect in dialects {
            let definitions = session(None, Strictness::Plain).definitions_in(dialect);
            let expected: Vec<_> = definitions.iter().map(|tool| parts(&tool.to_value())).collect();
            let body = sent(&server, &model, &definitions).await;
            let tools = body.pointer(location(&name)).and_then(Value::as_array).expect("definitions");
            assert_eq!(tools.iter().map(parts).collect::<Vec<_>>(), expected, "{name} {dialect:?}\n{body}");
        }
    }
}

#[tokio::test]
async fn a_request_with_tools_to_cohere_is_an_error() {
    let server = rejecting();
    let model = GenAi::from_config(configured(&server, AdapterKind::Cohere), "cohere::m");
    let (messages, options) = ([Message::User("Send it.".to_owned())], Options::default());
    let tools = session(None, Strictness::Plain).definitions_in(model.dialect());
    let error = model.complete(Request::new(&messages, &tools, &options)).await.expect_err("tools would be lost");
    assert_eq!((&error.kind, server.asked().len()), (&ModelErrorKind::Rejected, 0));
    assert!(error.message.contains("genai sends no tools to Cohere"), "{error}");
}

#[tokio::test]
async fn the_keys_of_the_host_stay_beside_the_definitions() {
    let body = json!({"top_k": 5, "metadata": {"user_id": "u"}, "tools": [{"type": "web_search_20250305", "name": "web_search"}]});
    for way in 0..3 {
        let server = rejecting();
        let config = configured(&server, AdapterKind::Anthropic);
        let keys = body.as_object().expect("an object").clone();
        let model = match way {
            0 => {
                let options = ChatOptions::default().with_extra_body(body.clone());
                GenAi::from_config(config.with_chat_options(options), "claude-m")
            }
            1 => {
                let options = ChatOptions::default().with_extra_body(json!({"top_k": 4, "metadata": {"user_id": "u"}}));
                GenAi::from_config(config.with_chat_options(options), "claude-m").extra_body(keys)
            }
            _ => {
                let client = Client::builder().with_config(config).build().expect("a client");
                GenAi::from_client(client, "claude-m").extra_body(keys)
            }
        };
        // Also if the definitions are in the form of another provider.
        for dialect in [Dialect::ANTHROPIC, Dialect::OPENAI] {
            let sent = sent(&server, &model, &session(None, Strictness::Plain).definitions_in(dialect)).await;
            assert_eq!((&sent["top_k"], &sent["metadata"]), (&body["top_k"], &body["metadata"]), "{way}");
            let names: Vec<_> =
                sent["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].clone()).collect();
            assert_eq!(names, ["send", "file_search", "web_search"], "{way} {dialect:?}");
        }
        let sent = sent(&server, &model, &Definitions::default()).await;
        assert_eq!((&sent["top_k"], &sent["tools"]), (&body["top_k"], &body["tools"]), "{way}, without definitions");
    }
}

#[tokio::test]
async fn the_definitions_replace_tools_of_the_host_that_are_not_a_list() {
    let server = rejecting();
    let model =
        GenAi::from_config(configured(&server, AdapterKind::OpenAI), "openai::m").extra_body([("tools", json!(1))]);
    let definitions = session(None, Strictness::Plain).definitions();
    assert_eq!(sent(&server, &model, &definitions).await["tools"], definitions.to_value());
}
