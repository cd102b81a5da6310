//! Values of sensitive fields are in no report, expected or not.

use serde_json::json;
use tool_runtime::Toolbox;
use tool_runtime::testkit::{
    Calls, any_order, calls, calls_typed, contains, equals, exactly, never, no_failures, one_of, subset,
};

use crate::kit::{Held, SignInTool};

fn session() -> tool_runtime::Session {
    Toolbox::builder().tool(SignInTool).build().expect("one tool").session()
}

fn held(arguments: &str) -> Held {
    Held::over(session()).step(&[("sign_in", arguments), ("invented", r#"{"x": "hunter2"}"#)])
}

fn sign_in() -> Calls {
    calls("sign_in")
}

#[test]
fn no_report_tells_a_secret() {
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
            sign_in().with(json!({"password": "correct horse"})).into(),
            sign_in().with_exactly(json!({"user": "bob", "password": "correct horse"})).times(1).into(),
            sign_in().at("password", contains("correct horse")).times(1).into(),
            sign_in().at("password", one_of(["correct horse"])).at_least(1).into(),
            sign_in().at("password[0]", equals("correct horse")).at_least(1).into(),
            calls_typed::<SignInTool>(|arguments| arguments.password == "correct horse").times(1).into(),
            any_order([sign_in().at("user", "bob").and_no_others()]).into(),
            exactly([sign_in()]).into(),
            subset([sign_in().at("user", "bob")]).into(),
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
fn what_is_no_secret_is_told() {
    held(r#"{"user": "eve", "password": "hunter2"}"#).fails(
        sign_in().at("user", "bob").at("password", "x"),
        "Function 'sign_in' was called with incorrect parameters. Expected parameter 'user' to be \"bob\", but was \"eve\". \
         Expected parameter 'password' to be \"<redacted>\", but was \"<redacted>\".",
    );
}

#[test]
fn a_secret_is_judged_all_the_same() {
    held(r#"{"user": "eve", "password": "hunter2"}"#).passes(sign_in().at("password", "hunter2"));
}
