//! The client with a child process. The child process is this program, started again to run one test, which acts as the server.

use std::process::Command;
use std::time::Duration;

use tool_mcp::client::{Connect, connect};
use tool_runtime::failure::FailureKind;

use super::script::{Reply, Script, list, session, text, tool};

/// Set in the child process.
const IS_SERVER: &str = "TOOL_MCP_TEST_SERVER";

/// Does nothing, except in a child process: there it serves until the client closes the connection.
#[tokio::test]
async fn server() {
    if std::env::var_os(IS_SERVER).is_none() {
        return;
    }
    println!("\nStarting…");
    let script = Script::new(|method, params| match (method, params["name"].as_str()) {
        ("tools/list", _) => list(&["pid", "exit", "panic", "large", "stall"].map(tool)),
        (_, Some("pid")) => text(&std::process::id().to_string()),
        (_, Some("exit")) => std::process::exit(3),
        (_, Some("large")) => text(&"x".repeat(20_000_000)),
        (_, Some("stall")) => Reply::Silence,
        _ => Reply::Error(-32_601, "no such method"),
    });
    let _ = script.serve(tokio::io::stdin(), tokio::io::stdout()).await;
    std::process::exit(0);
}

fn process() -> Connect {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "client::process::server", "--nocapture"]).env(IS_SERVER, "1");
    connect("files", command)
}

fn is_running(pid: &str) -> bool {
    std::path::Path::new("/proc").join(pid).exists()
}

#[tokio::test]
async fn a_process_is_started_called_and_stopped() {
    let server = process().await.unwrap();
    let session = session(&server);
    let pid = session.call("call_1", "files__pid", "{}").await.to_text().into_owned();
    assert!(pid.parse::<u32>().is_ok() && is_running(&pid), "{pid}");
    let outcome = session.call("call_2", "files__large", "{}").await;
    assert!(outcome.to_text().contains("larger than 8388608 bytes"), "{}", outcome.to_text());
    assert_eq!(session.call("call_3", "files__pid", "{}").await.to_text(), pid);
    server.close().await;
    assert!(!is_running(&pid));
}

#[tokio::test]
async fn a_process_stops_when_nobody_uses_it() {
    let server = process().await.unwrap();
    let session = session(&server);
    let pid = session.call("call_1", "files__pid", "{}").await.to_text().into_owned();
    drop(server);
    assert!(is_running(&pid), "its tools are in use");
    drop(session);
    for _ in 0..500 {
        if !is_running(&pid) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the process still runs");
}

#[tokio::test]
async fn a_process_that_exits_or_is_killed_during_a_call_is_started_again() {
    let server = process().await.unwrap();
    let session = session(&server);
    let pid = session.call("call_1", "files__pid", "{}").await.to_text().into_owned();
    let exited = session.call("call_2", "files__exit", "{}").await;
    let failure = exited.failure().unwrap();
    assert_eq!(failure.kind(), FailureKind::Unavailable);
    assert!(failure.observer_details().unwrap().contains("exit status: 3"), "{:?}", failure.observer_details());

    tokio::time::sleep(Duration::from_millis(600)).await;
    let next = session.call("call_3", "files__pid", "{}").await.to_text().into_owned();
    assert!(next.parse::<u32>().is_ok() && next != pid, "{next}");

    let stalled = {
        let session = session.clone();
        tokio::spawn(async move { session.call("call_4", "files__stall", "{}").await })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(Command::new("kill").args(["-9", &next]).status().unwrap().success());
    assert_eq!(stalled.await.unwrap().failure().unwrap().kind(), FailureKind::Unavailable);
    server.close().await;
}

#[tokio::test]
async fn a_program_that_is_not_an_mcp_server_is_rejected() {
    let mut command = Command::new("sh");
    command.args(["-c", "echo hello; exit 1"]);
    let error = connect("x", command).await.unwrap_err();
    assert!(error.to_string().starts_with("the handshake failed"), "{error}");
}
