//! `toolbox proxy --http`, in front of a server that is a shell script.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};

use super::Checked;

/// A server that answers every request, and shows the environment variable with the token of the proxy.
const SERVER: &str = r#"
while read -r line; do
  printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"token='"$TOOLBOX_TEST_TOKEN"'","version":"1"}}}'
done
"#;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;

fn start(arguments: &[&str]) -> Result<Child, Box<dyn std::error::Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
    command.env("TOOLBOX_TEST_TOKEN", "s3cret").env_remove("TOOLBOX_TEST_NO_TOKEN");
    command.arg("proxy").args(arguments).args(["--", "sh", "-c", SERVER]);
    Ok(command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?)
}

fn config(name: &str, text: &str) -> Result<String, Box<dyn std::error::Error>> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
    fs::write(&path, text)?;
    Ok(path.to_string_lossy().into_owned())
}

/// Reads the address that the proxy prints.
fn address(errors: &mut BufReader<ChildStderr>) -> Result<String, Box<dyn std::error::Error>> {
    let mut line = String::new();
    errors.read_line(&mut line)?;
    let address =
        line.trim_end().strip_prefix("toolbox proxy: listening on http://").and_then(|url| url.strip_suffix("/mcp"));
    Ok(address.ok_or(line.clone())?.to_owned())
}

fn post(address: &str, headers: &str, body: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn clients_with_the_token_are_served_until_a_signal() -> Checked {
    let config = config("http", "http = \"127.0.0.1:0\"\nhttp_token = \"TOOLBOX_TEST_TOKEN\"\n")?;
    let mut proxy = start(&["--report", "--config", &config])?;
    let mut errors = BufReader::new(proxy.stderr.take().ok_or("no standard error")?);
    let address = address(&mut errors)?;
    assert!(post(&address, "", INITIALIZE)?.starts_with("HTTP/1.1 401"));
    assert!(post(&address, "Authorization: Bearer s3cre\r\n", INITIALIZE)?.starts_with("HTTP/1.1 401"));
    let answer = post(&address, "Authorization: Bearer s3cret\r\n", INITIALIZE)?;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("mcp-session-id:"), "{answer}");
    assert!(answer.contains(r#""name":"token=""#), "the server does not get the token: {answer}");
    assert!(Command::new("kill").arg(proxy.id().to_string()).status()?.success());
    assert_eq!(proxy.wait()?.code(), Some(0));
    let mut rest = String::new();
    errors.read_to_string(&mut rest)?;
    assert!(rest.contains("calls") && !rest.contains("s3cret"), "{rest}");
    Ok(())
}

/// `toolbox tools URL` prints the same tools as `toolbox tools -- COMMAND`.
#[cfg(feature = "remote")]
#[test]
fn the_tools_of_a_server_with_a_url_are_printed() -> Checked {
    let list = r#"
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}; id=${id%%\}*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}' ;;
    *tools/list*) result='{"tools":[{"name":"b","description":"Bs.","inputSchema":{"type":"object","properties":{"z":{"type":"integer"},"a":{"type":"string"}},"required":["z"]}}]}' ;;
    *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id"; continue ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done"#;
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
    command.args(["proxy", "--http", "127.0.0.1:0", "--", "sh", "-c", list]);
    let mut proxy = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let address = address(&mut BufReader::new(proxy.stderr.take().ok_or("no standard error")?))?;
    let url = format!("http://{address}/mcp");
    let tools = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
        // Nobody listens there. A proxy of the system does not get what is sent to a loopback address.
        command.env("HTTP_PROXY", "http://127.0.0.1:1").env("ALL_PROXY", "http://127.0.0.1:1").env_remove("NO_PROXY");
        command.arg("tools").args(arguments).output()
    };
    let (over_http, over_stdio) = (tools(&[&url])?, tools(&["--", "sh", "-c", list])?);
    proxy.kill()?;
    proxy.wait()?;
    assert_eq!(over_http.status.code(), Some(0), "{}", String::from_utf8_lossy(&over_http.stderr));
    let parsed = |output: &[u8]| serde_json::from_slice::<serde_json::Value>(output);
    assert_eq!(parsed(&over_http.stdout)?, parsed(&over_stdio.stdout)?);
    let nobody = tools(&["http://127.0.0.1:1/mcp"])?;
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8(nobody.stderr)?.contains("http://127.0.0.1:1/mcp cannot be reached: "));
    Ok(())
}

#[cfg(not(feature = "remote"))]
#[test]
fn a_url_needs_the_feature() -> Checked {
    let output = Command::new(env!("CARGO_BIN_EXE_toolbox")).args(["tools", "http://127.0.0.1:1/mcp"]).output()?;
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr)?.contains("built without its feature `remote`"));
    Ok(())
}

#[test]
fn an_address_that_others_reach_needs_a_token() -> Checked {
    let missing = config("missing", "http_token = \"TOOLBOX_TEST_NO_TOKEN\"\n")?;
    let wrong = config("wrong", "http = \"localhost\"\n")?;
    for (arguments, expected) in [
        (vec!["--http", "0.0.0.0:0"], "0.0.0.0:0 can be reached from other machines, so `http_token` has to be set"),
        (
            vec!["--http", "0.0.0.0:0", "--config", &missing],
            "the environment variable TOOLBOX_TEST_NO_TOKEN does not contain a token",
        ),
        (vec!["--config", &wrong], "http: expected an address such as \"127.0.0.1:8931\", found \"localhost\""),
    ] {
        let proxy = start(&arguments)?;
        let output = proxy.wait_with_output()?;
        let errors = String::from_utf8(output.stderr)?;
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    Ok(())
}
