//! Ids of calls, limits, and turns that are stopped.

use std::time::Duration;

use tool_chat::conversation::TurnLimits;
use tool_chat::model::{Message, Response, StopReason, ToolCall};
use tool_chat::run::{CallAnswer, Next, Record, Run, TurnEnd, TurnLimit, UnexpectedRecordError};

use super::scripts::{read_back, stored};
use super::tools::{CALLS, outcome, session};

fn calls(ids: &[&str]) -> Response {
    Response::from_calls(ids.iter().map(|id| ToolCall::new(*id, CALLS[0].0, CALLS[0].1)))
}

fn begun(run: Run, response: Response) -> Run {
    let mut run = run;
    run.apply_record(Record::from_prompt("What is the weather?")).expect("a prompt always fits");
    run.apply_record(Record::from_model_answer(response)).expect("the model is asked");
    run
}

fn open_ids(run: &Run) -> Vec<String> {
    let Next::Call(calls) = run.next() else { panic!("{:?}", run.next()) };
    calls.iter().map(|open| open.call.id.clone()).collect()
}

fn end(run: &mut Run, call: usize, id: &str) -> Result<(), UnexpectedRecordError> {
    run.apply_record(Record::from_call_end(call, outcome(&session(), id, CALLS[0])))
}

/// Returns the texts of the answers to calls.
fn read(run: &Run) -> Vec<String> {
    let Next::Ask(ask) = run.next() else { panic!("{:?}", run.next()) };
    let answers = ask.messages.iter().filter(|message| matches!(message, Message::Tool { .. }));
    answers.map(|message| message.text().to_owned()).collect()
}

#[test]
fn calls_with_a_missing_or_repeated_id_get_a_unique_id() {
    let mut run = begun(Run::new(), calls(&["a", "a", "", "call_2", "call_2"]));
    // Each of the calls with a repeated id gets another one, so that the id of the model names none of them.
    assert_eq!(open_ids(&run), ["call_1", "call_3", "call_4", "call_5", "call_6"]);
    for (call, id) in open_ids(&run).iter().enumerate() {
        end(&mut run, call, id).expect("it is open");
    }
    // Ids of earlier steps are not used again, also after the run was stored.
    let mut run = read_back(&stored(&run));
    run.apply_record(Record::from_model_answer(calls(&["a", "b", ""]))).expect("the model is asked");
    assert_eq!(open_ids(&run), ["call_7", "b", "call_8"]);
    assert_eq!(open_ids(&begun(Run::new().unique_ids(false), calls(&["a", "a", ""]))), ["a", "a", ""]);
}

#[test]
fn records_of_earlier_versions_give_the_same_ids_as_before() {
    let answered =
        serde_json::to_string(&Record::from_model_answer(calls(&["a", "a", "", "call_1"]))).expect("a record is JSON");
    let earlier = answered.replace(r#","replaces_repeated_ids":true"#, "");
    assert_ne!(earlier, answered);
    let mut run = Run::new();
    run.apply_record(Record::from_prompt("What is the weather?")).expect("a prompt always fits");
    run.apply_record(serde_json::from_str(&earlier).expect("it is a record")).expect("the model is asked");
    assert_eq!(open_ids(&run), ["a", "call_1", "call_2", "call_3"]);
}

#[test]
fn a_started_call_without_an_end_is_reported_after_a_restart() {
    let mut run = begun(Run::new(), calls(&["a", "b", "c"]));
    run.apply_record(Record::from_call_start(1)).expect("it is open");
    run.apply_record(Record::from_call_start(2)).expect("it is open");
    end(&mut run, 2, "c").expect("it is open");
    let run = read_back(&stored(&run));
    let Next::Call(calls) = run.next() else { panic!("{:?}", run.next()) };
    let calls: Vec<_> = calls.iter().map(|open| (open.index, open.is_started)).collect();
    assert_eq!(calls, [(0, false), (1, true)]);
}

#[test]
fn records_that_do_not_fit_are_rejected() {
    let mut run = Run::new();
    assert_eq!(run.apply_record(Record::from_stopped_turn([])), Err(UnexpectedRecordError::NoTurn));
    assert_eq!(run.apply_record(Record::Abandoned), Err(UnexpectedRecordError::NoTurn));
    assert_eq!(run.apply_record(Record::from_call_start(0)), Err(UnexpectedRecordError::NoOpenCalls));
    assert_eq!(end(&mut run, 0, "a"), Err(UnexpectedRecordError::NoOpenCalls));
    let mut run = begun(run, calls(&["a", "b"]));
    assert_eq!(
        run.apply_record(Record::from_model_answer(Response::from_text("Sun."))),
        Err(UnexpectedRecordError::NotAsked)
    );
    assert_eq!(run.apply_record(Record::new_timed_out()), Err(UnexpectedRecordError::NotAsked));
    assert_eq!(end(&mut run, 2, "a"), Err(UnexpectedRecordError::NotOpen { call: 2 }));
    let other = UnexpectedRecordError::OtherCall { expected: "a".to_owned(), found: "b".to_owned() };
    assert_eq!(end(&mut run, 0, "b"), Err(other));
    end(&mut run, 0, "a").expect("it is open");
    assert_eq!(end(&mut run, 0, "a"), Err(UnexpectedRecordError::NotOpen { call: 0 }));
    assert_eq!(run.apply_record(Record::from_call_start(0)), Err(UnexpectedRecordError::NotOpen { call: 0 }));
}

#[test]
fn a_stopped_turn_keeps_its_calls_and_answers_them() {
    let mut run = begun(Run::new(), calls(&["a", "b", "c"]));
    end(&mut run, 1, "b").expect("it is open");
    let answer = CallAnswer { call: 2, outcome: outcome(&session(), "c", CALLS[4]).into() };
    run.apply_record(Record::from_stopped_turn([answer])).expect("a turn runs");
    assert!(matches!(run.next(), Next::Done(TurnEnd::Stopped)));
    run.apply_record(Record::from_prompt("And now?")).expect("a prompt always fits");
    let read = read(&run);
    assert!(read[0].starts_with(r#"{"error_type":"cancelled""#), "{read:?}");
    assert_eq!(read[1], "Paris: sun for 1 days");
    assert!(read[2].starts_with(r#"{"error_type":"tool_error""#), "{read:?}");
}

#[test]
fn an_abandoned_step_is_not_in_the_history() {
    let mut run = begun(Run::new(), calls(&["a"]));
    run.apply_record(Record::Abandoned).expect("a turn runs");
    run.apply_record(Record::from_prompt("And now?")).expect("a prompt always fits");
    assert_eq!(read(&run), Vec::<String>::new());
}

#[test]
fn only_recorded_time_counts() {
    let mut limits = TurnLimits::default();
    limits.time = Some(Duration::from_secs(10));
    let mut run = Run::new().limits(limits);
    run.apply_record(Record::from_prompt("What is the weather?")).expect("a prompt always fits");
    run.apply_record(Record::from_model_answer(calls(&["a"])).with_time_since_previous(Duration::from_secs(4)))
        .expect("the model is asked");
    let mut run = read_back(&stored(&run));
    assert_eq!(run.time_left(), Some(Duration::from_secs(6)));
    let ended =
        Record::from_call_end(0, outcome(&session(), "a", CALLS[11])).with_time_since_previous(Duration::from_secs(5));
    run.apply_record(ended).expect("it is open");
    // The time in which a turn waits does not count.
    let answered = Record::from_call_end(0, outcome(&session(), "a", CALLS[0]))
        .with_time_since_previous(Duration::from_secs(3_600));
    run.apply_record(answered).expect("it waits");
    assert_eq!(run.time_left(), Some(Duration::from_secs(1)));
    run.apply_record(Record::from_model_answer(calls(&["b"])).with_time_since_previous(Duration::from_secs(1)))
        .expect("the model is asked");
    end(&mut run, 0, "b").expect("calls of an answer in time are made");
    assert!(matches!(run.next(), Next::Done(TurnEnd::Limited { limit: TurnLimit::Time(_) })));
    assert_eq!(run.transcript().elapsed(), Duration::from_secs(10));
}

#[test]
fn a_call_is_not_complete_if_the_answer_was_cut_off_before_its_arguments() {
    let calls = || Response::from_calls([ToolCall::new("a", "get_weather", " ")]);
    for (response, is_cut, arguments) in [
        (calls(), false, " "),
        (calls(), true, "{"),
        (calls().with_stop(StopReason::Length), false, "{"),
        (calls().with_stop(StopReason::Filtered), false, "{"),
    ] {
        let mut run = Run::new();
        run.apply_record(Record::from_prompt("What is the weather?")).expect("a prompt always fits");
        run.apply_record(Record::from_model_answer(response).with_cut_off(is_cut)).expect("the model is asked");
        let Next::Call(calls) = run.next() else { panic!("{:?}", run.next()) };
        assert_eq!(calls[0].arguments(), arguments);
    }
}

#[test]
fn deeply_nested_thoughts_can_be_read_back() {
    let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
    let thought: serde_json::Value = serde_json::from_str(&deep).expect("a provider may send this");
    let record = Record::from_model_answer(calls(&["a"]).with_thoughts(vec![thought.clone()]));
    let text = serde_json::to_string(&record).expect("a record is JSON");
    let mut run = Run::new();
    run.apply_record(Record::from_prompt("What is the weather?")).expect("a prompt always fits");
    run.apply_record(serde_json::from_str(&text).expect("a record can be read back")).expect("the model is asked");
    let mut run = read_back(&stored(&run));
    end(&mut run, 0, "a").expect("it is open");
    let run = read_back(&stored(&run));
    let Next::Ask(ask) = run.next() else { panic!("{:?}", run.next()) };
    assert!(matches!(&ask.messages[1], Message::Assistant { thoughts, .. } if thoughts[..] == [thought]));
}
