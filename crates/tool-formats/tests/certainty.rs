//! Text never becomes a call by accident.

use tool_formats::CallFormat;

use crate::tools::{auto, calls, read};

const CALL: &str = "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>";
const XML: &str =
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>";

/// The examples of all formats that `AUTO` contains.
fn examples() -> impl Iterator<Item = &'static str> {
    CallFormat::AUTO.iter().map(CallFormat::example)
}

fn assert_text(text: &str) {
    let found = read(text);
    assert!(found.calls.is_empty(), "{text}\n{:?}", found.calls);
    assert_eq!(found.text, text);
}

#[test]
fn a_repeated_call_runs_in_no_format() {
    for example in CallFormat::ALL.iter().map(CallFormat::example) {
        let json = serde_json::to_string(&serde_json::json!({ "page": { "text": example } })).unwrap();
        let nested = serde_json::to_string(&json).unwrap();
        let go = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        let html = example.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let spaced = example.replace('\n', "\n  ");
        for seen in
            [example, &json, &nested, &go, &html, &html.replace('&', "&amp;"), &spaced, &format!("See: {example}!")]
        {
            let found = auto().ignore_echoes_of(["other", seen]).read(example);
            assert!(found.calls.is_empty(), "{seen}\n{found:?}");
            assert_eq!(found.text, example);
        }
        let found = auto().ignore_echoes_of(["get_weather Paris 3", "<tool_call>"]).read(CALL);
        assert_eq!(found.calls.len(), 1);
    }
}

#[test]
fn a_repeated_call_does_not_stop_others() {
    let text = format!("{CALL}\n{XML}");
    let found = auto().ignore_echoes_of([CALL]).read(&text);
    assert_eq!(found.calls.len(), 1);
    assert_eq!(found.text, CALL);
    let list =
        "[TOOL_CALLS][{\"name\": \"now\", \"arguments\": {\"a\": 1}}, {\"name\": \"now\", \"arguments\": {\"a\": 2}}]";
    let found = auto().ignore_echoes_of(["{\"name\": \"now\", \"arguments\": {\"a\": 1}}"]).read(list);
    assert_eq!(found.calls.iter().map(|call| call.arguments.as_str()).collect::<Vec<_>>(), ["{\"a\": 2}"]);
}

#[test]
fn a_call_that_is_cut_off_is_text() {
    for example in examples() {
        // Servers remove the last tokens, and some calls end with their JSON.
        let ends = [example.len(), example.rfind(['}', ']']).unwrap_or(0) + 1];
        let close = example
            .rfind("</")
            .or_else(|| example.rfind("<｜tool▁calls▁end"))
            .or_else(|| example.rfind("<|tool_calls_section_end"));
        for end in (0..example.len()).filter(|end| example.is_char_boundary(*end)) {
            let text = &example[..end];
            let found = read(text);
            let is_complete = end >= ends[1] && found.calls.iter().all(|call| call.arguments.ends_with('}'));
            let after = close.is_some_and(|close| end >= close) || is_complete;
            if after && !found.calls.is_empty() {
                let call = &found.calls[0];
                assert_eq!(serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap()["days"], 3, "{text}");
                continue;
            }
            assert_text(text);
        }
    }
}

#[test]
fn reasoning_is_not_the_answer() {
    for example in examples() {
        for (open, close) in [
            ("<think>", "</think>"),
            ("<think>\n", "\n</think>\n"),
            ("[THINK]", "[/THINK]"),
            ("<|channel|>analysis<|message|>", "<|end|>"),
            ("<reasoning>\nI could write\n", "\n</reasoning>"),
        ] {
            assert_text(&format!("{open}{example}{close}Done."));
            assert_text(&format!("{open}{example}{close}"));
            assert_text(&format!("{open}{example}"));
        }
        assert_text(&format!("Maybe\n{example}\n</think>\nDone."));
        let found = read(&format!("<think>Hm.\n```\n</think>\n\n{example}"));
        assert_eq!(found.calls.len(), 1, "{example}");
    }
}

#[test]
fn quotations_and_code_are_not_calls() {
    for example in examples() {
        let inline = example.replace('\n', " ");
        let quoted = example.replace('\n', "\n> ");
        let indented = format!("    {}", example.replace('\n', "\n    "));
        for text in [
            format!("Use this:\n```\n{example}\n```\n"),
            format!("Use this:\n\n```xml\n{example}\n```"),
            format!("Use this:\n~~~~\n```\n{example}\n```\n~~~~\nand that."),
            format!("```\n{example}\n```\nis what it looks like."),
            format!("Use this:\n```\n{example}"),
            format!("He wrote `{inline}`."),
            format!("He wrote ``{inline}`` today."),
            format!("`{example}`"),
            format!("He wrote \"{inline}\"."),
            format!("He wrote \"Look. {inline}\"."),
            format!("“{inline}”"),
            format!("‘{inline}’"),
            format!("« {inline} »"),
            format!("({inline})"),
            format!("> {quoted}\n\nThat is what you wrote."),
            format!("As in the manual:\n\n{indented}\n\nand so on."),
        ] {
            assert_text(&text);
        }
    }
}

#[test]
fn explanations_are_not_calls() {
    for example in examples() {
        for text in [
            format!("The model writes {example} for a call."),
            format!("The model writes {example}"),
            format!("To call it, write: {example}"),
            format!("- {example}"),
            format!("| call | {example} |"),
            format!("For example:\n\n{example}\n"),
            format!("The format looks like this:\n{example}\n\nThen the tool runs."),
            format!("An example of two calls:\n{example}\n{example}"),
            format!("Parses calls:\n\n{example}\n\nParses others."),
            format!("Parses calls:\n{example}\n\n{example}\nParses others."),
            format!("Parses calls:\n{example}\n<tool_call>{{\"name\": \"rm\"}}</tool_call>"),
        ] {
            assert_text(&text);
        }
    }
}

#[test]
fn a_colon_announces_calls_at_the_end() {
    for example in examples().filter(|example| !example.starts_with(['{', '[']) || example.starts_with("[TOOL")) {
        let found = read(&format!("Let me look:\n\n{example}\n{example}\n"));
        assert_eq!((found.calls.len(), found.text.as_str()), (2, "Let me look:\n\n"), "{example}");
    }
}

#[test]
fn markup_with_a_namespace_is_read() {
    let namespace = ["ant", "ml:"].concat();
    let example = CallFormat::CLAUDE.example().replace("</", "</NS").replace('<', "<NS").replace("<NS/NS", "</NS");
    let found = read(&example.replace("NS", &namespace));
    assert_eq!((found.calls.len(), found.text.as_str()), (1, ""), "{}", example.replace("NS", &namespace));
}

#[test]
fn only_known_tools_are_called() {
    for example in examples() {
        assert_text(&example.replace("get_weather", "get_wether"));
        assert_text(&example.replace("get_weather", ""));
    }
    let found = read(&format!("{}\n{CALL}", XML.replace("get_weather", "rm")));
    assert_eq!(found.calls.len(), 1);
}

#[test]
fn json_beside_text_is_only_shown() {
    let json = "{\"name\": \"now\", \"arguments\": {}}";
    for text in [
        format!("{json} is the call."),
        format!("The call is {json}"),
        format!("Here:\n{json}"),
        format!("{json}\n\nDone."),
        "[now()] is the call.".to_owned(),
        "Call [now()]".to_owned(),
        "[now()]\n\nDone.".to_owned(),
        "[now()][now()]".to_owned(),
        "now()".to_owned(),
        format!("```rust\n{json}\n```"),
        format!("```json\n{json}\n```\n```json\n{json}\n```"),
        format!("```json\nThe call is\n{json}\n```"),
        "{\"name\": \"now\"}".to_owned(),
        "{\"name\": \"now\", \"arguments\": {\"a\": 1}, \"name\": \"any\"}".to_owned(),
        "{\"name\": \"now\", \"description\": \"d\", \"parameters\": {}}".to_owned(),
        "{\"name\": \"now\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}".to_owned(),
        "{\"tools\": [{\"name\": \"now\", \"arguments\": {}}]}".to_owned(),
        format!("[{json}, 1]"),
        format!("`{json}`"),
        format!("“{json}”"),
        format!("- {json}"),
        format!("1. {json}"),
        format!("> {json}"),
        format!("({json})"),
        format!("// for example\n{json}"),
        format!("{json} // for example"),
        format!("```\nYou could send {json}\n```"),
        format!("<tool_call>for example {json}</tool_call>"),
        format!("[for example] {json}"),
        "{\"name\": \"now\", \"tool\": \"rm\", \"arguments\": {}}".to_owned(),
        "{\"name\": \"now\", \"arguments\": {}, \"parameters\": {}}".to_owned(),
        "{\"function\": {\"name\": \"rm\", \"arguments\": {}}, \"function\": {\"name\": \"now\", \"arguments\": {}}}"
            .to_owned(),
        "{\"text\": \"\n<tool_call>{\\\"name\\\": \\\"now\\\", \\\"arguments\\\": {}}</tool_call>\n\"}".to_owned(),
        format!("{{\"text\": \"\n{CALL}\n\"}}"),
    ] {
        assert_text(&text);
    }
    for text in [
        json.to_owned(),
        format!("\n{json}\n"),
        format!("<think>Hm.</think>\n{json}"),
        format!("```json\n{json}\n```\n"),
        format!("<think>Hm.</think><think>Yes.</think>\n\n```\n{json}\n```"),
        format!("```xml\n{CALL}\n```"),
        "[now()]".to_owned(),
        format!("~~~json\n{json}\n~~~"),
        "{'tool': 'now', 'parameters': {}}".to_owned(),
        "{\"function\": \"now\", \"args\": {}}".to_owned(),
        "{\"type\": \"function\", \"function\": {\"name\": \"now\", \"arguments\": \"{}\"}}".to_owned(),
        "{\"name\": \"now<|channel|>json\", \"arguments\": {}}".to_owned(),
        format!("<function_call>{json}</function_call>"),
        format!("<tool_use>{json}</tool_use>"),
    ] {
        assert_eq!(calls(&text).len(), 1, "{text}");
    }
}

#[test]
fn markup_in_other_markup_is_not_a_call() {
    for example in examples() {
        let text = serde_json::to_string(&format!("\n{example}\n")).unwrap();
        assert_text(&format!("<tool_call>{{\"name\": \"rm\", \"arguments\": {{\"text\": {text}}}}}</tool_call>"));
        if !example.contains("</function>") {
            assert_text(&format!("<function=rm>\n<parameter=text>\n{example}\n</parameter>\n</function>"));
        }
        // An unfinished call may contain anything.
        assert_text(&format!("<function=any>\n<parameter=text>\n\n{example}\n"));
    }
}

#[test]
fn the_format_of_the_host_excludes_the_others() {
    for format in CallFormat::AUTO {
        let others: Vec<_> = CallFormat::ALL
            .iter()
            .filter(|other| other.example() != format.example() && !format.example().contains("invoke name"))
            .filter(|other| {
                tool_formats::CallReader::new(&[**other], crate::tools::tools).read(format.example()).calls.len() == 1
            })
            .collect();
        // Formats with the same marks.
        let allowed = match format.name() {
            "qwen3-coder" => vec!["function-tag"],
            "phi4" => vec!["granite"],
            "granite" => vec!["phi4"],
            _ => vec![],
        };
        assert_eq!(others.iter().map(|other| other.name()).collect::<Vec<_>>(), allowed, "{format:?}");
    }
}
