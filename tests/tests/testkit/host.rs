//! Deferred calls: replies of a scenario, and expectations without a reply.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tool_chat::conversation::Conversation;
use tool_chat::model::{Response, ScriptedModel, ToolCall};
use tool_runtime::failure::FailureKind;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::DeferredCall;
use tool_runtime::tool::ExternalTool;
use tool_runtime::{Session, ToolError};
use tool_testkit::{
    HostReply, Scenario, ScenarioError, SetupError, calls, contains, last_answer, never, no_calls, no_failures,
};

use crate::testkit::kit::{DELETE, PARIS, sentences, tools};

/// Asks the user.
#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[tool(ignore_unknown)]
struct Ask {
    /// The question.
    question: String,
}

const ASK: (&str, &str) = ("ask_user", r#"{"question": "Which Paris?"}"#);
const OTHER: (&str, &str) = ("delete", r#"{"path": "b.txt"}"#);

/// Returns a session in which deletions need approval and questions have no handler.
fn session() -> Session {
    let ask = ExternalTool::typed::<Ask>("ask_user", "Asks the user a question.");
    let guard = |call: &ProposedCall<'_>| if call.name() == "delete" { Verdict::Defer } else { Verdict::Run };
    tools().tool(ask).before_call(guard).build().expect("the tools have different names").session()
}

fn scenario(model: ScriptedModel) -> Scenario {
    Scenario::new(move || Conversation::new(session(), model.clone())).prompt("Tidy up.")
}

fn deletes() -> ScriptedModel {
    ScriptedModel::new().call(DELETE.0, DELETE.1)
}

fn errors(scenario: Scenario) -> Vec<SetupError> {
    scenario.validate().err().map(|misused| misused.errors().to_vec()).unwrap_or_default()
}

const NONE: Vec<String> = Vec::new();

#[test]
fn the_host_can_approve_a_call() {
    let asked = || scenario(deletes().text("It is gone.")).approve("delete");
    let good = asked().expect(calls("delete").times(1).succeeds()).expect(last_answer().contains("gone"));
    assert_eq!(sentences(good.expect(no_failures())), NONE);
    // The final answer is checked like any other.
    assert_eq!(
        sentences(asked().expect(calls("delete").returns("kept"))),
        ["Function 'delete' was called, but not as expected. Expected its result to be \"kept\", but it was null.",],
    );
}

#[test]
fn the_host_can_deny_a_call_with_a_reason() {
    let model = deletes().text("I did not delete it.");
    let asked = model.clone();
    let denied = scenario(model).deny("delete", "Not in production.").expect(calls("delete").times(1));
    let denied =
        denied.expect(calls("delete").fails_with(FailureKind::DomainRejection)).expect(last_answer().contains("not"));
    assert_eq!(sentences(denied), NONE);
    let read = asked.requests()[1].messages.last().map(|message| message.text().to_owned()).unwrap_or_default();
    assert!(read.contains("Not in production."), "{read}");
}

#[test]
fn the_host_can_answer_instead_of_the_tool() {
    let asked = || ScriptedModel::new().call(ASK.0, ASK.1).text("The one in Texas.");
    let answered =
        scenario(asked()).answer_deferred("ask_user", "Texas.").expect(calls("ask_user").returns(contains("Texas")));
    assert_eq!(sentences(answered), NONE);
    // The tool has no handler to run.
    assert_eq!(
        sentences(scenario(asked()).approve("ask_user")),
        [
            "The host cannot approve the call of 'ask_user': the tool `ask_user` has no handler, so the call `call_1` can be completed, \
             but not resumed.",
        ],
    );
}

#[test]
fn each_waiting_call_needs_a_reply() {
    let model = || ScriptedModel::new().calls([DELETE, ASK, OTHER]).text("Done.");
    let all = scenario(model()).answer_deferred("ask_user", "Texas.").approve("delete").deny("delete", "Keep it.");
    let first = calls("delete").at("path", "a.txt").succeeds();
    let all = all.expect(first).expect(calls("delete").at("path", "b.txt").fails_with(FailureKind::DomainRejection));
    assert_eq!(sentences(all), NONE);
    assert_eq!(
        sentences(scenario(model()).approve("delete")),
        ["Expected an answer, but calls wait for the host: 'ask_user', 'delete'."],
    );
}

#[test]
fn a_turn_can_wait_more_than_once() {
    let model = deletes().call(OTHER.0, OTHER.1).text("Both are gone.").text("You are welcome.");
    let asked = scenario(model).approve("delete").approve("delete").prompt("Thanks.");
    assert_eq!(
        sentences(asked.expect(calls("delete").times(2).succeeds()).expect(last_answer().contains("welcome"))),
        NONE
    );
}

#[test]
fn a_reply_without_a_waiting_call_is_a_fault() {
    let waits = "Expected a call of function 'delete' to wait for the host, but";
    let approved = |model: ScriptedModel| sentences(scenario(model).approve("delete"));
    assert_eq!(approved(ScriptedModel::new().text("Nothing to do.")), [format!("{waits} the model answered.")]);
    assert_eq!(
        approved(ScriptedModel::new().call(ASK.0, ASK.1)),
        [format!("{waits} calls wait for the host: 'ask_user'.")]
    );
    assert_eq!(
        sentences(scenario(deletes().text("Gone.")).approve("delete").approve("delete")),
        [format!("{waits} the model answered.")],
    );
}

#[test]
fn without_a_host_a_waiting_call_is_a_fault_unless_expected() {
    let asked = || scenario(ScriptedModel::new().calls([ASK, DELETE]));
    assert_eq!(
        sentences(asked().expect(never("search"))),
        ["Expected an answer, but calls wait for the host: 'ask_user', 'delete'."],
    );
    assert_eq!(sentences(asked().ends_deferred("delete")), NONE);
    assert_eq!(
        sentences(asked().ends_deferred("search")),
        [
            "Expected a call of function 'search' to wait for the host, but calls wait for the host: 'ask_user', 'delete'."
        ],
    );
    assert_eq!(
        sentences(scenario(ScriptedModel::new().text("Done.")).ends_deferred("delete")),
        ["Expected a call of function 'delete' to wait for the host, but the model answered."],
    );
    // The turns before the last one are still answered.
    assert_eq!(
        sentences(asked().prompt("And?").ends_deferred("delete")),
        ["Expected an answer, but calls wait for the host: 'ask_user', 'delete'."],
    );
}

#[test]
fn a_waiting_call_has_not_failed() {
    let waiting = || scenario(ScriptedModel::new().calls([DELETE, PARIS])).ends_deferred("delete");
    assert_eq!(
        sentences(waiting().expect(no_failures()).expect(calls("delete").fails_with(FailureKind::Deferred))),
        NONE
    );
    assert_eq!(
        sentences(waiting().expect(calls("delete").succeeds())),
        ["Function 'delete' was called, but not as expected. Expected it to succeed, but it waits for the host."],
    );
    assert_eq!(
        sentences(waiting().expect(calls("delete").succeeds_on_retry())),
        ["Expected function 'delete' to succeed when it is called again after a failure, but no call failed."],
    );
    let Err(error) = pollster::block_on(waiting().expect(no_calls()).run()) else { panic!("something was called") };
    assert!(error.to_string().contains("delete({\"path\":\"a.txt\"}) waits\n"), "{error}");
}

/// Approves calls about `a.txt`.
fn careful(call: &DeferredCall) -> HostReply {
    if call.arguments_text().contains("a.txt") { HostReply::approve() } else { HostReply::deny("Keep it.") }
}

#[test]
fn a_host_answers_every_deferred_call() {
    let model = deletes().calls([OTHER, DELETE]).text("Done.").call(OTHER.0, OTHER.1).text("No.");
    let asked = scenario(model).prompt("Once more.").reply_to_deferred(careful);
    let asked = asked.expect(calls("delete").at("path", "a.txt").succeeds().times(2));
    let denied = calls("delete").at("path", "b.txt").fails_with(FailureKind::DomainRejection);
    assert_eq!(sentences(asked.expect(denied.times(2))), NONE);
}

#[test]
fn prepared_replies_have_precedence_over_the_host() {
    let model = ScriptedModel::new().calls([DELETE, OTHER]).text("Done.");
    let asked = scenario(model).deny("delete", "Not this one.").reply_to_deferred(|_| HostReply::approve());
    let denied = calls("delete").at("path", "a.txt").fails_with(FailureKind::DomainRejection);
    assert_eq!(sentences(asked.expect(denied).expect(calls("delete").at("path", "b.txt").succeeds())), NONE);
}

#[test]
fn a_host_can_answer_with_a_failure() {
    let model = ScriptedModel::new().call(ASK.0, ASK.1).text("Nobody is there.");
    let gone = scenario(model).reply_to_deferred(|_| HostReply::answer(ToolError::timeout("The user has left.")));
    assert_eq!(sentences(gone.expect(calls("ask_user").fails_with(FailureKind::Timeout))), NONE);
}

#[test]
fn calls_with_one_id_are_answered_one_after_another() {
    let twice = |name: &str, arguments: &str| ToolCall::new("same", name, arguments);
    let model = ScriptedModel::new()
        .answer(Response::from_calls([twice(ASK.0, ASK.1), twice(DELETE.0, DELETE.1)]))
        .text("Done.");
    let asked = scenario(model.clone()).answer_deferred("ask_user", "Texas.").approve("delete");
    assert_eq!(sentences(asked.expect(calls("delete").succeeds()).expect(calls("ask_user").succeeds())), NONE);
}

#[test]
fn every_run_has_its_own_host() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let begin = || Conversation::new(session(), deletes().text("It is gone."));
    let asked = Scenario::new(begin).prompt("Tidy up.").approve("delete").reply_to_deferred(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        HostReply::approve()
    });
    let runs = pollster::block_on(asked.expect(calls("delete").succeeds()).runs(5).max_concurrency(5).run());
    assert_eq!(runs.map(|runs| runs.passed()).ok(), Some(5));
    assert_eq!(count.load(Ordering::Relaxed), 0, "each call was answered in advance");
}

#[test]
fn a_reply_is_also_an_expectation() {
    let Err(error) = pollster::block_on(scenario(ScriptedModel::new().text("Done.")).approve("delete").run()) else {
        panic!("nothing waits")
    };
    assert!(error.to_string().starts_with("1 difference from 1 expectation\n\n"), "{error}");
    let Err(ScenarioError::Failed(failed)) = pollster::block_on(scenario(deletes()).expect(never("delete")).run())
    else {
        panic!("it was called")
    };
    assert_eq!(failed.expectation_report().failed_expectations().len(), 2);
}

#[test]
fn invalid_replies_are_reported() {
    let asked = || Scenario::new(|| Conversation::new(session(), ScriptedModel::new()));
    let named = SetupError::Empty("the name of a function");
    assert_eq!(errors(asked().approve("delete").prompt("Hi.")), [SetupError::NothingToAnswer("delete".to_owned())]);
    assert_eq!(
        errors(asked().expect(never("search")).approve("delete")),
        [SetupError::NoPrompt, SetupError::NothingToAnswer("delete".to_owned())],
    );
    assert_eq!(errors(asked().prompt("Hi.").approve("")), std::slice::from_ref(&named));
    assert_eq!(errors(asked().prompt("Hi.").ends_deferred(" ")), [named]);
    assert_eq!(errors(asked().prompt("Hi.").deny("delete", " ")), [SetupError::Empty("the reason of a denial")]);
    assert_eq!(
        errors(asked().prompt("Hi.").ends_deferred("delete").reply_to_deferred(careful)),
        [SetupError::HostAnswers("delete".to_owned())],
    );
    assert_eq!(errors(asked().prompt("Hi.").ends_deferred("delete").ends_at_limit()), [SetupError::TwoEndings]);
    assert_eq!(errors(asked().prompt("Hi.").ends_at_limit().ends_at_limit()), []);
    assert_eq!(
        SetupError::NothingToAnswer("delete".to_owned()).to_string(),
        "the host answers a call of 'delete' before the first prompt; begin with a prompt",
    );
}

#[test]
fn the_debug_output_of_a_reply_shows_its_content() {
    assert_eq!(format!("{:?}", HostReply::approve()), "Reply(approve)");
    assert_eq!(format!("{:?}", HostReply::deny("No.")), "Reply(Completion(Denied(\"No.\")))");
}
