//! Durable conversations in one process: the course of a turn, deferred calls, interrupted futures, failing stores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use tool_chat::conversation::{End, Limit, TurnLimits};
use tool_chat::model::{ChatModel, Message, Request, Response, ResponseFuture, ScriptedModel, ToolCall};
use tool_durable::store::{Log, Opened, Store, StoreError, StoreFuture};
use tool_durable::{ConversationSetup, Durable, DurableConversation, DurableError, DurableEvent, InMemoryStore};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::throttle::Limits;
use tool_runtime::{CallContext, Toolbox, tool};

/// The ids of the calls that have run.
type World = Arc<Mutex<Vec<String>>>;

fn ran(cx: &CallContext) {
    let world = cx.state::<World>().expect("the toolbox has a world");
    world.lock().expect("no tool panics").push(cx.call_id().to_owned());
}

/// Pays.
#[tool]
fn pay(#[tool(context)] cx: &CallContext) -> &'static str {
    ran(cx);
    "paid"
}

/// Looks.
#[tool(read_only)]
fn look(#[tool(context)] cx: &CallContext) -> &'static str {
    ran(cx);
    "seen"
}

/// Never ends.
#[tool]
async fn hang(#[tool(context)] cx: &CallContext) -> &'static str {
    ran(cx);
    std::future::pending().await
}

/// Never ends, and can be repeated.
#[tool(idempotent)]
async fn hang_once(#[tool(context)] cx: &CallContext) -> &'static str {
    ran(cx);
    let world = cx.state::<World>().expect("the toolbox has a world");
    let runs = world.lock().expect("no tool panics").iter().filter(|id| *id == cx.call_id()).count();
    if runs == 1 { std::future::pending().await } else { "done" }
}

fn toolbox(world: &World) -> Toolbox {
    toolbox_with(world, SimulatedClock::new())
}

fn toolbox_with(world: &World, clock: SimulatedClock) -> Toolbox {
    let hook =
        |call: &ProposedCall<'_>| if call.call_id().starts_with("later") { Verdict::Defer } else { Verdict::Run };
    let builder = Toolbox::builder().tool(PayTool).tool(LookTool).tool(HangTool).tool(HangOnceTool).before_call(hook);
    builder.state(Arc::clone(world)).clock(clock).throttle(Limits::NONE).build().expect("the names differ")
}

/// A model that makes these calls, one batch for each step, and then says `Done.` Its answer depends only on the messages.
#[derive(Clone)]
struct Steps(&'static [&'static [(&'static str, &'static str)]]);

impl ChatModel for Steps {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let step = request.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
            let calls = self.0.get(step).copied().unwrap_or_default();
            let text = if calls.is_empty() { "Done." } else { "" };
            Ok(Response::text(text).with_calls(calls.iter().map(|(id, tool)| ToolCall::new(*id, *tool, "{}"))))
        })
    }
}

fn open(durable: &Durable, world: &World, model: impl ChatModel + 'static) -> DurableConversation {
    let setup = ConversationSetup::new(&toolbox(world), model);
    pollster::block_on(durable.open("c", setup)).expect("the conversation can be opened")
}

fn answers(conversation: &DurableConversation) -> Vec<String> {
    conversation.transcript().calls().map(|call| call.outcome.to_text().into_owned()).collect()
}

fn runs(world: &World) -> Vec<String> {
    world.lock().expect("no tool panics").clone()
}

const PAID: Steps = Steps(&[&[("a", "pay"), ("b", "look")], &[("c", "pay")]]);

#[test]
fn a_finished_conversation_is_found_again_and_goes_on() {
    let (durable, world) = (Durable::new(InMemoryStore::new()), World::default());
    let mut conversation = open(&durable, &world, PAID);
    assert!(matches!(pollster::block_on(conversation.resume()), Err(DurableError::NoPrompt)));
    let end = pollster::block_on(conversation.ask("Pay.")).expect("nothing fails");
    assert_eq!(
        (end.text(), answers(&conversation)),
        (Some("Done."), vec!["paid".into(), "seen".into(), "paid".into()])
    );
    assert!(!conversation.is_unfinished());
    let before = serde_json::to_string(conversation.run()).expect("a run is JSON");
    drop(conversation);

    let mut conversation = open(&durable, &world, PAID);
    assert_eq!(serde_json::to_string(conversation.run()).expect("a run is JSON"), before);
    assert_eq!(pollster::block_on(conversation.resume()).expect("nothing fails").text(), Some("Done."));
    assert_eq!(pollster::block_on(conversation.ask("Thanks.")).expect("nothing fails").text(), Some("Done."));
    assert_eq!((runs(&world).len(), conversation.run().turns()), (3, 2));
    // Calls that the host makes itself are not recorded, and do not wait.
    assert!(pollster::block_on(conversation.session().call("own", "pay", "{}")).is_ok());
    assert_eq!(answers(&conversation).len(), 3);
}

/// Polls a future until it waits, and drops it.
fn interrupt<T>(future: impl Future<Output = T>) {
    let mut future = std::pin::pin!(future);
    for _ in 0..100 {
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
}

#[test]
fn an_interrupted_call_runs_again_only_if_it_is_repeatable() {
    let (durable, world) = (Durable::new(InMemoryStore::new()), World::default());
    let model = Steps(&[&[("a", "hang"), ("b", "pay"), ("c", "hang_once")]]);
    let mut conversation = open(&durable, &world, model.clone());
    interrupt(conversation.ask("Go."));
    assert!(matches!(pollster::block_on(conversation.resume()), Err(DurableError::Interrupted)));
    drop(conversation);
    assert_eq!(runs(&world), ["a", "b", "c"]);

    let events: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&events);
    let setup = ConversationSetup::new(&toolbox(&world), model)
        .on_event(move |event: &DurableEvent<'_>| seen.lock().expect("no listener panics").push(format!("{event:?}")));
    let mut conversation = pollster::block_on(durable.open("c", setup)).expect("the log can be read");
    assert!(conversation.is_unfinished());
    let end = pollster::block_on(conversation.resume()).expect("nothing fails");
    assert_eq!(end.text(), Some("Done."));
    let answers = answers(&conversation);
    assert!(
        answers[0].starts_with(r#"{"error_type":"effect_unknown","tool":"hang","read_only_tools":["look"]"#),
        "{}",
        answers[0]
    );
    assert_eq!(answers[1..], ["paid", "done"]);
    assert_eq!(runs(&world), ["a", "b", "c", "c"]);
    let expected =
        [r#"EffectUnknown { call_id: "a", tool: "hang" }"#, r#"Repeated { call_id: "c", tool: "hang_once" }"#];
    assert_eq!(*events.lock().expect("no listener panics"), expected);
}

#[test]
fn a_prompt_stops_an_interrupted_turn() {
    let (durable, world) = (Durable::new(InMemoryStore::new()), World::default());
    let model = Steps(&[&[("a", "hang"), ("b", "pay")], &[("c", "pay")]]);
    let mut conversation = open(&durable, &world, model.clone());
    interrupt(conversation.ask("Go."));
    drop(conversation);
    let mut conversation = open(&durable, &world, model);
    let end = pollster::block_on(conversation.ask("Stop that.")).expect("nothing fails");
    assert_eq!((end.text(), runs(&world)), (Some("Done."), vec!["a".into(), "b".into(), "c".into()]));
    let answers = answers(&conversation);
    assert!(answers[0].contains("effect_unknown"), "{}", answers[0]);
    assert_eq!(answers[1..], ["paid", "paid"]);
}

#[test]
fn deferred_calls_wait_across_restarts() {
    let (durable, world) = (Durable::new(InMemoryStore::new()), World::default());
    let model = Steps(&[&[("later 1", "pay"), ("later 2", "pay"), ("now", "pay"), ("later 3", "hang")]]);
    let mut conversation = open(&durable, &world, model.clone());
    let end = pollster::block_on(conversation.ask("Pay.")).expect("nothing fails");
    let End::Deferred { call_ids } = end else { panic!("{end:?}") };
    assert_eq!(
        (call_ids, runs(&world)),
        (vec!["later 1".into(), "later 2".into(), "later 3".into()], vec!["now".into()])
    );
    drop(conversation);

    let mut conversation = open(&durable, &world, model.clone());
    assert_eq!(conversation.session().deferred().len(), 3);
    pollster::block_on(conversation.approve("later 1", HostArguments::new())).expect("the call waits");
    let error = pollster::block_on(conversation.approve("later 1", HostArguments::new())).expect_err("it is answered");
    assert_eq!(error.to_string(), "the conversation does not wait for the call `later 1`");
    drop(conversation);

    let mut conversation = open(&durable, &world, model.clone());
    pollster::block_on(conversation.complete("later 2", "by hand")).expect("the call waits");
    // The approved call is interrupted.
    interrupt(conversation.approve("later 3", HostArguments::new()));
    drop(conversation);

    let mut conversation = open(&durable, &world, model);
    let end = pollster::block_on(conversation.resume()).expect("nothing fails");
    let answers = answers(&conversation);
    assert_eq!((end.text(), &answers[..3]), (Some("Done."), &["paid".to_owned(), "by hand".into(), "paid".into()][..]));
    assert!(answers[3].contains("effect_unknown"), "{}", answers[3]);
    assert_eq!(runs(&world), ["now", "later 1", "later 3"]);
    assert!(conversation.session().deferred().is_empty());
}

/// A store whose every nth write fails, before or after it has written.
struct Failing {
    inner: InMemoryStore,
    nth: usize,
    keeps: bool,
    writes: Arc<AtomicUsize>,
}

impl Store for Failing {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, Opened> {
        Box::pin(async move {
            let mut opened = self.inner.open(conversation).await?;
            let (nth, keeps, writes) = (self.nth, self.keeps, Arc::clone(&self.writes));
            opened.log = Box::new(FailingLog { inner: opened.log, nth, keeps, writes });
            Ok(opened)
        })
    }
}

struct FailingLog {
    inner: Box<dyn Log>,
    nth: usize,
    keeps: bool,
    writes: Arc<AtomicUsize>,
}

impl FailingLog {
    async fn write(&mut self, records: &[Vec<u8>], is_append: bool) -> Result<(), StoreError> {
        let fails = (self.writes.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(self.nth);
        if !fails || self.keeps {
            if is_append {
                self.inner.append(records).await?;
            } else {
                self.inner.replace(records).await?;
            }
        }
        if fails { Err(StoreError::other("the disk is full")) } else { Ok(()) }
    }
}

impl Log for FailingLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        Box::pin(self.write(records, true))
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        Box::pin(self.write(records, false))
    }
}

#[test]
fn a_store_that_fails_again_and_again_loses_nothing_and_repeats_nothing() {
    const LONG: Steps = Steps(&[
        &[("1", "pay"), ("2", "look"), ("later", "pay")],
        &[("3", "pay")],
        &[("4", "pay"), ("5", "pay")],
        &[("6", "look")],
        &[("7", "pay")],
    ]);
    // Each call makes two writes, for its start and its end, so a conversation could never end if every second write failed.
    for nth in 3..25 {
        for keeps in [false, true] {
            let store = Failing { inner: InMemoryStore::new(), nth, keeps, writes: Arc::default() };
            let (durable, world) = (Durable::new(store), World::default());
            let mut errors = 0;
            let conversation = loop {
                assert!(errors < 50, "{nth}: the conversation does not end");
                let setup = ConversationSetup::new(&toolbox(&world), LONG);
                let went_on = pollster::block_on(async {
                    let mut conversation = durable.open("c", setup).await?;
                    let is_new = conversation.run().turns() == 0;
                    let mut end = if is_new { conversation.ask("Go.").await? } else { conversation.resume().await? };
                    while let End::Deferred { call_ids } = &end {
                        for call_id in call_ids {
                            conversation.approve(call_id, HostArguments::new()).await?;
                        }
                        end = conversation.resume().await?;
                    }
                    assert_eq!(end.text(), Some("Done."));
                    Ok::<_, DurableError>(conversation)
                });
                match went_on {
                    Ok(conversation) => break conversation,
                    Err(error) => assert_eq!(error.to_string(), "the disk is full"),
                }
                errors += 1;
            };
            let ran = runs(&world);
            for (call, text) in conversation.transcript().calls().zip(answers(&conversation)) {
                let id = call.outcome.call_id();
                let count = ran.iter().filter(|ran| *ran == id).count();
                match text.as_str() {
                    "paid" => assert_eq!(count, 1, "{nth}: {id}"),
                    "seen" => assert!(count >= 1, "{nth}: {id}"),
                    text => {
                        assert!(count <= 1 && text.contains("effect_unknown") && call.name == "pay", "{nth}: {text}");
                    }
                }
            }
            assert_eq!(answers(&conversation).len(), 8);
        }
    }
}

#[test]
fn a_long_log_is_compacted() {
    let (store, world) = (InMemoryStore::new(), World::default());
    let durable = Durable::new(store.clone());
    let mut conversation = open(&durable, &world, Steps(&[]));
    for _ in 0..200 {
        pollster::block_on(conversation.ask("x".repeat(2_000))).expect("nothing fails");
    }
    drop(conversation);
    let records = pollster::block_on(store.open("c")).expect("nobody has it open").records;
    assert!(records.len() < 600, "{} records", records.len());
    let conversation = open(&durable, &world, Steps(&[]));
    assert_eq!(conversation.run().turns(), 200);
}

#[test]
fn a_time_limit_ends_running_calls() {
    let (durable, world, clock) = (Durable::new(InMemoryStore::new()), World::default(), SimulatedClock::new());
    let mut limits = TurnLimits::default();
    limits.time = Some(Duration::from_secs(60));
    let toolbox = toolbox_with(&world, clock.clone());
    let setup = ConversationSetup::new(&toolbox, Steps(&[&[("a", "hang"), ("b", "pay")]])).limits(limits);
    let mut conversation = pollster::block_on(durable.open("c", setup)).expect("the conversation is new");
    let end = {
        let mut turn = std::pin::pin!(conversation.ask("Go."));
        for _ in 0..100 {
            assert!(turn.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        clock.advance(Duration::from_secs(60));
        pollster::block_on(turn).expect("nothing fails")
    };
    assert!(matches!(end, End::Limited { limit: Limit::Time(_) }), "{end:?}");
    assert!(answers(&conversation)[0].contains("cancelled") && answers(&conversation)[1] == "paid");
}

#[test]
fn records_that_cannot_be_read_are_an_error() {
    let (store, world) = (InMemoryStore::new(), World::default());
    let durable = Durable::new(store.clone());
    for (record, reason) in [
        (&b"{\"later\":1}"[..], "unknown variant `later`"),
        (b"\xff", "expected value"),
        (br#"{"run":"abandoned"}"#, "the conversation before it is missing"),
    ] {
        let mut opened = pollster::block_on(store.open("c")).expect("nobody has it open");
        pollster::block_on(opened.log.replace(&[record.to_vec()])).expect("nothing fails");
        drop(opened);
        let setup = ConversationSetup::new(&toolbox(&world), ScriptedModel::new());
        let error = pollster::block_on(durable.open("c", setup)).expect_err("the record is damaged").to_string();
        assert!(
            error.starts_with("record 0 of the conversation cannot be read: ") && error.contains(reason),
            "{error}"
        );
    }
}

/// Prints the size of the records and the time that a conversation takes: `--ignored --nocapture`.
#[test]
#[ignore = "figures, not a check"]
fn figures() {
    const STEPS: Steps =
        Steps(&[&[("1", "look")], &[("2", "pay")], &[("3", "look")], &[("4", "pay")], &[("5", "look")]]);
    let folder = std::env::temp_dir().join(format!("tool-durable-figures-{}", std::process::id()));
    let durable = Durable::new(tool_durable::FileStore::new(&folder).expect("the folder can be created"));
    let world = World::default();
    let mut conversation = open(&durable, &world, STEPS);
    let begun = Instant::now();
    pollster::block_on(conversation.ask("Go.")).expect("nothing fails");
    println!("a turn of 6 answers and 5 calls: {:?}", begun.elapsed());
    drop(conversation);
    let bytes = std::fs::metadata(folder.join("c-c.log")).expect("the file exists").len();
    let store = tool_durable::FileStore::new(&folder).expect("the folder exists");
    let records = pollster::block_on(store.open("c")).expect("nobody has it open").records;
    println!("{bytes} bytes, {} records", records.len());
    for record in records.iter().take(12) {
        println!("{:>6} {}", record.len(), String::from_utf8_lossy(&record[..record.len().min(60)]));
    }
    let begun = Instant::now();
    for _ in 0..100 {
        drop(open(&durable, &world, STEPS));
    }
    println!("opening it: {:?}", begun.elapsed() / 100);
    let _ = std::fs::remove_dir_all(&folder);
}

/// An executor with several threads can run conversations.
#[test]
fn the_futures_can_move_to_another_thread() {
    fn movable<T: Send>(future: T) -> T {
        future
    }
    let (durable, world) = (Durable::new(InMemoryStore::new()), World::default());
    let setup = ConversationSetup::new(&toolbox(&world), PAID);
    let mut conversation = pollster::block_on(movable(durable.open("c", setup))).expect("the conversation is new");
    drop(movable(conversation.approve("a", HostArguments::new())));
    drop(movable(conversation.complete("a", "done")));
    drop(movable(conversation.resume()));
    assert!(pollster::block_on(movable(conversation.ask("Pay."))).is_ok());
}
