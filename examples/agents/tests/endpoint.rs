//! Tests of the programs with a local server that sends prepared answers in the format of `OpenAI`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

/// A request that the server received.
struct Asked {
    head: String,
    body: Value,
}

/// Starts a server with one answer per request. Returns its address and its requests.
fn server(answers: Vec<Value>) -> (String, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let (sender, asked) = channel();
    thread::spawn(move || {
        for answer in answers {
            let Ok((stream, _)) = listener.accept() else { return };
            if let Some(request) = serve(stream, &answer) {
                let _ = sender.send(request);
            }
        }
    });
    (format!("http://{address}/v1"), asked)
}

fn serve(stream: TcpStream, answer: &Value) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if line == "\r\n" {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let status = answer["status"].as_u64().unwrap_or(200);
    let text = answer.to_string();
    let length = text.len();
    let answer = format!(
        "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
    );
    reader.get_mut().write_all(answer.as_bytes()).ok()?;
    Some(Asked { head, body: serde_json::from_slice(&body).ok()? })
}

fn completion(message: &Value, finish: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    })
}

fn calls(calls: &[(&str, &str)]) -> Value {
    let numbered = calls.iter().enumerate().map(|(at, (name, arguments))| {
        json!({"id": format!("call_{at}"), "type": "function", "function": {"name": name, "arguments": arguments}})
    });
    let calls: Vec<Value> = numbered.collect();
    completion(&json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
}

fn says(text: &str) -> Value {
    completion(&json!({"role": "assistant", "content": text}), "stop")
}

fn rejects(status: u16, message: &str) -> Value {
    json!({"status": status, "error": {"message": message, "type": "invalid_request_error"}})
}

fn run(program: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    // Local servers must not be reached through a proxy.
    for name in ["AGENT_ENDPOINT", "AGENT_MODEL", "AGENT_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).args(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const WEATHER: &str = env!("CARGO_BIN_EXE_weather_agent");
const OPS: &str = env!("CARGO_BIN_EXE_ops_agent");

#[test]
fn a_model_on_a_server_corrects_its_call_after_a_hint() {
    let (endpoint, asked) = server(vec![
        calls(&[("get_weather", r#"{"location": "Paris"}"#), ("get_weather", r#"{"locations": "London"}"#)]),
        calls(&[("get_weather", r#"{"location": "London"}"#)]),
        says("18.5 °C in Paris and 14 °C in London."),
    ]);
    let variables = [("AGENT_ENDPOINT", endpoint.as_str()), ("AGENT_MODEL", "small"), ("AGENT_KEY", "k-0123456789")];
    let output = run(WEATHER, &variables, &[]);
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{printed}{}", text(&output.stderr));
    assert!(printed.ends_with("model  18.5 °C in Paris and 14 °C in London.\n\n"), "{printed}");
    assert!(printed.contains("told      Call get_weather again with location in place of locations."), "{printed}");
    assert!(!printed.contains("k-0123456789"), "the key must not be printed");

    let asked: Vec<Asked> = asked.try_iter().collect();
    assert_eq!(asked.len(), 3);
    assert!(asked[0].head.to_ascii_lowercase().contains("authorization: bearer k-0123456789"), "{}", asked[0].head);
    assert_eq!(
        (&asked[0].body["model"], &asked[0].body["tools"][0]["function"]["name"]),
        (&"small".into(), &"get_weather".into())
    );
    let messages = asked[1].body["messages"].as_array().expect("there are messages");
    let answers: Vec<&str> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .filter_map(|message| message["content"].as_str())
        .collect();
    assert_eq!(answers.len(), 2);
    assert!(answers[0].contains("18.5") && answers[1].contains(r#""rename_to":"location""#), "{answers:?}");
}

#[test]
fn the_tools_of_an_expanded_container_are_in_the_next_request() {
    let (endpoint, asked) = server(vec![calls(&[("Files", "{}")]), says("I have seen enough.")]);
    let output = run(OPS, &[("AGENT_ENDPOINT", &endpoint), ("AGENT_MODEL", "small")], &["--no"]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));

    let names = |asked: &Asked| -> Vec<String> {
        let tools = asked.body["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned)).collect()
    };
    let asked: Vec<Asked> = asked.try_iter().collect();
    assert_eq!(names(&asked[0]), ["Files", "Reports", "Services"]);
    assert_eq!(names(&asked[1]), ["Files", "Reports", "Services", "read", "list", "grep"]);
    assert!(!asked[0].head.to_ascii_lowercase().contains("authorization"), "no key must be sent");
}

#[test]
fn an_unreachable_server_ends_the_turn_without_a_panic() {
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port is free");
    let endpoint = format!("http://{closed}/v1");
    let output = run(WEATHER, &[("AGENT_ENDPOINT", &endpoint), ("AGENT_MODEL", "small")], &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("ended  the model cannot be reached"), "{}", text(&output.stdout));
}

#[test]
fn the_error_of_a_server_is_printed() {
    for (status, message) in [(401, "Incorrect API key provided."), (404, "The model `small` does not exist.")] {
        let (endpoint, _asked) = server(vec![rejects(status, message)]);
        let output =
            run(WEATHER, &[("AGENT_ENDPOINT", &endpoint), ("AGENT_MODEL", "small"), ("AGENT_KEY", "k-0")], &[]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let said = format!("ended  the provider rejected the request: status {status}: {message}");
        assert!(text(&output.stdout).contains(&said), "{}", text(&output.stdout));
    }
}

#[test]
fn an_empty_answer_is_not_an_answer() {
    for program in [WEATHER, OPS] {
        let (endpoint, _asked) = server(vec![says("")]);
        let output = run(program, &[("AGENT_ENDPOINT", &endpoint), ("AGENT_MODEL", "small")], &[]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("ended  the answer of the model was empty"), "{}", text(&output.stdout));
    }
}

#[test]
fn an_invalid_endpoint_is_reported_before_any_request() {
    for endpoint in ["localhost:11434/v1", "http://", "ftp://localhost/v1", "not an address"] {
        let output = run(WEATHER, &[("AGENT_ENDPOINT", endpoint), ("AGENT_MODEL", "small")], &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains("has to be an address with http:// or https://"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn an_incomplete_setting_is_an_error() {
    for (there, missing) in [("AGENT_ENDPOINT", "AGENT_MODEL"), ("AGENT_MODEL", "AGENT_ENDPOINT")] {
        for program in [WEATHER, OPS] {
            let output = run(program, &[(there, "http://127.0.0.1:9/v1")], &[]);
            assert_eq!(output.status.code(), Some(2));
            let said = format!("{there} is set, so {missing} has to be set too\n");
            assert!(text(&output.stderr).ends_with(&said), "{}", text(&output.stderr));
        }
    }
}
