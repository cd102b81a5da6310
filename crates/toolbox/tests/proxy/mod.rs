//! Tests of `toolbox proxy` as a process, in front of servers that are shell scripts.

mod config;
mod http;
#[cfg(feature = "remote")]
mod login;
mod pins;
mod servers;

use std::error::Error;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

type Checked = Result<(), Box<dyn Error>>;

/// A server with the tool `add`: it answers every call with the same sum, and writes each call to standard error.
const SERVER: &str = r#"
while read -r line; do
  case $line in
    *tools/list*) printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}]}}' ;;
    *tools/call*) printf 'got %s\n' "$line" >&2; printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3"}]}}' ;;
  esac
done
exit 7
"#;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// A running proxy.
struct Proxy {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Proxy {
    fn start(options: &[&str], server: &[&str]) -> Result<Self, Box<dyn Error>> {
        Self::start_with(&[options, &["--"], server].concat())
    }

    fn start_with(arguments: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
        command.arg("proxy").args(arguments);
        Self::of(command)
    }

    fn of(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let lines = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
        Ok(Self { child, lines })
    }

    fn send(&mut self, line: &str) -> Checked {
        Ok(writeln!(self.child.stdin.as_mut().ok_or("no input")?, "{line}")?)
    }

    fn message(&mut self) -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&self.lines.next().ok_or("no answer")??)?)
    }

    fn send_signal(&self, signal: &str) -> Checked {
        let is_sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status()?.success();
        is_sent.then_some(()).ok_or_else(|| "the signal could not be sent".into())
    }

    /// Closes the input and waits for the end. Returns the exit code and standard error.
    fn end(mut self) -> Result<(Option<i32>, String), Box<dyn Error>> {
        drop(self.child.stdin.take());
        let Output { status, stderr, .. } = self.child.wait_with_output()?;
        Ok((status.code(), String::from_utf8(stderr)?))
    }
}

fn call(id: u64, arguments: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"add","arguments":{arguments}}}}}"#)
}

#[test]
fn calls_are_repaired_rejected_and_reported() -> Checked {
    let mut proxy = Proxy::start(&["--report"], &["sh", "-c", SERVER])?;
    proxy.send(LIST)?;
    assert_eq!(proxy.message()?["result"]["tools"][0]["name"], "add");
    proxy.send(&call(2, r#"{"a":"3"}"#))?;
    assert_eq!(proxy.message()?["result"]["content"][0]["text"], "3");
    proxy.send(&call(3, "{}"))?;
    let answer = proxy.message()?;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(3), &json!(true)));
    proxy.send_signal("-USR1")?;
    let (code, errors) = proxy.end()?;
    assert_eq!(code, Some(7), "the exit code is that of the server");
    assert!(errors.contains(&format!("got {}\n", call(2, r#"{"a":3}"#))), "{errors}");
    let rows: Vec<Vec<&str>> =
        errors.lines().filter(|line| line.starts_with("add ")).map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.iter().any(|row| row[..8] == ["add", "2", "1", "1", "0", "0", "0", "0"]), "{errors}");
    Ok(())
}

#[test]
fn a_dry_run_only_prints_what_would_be_done() -> Checked {
    let mut proxy = Proxy::start(&["--dry-run"], &["sh", "-c", SERVER])?;
    proxy.send(LIST)?;
    proxy.message()?;
    proxy.send(&call(2, r#"{"a":"3"}"#))?;
    assert_eq!(proxy.message()?["result"]["content"][0]["text"], "3");
    let (_, errors) = proxy.end()?;
    assert!(errors.contains(&format!("got {}\n", call(2, r#"{"a":"3"}"#))), "{errors}");
    assert!(errors.contains("toolbox proxy: would repair call 2 of add to add {\"a\":3}\n"), "{errors}");
    Ok(())
}

#[test]
fn open_requests_get_an_error_when_the_server_ends() -> Checked {
    for (code, expected) in [(0, 1), (5, 5)] {
        let script = format!("read -r line; read -r line; exit {code}");
        let mut proxy = Proxy::start(&[], &["sh", "-c", &script])?;
        proxy.send(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#)?;
        proxy.send(r#"{"jsonrpc":"2.0","id":"b","method":"ping"}"#)?;
        let answers = [proxy.message()?, proxy.message()?];
        let reason = format!("The server has ended: its exit code is {code}.");
        assert!(answers.iter().all(|answer| answer["error"]["message"] == reason), "{answers:?}");
        // The input is still open.
        assert_eq!(proxy.child.wait()?.code(), Some(expected));
    }
    Ok(())
}

#[test]
fn a_signal_ends_the_proxy_and_its_server() -> Checked {
    let mut proxy = Proxy::start(&["--report"], &["sh", "-c", "echo $$ >&2; exec cat"])?;
    // `cat` sends the request back, so the signal is handled by now.
    proxy.send(r#"{"jsonrpc":"2.0","method":"notifications/x"}"#)?;
    proxy.message()?;
    proxy.send_signal("-TERM")?;
    let status = proxy.child.wait()?;
    assert_eq!(status.code(), Some(0));
    let (_, errors) = proxy.end()?;
    let server = errors.lines().next().unwrap_or_default();
    assert!(!std::path::Path::new("/proc").join(server).exists(), "{errors}");
    assert!(errors.contains("bad lines were dropped"), "{errors}");
    Ok(())
}

#[test]
fn a_server_that_cannot_be_started_is_named() -> Checked {
    let (code, errors) = Proxy::start(&[], &["no-such-server", "--token", "secret"])?.end()?;
    assert_eq!(code, Some(2));
    assert!(errors.contains("no-such-server cannot be started") && !errors.contains("secret"), "{errors}");
    let (code, _) = Proxy::start(&[], &[])?.end()?;
    assert_eq!(code, Some(2));
    Ok(())
}

#[test]
fn the_tools_of_a_server_are_printed_as_definitions() -> Checked {
    let toolbox =
        |server: &str| Command::new(env!("CARGO_BIN_EXE_toolbox")).args(["tools", "--", "sh", "-c", server]).output();
    let server = r#"
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}' ;;
    *'"cursor":"2"'*) result='{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}' ;;
    *tools/list*) result='{"tools":[{"name":"a","inputSchema":{"type":"object"},"x":1.50}],"nextCursor":"2"}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done"#;
    let output = toolbox(server)?;
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let listed: Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!((&listed["tools"][0]["name"], &listed["tools"][1]["name"]), (&json!("a"), &json!("b")));
    let output = toolbox("exit 3")?;
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr)?;
    assert!(
        errors.contains("sh: the server ended before it had listed its tools") || errors.contains("has ended"),
        "{errors}"
    );
    Ok(())
}
