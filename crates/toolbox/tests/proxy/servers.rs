//! `toolbox proxy` in front of several servers, which are shell scripts.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Checked, LIST, Proxy};

/// A server with the tool `get`, whose result is the first argument of the script. The tool `die` ends the server with exit code 3. Everything that
/// the server gets goes to standard error.
const SERVER: &str = r#"
while read -r line; do
  printf '%s got %s\n' "$1" "$line" >&2
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}' ;;
    *tools/list*) result='{"tools":[{"name":"get","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}},{"name":"die","inputSchema":{"type":"object"}}]}' ;;
    *'"die"'*) exit 3 ;;
    *tools/call*) result='{"content":[{"type":"text","text":"'"$1 $SIGN $(basename "$PWD")"'"}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Starts a proxy with this configuration in a folder of its own.
fn started(name: &str, config: &str) -> Result<Proxy, Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("work"))?;
    let script = folder.join("server.sh");
    fs::write(&script, SERVER)?;
    let config = config.replace("SERVER", &script.to_string_lossy());
    fs::write(folder.join("proxy.toml"), config)?;
    Proxy::start_with(&["--report", "--config", &folder.join("proxy.toml").to_string_lossy()])
}

fn call(id: u64, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// Begins the session, and returns the names of the tools.
fn begin(proxy: &mut Proxy) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    proxy.send(INITIALIZE)?;
    assert_eq!(proxy.message()?["result"]["serverInfo"]["name"], "toolbox-proxy");
    proxy.send(INITIALIZED)?;
    proxy.send(LIST)?;
    let list = proxy.message()?;
    let tools = list["result"]["tools"].as_array().ok_or("no list")?;
    Ok(tools.iter().map(|tool| tool["name"].to_string()).collect())
}

#[test]
fn three_servers_look_like_one() -> Checked {
    let config = r#"
        deny = ["*_die"]
        [servers.a]
        command = ["sh", "SERVER", "one"]
        env = { SIGN = "+" }
        [servers.b]
        command = ["sh", "SERVER", "two"]
        prefix = "second-"
        cwd = "work"
        [servers.c]
        command = ["no-such-program"]
        [servers.d]
        command = ["sh", "SERVER", "three"]
        [tools.d_get]
        result_bytes = 256
    "#;
    let mut proxy = started("three_servers", config)?;
    assert_eq!(begin(&mut proxy)?, [r#""a_get""#, r#""second-get""#, r#""second-die""#, r#""d_get""#]);
    proxy.send(&call(2, "a_get", r#"{"n":"5"}"#))?;
    proxy.send(&call(3, "second_get", r#"{"n":5}"#))?;
    proxy.send(&call(4, "d_die", "{}"))?;
    proxy.send(&call(5, "second-get", r#"{"n":"x"}"#))?;
    let mut answers = [proxy.message()?, proxy.message()?, proxy.message()?, proxy.message()?];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert!(text(&answers[0]).starts_with("one + "), "{answers:?}");
    assert_eq!(text(&answers[1]), "two  work", "a misspelled separator is repaired");
    assert_eq!(answers[2]["result"]["isError"], true, "{answers:?}");
    assert!(text(&answers[3]).contains("second-get was not run: n must be an integer"), "{answers:?}");
    let (code, errors) = proxy.end()?;
    assert_eq!(code, Some(0), "{errors}");
    let get = r#"one got {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","arguments":{"n":5}}}"#;
    assert!(errors.contains(get) && !errors.contains("three got {\"jsonrpc\":\"2.0\",\"id\":4"), "{errors}");
    assert!(errors.contains("toolbox proxy: c: the server cannot be started"), "{errors}");
    let row = errors.lines().find(|line| line.starts_with("second-get")).ok_or("no row")?;
    assert_eq!(row.split_whitespace().nth(1), Some("2"), "{row}");
    Ok(())
}

#[test]
fn one_server_is_restarted_while_the_others_work() -> Checked {
    let config = r#"
        [restart]
        pause = "1ms"
        [servers.a]
        command = ["sh", "SERVER", "one"]
        [servers.b]
        command = ["sh", "SERVER", "two"]
    "#;
    let mut proxy = started("one_restarted", config)?;
    begin(&mut proxy)?;
    proxy.send(&call(2, "a_die", "{}"))?;
    let answer = proxy.message()?;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(2), &json!(true)), "{answer}");
    assert!(text(&answer).contains("The MCP server a has ended"), "{answer}");
    for _ in 0..2 {
        // It has ended, and is used again.
        assert_eq!(proxy.message()?["method"], "notifications/tools/list_changed");
    }
    proxy.send(&call(3, "b_get", "{}"))?;
    proxy.send(&call(4, "a_get", "{}"))?;
    let mut answers = [proxy.message()?, proxy.message()?];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert!(text(&answers[0]).starts_with("two") && text(&answers[1]).starts_with("one"), "{answers:?}");
    let (code, errors) = proxy.end()?;
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(errors.matches("one got {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").count(), 2);
    assert_eq!(errors.matches("two got {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").count(), 1);
    assert!(
        errors.contains("a: the server has ended: its exit code is 3; the next attempt follows in 1ms"),
        "{errors}"
    );
    Ok(())
}

#[test]
fn the_proxy_ends_with_its_last_server() -> Checked {
    let config = r#"
        [servers.a]
        command = ["sh", "SERVER", "one"]
        [servers.b]
        command = ["sh", "SERVER", "two"]
    "#;
    let mut proxy = started("last_server", config)?;
    begin(&mut proxy)?;
    proxy.send(&call(2, "a_die", "{}"))?;
    assert!(text(&proxy.message()?).contains("The MCP server a has ended"));
    assert_eq!(proxy.message()?["method"], "notifications/tools/list_changed");
    proxy.send(&call(3, "a_get", "{}"))?;
    assert!(text(&proxy.message()?).contains("The MCP server a is not running."));
    proxy.send(&call(4, "b_die", "{}"))?;
    assert!(text(&proxy.message()?).contains("The MCP server b has ended"));
    // The input is still open.
    assert_eq!(proxy.child.wait()?.code(), Some(3));
    Ok(())
}

#[test]
fn a_proxy_without_any_server_does_not_start() -> Checked {
    let config = "[servers.a]\ncommand = [\"no-such-program\"]\n[servers.b]\ncommand = [\"no-such-server\"]\n";
    let (code, errors) = started("no_server", config)?.end()?;
    assert_eq!(code, Some(2));
    assert!(errors.contains("the server no-such-program, no-such-server cannot be started"), "{errors}");
    Ok(())
}
