//! Arguments that are still being written.

use tests::fixtures::GetWeatherTool;
use tool_runtime::{Container, Session, Toolbox};
use tool_schema::repair::Progress;

use super::tools::{call, group, named};

fn session() -> Session {
    let builder = Toolbox::builder().tool(GetWeatherTool).container(group("Files", &["open"]));
    builder.build().expect("no clashes").session()
}

#[test]
fn a_stream_rejects_arguments_without_an_acceptable_continuation() {
    let session = session();
    let rejected = |name: &str, text: &str| {
        let mut stream = session.stream_arguments(name).expect("the tool is visible");
        let taken = text
            .char_indices()
            .position(|(at, next)| stream.push(&text[at..at + next.len_utf8()]) == Progress::Rejected);
        taken.map(|taken| (text.chars().take(taken + 1).collect::<String>(), stream.issues()[0].message()))
    };
    let told = |taken: &str, message: &str| Some((taken.to_owned(), message.to_owned()));
    let unknown = "town is not a known field (known: location, days)";
    assert_eq!(rejected("get_weather", r#"{"town": "Paris"}"#), told(r#"{"town""#, unknown));
    assert_eq!(rejected("get_weather", r#"{"location": ["#), told(r#"{"location": ["#, "location must be a string"));
    assert_eq!(rejected("get_weather", r#"{"days": "3"}"#), told(r#"{"days": ""#, "days must be an integer or null"));
    assert_eq!(rejected("Get-Weather", "{'location': 5}"), told("{'location': 5}", "location must be a string"));
    assert_eq!(rejected("Files", r#"{"a": 1}"#).map(|(taken, _)| taken).as_deref(), Some(r#"{"a""#));
    assert_eq!(rejected("get_weather", r#"{"location": "Paris", "days": null}"#), None);
}

#[test]
fn only_callable_tools_have_a_stream() {
    let session = session();
    let told =
        |name: &str| session.stream_arguments(name).err().map(|failure| failure.to_value()["error_type"].clone());
    assert_eq!(told("open"), Some("container_not_expanded".into()));
    assert_eq!(told("rm"), Some("unknown_tool".into()));
    assert!(session.tools().len() == 2, "asking for a stream expands no container");
    assert!(call(&session, "Files", "").is_ok());
    assert_eq!(told("open"), None);
    let nested = Container::new("Outer", "A group.").container(Container::new("Inner", "A group.").tool(named("deep")));
    let nested = Toolbox::builder().container(nested).build().expect("no clashes").session();
    let failure = nested.stream_arguments("deep").err().map(|failure| failure.message().clone());
    let answer = call(&nested, "deep", "{}").failure().map(|failure| failure.message().clone());
    assert!(failure.is_some() && failure == answer, "{failure:?} is not {answer:?}");
}
