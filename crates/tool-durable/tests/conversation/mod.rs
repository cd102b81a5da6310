//! Durable conversations in one process: the course of a turn, deferred calls, interrupted futures, failing stores, damaged logs, and
//! clocks that jump.

mod clocks;
mod damage;
mod faults;
mod hostile;
mod recorded;

use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use tool_chat::conversation::{TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::{ChatModel, Message, Request, Response, ResponseFuture, ScriptedModel, StopReason, ToolCall};
use tool_durable::store::Store;
use tool_durable::{
    ConversationSetup, DurableConversation, DurableConversations, DurableError, InMemoryStore, ListenerEvent,
};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::throttle::SessionLimits;
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
    builder.state(Arc::clone(world)).clock(clock).throttle(SessionLimits::NONE).build().expect("the names differ")
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
            Ok(Response::from_text(text).with_calls(calls.iter().map(|(id, tool)| ToolCall::new(*id, *tool, "{}"))))
        })
    }
}

fn open(durable: &DurableConversations, world: &World, model: impl ChatModel + 'static) -> DurableConversation {
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
    let (durable, world) = (DurableConversations::new(InMemoryStore::new()), World::default());
    let mut conversation = open(&durable, &world, PAID);
    assert!(matches!(pollster::block_on(conversation.resume()), Err(DurableError::NoPrompt)));
    let end = pollster::block_on(conversation.ask("Pay.")).expect("nothing fails");
    assert_eq!(
        (end.text(), answers(&conversation)),
        (Some("Done."), vec!["paid".into(), "seen".into(), "paid".into()])
    );
    assert!(!conversation.is_unfinished());
    let before = serde_json::to_string(conversation.run_state()).expect("a run is JSON");
    drop(conversation);

    let mut conversation = open(&durable, &world, PAID);
    assert_eq!(serde_json::to_string(conversation.run_state()).expect("a run is JSON"), before);
    assert_eq!(pollster::block_on(conversation.resume()).expect("nothing fails").text(), Some("Done."));
    assert_eq!(pollster::block_on(conversation.ask("Thanks.")).expect("nothing fails").text(), Some("Done."));
    assert_eq!((runs(&world).len(), conversation.run_state().turn_count()), (3, 2));
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
    let (durable, world) = (DurableConversations::new(InMemoryStore::new()), World::default());
    let model = Steps(&[&[("a", "hang"), ("b", "pay"), ("c", "hang_once")]]);
    let mut conversation = open(&durable, &world, model.clone());
    interrupt(conversation.ask("Go."));
    assert!(matches!(pollster::block_on(conversation.resume()), Err(DurableError::Interrupted)));
    drop(conversation);
    assert_eq!(runs(&world), ["a", "b", "c"]);

    let events: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&events);
    let setup = ConversationSetup::new(&toolbox(&world), model)
        .on_event(move |event: &ListenerEvent<'_>| seen.lock().expect("no listener panics").push(format!("{event:?}")));
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
        [r#"EffectUnknown { call_id: "a", tool: "hang" }"#, r#"CallRepeated { call_id: "c", tool: "hang_once" }"#];
    assert_eq!(*events.lock().expect("no listener panics"), expected);
}

#[test]
fn a_prompt_stops_an_interrupted_turn() {
    let (durable, world) = (DurableConversations::new(InMemoryStore::new()), World::default());
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
    let (durable, world) = (DurableConversations::new(InMemoryStore::new()), World::default());
    let model = Steps(&[&[("later 1", "pay"), ("later 2", "pay"), ("now", "pay"), ("later 3", "hang")]]);
    let mut conversation = open(&durable, &world, model.clone());
    let end = pollster::block_on(conversation.ask("Pay.")).expect("nothing fails");
    let TurnEnd::Deferred { call_ids } = end else { panic!("{end:?}") };
    assert_eq!(
        (call_ids, runs(&world)),
        (vec!["later 1".into(), "later 2".into(), "later 3".into()], vec!["now".into()])
    );
    drop(conversation);

    let mut conversation = open(&durable, &world, model.clone());
    assert_eq!(conversation.session().deferred_calls().len(), 3);
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
    assert!(conversation.session().deferred_calls().is_empty());
}

#[test]
fn a_long_log_is_compacted() {
    let (store, world) = (InMemoryStore::new(), World::default());
    let durable = DurableConversations::new(store.clone());
    let mut conversation = open(&durable, &world, Steps(&[]));
    for _ in 0..200 {
        pollster::block_on(conversation.ask("x".repeat(2_000))).expect("nothing fails");
    }
    drop(conversation);
    let records = pollster::block_on(store.open("c")).expect("nobody has it open").records;
    assert!(records.len() < 600, "{} records", records.len());
    let conversation = open(&durable, &world, Steps(&[]));
    assert_eq!(conversation.run_state().turn_count(), 200);
}

#[test]
fn a_time_limit_ends_running_calls() {
    let (durable, world, clock) =
        (DurableConversations::new(InMemoryStore::new()), World::default(), SimulatedClock::new());
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
    assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Time(_) }), "{end:?}");
    assert!(answers(&conversation)[0].contains("cancelled") && answers(&conversation)[1] == "paid");
}

/// Prints the size of the records and the time that a conversation takes: `--ignored --nocapture`.
#[test]
#[ignore = "figures, not a check"]
fn figures() {
    const STEPS: Steps =
        Steps(&[&[("1", "look")], &[("2", "pay")], &[("3", "look")], &[("4", "pay")], &[("5", "look")]]);
    let folder = std::env::temp_dir().join(format!("tool-durable-figures-{}", std::process::id()));
    let durable = DurableConversations::new(tool_durable::FileStore::new(&folder).expect("the folder can be created"));
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

/// The reason is a part of the recorded answer, so it is known after a restart.
#[test]
fn a_call_that_the_output_limit_cut_off_is_told_so() {
    let cut = Response::from_calls([ToolCall::new("a", "pay", r#"{"amount": 1"#)]).with_stop(StopReason::Length);
    let model = || ScriptedModel::new().answer(cut.clone()).text("Paid.").text("Paid.");
    let (durable, world) = (DurableConversations::new(InMemoryStore::new()), World::default());
    let mut conversation = open(&durable, &world, model());
    pollster::block_on(conversation.ask("Pay.")).expect("nothing fails");
    let told = answers(&conversation);
    assert!(told[0].contains("your answer reached its output limit") && runs(&world).is_empty(), "{told:?}");
    drop(conversation);
    assert_eq!(answers(&open(&durable, &world, model())), told);
}

/// An executor with several threads can run conversations.
#[test]
fn the_futures_can_move_to_another_thread() {
    fn movable<T: Send>(future: T) -> T {
        future
    }
    let (durable, world) = (DurableConversations::new(InMemoryStore::new()), World::default());
    let setup = ConversationSetup::new(&toolbox(&world), PAID);
    let mut conversation = pollster::block_on(movable(durable.open("c", setup))).expect("the conversation is new");
    drop(movable(conversation.approve("a", HostArguments::new())));
    drop(movable(conversation.complete("a", "done")));
    drop(movable(conversation.resume()));
    assert!(pollster::block_on(movable(conversation.ask("Pay."))).is_ok());
}
