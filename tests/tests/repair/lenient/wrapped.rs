//! Arguments with an additional wrapper, names with control tokens, and calls that were written as text.

use tests::replay::replay;
use tool_schema::json::Json;
use tool_schema::repair::RepairRule;
use tool_schema::repair::{calls_in_text, read, tool_name, unwrap};

/// Returns the inner arguments for a tool whose only key is `city`, and the rules that unwrapped them.
fn unwrapped(text: &str) -> (String, Vec<RepairRule>) {
    let reading = read(text);
    let value = reading.value().cloned().unwrap_or_else(|| panic!("{text} cannot be parsed"));
    let (value, repairs) = unwrap("get_weather", value, |key| key == "city");
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
        assert_eq!(tool_name(sent).map(|(name, _)| name), name, "{sent}");
    }
}

/// Returns the calls in a text: name, arguments, and the text that contains them.
fn calls(text: &str) -> Vec<(String, String, &str)> {
    let calls = calls_in_text(text, |name| matches!(name, "now" | "get_weather"));
    let shown = calls.into_iter().map(|call| {
        assert_eq!(call.repairs.first().map(|repair| repair.rule), Some(RepairRule::CallAsText));
        (call.name, call.arguments.to_text(), &text[call.span.start as usize..call.span.end as usize])
    });
    shown.collect()
}

#[test]
fn calls_that_were_written_as_text_are_found() {
    let call = r#"{"name": "get_weather", "arguments": {"city": "Paris"}}"#;
    let found = |text: &str| calls(text).into_iter().map(|(name, arguments, _)| (name, arguments)).collect::<Vec<_>>();
    let one = vec![("get_weather".to_owned(), r#"{"city":"Paris"}"#.to_owned())];
    for text in [
        call.to_owned(),
        format!("[{call}]"),
        format!("<tool_call>\n{call}\n</tool_call>"),
        format!("I look it up. <function_call>{call}</function_call> Wait."),
        format!("```json\n{call}\n```"),
        format!("First:\n```\n{call}\n```\nThen nothing."),
        format!("First:\n~~~json\n{call}\n~~~\nThen nothing."),
        format!("~~~json\n{call}\n~~~"),
        r#"{"tool": "get_weather", "parameters": {"city": "Paris"}}"#.to_owned(),
        r#"{"function": "get_weather", "args": {"city": "Paris"}}"#.to_owned(),
        r#"{"type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Paris\"}"}}"#.to_owned(),
        "<tool_call>{'name': 'get_weather<|channel|>json', 'arguments': {city: 'Paris'}}</tool_call>".to_owned(),
    ] {
        assert_eq!(found(&text), one, "{text}");
    }
    let text = format!(
        "<tool_call>{call}</tool_call>, then <tool_call>{{\"name\": \"now\", \"arguments\": {{}}}}</tool_call>"
    );
    let places: Vec<_> = calls(&text).into_iter().map(|(name, _, place)| (name, place.len())).collect();
    assert_eq!(places, [("get_weather".to_owned(), call.len() + 23), ("now".to_owned(), 55)]);
}

#[test]
fn other_json_is_not_a_call() {
    for text in [
        "",
        "I would call get_weather.",
        r#"{"name": "rm", "arguments": {}}"#,
        r#"{"name": "now"}"#,
        r#"{"name": "now", "arguments": [1]}"#,
        r#"{"name": "now", "arguments": {}"#,
        r#"<tool_call>{"name": "now", "arguments": {}}"#.get(..40).unwrap_or_default(),
        r#"{"city": "Paris"}"#,
        "<tool_call></tool_call>",
        r#"{"name": "now", "arguments": {}} or {"name": "now", "arguments": {"a": 1}}"#,
    ] {
        assert_eq!(calls(text), [], "{text}");
    }
}

#[test]
fn json_that_a_sentence_quotes_is_not_a_call() {
    let call = r#"{"name": "now", "arguments": {}}"#;
    for text in [
        format!("I call {call}"),
        format!("You could send {call} to learn the time."),
        format!("{call} is how it is called."),
        format!("Never send {call}!"),
        format!("Here is an example: {call}"),
        format!("Send `{call}` for the time."),
        format!("`{call}`"),
        format!("\"{call}\""),
        format!("'{call}'"),
        format!("“{call}”"),
        format!("- {call}"),
        format!("1. {call}"),
        format!("> {call}"),
        format!("({call})"),
        format!("# Example\n{call}"),
        format!("// for example\n{call}"),
        format!("{call} // for example"),
        format!("```\nYou could send {call}\n```"),
        format!("```text\nSend `{call}`.\n```"),
        format!("<tool_call>for example {call}</tool_call>"),
        format!("Examples:\n- {call}\n- {call}"),
        format!("[for example] {call}"),
    ] {
        assert_eq!(calls(&text), [], "{text}");
    }
}

#[test]
fn a_tag_that_a_sentence_quotes_contains_no_call() {
    let call = r#"<tool_call>{"name": "now", "arguments": {}}</tool_call>"#;
    for text in [format!("One writes `{call}` for that."), format!("\"{call}\""), format!("Never send '{call}'.")] {
        assert_eq!(calls(&text), [], "{text}");
    }
    assert_eq!(calls(&format!("```{call}```")).len(), 1);
}

#[test]
fn the_definition_of_a_tool_is_not_a_call() {
    for text in [
        r#"{"name": "now", "parameters": {"type": "object", "properties": {}}}"#,
        r#"{"name": "now", "description": "The time.", "parameters": {}}"#,
        r#"[{"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {"a": {}}}}}]"#,
    ] {
        assert_eq!(calls(text), [], "{text}");
        assert_eq!(calls(&format!("My tools:\n```json\n{text}\n```")), [], "{text}");
    }
    assert_eq!(calls(r#"{"name": "now", "parameters": {"type": "object"}}"#).len(), 1);
}

#[test]
fn json_with_two_names_or_two_arguments_is_not_a_call() {
    for text in [
        r#"{"name": "rm", "name": "now", "arguments": {}}"#,
        r#"{"name": "now", "tool": "rm", "arguments": {}}"#,
        r#"{"name": "now", "arguments": {"a": 1}, "arguments": {"a": 2}}"#,
        r#"{"name": "now", "arguments": {"a": 1}, "parameters": {"a": 2}}"#,
        r#"{"function": {"name": "rm", "arguments": {}}, "function": {"name": "now", "arguments": {}}}"#,
    ] {
        assert_eq!(calls(text), [], "{text}");
    }
}

#[test]
fn the_ledger_of_a_call_points_into_the_text() {
    let text = "So:\n```json\n{'tool': 'now', 'arguments': {}}\n```";
    let calls = calls_in_text(text, |_| true);
    let quote = calls[0].repairs.iter().find(|repair| repair.rule == RepairRule::Quote).and_then(|repair| repair.span);
    assert_eq!(quote.and_then(|span| text.get(span.start as usize..)).and_then(|rest| rest.get(..6)), Some("'tool'"));
}

#[test]
fn each_call_of_a_list_gets_its_own_repairs() {
    let text = "[{'tool': 'now', 'arguments': {}}, {'tool': 'now', 'arguments': {}},]";
    let calls = calls_in_text(text, |_| true);
    let own: Vec<_> = calls.iter().flat_map(|call| call.repairs.iter().skip(1).cloned()).collect();
    assert_eq!(calls.len(), 2);
    assert_eq!(own, read(text).repairs());
}
