//! Calls in the text of a model, and partial arguments.

use tests::fixtures::GetWeatherTool;
use tool_runtime::{Container, Session, Toolbox, tool};
use tool_schema::repair::{Progress, TextCall};

use super::tools::{call, group, named};

/// Logs in.
#[tool]
#[allow(clippy::needless_pass_by_value)] // Tools take owned arguments.
fn login(
    /// Name of the user.
    user: String,
    /// The password.
    #[tool(sensitive)]
    password: String,
) -> String {
    format!("{user}: {}", password.len())
}

fn session() -> Session {
    let builder = Toolbox::builder().tool(GetWeatherTool).tool(LoginTool).container(group("Files", &["open"]));
    builder.build().expect("no clashes").session()
}

fn names(calls: &[TextCall]) -> Vec<&str> {
    calls.iter().map(|call| call.name.as_str()).collect()
}

#[test]
fn only_calls_of_visible_tools_are_found_in_a_text() {
    let session = session();
    let text = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Paris\"}}</tool_call>\n\
                <tool_call>{\"name\": \"open\", \"arguments\": {}}</tool_call>\n\
                <tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>\n\
                <tool_call>{\"name\": \"Files\", \"arguments\": {}}</tool_call>";
    assert_eq!(names(&session.calls_in(text)), ["get_weather", "Files"]);
    assert!(call(&session, "Files", "{}").is_ok());
    assert_eq!(names(&session.calls_in(text)), ["get_weather", "open", "Files"]);
}

#[test]
fn a_found_call_can_be_executed_unchanged() {
    let session = session();
    for (text, answer) in [
        (
            "```json\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Paris\", \"days\": 3}}\n```",
            "Paris: sun for 3 days",
        ),
        ("{'tool': 'get_weather', 'parameters': \"{\\\"location\\\": \\\"Rome\\\"}\"}", "Rome: sun for 1 days"),
        (
            "{\"function\": {\"name\": \"get_weather<|channel|>commentary\", \"arguments\": {\"location\": \"Bonn\"}}}",
            "Bonn: sun for 1 days",
        ),
    ] {
        let calls = session.calls_in(text);
        let [found] = &calls[..] else { panic!("{text}: {calls:?}") };
        assert_eq!(call(&session, &found.name, &found.arguments.to_text()).to_text(), answer, "{text}");
        assert_eq!(found.repairs[0].rule.name(), "call_as_text");
    }
}

#[test]
fn text_that_only_resembles_a_call_is_not_a_call() {
    let session = session();
    for text in [
        "Call get_weather with {\"location\": \"Paris\"}.",
        "{\"name\": \"get_weather\"}",
        "{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Par",
        "{\"name\": \"get_weather\", \"arguments\": [1]}",
        "<tool_call>{\"name\": \"get_weather\", \"arguments\": {}}",
        "",
    ] {
        let found = session.calls_in(text);
        // After an unclosed tag more text may follow; the object in it is complete.
        let expected = usize::from(text.starts_with("<tool_call>"));
        assert_eq!(found.len(), expected, "{text}: {found:?}");
    }
}

#[test]
fn the_repairs_of_a_call_in_a_text_contain_no_secrets() {
    let session = session();
    let text =
        "<tool_call>{name: 'login', /* hunter2 */ 'arguments': \"{'user': 'a', 'password': 'hunter2'}\"}</tool_call>";
    let calls = session.calls_in(text);
    assert_eq!(calls[0].arguments.get("password").and_then(|password| password.as_str()), Some("hunter2"));
    let ledger: Vec<String> = calls[0].repairs.iter().map(|line| format!("{line} {line:?}")).collect();
    assert!(ledger.len() > 3 && !ledger.concat().contains("hunter2"), "{ledger:?}");
}

#[test]
fn a_stream_refuses_arguments_without_an_acceptable_continuation() {
    let session = session();
    let refused = |name: &str, text: &str| {
        let mut stream = session.stream(name).expect("the tool is visible");
        let taken = text
            .char_indices()
            .position(|(at, next)| stream.push(&text[at..at + next.len_utf8()]) == Progress::Refused);
        taken.map(|taken| (text.chars().take(taken + 1).collect::<String>(), stream.issues()[0].message()))
    };
    let told = |taken: &str, message: &str| Some((taken.to_owned(), message.to_owned()));
    let unknown = "town is not a known field (known: location, days)";
    assert_eq!(refused("get_weather", r#"{"town": "Paris"}"#), told(r#"{"town""#, unknown));
    assert_eq!(refused("get_weather", r#"{"location": ["#), told(r#"{"location": ["#, "location must be a string"));
    assert_eq!(refused("get_weather", r#"{"days": "3"}"#), told(r#"{"days": ""#, "days must be an integer or null"));
    assert_eq!(refused("Get-Weather", "{'location': 5}"), told("{'location': 5}", "location must be a string"));
    assert_eq!(refused("Files", r#"{"a": 1}"#).map(|(taken, _)| taken).as_deref(), Some(r#"{"a""#));
    assert_eq!(refused("get_weather", r#"{"location": "Paris", "days": null}"#), None);
}

#[test]
fn only_callable_tools_have_a_stream() {
    let session = session();
    let told = |name: &str| session.stream(name).err().map(|failure| failure.to_value()["error_type"].clone());
    assert_eq!(told("open"), Some("container_not_expanded".into()));
    assert_eq!(told("rm"), Some("unknown_tool".into()));
    assert!(session.tools().len() == 3, "asking for a stream expands no container");
    assert!(call(&session, "Files", "").is_ok());
    assert_eq!(told("open"), None);
    let nested = Container::new("Outer", "A group.").container(Container::new("Inner", "A group.").tool(named("deep")));
    let nested = Toolbox::builder().container(nested).build().expect("no clashes").session();
    let failure = nested.stream("deep").err().map(|failure| failure.message().clone());
    let answer = call(&nested, "deep", "{}").failure().map(|failure| failure.message().clone());
    assert!(failure.is_some() && failure == answer, "{failure:?} is not {answer:?}");
}
