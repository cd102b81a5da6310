//! Arguments with an additional wrapper, and names with control tokens.

use tests::replay::replay;
use tool_schema::json::Json;
use tool_schema::repair::{RepairRule, repair_text, strip_control_tokens_from_name, unwrap_arguments};

/// Returns the inner arguments for a tool whose only key is `city`, and the rules that unwrapped them.
fn unwrapped(text: &str) -> (String, Vec<RepairRule>) {
    let reading = repair_text(text);
    let value = reading.value().cloned().unwrap_or_else(|| panic!("{text} cannot be parsed"));
    let (value, repairs) = unwrap_arguments("get_weather", value, |key| key == "city");
    if !repairs.is_empty() {
        let ledger: Vec<_> = reading.repairs().iter().cloned().chain(repairs.iter().cloned()).collect();
        let replayed = replay(text, &ledger).unwrap_or_default();
        assert_eq!(Json::parse(&replayed).as_ref(), Ok(&value), "the ledger of {text}");
    }
    (value.to_text(), repairs.iter().map(|repair| repair.rule).collect())
}

#[test]
fn wrapped_arguments_are_unwrapped() {
    use RepairRule::{Stringified, Wrapper};
    let inner = r#"{"city":"Paris"}"#;
    for (text, rules) in [
        (r#"{"arguments": {"city": "Paris"}}"#, vec![Wrapper]),
        (r#"{"parameters": {"city": "Paris"}}"#, vec![Wrapper]),
        (r#"{"input": "{\"city\": \"Paris\"}"}"#, vec![Wrapper, Stringified]),
        (r#""{\"city\": \"Paris\"}""#, vec![Stringified]),
        (r#"{"args": {"params": {"city": "Paris"}}}"#, vec![Wrapper, Wrapper]),
        (r#"{"arguments": "{'city': 'Paris',}"}"#, vec![Wrapper, Stringified]),
        (r"{arguments: '{city: \'Paris\'}'}", vec![Wrapper, Stringified]),
        (r#"{"name": "get_weather", "arguments": {"city": "Paris"}}"#, vec![Wrapper]),
        (r#"{"tool": "functions.getWeather", "args": {"city": "Paris"}}"#, vec![Wrapper]),
        (
            r#"{"type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Paris\"}"}}"#,
            vec![Wrapper, Wrapper, Stringified],
        ),
        (r#"{"type": "object", "properties": {"city": "Paris"}, "required": ["city"]}"#, vec![Wrapper]),
        (r#"{"get_weather": {"city": "Paris"}}"#, vec![Wrapper]),
        (r#"{"$PARAMETER_NAME": {"city": "Paris"}}"#, vec![Wrapper]),
        (r#"{"id": "call_1", "type": "tool_use", "name": "get_weather", "input": {"city": "Paris"}}"#, vec![Wrapper]),
    ] {
        assert_eq!(unwrapped(text), (inner.to_owned(), rules), "{text}");
    }
    assert_eq!(unwrapped(r#"{"parameters": "{}"}"#), ("{}".to_owned(), vec![Wrapper, Stringified]));
}

#[test]
fn a_wrapper_that_may_be_intended_is_kept() {
    for text in [
        r#"{"city": {"arguments": 1}}"#,
        r#"{"arguments": {"city": "Paris"}, "days": 1}"#, // may be an argument
        r#"{"arguments": {"city": "Paris"}, "city": "Rome"}"#, // an argument
        r#"{"name": "get_time", "arguments": {"city": "Paris"}}"#, // another tool
        r#"{"arguments": {"city": "Paris"}, "input": {"city": "Rome"}}"#,
        r#"{"arguments": [1]}"#,
        r#"{"arguments": "Paris"}"#,
        r#"{"arguments": "{\"city\": \"Par"}"#, // cut off
        r#"{"settings": {"city": "Paris"}}"#,
        r#""Paris""#,
    ] {
        assert_eq!(unwrapped(text).1, [], "{text}");
    }
}

#[test]
fn at_most_five_layers_are_unwrapped() {
    let layers = |count: usize| format!("{}{{}}{}", r#"{"arguments":"#.repeat(count), "}".repeat(count));
    assert_eq!(unwrapped(&layers(5)).0, "{}");
    assert_eq!(unwrapped(&layers(6)).0, r#"{"arguments":{}}"#);
}

#[test]
fn control_tokens_after_a_name_are_removed() {
    for (sent, name) in [
        ("get_weather<|channel|>commentary", Some("get_weather")),
        ("get_weather <|constrain|>json", Some("get_weather")),
        ("get_weather<｜tool▁sep｜>", Some("get_weather")),
        ("get_weather</tool_call>", Some("get_weather")),
        ("get_weather", None),
        ("<|channel|>commentary", None),
        ("", None),
    ] {
        assert_eq!(strip_control_tokens_from_name(sent).map(|(name, _)| name), name, "{sent}");
    }
}
