//! Limits of a turn: steps, calls, tokens and time, on a simulated clock.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use tool_chat::conversation::{Conversation, TurnEnd, TurnLimit, TurnLimits};
use tool_chat::model::{Message, ScriptedModel, Usage};
use tool_runtime::Arguments;
use tool_runtime::clock::{Clock, SimulatedClock, Sleep};
use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::{CallContext, Session, Toolbox};
use tool_schema::shape::{Ref, Shape};

use super::tools::{run, session};

const PARIS: &str = r#"{"location": "Paris"}"#;

fn limits(set: impl FnOnce(&mut TurnLimits)) -> TurnLimits {
    let mut limits = TurnLimits::default();
    set(&mut limits);
    limits
}

fn limited(end: &TurnEnd) -> Option<TurnLimit> {
    if let TurnEnd::Limited { limit } = end { Some(*limit) } else { None }
}

#[test]
fn the_number_of_steps_is_limited() {
    let model = ScriptedModel::new().call("get_weather", PARIS).call("get_weather", PARIS).text("never asked");
    let mut conversation = Conversation::new(session(), model.clone()).limits(limits(|limits| limits.steps = Some(2)));
    assert_eq!(limited(&pollster::block_on(conversation.ask("Paris?"))), Some(TurnLimit::Steps(2)));
    assert_eq!((model.requests().len(), conversation.transcript().calls().count()), (2, 2));
}

#[test]
fn calls_beyond_the_limit_are_not_made() {
    let model = ScriptedModel::new().call("get_weather", PARIS).calls([("get_weather", PARIS); 2]);
    let mut conversation = Conversation::new(session(), model).limits(limits(|limits| limits.calls = Some(2)));
    assert_eq!(limited(&pollster::block_on(conversation.ask("Paris?"))), Some(TurnLimit::Calls(2)));
    assert_eq!(conversation.transcript().calls().count(), 1);
}

#[test]
fn the_number_of_tokens_is_limited() {
    let cost = Usage::new(60, 40);
    let model = ScriptedModel::new().call("get_weather", PARIS).usage(cost).text("never asked");
    let mut conversation = Conversation::new(session(), model).limits(limits(|limits| limits.tokens = Some(100)));
    assert_eq!(limited(&pollster::block_on(conversation.ask("Paris?"))), Some(TurnLimit::Tokens(100)));
}

#[test]
fn the_next_turn_has_its_own_limits() {
    let model = ScriptedModel::new().call("get_weather", PARIS).text("Sun.");
    let mut conversation = Conversation::new(session(), model).limits(limits(|limits| limits.steps = Some(1)));
    assert_eq!(limited(&pollster::block_on(conversation.ask("Paris?"))), Some(TurnLimit::Steps(1)));
    assert_eq!(pollster::block_on(conversation.ask("And?")).text(), Some("Sun."));
}

#[test]
fn a_slow_model_is_stopped_by_the_time_limit() {
    let clock = SimulatedClock::new();
    let model = ScriptedModel::new().clock(clock.clone()).text("Sun.").last_answer_delay(Duration::from_secs(60));
    let time = Duration::from_secs(10);
    let mut conversation =
        Conversation::new(session(), model).clock(clock.clone()).limits(limits(|limits| limits.time = Some(time)));
    let end = run(&clock, conversation.ask("Paris?"));
    assert_eq!(limited(&end), Some(TurnLimit::Time(time)));
    assert_eq!(conversation.transcript().elapsed(), time);
}

#[test]
fn the_time_limit_uses_the_clock_of_the_toolbox() {
    let clock = SimulatedClock::new();
    let model =
        ScriptedModel::new().clock(clock.clone()).call("get_weather", PARIS).last_answer_delay(Duration::from_secs(2));
    let model = model.text("Sun.").last_answer_delay(Duration::from_secs(3));
    let mut conversation = Conversation::new(session(), model).clock(clock.clone());
    assert_eq!(run(&clock, conversation.ask("Paris?")).text(), Some("Sun."));
    assert_eq!(conversation.transcript().elapsed(), Duration::from_secs(5));
}

#[test]
fn each_turn_has_a_cost_of_its_own() {
    let clock = SimulatedClock::new();
    let model =
        ScriptedModel::new().clock(clock.clone()).call("get_weather", PARIS).last_answer_delay(Duration::from_secs(2));
    let model = model
        .text("Sun.")
        .last_answer_delay(Duration::from_secs(3))
        .text("Welcome.")
        .last_answer_delay(Duration::from_secs(1));
    let mut conversation = Conversation::new(session(), model).clock(clock.clone());
    run(&clock, conversation.ask("Paris?"));
    clock.advance(Duration::from_secs(60));
    run(&clock, conversation.ask("Thanks."));
    let turns: Vec<(usize, u64, Duration)> =
        conversation.transcript().turn_totals().map(|(turn, cost)| (turn, cost.calls, cost.elapsed)).collect();
    assert_eq!(turns, [(0, 1, Duration::from_secs(5)), (1, 0, Duration::from_secs(1))]);
    let cost = conversation.transcript().totals();
    assert_eq!((cost.calls, cost.elapsed), (1, Duration::from_secs(6)));
    assert_eq!((cost.usage, cost.elapsed), (conversation.transcript().usage(), conversation.transcript().elapsed()));
}

/// A call that never ends.
struct Endless(ToolSpec);

impl Tool for Endless {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Pending(Box::pin(std::future::pending()))
    }
}

fn endless() -> Session {
    let tool = Endless(ToolSpec::new("wait", "Waits.", Ref::Static(Shape::ANY)));
    Toolbox::builder().tool(tool).build().expect("the toolbox is valid").session()
}

#[test]
fn a_tool_that_takes_too_long_is_cancelled_and_answered() {
    let clock = SimulatedClock::new();
    let time = Duration::from_secs(10);
    let model = ScriptedModel::new().call("wait", "{}");
    let mut conversation =
        Conversation::new(endless(), model).clock(clock.clone()).limits(limits(|limits| limits.time = Some(time)));
    let end = run(&clock, conversation.ask("Wait."));
    assert_eq!(limited(&end), Some(TurnLimit::Time(time)));
    let told: Vec<_> = conversation.transcript().calls().filter_map(|call| call.outcome.failure()).collect();
    assert_eq!(told.iter().map(|failure| failure.error_type()).collect::<Vec<_>>(), ["cancelled"]);
}

#[test]
fn a_dropped_turn_leaves_no_call_without_an_answer() {
    let model = ScriptedModel::new().call("wait", "{}").text("I stopped.");
    let mut conversation = Conversation::new(endless(), model.clone());
    {
        let turn = pin!(conversation.ask("Wait."));
        assert!(turn.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(pollster::block_on(conversation.ask("Stop.")).text(), Some("I stopped."));
    let sent = model.requests().pop().map(|asked| asked.messages);
    assert_eq!(sent, Some(vec![Message::User("Wait.".to_owned()), Message::User("Stop.".to_owned())]));
}

/// A clock without a timer.
struct Untimed(SimulatedClock);

impl Clock for Untimed {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn sleep(&self, _: Duration) -> Sleep {
        Box::pin(std::future::pending())
    }

    fn has_timer(&self) -> bool {
        false
    }
}

#[test]
fn without_a_timer_the_time_limit_is_checked_between_steps() {
    let clock = SimulatedClock::new();
    let model =
        ScriptedModel::new().clock(clock.clone()).call("get_weather", PARIS).last_answer_delay(Duration::from_secs(60));
    let time = Duration::from_secs(10);
    let mut conversation = Conversation::new(session(), model.text("never asked"))
        .clock(Untimed(clock.clone()))
        .limits(limits(|limits| limits.time = Some(time)));
    assert_eq!(limited(&run(&clock, conversation.ask("Paris?"))), Some(TurnLimit::Time(time)));
    assert_eq!(conversation.transcript().calls().count(), 1);
}

#[test]
fn limits_can_be_turned_off() {
    let cost = Usage::new(u64::MAX, u64::MAX);
    let many = (0..150).fold(ScriptedModel::new(), |model, _| model.call("get_weather", PARIS).usage(cost));
    let all = limits(|limits| (limits.steps, limits.calls) = (None, None));
    let mut conversation = Conversation::new(session(), many.text("Sun.")).limits(all);
    assert_eq!(pollster::block_on(conversation.ask("Paris?")).text(), Some("Sun."));
    assert_eq!(conversation.transcript().calls().count(), 150);
}
