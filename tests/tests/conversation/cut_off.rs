//! Calls whose arguments the output limit of the model cut off.

use std::sync::Arc;

use serde_json::{Value, json};
use tool_chat::conversation::Conversation;
use tool_chat::model::{Response, ScriptedModel, StopReason, ToolCall};
use tool_chat::run::{Next, Record, Run};
use tool_runtime::Dialect;
use tool_runtime::session::CallRequest;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{Outcome, Session, Toolbox, tool};

const MESSAGE: &str =
    "write_file was not run: your answer reached its output limit, which cut off the arguments of this call.";
const GUIDANCE: &str = "Call write_file again with less text in its arguments, or send the text in parts, with several calls. The same call would be cut off again.";
const ONE_OBJECT: &str = "one complete JSON object";

/// Writes a file.
#[tool]
fn write_file(
    /// Its path.
    path: String,
    /// Its text.
    text: String,
) -> String {
    format!("{path}: {} bytes", text.len())
}

/// Prints a line.
#[tool]
fn print(
    /// The line.
    line: Option<String>,
) -> String {
    line.unwrap_or_default()
}

fn session(form: FeedbackForm) -> Session {
    let builder = Toolbox::builder().tool(WriteFileTool).tool(PrintTool).feedback(form);
    builder.build().expect("the toolbox is valid").session()
}

fn answer(stop: StopReason, calls: &[(&str, &str)]) -> Response {
    let call = |(number, (name, arguments)): (usize, &(&str, &str))| {
        ToolCall::new(format!("call_{number}"), *name, *arguments)
    };
    Response::from_calls(calls.iter().enumerate().map(call)).with_stop(stop)
}

/// Returns the outcomes of the calls of these answers.
fn outcomes(session: Session, answers: impl IntoIterator<Item = Response>) -> Vec<Arc<Outcome>> {
    let model = answers.into_iter().fold(ScriptedModel::new(), ScriptedModel::answer);
    // The model is asked twice for a call that has to be corrected.
    let mut conversation = Conversation::new(session, model.text("Done.").text("Done."));
    pollster::block_on(conversation.ask("Write it."));
    conversation.transcript().calls().map(|call| Arc::clone(&call.outcome)).collect()
}

fn told(outcome: &Outcome) -> Value {
    outcome.failure().expect("the call was rejected").to_value()
}

const CUT: &str = r#"{"path": "a.html", "text": "<html><body><p>Once upon a ti"#;

#[test]
fn a_cut_off_call_is_told_to_send_less() {
    let outcomes = outcomes(session(FeedbackForm::Json), [answer(StopReason::Length, &[("write_file", CUT)])]);
    let told = told(&outcomes[0]);
    assert_eq!((&told["error_message"], &told["retry_guidance"]), (&json!(MESSAGE), &json!(GUIDANCE)));
    assert_eq!((&told["error_type"], &told["recovery"]), (&json!("invalid_json"), &json!("correct_call")));
    assert_eq!(told["errors"][0]["constraint"], "incomplete");
}

#[test]
fn only_the_incomplete_call_of_a_cut_off_answer_is_told() {
    let calls = [
        ("print", r#"{"line": "a"}"#),
        ("print", r#"{"line": ["a"]}"#),
        ("print", "{'line': 'b'}"),
        // Not a call that the limit has cut off, because another one follows.
        ("write_file", r#"{"path": "b.html"}"#),
        ("write_file", CUT),
    ];
    let outcomes = outcomes(session(FeedbackForm::Json), [answer(StopReason::Length, &calls)]);
    assert_eq!((&*outcomes[0].to_text(), &*outcomes[2].to_text()), ("a", "b"));
    assert_eq!(told(&outcomes[1])["error_type"], "validation_error");
    let limited: Vec<_> = outcomes.iter().map(|outcome| outcome.to_text().contains("output limit")).collect();
    assert_eq!(limited, [false, false, false, false, true]);
}

#[test]
fn arguments_that_had_not_begun_are_cut_off_too() {
    let outcomes = outcomes(session(FeedbackForm::Json), [answer(StopReason::Length, &[("print", "")])]);
    assert!(outcomes[0].to_text().contains("output limit"), "{}", outcomes[0].to_text());
}

/// Some providers and libraries close the JSON of a call that was cut off.
#[test]
fn missing_arguments_of_a_cut_off_answer_may_be_cut_off() {
    let remark = "Your answer reached its output limit, which may have cut off these arguments. If so, send less text, or send it in parts, with several calls.";
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        for (stop, arguments, is_told) in [
            (StopReason::Length, r#"{"path": "a.html"}"#, true),
            (StopReason::Length, "{}", true),
            (StopReason::ToolCalls, r#"{"path": "a.html"}"#, false),
            (StopReason::Length, r#"{"path": "a.html", "text": 3}"#, false),
        ] {
            let outcomes = outcomes(session(form), [answer(stop, &[("write_file", arguments)])]);
            let text = outcomes[0].to_text();
            assert_eq!(text.contains(remark), is_told, "{form:?}, {stop:?}, {arguments}: {text}");
            assert!(
                text.len() <= 4_096 && (text.contains("write_file again") || text.contains("Send this call")),
                "{text}"
            );
        }
    }
}

#[test]
fn a_cut_off_answer_with_many_issues_has_at_most_4096_bytes() {
    let members: Vec<_> =
        (0..400).map(|number| format!(r#""a_long_unknown_key_{number}":"{}""#, "x".repeat(200))).collect();
    let arguments = format!("{{{}}}", members.join(","));
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let session = session(form);
        // The second answer has an escalation.
        for _ in 0..2 {
            let call = CallRequest::new("call_1", "write_file", &*arguments).cut_off(true);
            let outcome = pollster::block_on(session.call_batch([call])).into_outcomes().remove(0);
            let text = outcome.to_text();
            assert!(text.len() <= 4_096 && text.contains("output limit"), "{form:?}: {} bytes, {text}", text.len());
        }
    }
}

#[test]
fn other_reasons_get_other_advice() {
    for (stop, arguments) in [
        (StopReason::ToolCalls, CUT),
        (StopReason::Finished, CUT),
        (StopReason::Filtered, CUT),
        (StopReason::Length, r#"{"path": "a.html", "text": 3 4}"#),
        // The model left something out, and closed the list.
        (StopReason::Length, r#"{"path": "a.html", "text": ["a", "b" /* rest omitted */]}"#),
    ] {
        let outcomes = outcomes(session(FeedbackForm::Json), [answer(stop, &[("write_file", arguments)])]);
        let text = outcomes[0].to_text();
        assert!(text.contains(ONE_OBJECT) && !text.contains("output limit"), "{stop:?}: {text}");
    }
}

#[test]
fn the_same_advice_is_not_given_again_and_again() {
    let answers = (0..4).map(|number| {
        let arguments = format!(r#"{{"path": "a.html", "text": "<p>{}"#, "x".repeat(100 + number));
        answer(StopReason::Length, &[("write_file", &arguments)])
    });
    let last = r#"{"path": "a.html", "text": "<p>"}"#;
    let answers: Vec<_> = answers.chain([answer(StopReason::ToolCalls, &[("write_file", last)])]).collect();
    let mut limits = tool_chat::conversation::TurnLimits::default();
    limits.corrections = 10;
    let model = answers.into_iter().fold(ScriptedModel::new(), ScriptedModel::answer);
    let mut conversation = Conversation::new(session(FeedbackForm::Json), model.text("Done.")).limits(limits);
    pollster::block_on(conversation.ask("Write it."));
    let outcomes: Vec<_> = conversation.transcript().calls().map(|call| Arc::clone(&call.outcome)).collect();
    let texts: Vec<_> = outcomes.iter().map(|outcome| outcome.to_text()).collect();
    assert!(texts.iter().all(|text| !text.contains(ONE_OBJECT)), "{texts:#?}");
    assert_eq!(
        told(&outcomes[1])["escalation"]["message"],
        "The output limit has cut off the arguments again. Send at most half as much text in one call, or answer with what you have."
    );
    assert_eq!(told(&outcomes[3])["error_type"], "throttled");
    // The pause does not stop the shorter call.
    assert_eq!(texts[4], "a.html: 3 bytes");
}

#[test]
fn every_feedback_form_says_it() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Markdown] {
        let outcomes = outcomes(session(form), [answer(StopReason::Length, &[("write_file", CUT)])]);
        let text = outcomes[0].to_text();
        assert!(text.starts_with(&format!("{MESSAGE} {GUIDANCE}\n")) && text.contains("Once upon a ti"), "{text}");
        assert!(!text.contains(ONE_OBJECT), "{text}");
    }
}

#[test]
fn a_dialect_a_similar_name_and_a_session_without_a_throttle_make_no_difference() {
    let dialect = Toolbox::builder().tool(WriteFileTool).for_provider(Dialect::OPENAI_STRICT);
    let plain = Toolbox::builder().tool(WriteFileTool).no_throttle();
    for (builder, name) in [(dialect, "write_file"), (plain, "WriteFile")] {
        let session = builder.build().expect("the toolbox is valid").session();
        let outcomes = outcomes(session, [answer(StopReason::Length, &[(name, CUT)])]);
        assert_eq!(told(&outcomes[0])["retry_guidance"], GUIDANCE, "{name}");
    }
}

#[test]
fn a_stored_run_and_a_stored_outcome_keep_the_reason() {
    let mut run = Run::new();
    run.apply_record(Record::from_prompt("Write it.")).expect("it fits");
    run.apply_record(Record::from_model_answer(answer(StopReason::Length, &[("write_file", CUT)]))).expect("it fits");
    let stored = serde_json::to_string(&run).expect("a run is JSON");
    let run: Run = serde_json::from_str(&stored).expect("it was stored");
    let Next::Call(open) = run.next() else { panic!("a call is open") };
    assert!(open[0].is_cut_off);
    let session = session(FeedbackForm::Json);
    let batch = session.call_batch([CallRequest::from(&open[0])]);
    let outcome = pollster::block_on(batch).into_outcomes().remove(0);
    assert_eq!(told(&outcome)["error_message"], MESSAGE);
    let stored = serde_json::to_string(&outcome).expect("an outcome is JSON");
    let copy: Outcome = serde_json::from_str(&stored).expect("it was stored");
    assert_eq!(copy.to_text(), outcome.to_text());
    assert_eq!(copy.failure().map(tool_runtime::Failure::message).as_deref(), Some(MESSAGE));
}

#[test]
fn a_cut_off_call_never_runs_wherever_it_is_cut() {
    let whole = r#"{"path": "ä.html", "text": "\"x\" \u00e4 {}"}"#;
    for end in (0..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        let outcomes =
            outcomes(session(FeedbackForm::Json), [answer(StopReason::Length, &[("write_file", &whole[..end])])]);
        assert_eq!(told(&outcomes[0])["error_message"], MESSAGE, "{}", &whole[..end]);
    }
}
