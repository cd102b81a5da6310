//! A server with a URL: a small HTTP server whose answers are given by a function.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tool_mcp::client::{Connect, Endpoint, connect};
use tool_runtime::Outcome;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::failure::FailureKind;

use super::loopback::Request;
use super::script::{act, session};

/// The answer to a call.
#[derive(Clone, Copy)]
enum Answer {
    Text,
    /// A body of this many bytes.
    Large(usize),
    Status(&'static str),
    /// Headers with a content length that is greater than the body.
    HalfOpen,
    /// The end of the TCP connection.
    Close,
    /// A stream of two events: a progress report, and the result.
    Events,
    /// A stream whose only event never ends.
    EndlessEvent,
    NotJson,
}

/// Serves one request on each TCP connection.
async fn serve(listener: TcpListener, answer: impl Fn(usize) -> Answer + Send + Sync + 'static) {
    let (answer, calls) = (Arc::new(answer), Arc::new(AtomicUsize::new(0)));
    while let Ok((stream, _)) = listener.accept().await {
        let (answer, calls) = (Arc::clone(&answer), Arc::clone(&calls));
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream);
            let Request { message, .. } = Request::receive(&mut stream).await?;
            let json = |member: &str, value: Value| {
                let body = json!({"jsonrpc": "2.0", "id": message["id"], member: value}).to_string();
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                )
            };
            let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
            let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            let reply = match message["method"].as_str() {
                Some("initialize") => json(
                    "result",
                    json!({
                        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"},
                    }),
                ),
                Some("tools/list") => {
                    json("result", json!({"tools": [{"name": "act", "inputSchema": {"type": "object"}}]}))
                }
                Some("tools/call") => match answer(calls.fetch_add(1, Ordering::SeqCst)) {
                    Answer::Text => json("result", text("done")),
                    Answer::Large(bytes) => json("result", text(&"x".repeat(bytes))),
                    Answer::Status(status) => format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n"),
                    Answer::HalfOpen => {
                        stream
                            .write_all(
                                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
                            )
                            .await?;
                        std::future::pending().await
                    }
                    Answer::Close => String::new(),
                    Answer::Events => {
                        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
                            "progressToken": message["params"]["_meta"]["progressToken"], "progress": 1,
                        }});
                        let result = json!({"jsonrpc": "2.0", "id": message["id"], "result": text("streamed")});
                        format!("{events}data: {progress}\n\ndata: {result}\n\n")
                    }
                    Answer::EndlessEvent => {
                        stream.write_all(format!("{events}data: ").as_bytes()).await?;
                        loop {
                            stream.write_all(&[b'x'; 1_024]).await?;
                        }
                    }
                    Answer::NotJson => {
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n<html".to_owned()
                    }
                },
                Some(_) if message.get("id").is_some() => {
                    json("error", json!({"code": -32_601, "message": "no such method"}))
                }
                Some(_) => "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned(),
                None => "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n".to_owned(),
            };
            stream.write_all(reply.as_bytes()).await?;
            stream.shutdown().await
        });
    }
}

async fn server(answer: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Connect {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(serve(listener, answer));
    connect("files", Endpoint::http(url)).max_message_bytes(100_000)
}

fn message(outcome: &Outcome) -> (FailureKind, String) {
    let failure = outcome.failure().unwrap();
    (failure.kind(), failure.to_value()["error_message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_server_with_a_url_is_called() {
    for (answer, expected) in [(Answer::Text, "done"), (Answer::Events, "streamed")] {
        let server = server(move |_| answer).await.await.unwrap();
        assert_eq!(server.protocol_version().as_deref(), Some("2025-11-25"));
        let session = session(&server);
        for _ in 0..3 {
            assert_eq!(act(&session).await.to_text(), expected);
        }
    }
}

/// The client and our own server work together, with and without an `initialize` request.
#[cfg(feature = "http")]
#[tokio::test]
async fn our_own_server_is_used_over_http() {
    use tool_runtime::{Toolbox, tool};

    /// Divides two numbers.
    #[tool]
    fn divide(
        /// Dividend.
        a: u32,
        /// Divisor.
        b: u32,
    ) -> Result<u32, &'static str> {
        a.checked_div(b).ok_or("Nothing can be divided by 0.")
    }

    for (is_legacy, revision) in [(false, "2026-07-28"), (true, "2025-11-25")] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let math = tool_mcp::Server::new(Toolbox::builder().tool(DivideTool).build().unwrap());
        tokio::spawn(math.http().serve(listener, std::future::pending()));
        let connect = connect("math", Endpoint::http(url));
        let server = if is_legacy { connect.legacy() } else { connect }.await.unwrap();
        assert_eq!(server.protocol_version().as_deref(), Some(revision));
        let session = session(&server);
        let outcome = session.call("call_1", "math__divide", r#"{"a": "8", "b": 2}"#).await;
        assert_eq!(outcome.to_text(), "4");
        let outcome = session.call("call_2", "math__divide", r#"{"a": 8, "b": 0}"#).await;
        assert!(outcome.to_text().contains("Nothing can be divided by 0."), "{}", outcome.to_text());
        server.close().await;
    }
}

#[tokio::test]
async fn an_http_error_fails_one_call_and_the_next_call_works() {
    let unavailable = FailureKind::Unavailable;
    for (answer, kind, text) in [
        (Answer::Large(1_000_000), FailureKind::DomainRejection, "The result is larger than 100000 bytes"),
        (
            Answer::Status("503 Service Unavailable\r\nRetry-After: 7"),
            unavailable,
            "The MCP server files answered with the HTTP status 503.",
        ),
        (Answer::NotJson, FailureKind::DomainRejection, "The server answered with something that is not valid."),
        (
            Answer::Status("429 Too Many Requests"),
            FailureKind::RateLimited,
            "The MCP server files answered with the HTTP status 429.",
        ),
    ] {
        let server = server(move |call| if call == 0 { answer } else { Answer::Text }).await.await.unwrap();
        let session = session(&server);
        let outcome = act(&session).await;
        let (found, message) = message(&outcome);
        assert!(found == kind && message.starts_with(text), "{found:?}: {message}");
        if text.ends_with("503.") {
            assert_eq!(outcome.failure().unwrap().retry_after(), Some(Duration::from_secs(7)));
        }
        assert_eq!(act(&session).await.to_text(), "done");
    }
}

#[tokio::test]
async fn a_broken_connection_fails_one_call_and_is_opened_again() {
    let clock = SimulatedClock::new();
    let connect = server(move |call| if call == 0 { Answer::Close } else { Answer::Text }).await;
    let session = session(&connect.clock(clock.clone()).await.unwrap());
    assert_eq!(message(&act(&session).await).0, FailureKind::Unavailable);
    clock.advance(Duration::from_secs(1));
    assert_eq!(act(&session).await.to_text(), "done");
}

#[tokio::test]
async fn a_half_open_connection_and_an_endless_event_are_given_up() {
    for answer in [Answer::HalfOpen, Answer::EndlessEvent] {
        let connect = server(move |_| answer).await.call_timeout(Duration::from_millis(300));
        let session = session(&connect.await.unwrap());
        let kind = message(&act(&session).await).0;
        assert!(matches!(kind, FailureKind::Timeout | FailureKind::Unavailable), "{kind:?}");
    }
}

#[tokio::test]
async fn the_error_for_an_unreachable_url_contains_no_secret() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let url = format!("{}?key=secret#secret", url.replace("http://", "http://ada:secret@"));
    assert!(!format!("{:?}", Endpoint::http(&*url)).contains("secret"));
    let error = connect("files", Endpoint::http(&*url)).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    assert!(connect("files", Endpoint::http("not a url")).await.is_err());
}
