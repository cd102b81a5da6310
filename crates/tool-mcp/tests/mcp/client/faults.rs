//! Servers that break the protocol, stop, or do not answer. Each call has exactly one answer, and memory does not grow.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tool_mcp::client::{ConnectError, Endpoint, connect};
use tool_runtime::Outcome;
use tool_runtime::clock::{Clock as _, SimulatedClock};
use tool_runtime::failure::FailureKind;

use super::script::{Reply, Script, act, list, session, text, tool};

fn message(outcome: &Outcome) -> String {
    outcome.failure().unwrap().to_value()["error_message"].as_str().unwrap().to_owned()
}

fn whole(text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

#[tokio::test]
async fn a_response_that_is_too_large_is_an_error_and_the_next_call_works() {
    let calls = AtomicUsize::new(0);
    let script = Script::acting(move || match calls.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::Lines(vec![whole(&"x".repeat(100_000_000))]),
        _ => text("small"),
    });
    let session = session(&script.connect().max_message_bytes(1_000_000).await.unwrap());
    let expected = "The result is larger than 1000000 bytes and was dropped. The call has run; ask for less.";
    assert_eq!(message(&act(&session).await), expected);
    assert_eq!(act(&session).await.to_text(), "small");
    assert_eq!(script.connections(), 1);
}

#[tokio::test]
async fn a_response_that_never_ends_is_an_error() {
    let endless = || Reply::Endless(r#"{"jsonrpc":"2.0","id":ID,"result":{"content":["#, "{},");
    let session = session(&Script::acting(endless).connect().max_message_bytes(1_000_000).await.unwrap());
    assert!(message(&act(&session).await).starts_with("The result is larger than 1000000 bytes"));
}

#[tokio::test]
async fn a_call_times_out_if_a_line_without_an_id_never_ends() {
    let clock = SimulatedClock::new();
    let script = Script::acting(|| Reply::Endless("", "x"));
    let session = session(&script.connect().clock(clock.clone()).max_message_bytes(1_000).await.unwrap());
    let outcome = outlast(&clock, Duration::from_secs(60), act(&session)).await;
    assert_eq!(outcome.failure().unwrap().kind(), FailureKind::Timeout);
}

#[tokio::test]
async fn garbage_is_skipped() {
    let deep = "[".repeat(100_000);
    let garbage = [
        "",
        " ",
        "Listening on stdio…",
        "\u{1b}[31mWARN\u{1b}[0m",
        "{",
        "null",
        "[]",
        "{}",
        r#"{"jsonrpc":"2.0"}"#,
        "\0",
        &deep,
    ];
    let lines: Vec<_> = garbage
        .into_iter()
        .map(str::to_owned)
        .chain([
            r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":{"a":1}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"none","progress":1}}"#
                .to_owned(),
            r#"{"jsonrpc":"2.0","id":987654,"result":{}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":"other","result":{"content":[{"type":"text","text":"for another"}]}}"#.to_owned(),
            whole("done"),
            whole("again"),
        ])
        .collect();
    let session = session(&Script::acting(move || Reply::Lines(lines.clone())).connect().await.unwrap());
    for _ in 0..3 {
        assert_eq!(act(&session).await.to_text(), "done");
    }
}

#[tokio::test]
async fn a_response_that_is_not_valid_is_an_error() {
    let deep = format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{}1{}}}"#, "[".repeat(1_000), "]".repeat(1_000));
    for line in [r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[}"#, r#"{"id":ID,"error":"text"}"#, &deep] {
        let line = line.to_owned();
        let session = session(&Script::acting(move || Reply::Lines(vec![line.clone()])).connect().await.unwrap());
        let expected = "The server answered with something that is not valid. The call may have taken effect.";
        assert_eq!(message(&act(&session).await), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_without_an_answer_times_out_and_is_cancelled_at_the_server() {
    let clock = SimulatedClock::new();
    let script = Script::acting(|| Reply::Silence);
    let server = script.connect().clock(clock.clone()).call_timeout(Duration::from_secs(20)).await.unwrap();
    let session = session(&server);
    let outcome = outlast(&clock, Duration::from_secs(20), act(&session)).await;
    assert_eq!(outcome.failure().unwrap().kind(), FailureKind::Timeout);
    assert_eq!(
        message(&outcome),
        "The MCP server files did not answer within 20s. The call may or may not have taken effect."
    );
    let call = script.received("tools/call").pop().unwrap();
    assert_eq!(script.receives("notifications/cancelled").await["params"]["requestId"], call["id"]);
}

#[tokio::test]
async fn a_server_that_stops_during_a_call_is_restarted_after_a_pause() {
    let clock = SimulatedClock::new();
    let calls = AtomicUsize::new(0);
    let script =
        Script::acting(move || if calls.fetch_add(1, Ordering::SeqCst) < 3 { Reply::Close } else { text("back") });
    let session = session(&script.connect().clock(clock.clone()).await.unwrap());
    let unavailable = |outcome: &Outcome| {
        let failure = outcome.failure().unwrap();
        assert_eq!(failure.kind(), FailureKind::Unavailable);
        (message(outcome), failure.retry_after())
    };

    // The server has answered a list, so the first pause is the shortest.
    let died = "The MCP server files stopped during the call, which may or may not have taken effect.";
    assert_eq!(unavailable(&act(&session).await), (died.to_owned(), None));
    let absent = "The MCP server files is not running, so the call was not sent.";
    for pause in [500, 1_000, 2_000] {
        let pause = Duration::from_millis(pause);
        assert_eq!(unavailable(&act(&session).await), (absent.to_owned(), Some(pause)));
        assert_eq!(script.received("tools/call").len(), script.connections());
        clock.advance(pause.saturating_sub(Duration::from_millis(1)));
        assert_eq!(unavailable(&act(&session).await).1, Some(Duration::from_millis(1)));
        clock.advance(Duration::from_millis(1));
        let outcome = act(&session).await;
        if pause < Duration::from_secs(2) {
            assert_eq!(unavailable(&outcome), (died.to_owned(), None));
        } else {
            assert_eq!(outcome.to_text(), "back");
        }
    }
    assert_eq!(script.connections(), 4);
}

#[tokio::test]
async fn a_server_that_does_not_come_back_is_tried_ever_less_often() {
    let clock = SimulatedClock::new();
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let script = Script::acting(|| Reply::Close);
    let mut first = Some(script.endpoint());
    let endpoint = Endpoint::from_stream_fn(move || {
        counted.fetch_add(1, Ordering::SeqCst);
        let near = first.take().map(|_| {
            let (near, far) = tokio::io::duplex(1 << 16);
            let script = script.clone();
            let (reader, writer) = tokio::io::split(far);
            tokio::spawn(async move { script.serve(reader, writer).await });
            near
        });
        async move { near.ok_or_else(|| std::io::ErrorKind::ConnectionRefused.into()) }
    });
    let server = connect("files", endpoint).legacy().clock(clock.clone()).await.unwrap();
    let session = session(&server);
    for second in 0..600 {
        let outcome = session.call(&format!("call_{second}"), "files__act", "{}").await;
        assert_eq!(outcome.failure().unwrap().kind(), FailureKind::Unavailable);
        clock.advance(Duration::from_secs(1));
    }
    // The server is tried again after 0.5, 1, 2, 4 … 60, 60 … seconds.
    assert_eq!(tries.load(Ordering::SeqCst), 1 + 7 + 8);
}

#[tokio::test]
async fn many_calls_of_a_dying_server_have_one_answer_each() {
    let script = Script::acting(|| Reply::Close);
    let session = session(&script.connect().await.unwrap());
    let calls = (0..100).map(|number| {
        let session = session.clone();
        tokio::spawn(async move { session.call(&format!("call_{number}"), "files__act", "{}").await })
    });
    for call in calls.collect::<Vec<_>>() {
        assert_eq!(call.await.unwrap().failure().unwrap().kind(), FailureKind::Unavailable);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_fail_if_the_server_stops_reading() {
    let clock = SimulatedClock::new();
    let is_deaf = Arc::new(tokio::sync::watch::Sender::new(false));
    let deaf = Arc::clone(&is_deaf);
    let script = Script::new(move |method, _| {
        if method == "tools/list" {
            list(&[tool("act")])
        } else {
            deaf.send_replace(true);
            Reply::Deafness
        }
    });
    let session = session(&script.connect().clock(clock.clone()).await.unwrap());
    // After the first call, the server no longer reads. The second call does not fit into the buffer of the stream.
    let first = {
        let session = session.clone();
        tokio::spawn(async move { act(&session).await })
    };
    is_deaf.subscribe().wait_for(|deaf| *deaf).await.unwrap();
    let arguments = json!({"text": "x".repeat(1_000_000)}).to_string();
    let second = session.call("call_2", "files__act", arguments);
    let outcome = outlast(&clock, Duration::from_secs(30), second).await;
    assert_eq!(outcome.failure().unwrap().kind(), FailureKind::Unavailable);
    assert_eq!(first.await.unwrap().failure().unwrap().kind(), FailureKind::Unavailable);
}

/// The answers to requests of a server that receives nothing do not fill the memory.
#[tokio::test]
async fn a_server_that_only_sends_requests_is_not_read_forever() {
    let clock = SimulatedClock::new();
    let ping = concat!(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "\n");
    let script = Script::acting(move || Reply::Endless("", ping));
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let endpoint = Endpoint::from_stream_fn(move || {
        let ((near, far), (script, counted)) = (tokio::io::duplex(1 << 16), (script.clone(), Arc::clone(&counted)));
        let (reader, mut writer) = tokio::io::split(far);
        let (mut relayed, output) = tokio::io::duplex(1 << 10);
        tokio::spawn(async move { script.serve(reader, output).await });
        tokio::spawn(async move {
            let mut bytes = [0; 1 << 10];
            while let Ok(count @ 1..) = relayed.read(&mut bytes).await {
                writer.write_all(&bytes[..count]).await?;
                counted.fetch_add(count, Ordering::SeqCst);
            }
            Ok::<_, std::io::Error>(())
        });
        async { Ok(near) }
    });
    // On a busy machine, much simulated time passes before the pipe is full.
    let connect = connect("files", endpoint).legacy().clock(clock.clone()).call_timeout(Duration::from_secs(1 << 40));
    let server = connect.await.unwrap();
    let outcome = outlast(&clock, Duration::from_secs(30), act(&session(&server))).await;
    assert_eq!(outcome.failure().unwrap().kind(), FailureKind::Unavailable);
    let bytes = sent.load(Ordering::SeqCst);
    assert!(bytes < 1_000_000, "{bytes} bytes were read");
}

#[tokio::test(start_paused = true)]
async fn a_failed_connection_says_why() {
    let script = Script::new(|_, _| Reply::Close);
    assert!(matches!(script.connect().await.unwrap_err(), ConnectError::List(_)));
    let clock = SimulatedClock::new();
    let script = Script::new(|_, _| Reply::Silence);
    let connecting = script.connect().clock(clock.clone()).into_future();
    let error = outlast(&clock, Duration::from_secs(60), connecting).await.unwrap_err();
    assert!(matches!(error, ConnectError::List(_) | ConnectError::TimedOut(_)), "{error}");
    let missing = connect("x", std::process::Command::new("/no/such/program")).await.unwrap_err();
    assert!(
        matches!(missing, ConnectError::Open(_)) && missing.to_string().starts_with("the server cannot be reached")
    );
}

#[tokio::test]
async fn a_closed_server_answers_nothing_more() {
    let script = Script::acting(|| text("open"));
    let server = script.connect().await.unwrap();
    let session = session(&server);
    assert_eq!(act(&session).await.to_text(), "open");
    server.close().await;
    assert_eq!(message(&act(&session).await), "The MCP server files is closed.");
    assert!(matches!(server.refresh().await, Err(ConnectError::Closed)));
    assert_eq!(script.connections(), 1);
}

/// Runs a future that only ends after a certain time. The time passes when nothing else happens.
async fn outlast<T>(clock: &SimulatedClock, time: Duration, future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let begun = clock.now();
    loop {
        tokio::select! {
            biased;
            output = &mut future => {
                assert!(clock.now() >= begun + time, "too early");
                return output;
            }
            () = tokio::time::sleep(Duration::from_millis(50)) => clock.advance(time / 2),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_shakes_hands_is_given_up() {
    let silent = || {
        Endpoint::from_stream_fn(|| {
            let (near, far) = tokio::io::duplex(1 << 16);
            tokio::spawn(async move {
                let _held = far;
                std::future::pending::<()>().await;
            });
            async { Ok(near) }
        })
    };
    let limit = Duration::from_secs(20);
    for is_legacy in [true, false] {
        let clock = SimulatedClock::new();
        let connecting = connect("files", silent()).clock(clock.clone()).connect_timeout(limit);
        let connecting = if is_legacy { connecting.legacy() } else { connecting };
        let error = outlast(&clock, limit, connecting.into_future()).await.unwrap_err();
        assert!(matches!(error, ConnectError::TimedOut(found) if found == limit), "{error}");
    }
}

/// If a server is started again and does not answer the handshake, no call waits for longer than the limit.
#[tokio::test(start_paused = true)]
async fn calls_of_a_server_that_hangs_at_its_restart_have_one_answer_each() {
    let clock = SimulatedClock::new();
    let script = Script::acting(|| Reply::Close);
    let mut is_first = true;
    let endpoint = Endpoint::from_stream_fn(move || {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(far);
        let script = std::mem::take(&mut is_first).then(|| script.clone());
        tokio::spawn(async move {
            match script {
                Some(script) => script.serve(reader, writer).await,
                None => std::future::pending().await,
            }
        });
        async { Ok(near) }
    });
    let limit = Duration::from_secs(20);
    let server = connect("files", endpoint).legacy().clock(clock.clone()).connect_timeout(limit).await.unwrap();
    let session = session(&server);
    assert_eq!(act(&session).await.failure().unwrap().kind(), FailureKind::Unavailable);
    clock.advance(Duration::from_secs(1));
    let calls = (0..20).map(|number| {
        let session = session.clone();
        tokio::spawn(async move { session.call(&format!("call_{number}"), "files__act", "{}").await })
    });
    let calls = calls.collect::<Vec<_>>();
    let answers = outlast(&clock, limit, async {
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.await.unwrap());
        }
        answers
    });
    for answer in answers.await {
        let failure = answer.failure().unwrap();
        assert_eq!(failure.kind(), FailureKind::Unavailable);
        assert!(failure.retry_after().is_some_and(|pause| pause <= Duration::from_secs(1)), "{failure:?}");
    }
}

#[tokio::test]
async fn answers_that_come_twice_or_for_nobody_are_ignored() {
    let stray = |number: usize| format!(r#"{{"jsonrpc":"2.0","id":{number},"result":{{"content":[]}}}}"#);
    let request = |method: &str| format!(r#"{{"jsonrpc":"2.0","id":"{method}","method":"{method}","params":{{}}}}"#);
    let script = Script::acting(move || {
        let twice = [
            whole("first"),
            whole("second"),
            r#"{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"third"}}"#.to_owned(),
        ];
        let asked = ["roots/list", "sampling/createMessage", "no/such/method", "ping"].map(request);
        Reply::Lines((1_000_000..1_002_000).map(stray).chain(asked).chain(twice).collect())
    });
    let session = session(&script.connect().await.unwrap());
    for number in 0..5 {
        let outcome = session.call(&format!("call_{number}"), "files__act", "{}").await;
        assert_eq!(outcome.to_text(), "first");
    }
    assert_eq!(script.connections(), 1);
}

#[tokio::test]
async fn running_calls_outlive_changes_of_the_list() {
    let lists = AtomicUsize::new(0);
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let script = Script::new(move |method, _| match method {
        // Only the first list contains the tool.
        "tools/list" if lists.fetch_add(1, Ordering::SeqCst) == 0 => list(&[tool("act")]),
        "tools/list" => list(&[tool("other")]),
        _ => Reply::AfterList(vec![changed.to_owned(); 100]),
    });
    let server = script.connect().await.unwrap();
    let session = session(&server);
    let calls = (0..20).map(|number| {
        let session = session.clone();
        tokio::spawn(async move { session.call(&format!("call_{number}"), "files__act", "{}").await })
    });
    let calls = calls.collect::<Vec<_>>();
    while script.received("tools/call").len() < 20 {
        tokio::task::yield_now().await;
    }
    server.changed().await;
    assert!(server.refresh().await.unwrap());
    let mut texts = HashSet::new();
    for call in calls {
        let outcome = call.await.unwrap();
        assert!(outcome.is_ok(), "{}", outcome.to_text());
        texts.insert(outcome.to_text().into_owned());
    }
    assert_eq!(texts.len(), 20, "each call has an answer of its own");
}
