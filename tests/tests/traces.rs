//! Traces with the feature `tracing`, named by the OpenTelemetry conventions for generative AI.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once};
use std::task::{Context, Poll, Waker};

use tool_runtime::container::ExpansionSettings;
use tool_runtime::event::TracingSettings;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::toolbox::{Guard, InMemoryResultStore};
use tool_runtime::{Container, ToolError, Toolbox, tool};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_core::span::Current;

type Fields = BTreeMap<String, String>;

/// Records every span and every event, with the span of the event.
#[derive(Clone, Default)]
struct Recorder(Arc<Inner>);

#[derive(Default)]
struct Inner {
    next: AtomicU64,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    spans: BTreeMap<u64, Fields>,
    metadata: HashMap<u64, &'static Metadata<'static>>,
    /// Name, level, fields and enclosing span of each event.
    events: Vec<(String, Level, Fields, Option<u64>)>,
    entered: HashMap<std::thread::ThreadId, Vec<u64>>,
}

struct Into<'a>(&'a mut Fields);

impl Visit for Into<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl Recorder {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.seen.lock().expect("the lock is not poisoned")
    }

    /// Returns the fields of the only span.
    fn span(&self) -> Fields {
        let spans: Vec<Fields> = self.seen().spans.values().cloned().collect();
        assert_eq!(spans.len(), 1, "{spans:?}");
        spans[0].clone()
    }

    fn events(&self) -> Vec<String> {
        self.seen().events.iter().map(|(name, ..)| name.clone()).collect()
    }

    /// Returns all recorded texts.
    fn everything(&self) -> String {
        let seen = self.seen();
        format!("{:?} {:?}", seen.spans, seen.events)
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed) + 1;
        let mut fields = Fields::new();
        attributes.record(&mut Into(&mut fields));
        self.seen().metadata.insert(id, attributes.metadata());
        self.seen().spans.insert(id, fields);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        values.record(&mut Into(self.seen().spans.entry(span.into_u64()).or_default()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Into(&mut fields));
        let mut seen = self.seen();
        let around = seen.entered.get(&std::thread::current().id()).and_then(|spans| spans.last().copied());
        seen.events.push((event.metadata().name().to_owned(), *event.metadata().level(), fields, around));
    }

    fn enter(&self, span: &Id) {
        self.seen().entered.entry(std::thread::current().id()).or_default().push(span.into_u64());
    }

    fn current_span(&self) -> Current {
        let seen = self.seen();
        let current = seen.entered.get(&std::thread::current().id()).and_then(|spans| spans.last());
        current.map_or_else(Current::none, |id| Current::new(Id::from_u64(*id), seen.metadata[id]))
    }

    fn exit(&self, _: &Id) {
        self.seen().entered.entry(std::thread::current().id()).or_default().pop();
    }
}

/// Wants to be asked about every span and event, and rejects each.
struct Undecided;

impl Subscriber for Undecided {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Records what `work` traces in this thread.
fn observe(recorder: &Recorder, work: impl FnOnce()) {
    // `tracing` remembers for each place in the code whether a subscriber is interested. If a test of another thread reached a place first, only
    // the subscriber of that thread may be asked. Without any there, the place would stay silent here as well.
    static UNDECIDED: Once = Once::new();
    UNDECIDED.call_once(|| {
        tracing::subscriber::set_global_default(Undecided).expect("no other test sets the subscriber of all threads");
    });
    tracing::subscriber::with_default(recorder.clone(), work);
}

#[test]
fn what_a_thread_without_subscriber_reached_first_is_recorded_elsewhere() {
    fn trace() {
        tracing::info!(name: "reached", "twice");
    }
    let recorder = Recorder::default();
    observe(&recorder, || {
        std::thread::spawn(trace).join().expect("the thread does not panic");
        trace();
    });
    assert_eq!(recorder.events(), ["reached"]);
}

/// Signs a user in.
#[tool(idempotent)]
fn sign_in(
    /// The user.
    user: String,
    /// The password.
    #[tool(sensitive)]
    password: String,
) -> Result<String, ToolError> {
    match &*user {
        "nobody" => Err(ToolError::unavailable("The directory is away.").caused_by("socket closed")),
        "trouble" => panic!("the {user} is here"),
        _ => Ok(format!("{user} is in with {password}")),
    }
}

/// Waits for nothing in particular.
#[tool]
async fn wait() {
    std::future::ready(()).await;
    tracing::info!(name: "own", "inside");
}

/// Panics.
#[tool]
fn stumble() {
    panic!("over its feet");
}

fn builder() -> tool_runtime::toolbox::ToolboxBuilder {
    Toolbox::builder()
        .tool(SignInTool)
        .tool(WaitTool)
        .tool(StumbleTool)
        .container(Container::new("Files", "Reading of files."))
}

fn record(tracing: TracingSettings, name: &str, arguments: &str) -> Recorder {
    let recorder = Recorder::default();
    let session = builder().traced_contents(tracing).build().expect("the toolbox is valid").session();
    observe(&recorder, || {
        let _ = pollster::block_on(session.call("call_1", name, arguments));
    });
    recorder
}

#[test]
fn a_call_is_a_span_with_the_attributes_of_the_opentelemetry_conventions() {
    let span = record(TracingSettings::new(), "sign_in", r#"{"user": "ada", "password": "hunter2"}"#).span();
    let expect = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.call.id", "call_1"),
        ("gen_ai.tool.description", "Signs a user in."),
        ("gen_ai.tool.name", "sign_in"),
        ("gen_ai.tool.type", "function"),
        ("otel.kind", "internal"),
        ("otel.name", "execute_tool sign_in"),
    ];
    assert_eq!(span, expect.map(|(key, value)| (key.to_owned(), value.to_owned())).into());
}

#[test]
fn a_failure_records_its_type() {
    for (name, arguments, error_type) in [
        ("sign_in", "{}", "validation_error"),
        ("sign_in", r#"{"user": "nobody", "password": "hunter2"}"#, "unavailable"),
        ("sign_in", r#"{"user": "trouble", "password": "hunter2"}"#, "internal_error"),
        ("Files", r#"{"path": "a"}"#, "container_invocation_error"),
        ("sign_out", "{}", "unknown_tool"),
    ] {
        let span = record(TracingSettings::new(), name, arguments).span();
        let found = ["error.type", "otel.status_code", "gen_ai.tool.name"].map(|key| span.get(key).map(String::as_str));
        assert_eq!(found, [Some(error_type), Some("ERROR"), Some(name)]);
    }
}

#[test]
fn a_span_is_not_named_after_an_unknown_tool() {
    assert_eq!(record(TracingSettings::new(), "sign_out", "{}").span().get("otel.name"), None);
    let span = record(TracingSettings::new(), "SignIn", r#"{"user": "ada", "password": "hunter2"}"#).span();
    assert_eq!((&*span["otel.name"], &*span["gen_ai.tool.name"]), ("execute_tool sign_in", "sign_in"));
}

#[test]
fn decisions_of_the_session_and_events_of_the_tool_are_in_the_span() {
    let recorder = record(TracingSettings::new(), "Wait", "");
    assert_eq!(recorder.events(), ["tool.received", "tool.repaired", "own", "tool.executed"]);
    assert!(recorder.seen().events.iter().all(|(.., around)| *around == Some(1)));
}

#[test]
fn a_panic_is_an_exception() {
    let recorder = record(TracingSettings::new().failure_details(true), "stumble", "");
    let seen = recorder.seen();
    let (name, level, fields, _) = seen.events.last().expect("the call was rejected");
    assert_eq!((&**name, *level), ("gen_ai.execute_tool.exception", Level::ERROR));
    assert_eq!(fields["exception.message"], "panicked: over its feet");
}

/// Error details of a call with a secret are only for the observer, which receives them in full.
#[test]
fn the_details_of_a_call_with_a_secret_are_not_recorded() {
    for user in ["nobody", "trouble"] {
        let arguments = format!(r#"{{"user": "{user}", "password": "hunter2"}}"#);
        let everything = record(TracingSettings::new().failure_details(true), "sign_in", &arguments).everything();
        assert!(!everything.contains("socket") && !everything.contains("is here"), "{everything}");
    }
}

#[test]
fn arguments_results_and_errors_are_not_recorded_by_default() {
    for user in ["ada", "nobody", "trouble"] {
        let arguments = format!(r#"{{"user": "{user}", "password": "hunter2"}}"#);
        let everything = record(TracingSettings::new(), "sign_in", &arguments).everything();
        for sensitive in [user, "hunter2", "socket"] {
            assert!(!everything.contains(sensitive), "{sensitive}: {everything}");
        }
    }
}

#[test]
fn requested_content_is_recorded_without_secrets() {
    let all = TracingSettings::new().arguments(true).results(true);
    let span = record(all, "sign_in", r#"{"user": "ada", "password": "hunter2"}"#).span();
    assert_eq!(span["gen_ai.tool.call.arguments"], r#"{"user":"ada","password":"<redacted>"}"#);
    // The result may contain the password in any form.
    assert_eq!(span["gen_ai.tool.call.result"], "<redacted>");
    let span = record(TracingSettings::new().arguments(true), "wait", "{}").span();
    assert_eq!((&*span["gen_ai.tool.call.arguments"], span.get("gen_ai.tool.call.result")), ("{}", None));
}

#[test]
fn nothing_is_recorded_if_secrets_may_be_anywhere() {
    let all = TracingSettings::new().arguments(true).results(true);
    for (name, arguments) in [
        ("sign_in", r#"{"user": 5, "passwrd": "hunter2"}"#),
        ("sign_in", r#"{"user": "ada", "password": "hunter2""#),
        ("sign_out", r#"{"password": "hunter2"}"#),
    ] {
        let everything = record(all, name, arguments).everything();
        assert!(!everything.contains("hunter2"), "{everything}");
    }
}

/// A proof of identity.
#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Proof {
    Password {
        /// The password.
        #[tool(sensitive)]
        #[serde(alias = "pass")]
        password: String,
    },
}

/// Proves something.
#[tool]
fn prove(
    /// The proof of identity.
    proof: Proof,
) {
    let Proof::Password { password } = proof;
    drop(password);
}

/// A tag is not secret; a secret is hidden in every spelling.
#[test]
fn secret_members_of_arguments_are_hidden_in_every_spelling() {
    for (proof, shown) in [
        (r#"{"kind":"password","password":"hunter2"}"#, r#"{"kind":"password","password":"<redacted>"}"#),
        (r#"{"kind":"password","pass":"hunter2"}"#, r#"{"kind":"password","pass":"<redacted>"}"#),
        (r#"{"kind":"password","password":["hunter2"]}"#, r#"{"kind":"password","password":"<redacted>"}"#),
        (r#"{"kind":"hunter2","password":"x"}"#, r#"{"kind":"<redacted>","password":"<redacted>"}"#),
        (r#"{"kind":"password","hunter2":"hunter2"}"#, r#"{"kind":"password","<redacted>":"<redacted>"}"#),
        (r#"["password","hunter2"]"#, r#""<redacted>""#),
    ] {
        let recorder = Recorder::default();
        let toolbox =
            Toolbox::builder().tool(ProveTool).traced_contents(TracingSettings::new().arguments(true).results(true));
        let session = toolbox.build().expect("the toolbox is valid").session();
        observe(&recorder, || {
            let _ = pollster::block_on(session.call("call_1", "prove", format!(r#"{{"proof":{proof}}}"#)));
        });
        assert_eq!(recorder.span()["gen_ai.tool.call.arguments"], format!(r#"{{"proof":{shown}}}"#), "{proof}");
        assert!(!recorder.everything().contains("hunter2"), "{}", recorder.everything());
    }
}

#[test]
fn a_call_through_call_tool_hides_its_secrets() {
    let (recorder, all) = (Recorder::default(), TracingSettings::new().arguments(true).results(true));
    let toolbox = Toolbox::builder().container(Container::new("Users", "Who is in.").tool(SignInTool));
    let session = toolbox
        .expansion(ExpansionSettings::new().fixed_definitions())
        .traced_contents(all)
        .build()
        .expect("the toolbox is valid")
        .session();
    observe(&recorder, || {
        let _ = pollster::block_on(session.call("call_1", "Users", ""));
        let arguments = r#"{"tool": "sign_in", "arguments": {"user": "ada", "password": "hunter2"}}"#;
        assert!(pollster::block_on(session.call("call_2", "call_tool", arguments)).is_ok());
    });
    let everything = recorder.everything();
    assert!(everything.contains("execute_tool sign_in") && !everything.contains("hunter2"), "{everything}");
}

/// Says who signed in, at length.
#[tool]
fn report(
    /// The key of the report.
    #[tool(sensitive)]
    key: Option<String>,
) -> String {
    key.unwrap_or_default().repeat(1_000)
}

#[test]
fn a_part_of_an_earlier_result_hides_its_secrets() {
    let all = TracingSettings::new().arguments(true).results(true);
    let guard = Guard::new().cut_to(Some(1_024)).spill(InMemoryResultStore::new());
    let toolbox = Toolbox::builder().tool(ReportTool).guard(guard).traced_contents(all).build();
    let session = toolbox.expect("the toolbox is valid").session();
    let record = |name: &str, arguments: &str| {
        let recorder = Recorder::default();
        observe(&recorder, || {
            assert!(pollster::block_on(session.call("call_1", name, arguments)).is_ok());
        });
        recorder
    };
    let _ = record("report", r#"{"key": "hunter2"}"#);
    let recorder = record("read_result", r#"{"handle": "result_1"}"#);
    assert_eq!(recorder.span()["gen_ai.tool.call.arguments"], r#"{"handle":"result_1"}"#);
    assert_eq!(recorder.span()["gen_ai.tool.call.result"], "<redacted>");
    assert!(!recorder.everything().contains("hunter2"));
}

#[test]
fn the_span_begins_with_the_first_poll() {
    let recorder = Recorder::default();
    let session = builder().build().expect("the toolbox is valid").session();
    observe(&recorder, || {
        let mut call = Box::pin(session.call("call_1", "wait", "{}"));
        assert!(recorder.seen().spans.is_empty());
        assert!(matches!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(_)));
        assert_eq!(recorder.seen().spans.len(), 1);
    });
}

/// Works elsewhere.
#[tool(blocking)]
fn elsewhere() {}

#[test]
fn a_blocking_tool_runs_in_the_span_of_its_call() {
    let recorder = Recorder::default();
    let toolbox = Toolbox::builder().tool(ElsewhereTool).blocking_spawner({
        let recorder = recorder.clone();
        move |work| {
            let recorder = recorder.clone();
            let thread = std::thread::spawn(move || observe(&recorder, work));
            thread.join().expect("the work does not panic");
        }
    });
    let session = toolbox.build().expect("the toolbox is valid").session();
    observe(&recorder, || {
        let _ = pollster::block_on(session.call("call_1", "elsewhere", "{}"));
    });
    let threads = recorder.seen().entered.len();
    assert_eq!(threads, 2, "both threads entered the span");
}

#[test]
fn a_deferred_call_has_not_failed_and_its_resumption_has_its_own_span() {
    let recorder = Recorder::default();
    let hooked = builder().before_call(|_: &ProposedCall<'_>| Verdict::Defer);
    let session = hooked.build().expect("the toolbox is valid").session();
    observe(&recorder, || {
        assert!(pollster::block_on(session.call("call_1", "wait", "{}")).is_deferred());
        assert!(pollster::block_on(session.resume("call_1")).is_ok_and(|outcome| outcome.is_ok()));
    });
    let seen = recorder.seen();
    assert_eq!(seen.spans.len(), 2, "{:?}", seen.spans);
    for span in seen.spans.values() {
        assert_eq!((&*span["otel.name"], &*span["gen_ai.tool.call.id"]), ("execute_tool wait", "call_1"));
        assert_eq!((span.get("error.type"), span.get("otel.status_code")), (None, None));
    }
    let events: Vec<_> = seen.events.iter().map(|(name, _, _, around)| (&**name, *around)).collect();
    let (first, second) = (Some(1), Some(2));
    let expected = [("tool.received", first), ("tool.deferred", first), ("own", second), ("tool.executed", second)];
    assert_eq!(events, expected);
}

#[test]
fn each_call_of_a_batch_is_a_span() {
    let recorder = Recorder::default();
    let session = builder().build().expect("the toolbox is valid").session();
    observe(&recorder, || {
        let calls = [("call_1", "wait", "{}"), ("call_2", "sign_out", "{}"), ("call_3", "wait", "{}")];
        assert_eq!(pollster::block_on(session.call_batch(calls)).outcomes().len(), 3);
    });
    let seen = recorder.seen();
    let ids: Vec<_> = seen.spans.values().map(|span| &*span["gen_ai.tool.call.id"]).collect();
    assert_eq!(ids, ["call_1", "call_2", "call_3"]);
    let own: Vec<_> = seen.events.iter().filter(|event| event.0 == "own").map(|event| event.3).collect();
    assert_eq!(own, [Some(1), Some(3)]);
}
