//! Tools that fail with a message of their own.

use serde_json::{Value, json};

use super::{SECRET, rejected, rejected_by, session};

const HIDDEN: &str = "The tool failed; its details are not shown.";

#[test]
fn a_rejection_by_the_tool_does_not_show_the_arguments() {
    for which in ["_login", "_login.password", "_password", "_password.hunter", "$"] {
        let login = json!({"user": "a", "password": SECRET});
        let answer =
            rejected("change", &json!({"which": which, "_login": login, "_password": {"hunter": SECRET}}).to_string());
        assert!(answer.contains(HIDDEN) && !answer.contains("Choose") && !answer.contains(SECRET), "{answer}");
    }
}

#[test]
fn the_message_of_a_tool_does_not_repeat_a_secret() {
    for how in ["retry", "unavailable", "cut", "blanks", "error"] {
        for secrets in [
            json!({"login": {"user": "a", "password": SECRET}}),
            json!({"proof": {"type": "token", "token": "hun"}, "login": {"user": "a", "password": SECRET}}),
            json!({"untagged": {"key": SECRET}}),
            json!({"keys": {"hunter2": [SECRET]}}),
            json!({"keys": {"a": [format!("a\"{SECRET}\n"), SECRET]}}),
        ] {
            let mut arguments = json!({"how": how, "user": "Ada Lovelace"});
            arguments.as_object_mut().unwrap().extend(secrets.as_object().unwrap().clone());
            let answer = rejected("blab", &arguments.to_string());
            assert!(
                answer.contains(HIDDEN) && !answer.contains("cannot use") && !answer.contains("hunter"),
                "{answer}"
            );
        }
        let nothing = rejected("blab", &json!({"how": how, "user": "Ada Lovelace", "login": null}).to_string());
        assert!(how == "blanks" || nothing.contains("Ada Lovelace cannot use"), "{nothing}");
    }
}

#[test]
fn the_text_of_an_error_is_hidden_only_if_a_flattened_enum_with_secrets_was_sent() {
    let session = session();
    let text = |document: &Value| rejected_by(&session, "sign", &json!({"document": document}).to_string());
    let shown = text(&json!({"name": "letter"}));
    assert!(shown.contains("letter cannot be signed."), "{shown}");
    for sent in [
        json!({"name": "letter", "type": "token", "token": "abc"}),
        json!({"name": "letter", "login": {"user": "ada", "password": "abc"}}),
    ] {
        let hidden = text(&sent);
        assert!(!hidden.contains("letter cannot be signed."), "{hidden}");
    }
}
