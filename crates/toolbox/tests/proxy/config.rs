//! `toolbox proxy --config`, in front of a server that is a shell script.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use super::{Checked, LIST, Proxy};

/// A server with five tools: it answers a call of `slow` with nothing, and any other one with 2,000 bytes. It writes what it gets to standard
/// error.
const SERVER: &str = r#"
text=$(printf '%02000d' 1)
while read -r line; do
  printf 'got %s\n' "$line" >&2
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *tools/list*) printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"key":{"type":"string"}},"required":["a"]},"annotations":{"readOnlyHint":true}},{"name":"slow","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"poll","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"delete_all","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"write","inputSchema":{"type":"object"}}]}}' ;;
    *slow*) ;;
    *tools/call*) printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"'"$text"'"}]}}' ;;
  esac
done
"#;

/// A folder with the files of one test.
struct Room(PathBuf);

impl Room {
    fn new(name: &str, config: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let room = Self(folder);
        fs::write(room.path("proxy.toml"), config)?;
        fs::write(room.path("server.sh"), SERVER)?;
        Ok(room)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

fn call(id: u64, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

#[test]
fn every_setting_has_its_effect() -> Checked {
    let config = r#"
        throttle = "strict"
        read_only = true
        deny = ["delete_*"]
        result_bytes = 500
        redact = ["key"]
        record = "calls.jsonl"
        record_results = 100
        log = "proxy.log"
        time_limit = "1h"
        list_time_limit = "5s"
        max_message_bytes = 10_000

        [tools.slow]
        time_limit = "100ms"

        [tools.poll]
        throttle = "unlimited"
        result_bytes = 300
    "#;
    let room = Room::new("every_setting", config)?;
    let mut proxy =
        Proxy::start(&["--report", "--config", &room.path("proxy.toml")], &["sh", &room.path("server.sh")])?;
    proxy.send(LIST)?;
    let list = proxy.message()?;
    let names: Vec<_> = list["result"]["tools"].as_array().ok_or("no list")?.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "slow", "poll"]);

    proxy.send(&call(2, "add", r#"{"a":"1","key":"s3cret"}"#))?;
    let answer = proxy.message()?;
    let text = answer["result"]["content"][0]["text"].as_str().ok_or("no text")?;
    assert!(text.len() <= 500 && text.contains("bytes are left out here"), "{text}");

    for (id, tool) in [(3, "delete_all"), (4, "write")] {
        proxy.send(&call(id, tool, "{}"))?;
        let answer = proxy.message()?;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(true)), "{answer}");
    }
    proxy.send(&call(5, "slow", "{}"))?;
    let answer = proxy.message()?.to_string();
    assert!(answer.contains("has not answered within 100ms"), "{answer}");
    for id in 6..12 {
        proxy.send(&call(id, "poll", "{}"))?;
        let answer = proxy.message()?;
        let text = answer["result"]["content"][0]["text"].as_str().ok_or("no text")?;
        assert!(text.starts_with("000") && text.len() <= 300, "a tool without limits is not paused: {answer}");
    }
    proxy.send(&format!(r#"{{"jsonrpc":"2.0","id":12,"method":"ping","params":"{}"}}"#, "x".repeat(20_000)))?;
    assert_eq!(proxy.message()?["error"]["code"], -32_600);
    let (_, errors) = proxy.end()?;
    assert!(
        errors.contains(r#"got {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"#),
        "{errors}"
    );
    assert!(!errors.contains("delete_all\"") && !errors.contains("toolbox proxy:"), "{errors}");
    assert!(fs::read_to_string(room.path("proxy.log"))?.contains("more than 10000 bytes"));
    let row = errors.lines().find(|line| line.starts_with("add ")).ok_or("no row")?;
    let cut: usize = row.split_whitespace().nth(7).ok_or("no column")?.parse()?;
    assert!((1_500..1_700).contains(&cut), "{row}");

    // The recording can be checked.
    let record = fs::read_to_string(room.path("calls.jsonl"))?;
    let first: Vec<serde_json::Value> = record.lines().take(2).map(serde_json::from_str).collect::<Result<_, _>>()?;
    assert_eq!((&first[0]["recording"], &first[0]["tools"][0]["name"]), (&json!(1), &json!("add")));
    assert_eq!(
        (&first[1]["id"], &first[1]["verdict"], &first[1]["result"]),
        (&json!(2), &json!("repaired"), &json!("result"))
    );
    assert_eq!(
        (&first[1]["arguments"], &first[1]["answer"]),
        (&json!({"a": "1", "key": "[redacted]"}), &json!("[redacted]"))
    );
    let report = Command::new(env!("CARGO_BIN_EXE_toolbox")).args(["report", &room.path("calls.jsonl")]).output()?;
    assert!(String::from_utf8(report.stdout)?.starts_with("10 calls of 5 tools in "));
    fs::write(room.path("tools.json"), list["result"].to_string())?;
    let checked = Command::new(env!("CARGO_BIN_EXE_toolbox"))
        .args(["check", "--json", "--tools", &room.path("tools.json"), "--calls", &room.path("calls.jsonl")])
        .output()?;
    let verdicts = String::from_utf8(checked.stdout)?;
    let verdicts: Vec<serde_json::Value> = verdicts.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let verdicts: Vec<_> = verdicts.iter().map(|line| line["verdict"].as_str().unwrap_or_default()).collect();
    assert_eq!(verdicts, ["repaired", "rejected", "rejected", "ok", "ok", "ok", "ok", "ok", "ok", "ok"]);
    assert_eq!(checked.status.code(), Some(0));
    Ok(())
}

/// Only the owner can read a new recording or log. A file that exists keeps its permissions, and a remark says that others can read it.
#[cfg(unix)]
#[test]
fn recordings_and_logs_are_private() -> Checked {
    use std::os::unix::fs::PermissionsExt;

    let room = Room::new("private", "record = \"calls.jsonl\"\nlog = \"proxy.log\"\n")?;
    let run = || -> Result<String, Box<dyn std::error::Error>> {
        let mut proxy = Proxy::start(&["--config", &room.path("proxy.toml")], &["sh", &room.path("server.sh")])?;
        proxy.send(LIST)?;
        proxy.message()?;
        proxy.send(&call(2, "write", "{}"))?;
        proxy.message()?;
        Ok(proxy.end()?.1)
    };
    let mode = |name: &str| fs::metadata(room.path(name)).map(|metadata| metadata.permissions().mode() & 0o777);
    let errors = run()?;
    assert_eq!((mode("calls.jsonl")?, mode("proxy.log")?), (0o600, 0o600));
    assert!(!errors.contains("other users can read"), "{errors}");
    fs::set_permissions(room.path("calls.jsonl"), fs::Permissions::from_mode(0o644))?;
    let errors = run()?;
    assert_eq!((mode("calls.jsonl")?, mode("proxy.log")?), (0o644, 0o600));
    assert!(errors.contains("toolbox proxy: other users can read") && !errors.contains("proxy.log"), "{errors}");
    // Each run adds the list of tools and a call.
    assert_eq!(fs::read_to_string(room.path("calls.jsonl"))?.lines().count(), 4);
    Ok(())
}

#[test]
fn the_command_can_be_in_the_file_and_options_take_precedence() -> Checked {
    let room = Room::new("command", "repair = \"strict\"\nthrottle = \"off\"\n")?;
    let config = format!("command = [\"sh\", {}]\nrepair = \"strict\"\n", json!(room.path("server.sh")));
    fs::write(room.path("proxy.toml"), config)?;
    for (options, is_rejected) in [(vec![], true), (vec!["--policy", "lossless"], false)] {
        let config = room.path("proxy.toml");
        let options = [vec!["--config", &config], options].concat();
        let mut proxy = Proxy::start_with(&options)?;
        proxy.send(LIST)?;
        proxy.message()?;
        proxy.send(&call(2, "add", r#"{"a":"1"}"#))?;
        assert_eq!(proxy.message()?["result"]["isError"] == true, is_rejected);
        proxy.end()?;
    }
    Ok(())
}

#[test]
fn a_file_with_mistakes_is_not_used() -> Checked {
    let room = Room::new("mistakes", "throtle = \"off\"\nresult_bytes = -1\n")?;
    let file = room.path("proxy.toml");
    let (code, errors) = Proxy::start(&["--config", &file], &["sh", "-c", "echo started >&2"])?.end()?;
    let expected = format!(
        "error: {file}:1: throtle: unknown key; did you mean \"throttle\"?\n\
         error: {file}:2: result_bytes: expected a whole number of at least 256, found -1\n"
    );
    assert_eq!((code, errors), (Some(2), expected));
    fs::write(&file, "")?;
    let (code, errors) = Proxy::start_with(&["--config", &file])?.end()?;
    assert_eq!((code, errors.contains("has neither `command` nor")), (Some(2), true), "{errors}");
    let (code, errors) = Proxy::start_with(&["--config", &room.path("none.toml")])?.end()?;
    assert_eq!((code, errors.contains("none.toml cannot be read")), (Some(2), true), "{errors}");
    Ok(())
}

/// A server that lives for one call. It writes what it gets to standard error, and speaks another revision once the file `other` exists.
const MORTAL: &str = r#"
echo "start" >&2
version=2025-06-18
if [ -e "$1/other" ]; then version=2024-11-05; fi
while read -r line; do
  printf 'got %s\n' "$line" >&2
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *'"initialize"'*) printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"'$version'","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"mortal","version":"1"}}}' ;;
    *tools/list*) printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}]}}' ;;
    *'"a":1'*) printf '%s\n' '{"jsonrpc":"2.0","id":"q","method":"roots/list"}'; exit 3 ;;
    *tools/call*) printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"done"}]}}' ;;
  esac
done
"#;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

#[test]
fn a_server_that_ends_is_started_again_with_the_handshake_of_the_client() -> Checked {
    let room = Room::new("restart", "[restart]\nattempts = 2\npause = \"1ms\"\n")?;
    fs::write(room.path("server.sh"), MORTAL)?;
    let folder = room.path("");
    let mut proxy = Proxy::start(
        &["--report", "--config", &room.path("proxy.toml")],
        &["sh", &room.path("server.sh"), folder.trim_end_matches('/')],
    )?;
    proxy.send(INITIALIZE)?;
    assert_eq!(proxy.message()?["result"]["protocolVersion"], "2025-06-18");
    proxy.send(INITIALIZED)?;
    for round in 0..2 {
        proxy.send(&call(round * 2 + 1, "add", r#"{"a":1}"#))?;
        assert_eq!(proxy.message()?["method"], "roots/list");
        let answer = proxy.message()?;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(round * 2 + 1), &json!(true)), "{answer}");
        assert!(answer.to_string().contains("may or may not have taken effect"), "{answer}");
        let cancelled = proxy.message()?;
        assert_eq!(
            (&cancelled["method"], &cancelled["params"]["requestId"]),
            (&json!("notifications/cancelled"), &json!("q"))
        );
        // The answer to a question of the former server is dropped.
        proxy.send(r#"{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}"#)?;
        assert_eq!(proxy.message()?["method"], "notifications/tools/list_changed");
        proxy.send(&call(round * 2 + 2, "add", r#"{"a":2}"#))?;
        let answer = proxy.message()?;
        assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(round * 2 + 2), &json!("done")));
    }
    let (code, errors) = proxy.end()?;
    assert_eq!(code, Some(0));
    let got: Vec<&str> = errors.lines().filter_map(|line| line.strip_prefix("got ")).collect();
    assert_eq!(got.iter().filter(|line| line.contains(r#""a":1"#)).count(), 2, "no call is sent twice: {got:#?}");
    assert_eq!(got.iter().filter(|line| line.contains("roots")).count(), 0, "{got:#?}");
    assert_eq!(got.iter().filter(|line| **line == INITIALIZED).count(), 3, "{got:#?}");
    let params = INITIALIZE.split_once("\"params\":").ok_or("no parameters")?.1;
    assert_eq!(got.iter().filter(|line| line.ends_with(params)).count(), 3, "{got:#?}");
    assert!(errors.contains("The server was restarted 2 times."), "{errors}");
    Ok(())
}

#[test]
fn a_restarted_server_with_another_revision_is_given_up_after_all_attempts() -> Checked {
    let room = Room::new("revision", "[restart]\nattempts = 2\npause = \"1ms\"\n")?;
    fs::write(room.path("server.sh"), MORTAL)?;
    let folder = room.path("");
    let mut proxy = Proxy::start(
        &["--config", &room.path("proxy.toml")],
        &["sh", &room.path("server.sh"), folder.trim_end_matches('/')],
    )?;
    proxy.send(INITIALIZE)?;
    proxy.message()?;
    fs::write(room.path("other"), "")?;
    proxy.send(&call(1, "add", r#"{"a":1}"#))?;
    proxy.message()?;
    assert_eq!(proxy.message()?["id"], 1);
    assert_eq!(proxy.message()?["method"], "notifications/cancelled");
    assert!(proxy.lines.next().is_none(), "the proxy gives up");
    let (code, errors) = proxy.end()?;
    assert_eq!(code, Some(3), "it is the exit code of the first server");
    assert_eq!(errors.matches("did not repeat the handshake").count(), 2, "{errors}");
    assert_eq!(errors.matches("start\n").count(), 3, "{errors}");
    Ok(())
}

#[test]
fn the_user_is_asked_before_the_server_gets_a_call() -> Checked {
    let room = Room::new("approve", "approve = [\"add\"]\napprove_destructive = true\n")?;
    fs::write(room.path("server.sh"), MORTAL)?;
    for (capabilities, can_ask) in [(r#""elicitation":{}"#, true), ("", false)] {
        let mut proxy = Proxy::start(&["--config", &room.path("proxy.toml")], &["sh", &room.path("server.sh"), "."])?;
        proxy.send(&INITIALIZE.replace(r#""capabilities":{}"#, &format!(r#""capabilities":{{{capabilities}}}"#)))?;
        proxy.message()?;
        proxy.send(&call(1, "add", r#"{"a":2}"#))?;
        let mut answer = proxy.message()?;
        if can_ask {
            assert_eq!(answer["params"]["message"], r#"May add run with {"a":2}?"#);
            proxy.send(&json!({"id": answer["id"], "result": {"action": "accept"}}).to_string())?;
            answer = proxy.message()?;
        }
        let text = answer["result"]["content"][0]["text"].as_str().ok_or("no text")?;
        assert_eq!((text == "done", text.contains("this client cannot ask")), (can_ask, !can_ask), "{answer}");
        let (_, errors) = proxy.end()?;
        assert_eq!(errors.contains(r#"got {"jsonrpc":"2.0","id":1,"#), can_ask, "{errors}");
    }
    Ok(())
}
