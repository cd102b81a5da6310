//! Calls with an issue in, around or next to a secret.

use serde_json::{Value, json};
use tool_runtime::toolbox::FeedbackForm;

use super::{SECRET, rejected, rejected_by, rejected_in_all_forms, session_in};

/// Tests every issue alone, and then together with another one.
#[test]
fn a_secret_is_in_no_answer() {
    let s = SECRET;
    let faults = [
        json!({"_password": s}),
        json!({"_password": [s]}),
        json!({"_password": {"value": s}}),
        json!({"_pin": s}),
        json!({"_colour": s}),
        json!({"_colour": "hunter22"}),
        json!({"_number": s}),
        json!({"_strong": s}),
        json!({"_keys": {"hunter2": 300}}),
        json!({"_keys": {"hunter2": {"hunter2": 1}}}),
        json!({"_keys": [s]}),
        json!({"_strong_keys": {"hunter2": s}}),
        json!({"_list": [s, s]}),
        json!({"_list": [s, 5]}),
        json!({"_list": s}),
        // The issue is in the object around the secret.
        json!({"_login": s}),
        json!({"_login": [s, s, s]}),
        json!({"_login": {"password": s}}),
        json!({"_login": {"user": "a", "pasword": s}}),
        json!({"_login": {"user": "a", "password": {"value": s}}}),
        json!({"_login": {"user": {"password": s}, "password": "x"}}),
        json!({"_login": {"user": s, "password": s}}),
        json!({"_login": {"login": {"user": "a", "password": s}}}),
        json!({"_logins": [{"user": "a", "password": s}, {"user": "a", "password": s}]}),
        json!({"_logins": [[s]]}),
        json!({"_logins": {"a": s}}),
        json!({"_by_name": {"a": {"user": s, "password": s}}}),
        json!({"_by_name": {"a": {"user": [s], "password": s}}}),
        json!({"_pair": [{"user": "a", "password": s}]}),
        json!({"_pair": [{"user": "a", "password": s}, 1, s]}),
        json!({"_pair": {"user": "a", "password": s}}),
        // The variant is the wrong one.
        json!({"_proof": {"token": s}}),
        json!({"_proof": {"type": "token", "token": s}}),
        json!({"_proof": {"type": "nobdy", "token": s}}),
        json!({"_proof": {"type": "named", "name": "a", "token": s}}),
        json!({"_proof": {"type": ["token", s]}}),
        json!({"_proof": s}),
        json!({"_external": {"login": s}}),
        json!({"_external": {"lgin": {"user": "a", "password": s}}}),
        json!({"_external": {"login": {"user": "a", "password": s}, "other": s}}),
        json!({"_external": {"a": s, "b": s}}),
        json!({"_external": [s]}),
        json!({"_external": {"nobody": s}}),
        json!({"_untagged": {"key": [s]}}),
        json!({"_untagged": {"key": s, "ring": 1}, "_number": 5}),
        json!({"_untagged": {"key": [s], "ring": s}}),
        json!({"_untagged": s}),
        json!({"_flat": {"password": s}}),
        json!({"_flat": {"password": [s], "type": "named"}}),
        json!({"_flat": s}),
        // The field is unknown.
        json!({"password": s}),
        json!({"credentials": {"user": "a", "password": s}}),
        json!({"_plain": {"user": "a", "password": s}}),
        json!([s]),
        json!(s),
    ];
    for fault in &faults {
        let alone = fault.to_string();
        let mut texts = vec![alone.clone()];
        if let Value::Object(members) = fault {
            let mut more = members.clone();
            more.insert("_pair".to_owned(), json!([5, 300, s]));
            texts.push(Value::Object(more).to_string());
        }
        for text in texts {
            for answer in rejected_in_all_forms("sign_in", &text) {
                assert!(!answer.contains(SECRET), "the answer to {text} contains the secret: {answer}");
            }
        }
    }
}

#[test]
fn text_that_is_not_valid_json_is_not_shown() {
    for text in [r#"{"_password": "hunter2"#, r#"{"_password": hunter2}"#, r#"{"_password": "hunter2"} hunter2"#] {
        for answer in rejected_in_all_forms("sign_in", text) {
            assert!(!answer.contains(SECRET), "{text}: {answer}");
        }
    }
}

#[test]
fn the_value_of_a_repeated_key_is_not_shown() {
    for text in [
        r#"{"_password": "hunter2", "_password": "hunter2"}"#,
        r#"{"_login": {"user": "a", "password": "hunter2", "password": "hunter2"}}"#,
        r#"{"_proof": {"type": "token", "token": "hunter2", "type": "token"}}"#,
    ] {
        for answer in rejected_in_all_forms("sign_in", text) {
            assert!(!answer.contains(SECRET), "{text}: {answer}");
        }
    }
}

#[test]
fn a_container_does_not_repeat_values_for_a_member_with_secrets() {
    for arguments in [
        json!({"function": "open", "login": [{"user": "a", "password": SECRET}]}),
        json!({"password": SECRET}),
        json!([SECRET]),
        json!(SECRET),
    ] {
        let answer = rejected("Vault", &arguments.to_string());
        assert!(!answer.contains(SECRET) && answer.contains("<redacted>"), "{answer}");
    }
    assert!(!rejected("Vault", "open hunter2").contains(SECRET));
}

#[test]
fn values_that_are_not_secret_are_shown() {
    for (arguments, told) in [
        (json!({"_login": {"user": 5, "password": SECRET}}), r#""attempted_value":5"#),
        (json!({"_login": {"user": "a", "pasword": SECRET}}), r#""did_you_mean":"password""#),
        (json!({"_untagged": {"kay": SECRET}}), "_untagged"),
        (json!({"_proof": {"type": "nobdy"}}), r#""did_you_mean":"nobody""#),
        // A constant message of the program cannot contain the arguments.
        (json!({"_password": "abc"}), "must begin with a digit"),
    ] {
        let answer = rejected("sign_in", &arguments.to_string());
        assert!(answer.contains(told), "the answer to {arguments} should contain {told}: {answer}");
    }
}

/// A valid secret next to an unrelated issue is hidden, and everything else is shown.
#[test]
fn a_secret_beside_a_fault_is_hidden() {
    let s = SECRET;
    for (arguments, shown) in [
        (json!({"_login": {"user": "ada", "password": s}, "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_logins": [{"user": "ada", "password": s}], "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_by_name": {"x": {"user": "ada", "password": s}}, "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_proof": {"type": "token", "token": "ab", "more": s}, "_plain": 5}), "\"type\": \"token\""),
        (json!({"_external": {"login": {"user": "ada", "password": s}}, "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_untagged": {"key": s}, "_plain": 5}), "\"key\": \"<redacted>\""),
        (json!({"_flat": {"password": s, "type": "nobody"}, "_plain": 5}), "\"type\": \"nobody\""),
        (json!({"_keys": {s: 1}, "_plain": 5}), "\"_keys\": \"<redacted>\""),
        (json!({"_colour": "hunter", "_list": [s, "a"], "_plain": 5}), "\"_list\": \"<redacted>\""),
    ] {
        for answer in rejected_in_all_forms("sign_in", &arguments.to_string()) {
            assert!(!answer.contains(SECRET), "the answer to {arguments} contains the secret: {answer}");
        }
        let answer = rejected_by(&session_in(FeedbackForm::Markdown), "sign_in", &arguments.to_string());
        assert!(answer.contains(shown), "the answer to {arguments} should show {shown}: {answer}");
    }
}
