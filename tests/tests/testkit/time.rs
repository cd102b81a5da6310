//! Time in a scenario: waits between prompts, and the duration of scripted answers.

use std::time::Duration;

use tool_chat::conversation::Conversation;
use tool_chat::model::{Response, ScriptedModel};
use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::throttle::SessionLimits;
use tool_runtime::{ToolError, tool};
use tool_testkit::{
    Scenario, ScenarioError, SetupError, TestClock, calls, last_answer, no_calls, no_failures, throttled,
    time_per_prompt_at_most, total_time_at_most,
};

use crate::testkit::kit::{DELETE, PARIS, sentences, session, tools};

const MINUTE: Duration = Duration::from_secs(60);
const NONE: Vec<String> = Vec::new();

/// Finds a place.
#[tool]
fn find(
    /// Its name.
    place: String,
) -> Result<String, ToolError> {
    if place == "Paris" { Ok("48.9 N".to_owned()) } else { Err(ToolError::new("There is no such place.")) }
}

/// Returns a scenario in which a tool fails until it is paused, and is then called correctly.
fn after(pause: Option<Duration>, clock: impl Clock + Clone) -> Scenario {
    let begin = move || {
        let session = tools().tool(FindTool).clock(clock.clone()).build().expect("all names differ").session();
        let failed = (0..3).fold(ScriptedModel::new(), |model, number| {
            model.call("find", format!(r#"{{"place": "Place {number}"}}"#))
        });
        let model = failed.text("Which city?").call("find", r#"{"place": "Paris"}"#).text("There.");
        Conversation::new(session, model)
    };
    let asked = Scenario::new(begin).prompt("Where is it?");
    pause.into_iter().fold(asked, Scenario::wait).prompt("In Paris.")
}

#[test]
fn a_paused_tool_becomes_callable_again_after_a_minute() {
    let works = || calls("find").at("place", "Paris").succeeds();
    assert_eq!(sentences(after(Some(MINUTE), TestClock::new()).expect(works())), NONE);
    assert_eq!(sentences(after(Some(MINUTE), SimulatedClock::new()).expect(works())), NONE);
    for pause in [None, Some(Duration::from_secs(29))] {
        assert_eq!(sentences(after(pause, TestClock::new()).expect(throttled(ThrottleRule::SameError))), NONE);
        assert_eq!(
            sentences(after(pause, TestClock::new()).expect(works())),
            ["Function 'find' was called, but not as expected. \
                 Expected it to succeed, but it was throttled by same_error.",],
        );
    }
}

#[test]
fn time_may_pass_before_the_host_answers() {
    let asked = |pause: Option<Duration>| {
        let clock = TestClock::new();
        let begin = move || {
            let guard = |call: &ProposedCall<'_>| if call.name() == "delete" { Verdict::Defer } else { Verdict::Run };
            let session = tools()
                .clock(clock.clone())
                .before_call(guard)
                .build()
                .expect("the tools have different names")
                .session();
            Conversation::new(session, ScriptedModel::new().call(DELETE.0, DELETE.1).text("Gone.")).clock(clock.clone())
        };
        let asked = Scenario::new(begin).prompt("Tidy up.");
        pause.into_iter().fold(asked, Scenario::wait).approve("delete").expect(calls("delete").succeeds())
    };
    assert_eq!(sentences(asked(None)), NONE);
    // A waiting turn takes no time.
    assert_eq!(sentences(asked(Some(MINUTE)).expect(total_time_at_most(Duration::ZERO))), NONE);
}

#[test]
fn a_wait_needs_a_clock_with_a_timer_and_a_later_prompt() {
    let asked =
        || Scenario::new(|| Conversation::new(session(), ScriptedModel::new())).prompt("Hi.").expect(no_calls());
    let errors = |scenario: Scenario| scenario.validate().err().map(|misused| misused.errors().to_vec());
    assert_eq!(errors(asked().wait(MINUTE)), Some(vec![SetupError::NothingAfterWait]));
    assert_eq!(errors(asked().wait(Duration::ZERO).prompt("Bye.")), Some(vec![SetupError::Empty("the time to wait")]));
    assert_eq!(errors(asked().wait(MINUTE).prompt("Bye.")), None);
    // Only the conversation knows its clock, and no model is called.
    for run in [sentences(asked().wait(MINUTE).prompt("Bye.")), {
        let Err(error) = pollster::block_on(asked().wait(MINUTE).prompt("Bye.").runs(2).run()) else {
            panic!("there is no timer")
        };
        assert!(matches!(error, ScenarioError::Setup(_)));
        vec![error.to_string()]
    }] {
        assert_eq!(
            run,
            [
                "this step waits for time to pass, and the clock of the session has no timer; build the toolbox with .clock(TestClock::new())",
            ],
        );
    }
}

/// Returns a scenario with eight searches and eight other calls, one after another; each answer takes `pace`.
fn busy(pace: Option<Duration>) -> Scenario {
    let clock = TestClock::new();
    Scenario::new(move || {
        let session = tools()
            .clock(clock.clone())
            .throttle(SessionLimits::strict())
            .build()
            .expect("the tools have different names")
            .session();
        let model = ScriptedModel::new().clock(clock.clone());
        let model = pace.into_iter().fold(model, ScriptedModel::default_delay);
        let search = |model: ScriptedModel, page: u32| model.call("search", format!(r#"{{"query": "page {page}"}}"#));
        let time = |model: ScriptedModel, page: u32| {
            search(model, page).call("get_weather", PARIS.1.replace("Paris", &page.to_string()))
        };
        Conversation::new(session, (0..8).fold(model, time).text("Read.")).clock(clock.clone())
    })
    .prompt("Read it all.")
}

#[test]
fn a_script_with_a_pace_is_not_throttled() {
    let all = busy(Some(Duration::from_secs(2))).expect(no_failures()).expect(calls("search").times(8));
    assert_eq!(
        sentences(all.expect(last_answer().equals("Read.")).expect(total_time_at_most(Duration::from_secs(34)))),
        NONE
    );
    assert_eq!(
        sentences(busy(Some(Duration::from_secs(2))).expect(total_time_at_most(Duration::from_secs(33)))),
        ["Expected it to take at most 33s, but it took 34s."],
    );
}

#[test]
fn a_script_without_a_pace_is_throttled_and_the_report_explains_it() {
    let note = "\n\nA call was rejected because too many calls came at once, by the clock of the session. A scripted model answers at once \
                unless it has a pace: see `ScriptedModel::default_delay`.";
    let Err(error) = pollster::block_on(busy(None).expect(no_failures()).run()) else { panic!("it is too fast") };
    assert!(error.to_string().ends_with(note), "{error}");
    // Without such an expectation, nothing is reported.
    assert_eq!(sentences(busy(None).expect(throttled(ThrottleRule::SameToolRate))), NONE);
    let Err(error) = pollster::block_on(busy(Some(MINUTE)).expect(no_calls()).run()) else { panic!("there are calls") };
    assert!(!error.to_string().contains("pace"), "{error}");
}

#[test]
fn an_answer_may_take_longer_than_the_pace() {
    let clock = TestClock::new();
    let model = ScriptedModel::new().clock(clock.clone()).default_delay(Duration::from_secs(2));
    let model = model
        .text("Hi.")
        .text("Well …")
        .last_answer_delay(Duration::from_secs(9))
        .text("Bye.")
        .last_answer_delay(Duration::ZERO);
    let begin = move || Conversation::new(session(), model.clone()).clock(clock.clone());
    let asked = Scenario::new(begin).prompt("Hello!").prompt("And?").prompt("Good bye.").expect(no_calls());
    assert_eq!(
        sentences(asked.expect(total_time_at_most(Duration::from_secs(10)))),
        ["Expected it to take at most 10s, but it took 11s."],
    );
    let clock = TestClock::new();
    let says = ScriptedModel::from_fn(|_| Ok(Response::from_text("Hi."))).clock(clock.clone()).default_delay(MINUTE);
    let begin = move || Conversation::new(session(), says.clone()).clock(clock.clone());
    assert_eq!(
        sentences(Scenario::new(begin).prompt("Hello!").expect(total_time_at_most(Duration::ZERO))),
        ["Expected it to take at most 0ns, but it took 60s."],
    );
}

#[test]
fn the_time_of_each_prompt_can_be_expected() {
    let second = Duration::from_secs;
    let asked = |most: u64| {
        let clock = TestClock::new();
        let begin = move || {
            let guard = |call: &ProposedCall<'_>| if call.name() == "delete" { Verdict::Defer } else { Verdict::Run };
            let toolbox =
                tools().clock(clock.clone()).before_call(guard).build().expect("the tools have different names");
            let model = ScriptedModel::new().clock(clock.clone()).default_delay(second(1)).text("Hi.");
            let model = model
                .call(PARIS.0, PARIS.1)
                .call(DELETE.0, DELETE.1)
                .last_answer_delay(second(3))
                .text("Gone.")
                .text("Bye.");
            Conversation::new(toolbox.session(), model.last_answer_delay(second(5))).clock(clock.clone())
        };
        let asked =
            Scenario::new(begin).prompt("Hello!").wait(MINUTE).prompt("Tidy up.").wait(MINUTE).approve("delete");
        sentences(asked.prompt("Thanks.").expect(time_per_prompt_at_most(second(most))))
    };
    // Neither the time between prompts nor the time of the host counts; the steps of a prompt are added.
    assert_eq!(asked(5), NONE);
    assert_eq!(asked(4), ["Expected each prompt to be answered within 4s, but prompt 2 took 5s."]);
    assert_eq!(asked(0), ["Expected each prompt to be answered within 0ns, but prompt 2 took 5s."]);
}

#[test]
#[should_panic(expected = "an answer takes 60s, and the clock has no timer: add `.clock(TestClock::new())`")]
fn a_pace_needs_a_clock_with_a_timer() {
    let begin = || Conversation::new(session(), ScriptedModel::new().text("Hi.").default_delay(MINUTE));
    sentences(Scenario::new(begin).prompt("Hello!").expect(no_calls()));
}
