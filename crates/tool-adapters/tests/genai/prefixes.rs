//! With fixed definitions, each request of a conversation begins with the request before it, in the bytes of every provider.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::json;
use tool_adapters::genai::adapter::AdapterKind;
use tool_adapters::genai::resolver::{AuthData, Endpoint};
use tool_adapters::genai::{self, ClientConfig};
use tool_chat::conversation::{Conversation, End, Event};
use tool_chat::run::Run;
use tool_runtime::container::Deferral;
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
    builder(has_more).fixed_definitions().build().expect("the registration is valid")
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
    assert!(before[0].contains("find_tools"), "{}", asked.text);
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

/// Runs a conversation, and returns the requests and the losses that the conversation reported.
async fn run(dialect: Dialect, steps: &[Step]) -> (Vec<Asked>, Vec<String>) {
    let mut replies = Vec::new();
    for step in steps {
        let answers = match step {
            Step::Calls(answers) => answers,
            Step::Pause => PAUSE,
            Step::Restart | Step::Replace => &[],
        };
        for calls in answers {
            let ids: Vec<String> = (0..calls.len()).map(|call| format!("id_{}_{call}", replies.len())).collect();
            let called = ids.iter().zip(*calls).map(|(id, (name, arguments))| (&**id, *name, *arguments));
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
            if let Event::PrefixLost { loss, .. } = event {
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
                let stored = serde_json::to_string(conversation.run()).expect("JSON");
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
        if matches!(end, End::Deferred { .. }) {
            let waiting = session.deferred();
            assert_eq!(waiting.len(), 1);
            let outcome = session.complete(waiting[0].call_id(), "booked").expect("it waits");
            conversation.answered(outcome).expect("the turn waits for it");
            end = conversation.resume().await.expect("the call is answered");
        }
        assert_eq!(end.text(), Some("Done."), "{dialect:?} {step:?} {end:?}");
    }
    let asked = server.asked();
    assert_eq!(asked.len(), count);
    (asked, losses.lock().expect("no test panics here").clone())
}

fn native() -> Toolbox {
    let dialect = tool_runtime::Dialect::ANTHROPIC;
    builder(false).for_provider(dialect).deferral(Deferral::Native).build().expect("the registration is valid")
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
        let session = native().session();
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

/// A client without the relay cannot load definitions, so none is deferred.
#[tokio::test]
async fn without_the_relay_all_definitions_are_shown() {
    let server = Server::start([Dialect::Anthropic.reply(false, "Done.", &[])]);
    let endpoint = Endpoint::from_owned(format!("{}/v1/", server.address()));
    let auth = AuthData::from_single("key");
    let config = ClientConfig::default().append_provider_config(AdapterKind::Anthropic, (endpoint, auth));
    let client = genai::Client::builder().with_config(config).build().expect("a client");
    let model = tool_adapters::GenAi::with_client(client, "claude-test");
    assert_eq!(Conversation::new(native().session(), model).ask("Hello.").await.text(), Some("Done."));
    let tools = server.asked()[0].body["tools"].clone();
    assert_eq!(tools.as_array().map(Vec::len), Some(6));
    assert!(!tools.to_string().contains("defer_loading"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]
    #[test]
    fn fixed_definitions_never_change_the_beginning(steps in prop::collection::vec(step(), 50)) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        for dialect in ALL {
            let (asked, losses) = runtime.block_on(run(dialect, &steps));
            check(dialect, &asked)?;
            prop_assert_eq!(losses, Vec::<String>::new());
        }
    }
}
