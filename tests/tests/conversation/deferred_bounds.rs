//! Limits of a turn that waits for the host: they continue afterwards, and the waiting time does not count.

use std::time::Duration;

use tool_chat::conversation::{Conversation, TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::ScriptedModel;
use tool_runtime::Toolbox;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{ProposedCall, Verdict};

use super::deferred::{ASK, PARIS, TABLE, ask, complete, resume, session};
use super::tools::{BookTableTool, GetWeatherTool, run};

#[test]
fn a_turn_without_remaining_time_does_not_wait_for_the_host() {
    let clock = SimulatedClock::new();
    let nap = clock.clone();
    let approve = move |call: &ProposedCall<'_>| {
        let is_slow = call.name() == "get_weather";
        let nap = tool_runtime::clock::Clock::sleep(&nap, Duration::from_secs(60));
        async move {
            if is_slow {
                nap.await;
            }
            Verdict::Defer
        }
    };
    let builder = Toolbox::builder().tool(GetWeatherTool).tool(BookTableTool).before_call(approve);
    let session = builder.build().expect("all names differ").session();
    let mut limits = TurnLimits::default();
    limits.time = Some(Duration::from_secs(10));
    let model = ScriptedModel::new().calls([TABLE, PARIS]);
    let mut conversation = Conversation::new(session, model).clock(clock.clone()).limits(limits);
    let end = run(&clock, conversation.ask("A table in Paris."));
    assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Time(_) }), "{end:?}");
    let told = conversation.transcript().calls().filter_map(|call| call.outcome.failure());
    assert_eq!(told.map(tool_runtime::Failure::error_type).collect::<Vec<_>>(), ["cancelled", "cancelled"]);
    assert!(conversation.session().deferred_calls().is_empty());
}

#[test]
fn a_resumed_turn_also_counts_the_calls_before_the_wait() {
    let mut limits = TurnLimits::default();
    (limits.steps, limits.calls) = (Some(3), Some(2));
    let model = ScriptedModel::new().calls([ASK]).calls([PARIS]).calls([PARIS]);
    let mut conversation = Conversation::new(session(), model).limits(limits);
    ask(&mut conversation, "Which?");
    complete(&mut conversation, "call_1", "Paris.");
    let end = resume(&mut conversation).expect("a turn waits");
    assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Calls(2) }), "{end:?}");
}

#[test]
fn waiting_for_the_host_does_not_count_toward_the_time_limit() {
    let clock = SimulatedClock::new();
    let mut limits = TurnLimits::default();
    limits.time = Some(Duration::from_secs(10));
    let model = ScriptedModel::new().clock(clock.clone()).calls([ASK]).last_answer_delay(Duration::from_secs(6));
    let model = model
        .calls([PARIS])
        .last_answer_delay(Duration::from_secs(3))
        .text("never said")
        .last_answer_delay(Duration::from_secs(3));
    let mut conversation = Conversation::new(session(), model).clock(clock.clone()).limits(limits);
    run(&clock, conversation.ask("Which?"));
    clock.advance(Duration::from_secs(3_600));
    complete(&mut conversation, "call_1", "Paris.");
    let end = run(&clock, conversation.resume()).expect("a turn waits");
    assert!(matches!(end, TurnEnd::Limited { limit: TurnLimit::Time(_) }), "{end:?}");
    assert_eq!(conversation.transcript().calls().count(), 2);
    assert_eq!(conversation.transcript().elapsed(), Duration::from_secs(10));
}
