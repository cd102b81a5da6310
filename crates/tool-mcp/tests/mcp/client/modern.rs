//! A server of the protocol version 2026-07-28, written with rmcp. Probes, rounds of questions and subscriptions are tested with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams,
    ErrorData, InputRequest, InputRequests, InputRequiredResult, JsonObject, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ServerHandler, serve_server};
use serde_json::{Value, json};
use tokio::sync::watch;
use tool_mcp::client::{Connect, ElicitationReply, Endpoint, connect};
use tool_runtime::clock::{Clock as _, SimulatedClock};
use tool_runtime::failure::FailureKind;

use super::script::{Reply, Script, act, list, session, text, tool};

#[derive(Clone)]
struct Modern {
    tools: Arc<watch::Sender<Vec<&'static str>>>,
    rounds: usize,
    /// `true` if each round has a question.
    asks: bool,
    calls: Arc<AtomicUsize>,
    /// The numbers of calls of `wait` that have begun, and that the client has cancelled.
    waits: Arc<watch::Sender<(usize, usize)>>,
}

impl Modern {
    fn new(rounds: usize) -> Self {
        Self {
            tools: Arc::new(watch::Sender::new(vec!["act"])),
            rounds,
            asks: true,
            calls: Arc::default(),
            waits: Arc::default(),
        }
    }

    fn connect(&self) -> Connect {
        let server = self.clone();
        let endpoint = Endpoint::from_stream_fn(move || {
            let (near, far) = tokio::io::duplex(1 << 16);
            let server = server.clone();
            tokio::spawn(async move { serve_server(server, far).await.unwrap().waiting().await });
            async { Ok(near) }
        });
        connect("files", endpoint)
    }
}

impl ServerHandler for Modern {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build())
            .with_instructions("Be brief.")
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools.borrow().iter().map(|&name| Tool::new(name, "", JsonObject::new())).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    /// Asks for a name in each round, and then returns the answers of the last round. `wait` first waits until it is cancelled.
    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if params.name == "wait" {
            self.waits.send_modify(|(begun, _)| *begun += 1);
            context.ct.cancelled().await;
            self.waits.send_modify(|(_, cancelled)| *cancelled += 1);
        }
        self.calls.fetch_add(1, Ordering::SeqCst);
        let round = params.request_state.as_deref().map_or(0, str::len);
        if round >= self.rounds {
            let answers = serde_json::to_value(params.input_responses).unwrap();
            return Ok(CallToolResult::success(vec![ContentBlock::text(answers.to_string())]).into());
        }
        let state = "x".repeat(round + 1);
        if !self.asks {
            return Ok(InputRequiredResult::from_request_state(state).into());
        }
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let requested_schema = serde_json::from_value(schema).unwrap();
        let message = format!("Question {round}?");
        let asked = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
        let request = InputRequest::Elicitation(ElicitRequest::new(asked));
        let requests = InputRequests::from([("name".to_owned(), request)]);
        Ok(InputRequiredResult::new(Some(requests), Some(state)).into())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut tools = self.tools.subscribe();
        while tools.changed().await.is_ok() {
            let _ = context.sink().notify_tool_list_changed().await;
        }
        Ok(())
    }
}

#[tokio::test]
async fn the_newest_revision_is_negotiated() {
    let server = Modern::new(0).connect().await.unwrap();
    assert_eq!(server.protocol_version().as_deref(), Some("2026-07-28"));
    assert_eq!(server.instructions().as_deref(), Some("Be brief."));
    assert_eq!(act(&session(&server)).await.to_text(), "null");
    let server = Modern::new(0).connect().legacy().await.unwrap();
    assert_eq!(server.protocol_version().as_deref(), Some("2025-11-25"));
    assert_eq!(act(&session(&server)).await.to_text(), "null");
}

#[tokio::test]
async fn rounds_of_questions_are_answered() {
    let modern = Modern::new(3);
    let hook = |elicitation: tool_mcp::client::Elicitation| async move {
        let values = json!({"name": elicitation.message});
        ElicitationReply::Accept(values.as_object().unwrap().clone())
    };
    let server = modern.connect().elicitation(hook).await.unwrap();
    let answers: Value = serde_json::from_str(&act(&session(&server)).await.to_text()).unwrap();
    assert_eq!(answers, json!({"name": {"action": "accept", "content": {"name": "Question 2?"}}}));
    assert_eq!(modern.calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_call_with_endless_rounds_of_questions_fails() {
    let modern = Modern::new(usize::MAX);
    let server = modern.connect().elicitation(|_| async { ElicitationReply::Decline }).await.unwrap();
    let outcome = act(&session(&server)).await;
    assert!(outcome.to_text().contains("kept asking for more input"), "{}", outcome.to_text());
    assert_eq!(modern.calls.load(Ordering::SeqCst), 10);
}

#[tokio::test(start_paused = true)]
async fn a_call_is_repeated_after_a_pause_if_the_server_asks_no_question() {
    let clock = SimulatedClock::new();
    let modern = Modern { asks: false, ..Modern::new(3) };
    let session = session(&modern.connect().clock(clock.clone()).await.unwrap());
    let running = tokio::spawn(async move { act(&session).await.to_text().into_owned() });
    while !running.is_finished() {
        tokio::time::sleep(Duration::from_millis(10)).await;
        clock.advance(Duration::from_millis(50));
    }
    // The pauses between the rounds are 0.1, 0.2 and 0.4 s.
    assert!(clock.now() >= Duration::from_millis(700));
    assert_eq!(modern.calls.load(Ordering::SeqCst), 4);
    assert_eq!(running.await.unwrap(), "null");
}

#[tokio::test]
async fn a_subscription_reports_changes() {
    let modern = Modern::new(0);
    let server = modern.connect().await.unwrap();
    while modern.tools.receiver_count() == 0 {
        tokio::task::yield_now().await;
    }
    modern.tools.send_replace(vec!["act", "new"]);
    server.changed().await;
    assert!(server.refresh().await.unwrap());
    assert_eq!(server.tools().len(), 2);
}

#[tokio::test]
async fn a_call_that_is_dropped_or_cancelled_is_cancelled_at_the_server() {
    for is_dropped in [true, false] {
        let modern = Modern::new(0);
        modern.tools.send_replace(vec!["wait", "act"]);
        let server = modern.connect().await.unwrap();
        assert_eq!(server.protocol_version().as_deref(), Some("2026-07-28"));
        let session = session(&server);
        let running = {
            let session = session.clone();
            tokio::spawn(async move { session.call("call_1", "files__wait", "{}").await })
        };
        let mut waits = modern.waits.subscribe();
        waits.wait_for(|(begun, _)| *begun == 1).await.unwrap();
        if is_dropped {
            running.abort();
        } else {
            session.cancel("call_1");
            assert_eq!(running.await.unwrap().failure().unwrap().kind(), FailureKind::Cancelled);
        }
        waits.wait_for(|(_, cancelled)| *cancelled == 1).await.unwrap();
        assert_eq!(act(&session).await.to_text(), "null");
    }
}

#[tokio::test]
async fn a_server_without_discovery_gets_the_handshake_of_an_earlier_revision() {
    for closes in [true, false] {
        let script = Script::new(move |method, _| match method {
            "tools/list" => list(&[tool("act")]),
            "server/discover" if closes => Reply::Close,
            "server/discover" => Reply::Error(-32_601, "no such method"),
            _ => text("done"),
        });
        let server = connect("files", script.endpoint()).await.unwrap();
        assert_eq!(server.protocol_version().as_deref(), Some("2025-11-25"));
        assert_eq!(act(&session(&server)).await.to_text(), "done");
        assert_eq!(script.connections(), if closes { 2 } else { 1 });
    }
}
