//! Values of sensitive fields are in no report, expected or not.

use serde_json::json;
use tool_runtime::{ToolInput, Toolbox, tool};
use tool_testkit::{
    CallExpectation, calls, calls_in_any_order, calls_typed, contains, equals, exactly, includes, last_answer, never,
    no_failures, one_of, only_calls, regex, satisfying,
};

use crate::testkit::kit::{Held, SignInTool};

fn session() -> tool_runtime::Session {
    Toolbox::builder().tool(SignInTool).build().expect("the toolbox is valid").session()
}

fn held(arguments: &str) -> Held {
    Held::over(session()).step(&[("sign_in", arguments), ("invented", r#"{"x": "hunter2"}"#)])
}

fn sign_in() -> CallExpectation {
    calls("sign_in")
}

#[test]
fn no_report_contains_a_secret() {
    let all = [
        r#"{"user": "eve", "password": "hunter2"}"#,
        r#"{"user": "eve", "password": ["hunter2"]}"#,
        r#"{"user": "eve", "pasword": "hunter2"}"#,
        r#"{"user": {"password": "hunter2"}}"#,
        r#"["eve", "hunter2"]"#,
        r#"{"user": "eve", "password": "hunter2"#,
    ];
    for arguments in all {
        let report = held(arguments).report([
            sign_in().at("password", "correct horse").into(),
            sign_in().arguments_include(json!({"password": "correct horse"})).into(),
            sign_in().with_exactly(json!({"user": "bob", "password": "correct horse"})).times(1).into(),
            sign_in().at("password", contains("correct horse")).times(1).into(),
            sign_in().at("password", one_of(["correct horse"])).at_least(1).into(),
            sign_in().at("password[0]", equals("correct horse")).at_least(1).into(),
            calls_typed::<SignInTool>(|arguments| arguments.password == "correct horse").times(1).into(),
            calls_in_any_order([sign_in().at("user", "bob").and_no_others()]).into(),
            exactly([sign_in()]).into(),
            only_calls([sign_in().at("user", "bob")]).into(),
            never("sign_in").into(),
            never("invented").into(),
            no_failures().into(),
        ]);
        let text = report.to_string();
        assert!(!text.contains("hunter2") && !text.contains("correct horse"), "{text}");
        assert!(!report.is_ok());
    }
}

#[test]
fn values_that_are_not_secret_are_shown() {
    held(r#"{"user": "eve", "password": "hunter2"}"#).fails(
        sign_in().at("user", "bob").at("password", "x"),
        "Function 'sign_in' was called with incorrect parameters. Expected parameter 'user' to be \"bob\", but was \"eve\". \
         Expected parameter 'password' to be \"<redacted>\", but was \"<redacted>\".",
    );
}

#[test]
fn secret_values_are_still_compared() {
    held(r#"{"user": "eve", "password": "hunter2"}"#).passes(sign_in().at("password", "hunter2"));
}

/// The login of a user.
#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
pub(crate) struct Login {
    /// The name.
    user: String,
    /// The password.
    #[tool(sensitive)]
    password: String,
}

/// Opens a connection, and talks too much.
#[tool]
pub(crate) fn open(
    /// Where to.
    host: String,
    /// Who.
    login: Option<Login>,
    /// Other secrets.
    #[tool(sensitive)]
    tokens: Option<Vec<String>>,
) -> String {
    let login = login.map(|login| format!("{}:{}", login.user, login.password));
    format!("{host} {login:?} {tokens:?}")
}

/// Secrets are hidden at paths that do not exist, in results of tools, in answers of the model, and in expected values of other fields.
#[test]
fn a_secret_is_hidden_everywhere() {
    let session = || Toolbox::builder().tool(OpenTool).no_throttle().build().expect("the toolbox is valid").session();
    let all = [
        r#"{"host": "h", "login": {"user": "u", "password": "hunter2"}}"#,
        r#"{"host": "h", "tokens": ["hunter2", "hunter2"]}"#,
        r#"{"host": "h", "login": [{"user": "u", "password": "hunter2"}], "tokens": ["hunter2"]}"#,
        r#"{"host": "the hunter2 of", "hunter2": "x", "tokens": ["hunter2"]}"#,
        r#"[{"password": "hunter2"}]"#,
        r#"{"host": {"password": "hunter2"}}"#,
        r#"{"host": "h", "login": {"user": "u", "password": "hunter2""#,
        r#"{"host": "h"}"#,
    ];
    let secret = || json!({"password": "correct horse"});
    for arguments in all {
        let held = Held::over(session()).step(&[("open", arguments)]);
        let said = if arguments.contains(r#"["hunter2"#) { "I used hunter2." } else { "Done." };
        let open = || calls("open");
        let expected = [
            open().arguments_include(json!({"login": secret(), "tokens": ["correct horse"]})),
            open().with_exactly(json!({"host": "x", "login": secret(), "tokens": ["correct horse"]})),
            open().at("tokens", contains("correct horse")),
            open().at("tokens", regex("correct horse")),
            open().at("tokens[1]", satisfying("correct horse", |_| false)),
            open().at("login", includes(secret())),
            open().at("login.password.inside", "correct horse"),
            open().at("host", secret()),
            open().at("host", contains(secret())),
            open().at("host", one_of([secret()])),
            open().at("host.inside.deeper", secret()),
            open().at("nothing", equals(secret())),
            open().returns("x"),
        ];
        let expected = expected.into_iter().map(Into::into).chain([last_answer().contains("zzz").into()]);
        let report = held.said(said).report(expected).to_string();
        assert!(!report.contains("hunter2") && !report.contains("correct horse"), "{arguments}\n{report}");
    }
}

#[test]
fn results_are_shown_without_the_sent_secrets() {
    let session = Toolbox::builder().tool(OpenTool).build().expect("the toolbox is valid").session();
    let held = Held::over(session).step(&[("open", r#"{"host": "h", "tokens": ["hunter2"]}"#)]).said("It is hunter2.");
    held.fails(
        calls("open").returns("x"),
        "Function 'open' was called, but not as expected. \
         Expected its result to be \"x\", but it was \"<redacted>\".",
    );
    held.fails(
        last_answer().contains("sun"),
        "Expected the text to contain \"sun\", but it was \"It is <redacted>.\".",
    );
    // Expected values of fields that are not sensitive are shown.
    held.fails(
        calls("open").at("host", json!({"name": "x"})),
        "Function 'open' was called with incorrect parameters. Expected parameter 'host' to be \"<redacted>\", but was \"h\".",
    );
    held.fails(
        calls("open").at("host", one_of(["x", "y"])),
        "Function 'open' was called with incorrect parameters. Expected parameter 'host' to be one of \"x\", \"y\", but was \"h\".",
    );
}
