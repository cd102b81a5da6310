//! Progress, time limits and cancellation of running calls, and changes of the list.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tool_runtime::clock::{Clock as _, SimulatedClock};
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::failure::FailureKind;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Session, Toolbox};

use super::script::{Reply, Script, act, list, session, text, tool};

/// Runs a future for a while, and fails if it ends.
async fn pending(future: impl Future) {
    let ended = tokio::time::timeout(Duration::from_millis(100), future).await;
    assert!(ended.is_err(), "it ended");
}

/// Records the progress reports.
pub(crate) struct Reports(pub(crate) Arc<Mutex<Vec<String>>>);

impl Observer for Reports {
    fn event(&self, event: &ToolEvent<'_>) {
        if let EventKind::Progressed { done, total, message, .. } = event.kind {
            self.0.lock().unwrap().push(format!("{done} of {total:?}: {message}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_reaches_the_call_before_its_answer() {
    let report = |done: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":TOKEN,{done}}}}}"#)
    };
    let script = Script::acting(move || {
        Reply::Lines(vec![
            report(r#""progress":0,"total":100,"message":"begun""#),
            report(r#""progress":50.5,"total":100"#),
            report(r#""progress":100,"total":100"#),
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"done"}]}}"#.to_owned(),
        ])
    });
    let server = script.connect().await.unwrap();
    for _ in 0..20 {
        let reports = Arc::default();
        let builder = Toolbox::builder().observer(Reports(Arc::clone(&reports)));
        let session = builder.container(server.container().always_expanded()).build().unwrap().session();
        assert_eq!(act(&session).await.to_text(), "done");
        let reports = reports.lock().unwrap().clone();
        assert_eq!(reports, ["0 of Some(100.0): begun", "50.5 of Some(100.0): ", "100 of Some(100.0): "]);
    }
}

#[tokio::test(start_paused = true)]
async fn progress_keeps_a_call_alive() {
    let clock = SimulatedClock::new();
    let endless =
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":TOKEN,"progress":1}}"#;
    let script = Script::acting(move || Reply::Lines(vec![endless.to_owned()]));
    let server = script.connect().clock(clock.clone()).call_timeout(Duration::from_secs(10)).await.unwrap();
    let session = session(&server);
    let running = {
        let session = session.clone();
        tokio::spawn(async move { act(&session).await })
    };
    script.receives("tools/call").await;
    // The report arrived during the first 10 s, and nothing arrived during the next 10 s.
    let begun = clock.now();
    while !running.is_finished() {
        tokio::time::sleep(Duration::from_millis(20)).await;
        clock.advance(Duration::from_secs(5));
    }
    assert!(clock.now() >= begun + Duration::from_secs(10));
    assert_eq!(running.await.unwrap().failure().unwrap().kind(), FailureKind::Timeout);
}

#[tokio::test]
async fn a_call_that_is_dropped_or_cancelled_is_cancelled_at_the_server() {
    for is_dropped in [true, false] {
        let script = Script::acting(|| Reply::Silence);
        let session = session(&script.connect().await.unwrap());
        let running = {
            let session = session.clone();
            tokio::spawn(async move { act(&session).await })
        };
        let call = script.receives("tools/call").await;
        if is_dropped {
            running.abort();
        } else {
            session.cancel("call_1");
            assert_eq!(running.await.unwrap().failure().unwrap().kind(), FailureKind::Cancelled);
        }
        let cancelled = script.receives("notifications/cancelled").await;
        assert_eq!(cancelled["params"]["requestId"], call["id"]);
    }
}

fn names(session: &Session) -> Vec<String> {
    session.tools().iter().map(|tool| tool.name().to_owned()).collect()
}

#[tokio::test]
async fn a_changed_list_can_replace_the_toolbox_of_a_session() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let script = Script::new(move |method, _| match (method, count.load(Ordering::SeqCst)) {
        ("tools/list", 0) => list(&[tool("act"), tool("old")]),
        ("tools/list", _) => list(&[tool("new"), tool("act")]),
        _ => {
            count.fetch_add(1, Ordering::SeqCst);
            let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#.to_owned();
            let done = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"done"}]}}"#.to_owned();
            Reply::Lines(vec![changed, done])
        }
    });
    let server = script.connect().await.unwrap();
    let session = session(&server);
    pending(server.changed()).await;
    assert!(!server.refresh().await.unwrap(), "nothing has changed");

    assert_eq!(act(&session).await.to_text(), "done");
    server.changed().await;
    assert!(server.refresh().await.unwrap());
    pending(server.changed()).await;
    let toolbox = server.tools().into_iter().fold(Toolbox::builder(), ToolboxBuilder::tool).build().unwrap();
    let replaced = session.replace_toolbox(&toolbox).unwrap();
    assert_eq!((replaced.added, replaced.removed), (vec!["files__new".to_owned()], vec!["files__old".to_owned()]));
    assert_eq!(names(&session), ["files__act", "files__new"]);
}

#[tokio::test]
async fn a_list_expires_after_the_time_that_the_server_sent() {
    for (ttl, is_over_after) in
        [(Some(90_000), Some(90)), (Some(1), Some(1)), (Some(0), None), (Some(-5), None), (None, None)]
    {
        let clock = SimulatedClock::new();
        let script = Script::new(move |_, _| Reply::Result(json!({"tools": [tool("act")], "ttlMs": ttl})));
        let server = script.connect().clock(clock.clone()).await.unwrap();
        pending(server.changed()).await;
        clock.advance(Duration::from_millis(is_over_after.unwrap_or(1_000_000) * 1_000 - 1));
        pending(server.changed()).await;
        clock.advance(Duration::from_millis(1));
        match is_over_after {
            Some(_) => server.changed().await,
            None => pending(server.changed()).await,
        }
    }
}

#[tokio::test]
async fn a_restarted_server_is_listed_again() {
    let clock = SimulatedClock::new();
    let calls = AtomicUsize::new(0);
    let script =
        Script::acting(move || if calls.fetch_add(1, Ordering::SeqCst) == 0 { Reply::Close } else { text("back") });
    let server = script.connect().clock(clock.clone()).await.unwrap();
    let session = session(&server);
    assert!(!act(&session).await.is_ok());
    pending(server.changed()).await;
    clock.advance(Duration::from_secs(1));
    assert_eq!(act(&session).await.to_text(), "back");
    server.changed().await;
    assert!(!server.refresh().await.unwrap());
}
