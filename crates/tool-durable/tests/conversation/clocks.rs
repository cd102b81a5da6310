//! Restarts during which the time of day jumps forwards and backwards: pauses never grow and always end, and time limits count only the time
//! in which the conversation ran.

use std::time::Duration;

use proptest::prelude::*;
use tool_chat::conversation::{TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::{ChatModel, Message, Request, Response, ResponseFuture, ToolCall};
use tool_durable::{ConversationSetup, DurableConversation, DurableConversations, InMemoryStore};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::{CallContext, ToolError, Toolbox, tool};

use super::{Steps, World, answers, interrupt, ran};

/// Fails.
#[tool]
fn broken(
    /// The number of the attempt.
    attempt: usize,
) -> Result<String, ToolError> {
    // The error does not depend on the attempt, so that the throttle counts equal errors.
    let _ = attempt;
    Err(ToolError::new("No luck."))
}

/// Takes 20 seconds.
#[tool(read_only)]
fn work(#[tool(context)] cx: &CallContext) -> &'static str {
    cx.state::<SimulatedClock>().expect("the toolbox has a clock").advance(Duration::from_secs(20));
    "done"
}

/// Never ends.
#[tool]
async fn hang(#[tool(context)] cx: &CallContext) -> &'static str {
    ran(cx);
    std::future::pending().await
}

/// A model that calls `broken` once in each turn.
struct Tries;

impl ChatModel for Tries {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let attempt = request.messages.len();
            let is_prompt = matches!(request.messages.last(), Some(Message::User(_)));
            let calls = is_prompt.then(|| ToolCall::new("", "broken", format!(r#"{{"attempt": {attempt}}}"#)));
            Ok(Response::from_text("I try.").with_calls(calls))
        })
    }
}

/// Opens the conversation in a program whose clock shows this time of day.
fn start(
    durable: &DurableConversations,
    time: u64,
    model: impl ChatModel + 'static,
) -> (SimulatedClock, DurableConversation) {
    let clock = SimulatedClock::new();
    clock.set_unix_time(Duration::from_secs(time));
    let builder = Toolbox::builder().tool(BrokenTool).tool(WorkTool).tool(HangTool).clock(clock.clone());
    let toolbox = builder.state(clock.clone()).state(World::default()).build().expect("the names differ");
    let mut limits = TurnLimits::default();
    limits.time = Some(Duration::from_secs(60));
    let setup = ConversationSetup::new(&toolbox, model).limits(limits);
    (clock, pollster::block_on(durable.open("c", setup)).expect("the conversation can be opened"))
}

/// Begins a turn, and returns the remaining pause in milliseconds; `None` if the tool ran.
fn pause(conversation: &mut DurableConversation) -> Option<u64> {
    let end = pollster::block_on(conversation.ask("Try it.")).expect("nothing fails");
    assert_eq!(end.text(), Some("I try."));
    let answer = answers(conversation).pop().expect("each turn has a call");
    let Some((_, wait)) = answer.split_once(r#""retry_after_ms":"#) else {
        assert!(answer.contains("No luck"), "{answer}");
        return None;
    };
    let digits = wait.split(|char: char| !char.is_ascii_digit()).next();
    Some(digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("{answer}")))
}

const NOON: u64 = 1_750_000_000;

fn jump() -> impl Strategy<Value = u64> {
    prop_oneof![0..2 * NOON, NOON - 40..NOON + 40, Just(0), Just(u64::MAX)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_pause_never_grows_and_always_ends(jumps in prop::collection::vec((jump(), 0_u64..20), 1..6)) {
        let durable = DurableConversations::new(InMemoryStore::new());
        let (_, mut conversation) = start(&durable, NOON, Tries);
        for _ in 0..3 {
            prop_assert_eq!(pause(&mut conversation), None);
        }
        let mut before = 30_000;
        prop_assert_eq!(pause(&mut conversation), Some(before));
        drop(conversation);
        let mut turns = 4;
        for (time, seconds) in jumps {
            let (clock, mut conversation) = start(&durable, time, Tries);
            clock.advance(Duration::from_secs(seconds));
            let now = pause(&mut conversation);
            turns += 1;
            prop_assert_eq!((conversation.run_state().turn_count(), answers(&conversation).len()), (turns, turns));
            let Some(now) = now else { break };
            prop_assert!(now <= before.saturating_sub(seconds * 1_000), "{} after {}", now, before);
            before = now;
        }
        let (clock, mut conversation) = start(&durable, 0, Tries);
        clock.advance(Duration::from_secs(300));
        prop_assert_eq!(pause(&mut conversation), None);
    }

    #[test]
    fn a_time_limit_counts_only_the_time_in_which_the_conversation_ran(jumps in [jump(), jump(), jump()]) {
        const MODEL: Steps = Steps(&[
            &[("1", "work")], &[("2", "hang")], &[("3", "work")], &[("4", "hang")], &[("5", "work")], &[("6", "work")],
        ]);
        let durable = DurableConversations::new(InMemoryStore::new());
        let (_, mut conversation) = start(&durable, NOON, MODEL);
        interrupt(conversation.ask("Go."));
        drop(conversation);
        let (_, mut conversation) = start(&durable, jumps[0], MODEL);
        interrupt(conversation.resume());
        drop(conversation);
        let (_, mut conversation) = start(&durable, jumps[1], MODEL);
        let end = pollster::block_on(conversation.resume()).expect("nothing fails");
        prop_assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Time(_) }), "{:?}", end);
        let answers = answers(&conversation);
        prop_assert_eq!([&answers[0], &answers[2], &answers[4]], ["done"; 3]);
        prop_assert!(answers.len() == 5 && answers[1].contains("effect_unknown") && answers[3].contains("effect_unknown"));
        drop(conversation);
        let (_, mut conversation) = start(&durable, jumps[2], MODEL);
        let end = pollster::block_on(conversation.resume()).expect("nothing fails");
        prop_assert!(matches!(end, TurnEnd::Limited { .. }), "the end is the same after a restart: {:?}", end);
    }
}
