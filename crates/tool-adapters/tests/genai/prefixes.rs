//! With fixed definitions, each request of a conversation begins with the request before it, in the bytes of every provider.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_adapters::genai::adapter::AdapterKind;
use tool_adapters::genai::resolver::{AuthData, Endpoint};
use tool_adapters::genai::{self, ClientConfig};
use tool_chat::conversation::{Conversation, ConversationEvent, TurnEnd};
use tool_chat::run::Run;
use tool_runtime::container::{DefinitionLoading, ExpansionSettings};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::{SessionSetup, SessionState};
use tool_runtime::tool_schema::json::{Json, Node};
use tool_runtime::toolbox::{FindTools, ToolboxBuilder};
use tool_runtime::{Container, Session, Toolbox, tool};

use super::dialect::{ALL, Dialect};
use super::server::{Asked, Server};

/// Tells the hour of the day.
#[tool]
fn hour() -> u8 {
    12
}

/// Tells the weather of a city.
#[tool]
fn forecast(
    /// The city.
    city: String,
) -> String {
    format!("{city}: 22 °C")
}

/// Books a room in a hotel.
#[tool]
fn book_room() -> &'static str {
    "booked"
}

/// Cancels a room in a hotel.
#[tool]
fn cancel_room() {}

/// Returns a toolbox. `has_more` adds a hidden member, which changes nothing that the model sees at the beginning.
fn builder(has_more: bool) -> ToolboxBuilder {
    let clock = Container::new("Clock", "Tells the time.").tool(HourTool).system_prompt("All times are in UTC.");
    let travel = Container::new("Travel", "For people who travel.").tool(ForecastTool).tool(BookRoomTool);
    let travel = if has_more { travel.tool(CancelRoomTool) } else { travel };
    let defer = |call: &ProposedCall<'_>| if call.name() == "book_room" { Verdict::Defer } else { Verdict::Run };
    let builder = Toolbox::builder().no_throttle().container(clock).container(travel.instructions("Be quick."));
    builder.find_tools(FindTools::new()).before_call(defer)
}

fn toolbox(has_more: bool) -> Toolbox {
    builder(has_more)
        .expansion(ExpansionSettings::new().fixed_definitions())
        .build()
        .expect("the registration is valid")
}

/// The calls of an answer, each with its name and its arguments.
type Answer = &'static [(&'static str, &'static str)];

/// A turn of the conversation, or an act of the host before a turn.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The calls of each answer of the model, before the last answer of the turn.
    Calls(&'static [Answer]),
    /// A call that waits for the host.
    Pause,
    /// The session and the run are saved and restored, as after a restart.
    Restart,
    Replace,
}

const CALLS: [&[Answer]; 6] = [
    &[&[("Clock", "{}")], &[("call_tool", r#"{"tool": "hour"}"#)]],
    &[&[("Travel", "{}"), ("Clock", "{}")]],
    &[&[("find_tools", r#"{"query": "weather in a city"}"#)]],
    &[&[("find_tools", r#"{"query": "hotel"}"#), ("find_tools", r#"{"query": "nothing like that"}"#)]],
    &[&[("call_tool", r#"{"tool": "forecast", "arguments": {"city": "Paris"}}"#)]],
    &[
        &[("call_tool", r#"{"tool": "forecast", "arguments": {}}"#)],
        &[("call_tool", r#"{"tool": "forecast", "arguments": {"city": "Paris"}}"#)],
    ],
];

const PAUSE: &[Answer] = &[&[("call_tool", r#"{"tool": "book_room", "arguments": {}}"#)]];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => prop::sample::select(CALLS.to_vec()).prop_map(Step::Calls),
        1 => Just(Step::Pause),
        1 => Just(Step::Restart),
        1 => Just(Step::Replace),
    ]
}

/// Returns the parts of a request that a provider processes, in order: texts before the messages, then the messages.
fn parts(dialect: Dialect, asked: &Asked) -> (Vec<String>, Vec<String>) {
    let body = Json::parse(&asked.text).expect("a request is JSON");
    let text = |key: &str| body.get(key).map(Json::to_text).unwrap_or_default();
    let (before, messages) = match dialect {
        Dialect::ChatCompletions => (vec![text("tools")], "messages"),
        Dialect::Responses => (vec![text("tools"), text("instructions")], "input"),
        Dialect::Anthropic => (vec![text("tools"), text("system")], "messages"),
        Dialect::Gemini => (vec![text("tools"), text("systemInstruction")], "contents"),
    };
    let Some(Node::Array(messages)) = body.get(messages).map(|messages| &messages.node) else {
        panic!("{}", asked.text);
    };
    assert!(["find_tools", "tool_search"].iter().any(|search| before[0].contains(search)), "{}", asked.text);
    (before, messages.iter().map(Json::to_text).collect())
}

fn check(dialect: Dialect, asked: &[Asked]) -> Result<(), TestCaseError> {
    for pair in asked.windows(2) {
        let [(before, messages), (before_next, messages_next)] =
            [&pair[0], &pair[1]].map(|asked| parts(dialect, asked));
        prop_assert_eq!(before, before_next);
        prop_assert!(messages_next.starts_with(&messages), "{messages:?}\n{messages_next:?}");
    }
    Ok(())
}

/// Returns the call that a model makes if the provider loads definitions: members are called directly.
fn native_call(dialect: Dialect, name: &str, arguments: &str) -> (String, String) {
    let is_openai = dialect == Dialect::Responses;
    if name == "find_tools" {
        return (if is_openai { "tool_search::".to_owned() } else { name.to_owned() }, arguments.to_owned());
    }
    if name != "call_tool" {
        return (name.to_owned(), arguments.to_owned());
    }
    let call: Value = serde_json::from_str(arguments).expect("the scripts are valid");
    let tool = call["tool"].as_str().expect("a name");
    let container = if tool == "hour" { "Clock" } else { "Travel" };
    let name = if is_openai { format!("{container}::{tool}") } else { tool.to_owned() };
    (name, call.get("arguments").map_or_else(|| "{}".to_owned(), Value::to_string))
}

/// Runs a conversation, and returns the requests and the losses that the conversation reported.
async fn run(dialect: Dialect, is_native: bool, steps: &[Step]) -> (Vec<Asked>, Vec<String>) {
    let toolbox = |has_more: bool| if is_native { native(dialect, has_more) } else { toolbox(has_more) };
    let mut replies = Vec::new();
    for step in steps {
        let answers = match step {
            Step::Calls(answers) => answers,
            Step::Pause => PAUSE,
            Step::Restart | Step::Replace => &[],
        };
        for calls in answers {
            let ids: Vec<String> = (0..calls.len()).map(|call| format!("id_{}_{call}", replies.len())).collect();
            let own = |(name, arguments): &(&str, &str)| {
                if is_native {
                    native_call(dialect, name, arguments)
                } else {
                    ((*name).to_owned(), (*arguments).to_owned())
                }
            };
            let calls: Vec<_> = calls.iter().map(own).collect();
            let called = ids.iter().zip(&calls).map(|(id, (name, arguments))| (&**id, &**name, &**arguments));
            replies.push(dialect.reply(false, "", &called.collect::<Vec<_>>()));
        }
        replies.push(dialect.reply(false, "Done.", &[]));
    }
    let count = replies.len();
    let server = Server::start(replies);
    let losses = Arc::new(Mutex::new(Vec::new()));
    let listening = |conversation: Conversation| {
        let losses = Arc::clone(&losses);
        conversation.instructions("Be brief.").on_event(move |event| {
            if let ConversationEvent::PrefixLost { loss, .. } = event {
                losses.lock().expect("no test panics here").push(format!("{loss:?}"));
            }
        })
    };
    let mut has_more = false;
    let session = toolbox(has_more).session();
    // `book_room` can be called from the beginning.
    drop(session.call("first", "Travel", "{}").await);
    let mut session: Session = session;
    let mut conversation = listening(Conversation::new(session.clone(), dialect.model(&server)));
    for step in steps {
        match step {
            Step::Restart => {
                let state = serde_json::to_string(&session.snapshot().expect("no secrets")).expect("JSON");
                let stored = serde_json::to_string(conversation.run_state()).expect("JSON");
                let state: SessionState = serde_json::from_str(&state).expect("the same JSON");
                session = toolbox(has_more).restore(state, SessionSetup::new()).expect("it fits");
                let stored: Run = serde_json::from_str(&stored).expect("the same JSON");
                conversation = listening(Conversation::from_run(session.clone(), dialect.model(&server), stored));
            }
            Step::Replace => {
                has_more = !has_more;
                drop(session.replace_toolbox(&toolbox(has_more)).expect("it needs no state"));
            }
            Step::Calls(_) | Step::Pause => {}
        }
        let mut end = conversation.ask("Go on.").await;
        if matches!(end, TurnEnd::Deferred { .. }) {
            let waiting = session.deferred_calls();
            assert_eq!(waiting.len(), 1);
            let outcome = session.complete(waiting[0].call_id(), "booked").expect("it waits");
            conversation.answer_deferred(outcome).expect("the turn waits for it");
            end = conversation.resume().await.expect("the call is answered");
        }
        assert_eq!(end.text(), Some("Done."), "{dialect:?} {step:?} {end:?}");
    }
    let asked = server.asked();
    assert_eq!(asked.len(), count);
    (asked, losses.lock().expect("no test panics here").clone())
}

/// Returns a toolbox whose definitions the provider loads.
fn native(dialect: Dialect, has_more: bool) -> Toolbox {
    let dialect = match dialect {
        Dialect::Responses => tool_runtime::Dialect::OPENAI_RESPONSES,
        _ => tool_runtime::Dialect::ANTHROPIC,
    };
    builder(has_more)
        .for_provider(dialect)
        .definition_loading(DefinitionLoading::Native)
        .build()
        .expect("the registration is valid")
}

/// The documented exchange of a search by the client: each reference is to a deferred definition of the request, and nothing else changes.
#[tokio::test]
async fn anthropic_loads_deferred_definitions() {
    for streams in [false, true] {
        let dialect = Dialect::Anthropic;
        let server = Server::start([
            dialect.reply(streams, "", &[("id_1", "find_tools", r#"{"query": "weather"}"#), ("id_2", "Clock", "{}")]),
            dialect.reply(streams, "", &[("id_3", "forecast", r#"{"city": "Paris"}"#), ("id_4", "hour", "{}")]),
            dialect.reply(streams, "Done.", &[]),
        ]);
        let session = native(dialect, false).session();
        let mut conversation = Conversation::new(session, dialect.model(&server)).streaming(streams);
        assert_eq!(conversation.ask("What is the weather?").await.text(), Some("Done."));
        let outcomes: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
        assert_eq!(outcomes, [true; 4]);

        let asked = server.asked();
        check(dialect, &asked).expect("the beginning never changes");
        let tools = asked[0].body["tools"].as_array().expect("a list");
        let names = |is_deferred: bool| -> Vec<&str> {
            let tools = tools.iter().filter(|tool| (tool["defer_loading"] == true) == is_deferred);
            tools.filter_map(|tool| tool["name"].as_str()).collect()
        };
        assert_eq!(names(false), ["Clock", "Travel", "find_tools"]);
        assert_eq!(names(true), ["hour", "forecast", "book_room"]);

        let answers = &asked[1].body["messages"][2]["content"];
        let reference = |name: &str| json!([{"type": "tool_reference", "tool_name": name}]);
        assert_eq!((&answers[0]["tool_use_id"], &answers[0]["content"]), (&json!("id_1"), &reference("forecast")));
        assert_eq!((&answers[1]["tool_use_id"], &answers[1]["content"]), (&json!("id_2"), &reference("hour")));
        // The texts follow behind all answers, because they contain the instructions of the containers.
        let texts: Vec<_> = (2..4).map(|place| answers[place]["text"].as_str().unwrap_or_default()).collect();
        assert!(texts[0].contains("Be quick.") && texts[1].starts_with(r#"{"expanded":"Clock""#), "{texts:?}");
        // Results of tools are sent as they are.
        assert_eq!(asked[2].body["messages"][4]["content"][0]["content"], "Paris: 22 °C");
    }
}

/// The client executes the search: its answer contains the definitions in namespaces, and the item of the search and the namespaces of calls are
/// sent back. The answer to an expansion is followed by the definitions.
#[tokio::test]
async fn the_responses_api_loads_definitions_from_answers() {
    let mut bodies = Vec::new();
    for streams in [false, true] {
        let dialect = Dialect::Responses;
        let server = Server::start([
            dialect.reply(streams, "", &[("id_1", "tool_search::", r#"{"query":"hour"}"#), ("id_2", "Travel", "{}")]),
            dialect.reply(
                streams,
                "",
                &[("id_3", "Travel::forecast", r#"{"city":"Paris"}"#), ("id_4", "Clock::hour", "{}")],
            ),
            dialect.reply(streams, "", &[("id_5", "tool_search::", r#"{"query":"nothing like that"}"#)]),
            dialect.reply(streams, "Done.", &[]),
        ]);
        let mut conversation =
            Conversation::new(native(dialect, false).session(), dialect.model(&server)).streaming(streams);
        assert_eq!(conversation.ask("What is the weather?").await.text(), Some("Done."));
        let outcomes: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
        assert_eq!(outcomes, [true; 5]);
        let asked = server.asked();
        check(dialect, &asked).expect("the beginning never changes");
        bodies.push(asked);
    }
    for asked in bodies {
        let tools = asked[0].body["tools"].as_array().expect("a list");
        let named = |tool: &Value| tool.get("name").unwrap_or(&tool["type"]).clone();
        assert_eq!(tools.iter().map(named).collect::<Vec<_>>(), ["Clock", "Travel", "tool_search"]);
        let search = json!({
            "type": "tool_search",
            "execution": "client",
            "description": tools[2]["description"],
            "parameters": tools[2]["parameters"],
        });
        assert_eq!(tools[2], search);
        assert_eq!(tools[2]["parameters"]["required"], json!(["query"]));

        let last = asked[3].body["input"].as_array().expect("a list");
        let hour = json!({"type": "function", "name": "hour", "description": "Tells the hour of the day.",
            "parameters": {"type": "object", "properties": {}, "additionalProperties": false}, "strict": false, "defer_loading": true});
        let forecast = json!({"type": "function", "name": "forecast", "description": "Tells the weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "The city."}},
                "required": ["city"], "additionalProperties": false}, "strict": false});
        let book = json!({"type": "function", "name": "book_room", "description": "Books a room in a hotel.",
            "parameters": {"type": "object", "properties": {}, "additionalProperties": false}, "strict": false});
        let clock = json!({"type": "namespace", "name": "Clock", "description": "Tells the time.", "tools": [hour]});
        let travel = json!({"type": "namespace", "name": "Travel", "description": "For people who travel.", "tools": [forecast, book]});
        let search = |id: &str, query: &str| {
            json!({"type": "tool_search_call", "id": "tsc", "call_id": id, "execution": "client", "status": "completed",
                "arguments": {"query": query}})
        };
        let output = |id: &str, tools: Value| json!({"type": "tool_search_output", "execution": "client", "call_id": id, "status": "completed", "tools": tools});
        assert_eq!(last[1], search("id_1", "hour"));
        assert_eq!((&last[2]["type"], &last[2]["name"]), (&json!("function_call"), &json!("Travel")));
        assert_eq!(last[3], output("id_1", json!([clock])));
        assert_eq!((&last[4]["type"], &last[4]["call_id"]), (&json!("function_call_output"), &json!("id_2")));
        assert!(last[4]["output"].as_str().is_some_and(|text| text.contains("Be quick.")));
        assert_eq!(last[5], json!({"type": "additional_tools", "role": "developer", "tools": [travel]}));
        // The system prompt of the clock follows, because the definitions do not contain it.
        let text = last[6]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(last[6]["role"] == "user" && text.contains("All times are in UTC."), "{}", last[6]);
        assert_eq!((&last[7]["namespace"], &last[7]["name"]), (&json!("Travel"), &json!("forecast")));
        assert_eq!((&last[8]["namespace"], &last[8]["name"]), (&json!("Clock"), &json!("hour")));
        assert_eq!((&last[9]["output"], &last[10]["output"]), (&json!("Paris: 22 °C"), &json!("12")));
        assert_eq!((&last[11], &last[12]), (&search("id_5", "nothing like that"), &output("id_5", json!([]))));
        assert!(
            last[13]["content"][0]["text"].as_str().is_some_and(|text| text.contains("No tool was found")),
            "{last:?}"
        );
        assert_eq!(last.len(), 14);
        // The order of the keys is that of the definitions.
        assert!(
            asked[1].text.contains(r#""tools":[{"type":"function","name":"hour","description":"#),
            "{}",
            asked[1].text
        );
    }
}

/// Calls that ended the conversations of other clients: of a tool before it was loaded (openai/openai-agents-js#1518), with rejected arguments
/// (vercel/ai#20265), and of a listed tool with its own name as the namespace (openai/codex#31665). A search without an id gets one
/// (pydantic/pydantic-ai#6573). Each is answered, and sent back with its namespace.
#[tokio::test]
async fn unusual_calls_in_namespaces_are_answered_and_sent_back() {
    for streams in [false, true] {
        let dialect = Dialect::Responses;
        let server = Server::start([
            dialect.reply(streams, "", &[("id_1", "Travel::forecast", r#"{"city":"Paris"}"#)]),
            dialect.reply(streams, "", &[("", "tool_search::", r#"{"query":"weather"}"#)]),
            dialect.reply(streams, "", &[("id_3", "Travel::forecast", "{}"), ("id_4", "Clock::Clock", "{}")]),
            dialect.reply(streams, "", &[("id_5", "Travel::forecast", r#"{"city":"Paris"}"#)]),
            dialect.reply(streams, "Done.", &[]),
        ]);
        let session = native(dialect, false).session();
        let mut conversation = Conversation::new(session, dialect.model(&server)).streaming(streams);
        assert_eq!(conversation.ask("What is the weather?").await.text(), Some("Done."));
        let outcomes: Vec<_> = conversation.transcript().calls().map(|call| call.outcome.is_ok()).collect();
        assert_eq!(outcomes, [false, true, false, true, true]);
        let asked = server.asked();
        check(dialect, &asked).expect("the beginning never changes");
        let input = asked[4].body["input"].as_array().expect("a list");
        let calls: Vec<_> = input.iter().filter(|item| item["type"] == "function_call").collect();
        let namespaces: Vec<_> = calls.iter().filter_map(|call| call["namespace"].as_str()).collect();
        assert_eq!(namespaces, ["Travel", "Travel", "Clock", "Travel"]);
        let (search, output) = (&input[3], &input[4]);
        assert_eq!((&search["type"], &output["type"]), (&json!("tool_search_call"), &json!("tool_search_output")));
        assert!(search["call_id"].as_str().is_some_and(|id| !id.is_empty()) && search["call_id"] == output["call_id"]);
        assert_eq!(output["tools"][0]["tools"][0]["name"], "forecast");
    }
}

/// Without a search, the answers to expansions load the definitions. Later, the conversation goes on with another provider.
#[tokio::test]
async fn without_a_search_expansions_load_definitions() {
    let clock = || Container::new("Clock", "Tells the time.").tool(HourTool);
    let toolbox = |dialect| {
        let builder =
            Toolbox::builder().container(clock()).for_provider(dialect).definition_loading(DefinitionLoading::Native);
        builder.build().expect("the registration is valid")
    };
    let (first, second) = (Dialect::Responses, Dialect::Anthropic);
    let server = Server::start([
        first.reply(false, "", &[("id_1", "Clock", "{}")]),
        first.reply(false, "", &[("id_2", "Clock::hour", "{}")]),
        first.reply(false, "Noon.", &[]),
    ]);
    let session = toolbox(tool_runtime::Dialect::OPENAI_RESPONSES).session();
    let mut conversation = Conversation::new(session, first.model(&server));
    assert_eq!(conversation.ask("What time is it?").await.text(), Some("Noon."));
    assert!(conversation.transcript().calls().all(|call| call.outcome.is_ok()));
    let asked = server.asked();
    check_messages(&asked);
    let input = &asked[2].body["input"];
    assert_eq!((&input[3]["type"], &input[3]["tools"][0]["name"]), (&json!("additional_tools"), &json!("Clock")));
    assert_eq!((&input[4]["namespace"], &asked[2].body["tools"].as_array().map(Vec::len)), (&json!("Clock"), &Some(1)));

    let stored: Run =
        serde_json::from_str(&serde_json::to_string(conversation.run_state()).expect("JSON")).expect("the same JSON");
    let server = Server::start([second.reply(false, "Bye.", &[])]);
    let session = toolbox(tool_runtime::Dialect::ANTHROPIC).session();
    let mut conversation = Conversation::from_run(session, second.model(&server), stored);
    assert_eq!(conversation.ask("Thanks.").await.text(), Some("Bye."));
    let text = &server.asked()[0].text;
    assert!(["namespace", "tool_search", "additional_tools"].iter().all(|word| !text.contains(word)), "{text}");
}

/// Checks that each request of the Responses API begins with the one before it.
fn check_messages(asked: &[Asked]) {
    for pair in asked.windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(|asked| asked.body["input"].as_array().expect("a list"));
        assert!(after.starts_with(before) && pair[0].body["tools"] == pair[1].body["tools"]);
    }
}

/// Models that are older than `tool_search`, and clients without the relay, get a list that grows.
#[tokio::test]
async fn without_tool_search_the_loaded_definitions_are_listed() {
    let dialect = Dialect::Responses;
    let server = Server::start([
        dialect.reply(false, "", &[("id_1", "find_tools", r#"{"query":"hour"}"#)]),
        dialect.reply(false, "", &[("id_2", "hour", "{}")]),
        dialect.reply(false, "Done.", &[]),
    ]);
    let endpoint = Endpoint::from_owned(format!("{}/v1/", server.address()));
    let auth = AuthData::from_single("key");
    let config = ClientConfig::default().append_provider_config(AdapterKind::OpenAIResp, (endpoint, auth));
    let model = tool_adapters::GenAi::from_config(config, "openai_resp::gpt-5-mini");
    let mut conversation = Conversation::new(native(dialect, false).session(), model);
    assert_eq!(conversation.ask("What time is it?").await.text(), Some("Done."));
    assert!(conversation.transcript().calls().all(|call| call.outcome.is_ok()));
    let asked = server.asked();
    let names = |asked: &Asked| -> Vec<Value> {
        asked.body["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].clone()).collect()
    };
    assert_eq!(names(&asked[0]), ["Clock", "Travel", "find_tools"]);
    assert_eq!(names(&asked[2]), ["Clock", "Travel", "find_tools", "hour"]);
    for asked in asked {
        assert!(
            ["tool_search", "namespace", "defer_loading"].iter().all(|word| !asked.text.contains(word)),
            "{}",
            asked.text
        );
    }
}

/// The model of another provider goes on with a conversation: its searches and calls of loaded tools are sent like those of the Responses API.
#[tokio::test]
async fn calls_of_another_provider_are_sent_with_their_namespaces() {
    let (first, second) = (Dialect::ChatCompletions, Dialect::Responses);
    let server = Server::start([
        first.reply(false, "", &[("id_1", "find_tools", r#"{"query":"weather"}"#)]),
        first.reply(false, "", &[("id_2", "forecast", r#"{"city":"Paris"}"#)]),
        first.reply(false, "Sun.", &[]),
    ]);
    let session = native(second, false).session();
    // This model has another API, so the adapter rejects the deferred definitions.
    let mut rejected = Conversation::new(session.clone(), first.model(&server));
    let end = rejected.ask("What is the weather?").await;
    assert!(format!("{end:?}").contains("deferred for the Responses API"), "{end:?}");

    let scripted = tool_chat::model::ScriptedModel::new();
    let scripted =
        scripted.call("find_tools", r#"{"query":"weather"}"#).call("forecast", r#"{"city":"Paris"}"#).text("Sun.");
    let mut conversation = Conversation::new(session.clone(), scripted);
    assert_eq!(conversation.ask("What is the weather?").await.text(), Some("Sun."));
    let stored: Run =
        serde_json::from_str(&serde_json::to_string(conversation.run_state()).expect("JSON")).expect("the same JSON");
    let server = Server::start([second.reply(false, "Bye.", &[])]);
    let mut conversation = Conversation::from_run(session, second.model(&server), stored);
    assert_eq!(conversation.ask("Thanks.").await.text(), Some("Bye."));
    let input = server.asked()[0].body["input"].clone();
    assert_eq!((&input[1]["type"], &input[1]["arguments"]), (&json!("tool_search_call"), &json!({"query": "weather"})));
    assert_eq!((&input[2]["type"], &input[2]["tools"][0]["name"]), (&json!("tool_search_output"), &json!("Travel")));
    let call = input.as_array().into_iter().flatten().find(|item| item["name"] == "forecast").expect("the call");
    assert_eq!(call["namespace"], "Travel");
}

/// A client without the relay cannot load definitions, so none is deferred.
#[tokio::test]
async fn without_the_relay_all_definitions_are_shown() {
    let server = Server::start([Dialect::Anthropic.reply(false, "Done.", &[])]);
    let endpoint = Endpoint::from_owned(format!("{}/v1/", server.address()));
    let auth = AuthData::from_single("key");
    let config = ClientConfig::default().append_provider_config(AdapterKind::Anthropic, (endpoint, auth));
    let client = genai::Client::builder().with_config(config).build().expect("a client");
    let model = tool_adapters::GenAi::from_client(client, "claude-test");
    assert_eq!(
        Conversation::new(native(Dialect::Anthropic, false).session(), model).ask("Hello.").await.text(),
        Some("Done.")
    );
    let tools = server.asked()[0].body["tools"].clone();
    assert_eq!(tools.as_array().map(Vec::len), Some(6));
    assert!(!tools.to_string().contains("defer_loading"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]
    #[test]
    fn fixed_definitions_never_change_the_beginning(steps in prop::collection::vec(step(), 50)) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let native = [(Dialect::Responses, true), (Dialect::Anthropic, true)];
        for (dialect, is_native) in ALL.map(|dialect| (dialect, false)).into_iter().chain(native) {
            // Anthropic gets all definitions with every request, so another toolbox changes them.
            let is_kept = |step: &&Step| !(is_native && dialect == Dialect::Anthropic && matches!(step, Step::Replace));
            let steps: Vec<Step> = steps.iter().filter(is_kept).copied().collect();
            let (asked, losses) = runtime.block_on(run(dialect, is_native, &steps));
            check(dialect, &asked)?;
            prop_assert_eq!(losses, Vec::<String>::new());
        }
    }
}
