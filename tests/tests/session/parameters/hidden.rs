//! A hidden parameter is an unknown key, and no text names it.

use std::sync::Arc;

use serde_json::json;
use tool_runtime::container::{ExpansionSettings, UnexpandedCallPolicy};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::tool_schema::repair::{Progress, RepairPolicy};
use tool_runtime::toolbox::{FeedbackForm, ToolboxBuilder};
use tool_runtime::{Container, Dialect, Toolbox};

use super::super::tools::{Log, call, rejection};
use super::{DeleteTool, Shared, built, disk, is_admin, session};

#[test]
fn a_hidden_parameter_is_an_unknown_key() {
    let session = session(&disk(false, false));
    for name in ["overpower", "unprotect", "colour"] {
        let rejected = rejection(&call(&session, "delete", &json!({"path": "a", name: true}).to_string()));
        let error = json!({
            "property": name,
            "attempted_value": true,
            "error_message": format!("{name} is not a known field (known: path, copies)"),
            "error_code": "UNKNOWN_FIELD",
            "constraint": "additionalProperties",
            "expected": "nothing",
        });
        assert_eq!(rejected["errors"], json!([error]));
        assert_eq!(rejected["retry_hint"]["constraints"], json!([{"field": name, "remove": true}]), "{rejected}");
    }
}

#[test]
fn repairs_ignore_a_hidden_parameter() {
    for policy in [RepairPolicy::Lossless, RepairPolicy::Assisted] {
        let repairing = |is_admin| {
            built(Toolbox::builder().no_throttle().repair(policy).tool(DeleteTool).state(disk(is_admin, false)))
        };
        // Another spelling of the name, a value of another type, and broken JSON.
        for (arguments, runs) in [
            (r#"{"path": "a", "overPower": true}"#, false),
            (r#"{"path": "a", "overpower": "true"}"#, true),
            (r#"{"path": "a", "unprotect": "true"}"#, true),
            (r#"{"path": "a", 'overpower': true,}"#, true),
            (r#"{"path": "a", "overpower": true"#, false),
        ] {
            let shown = call(&repairing(true), "delete", arguments);
            let hidden = call(&repairing(false), "delete", arguments);
            assert_eq!((shown.is_ok(), hidden.is_ok()), (runs, false), "{arguments}: {}", shown.to_text());
            let is_sent = arguments.contains("overpower");
            assert!(is_sent || !hidden.to_text().contains("overpower"), "{}", hidden.to_text());
        }
    }
}

/// Returns all texts for the model in a session whose calls contain no hidden name.
fn texts(builder: impl Fn() -> ToolboxBuilder, disk: &Shared) -> Vec<String> {
    let mut texts = Vec::new();
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let session = built(builder().no_throttle().feedback(form).state(Arc::clone(disk)));
        for format in [Dialect::OPENAI, Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::MCP] {
            texts.push(session.definitions_in(format).to_string());
        }
        for arguments in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"path": 5}"#,
            r#"{"path": ""}"#,
            r#"{"pth": "a", "overpwer": true}"#,
            r#"{"path": "a", "overpowr": true}"#,
            r#"{"path": "a", "unprotcet": true}"#,
            r#"{"path": "a", "shreddr": "rde"}"#,
            r#"{"path": "a", "shredde": "blu", "copies": 900}"#,
            r#"{"path": "a", "copies": "many"}"#,
        ] {
            // The second rejection of an argument contains its schema and an example.
            for name in ["delete", "delete", "Delete", "Disks__delete"] {
                texts.push(call(&session, name, arguments).to_text().into_owned());
            }
            let inner = format!(r#"{{"tool": "delete", "arguments": {arguments}}}"#);
            texts.push(call(&session, "call_tool", &inner).to_text().into_owned());
            let inner = format!(r#"{{"function": "delete", "arguments": {arguments}}}"#);
            texts.push(call(&session, "Disks", &inner).to_text().into_owned());
        }
        if let Ok(mut stream) = session.stream_arguments("delete") {
            let expected = if is_admin(disk) { Progress::Open } else { Progress::Rejected };
            assert_eq!(stream.push(r#"{"path": "a", "overpower": tru"#), expected);
        }
    }
    texts
}

#[test]
fn no_text_for_the_model_contains_a_hidden_name() {
    let guest = disk(false, false);
    let listed = texts(|| Toolbox::builder().tool(DeleteTool), &guest);
    let inside = texts(
        || {
            let disks = Container::new("Disks", "All about disks.").tool(DeleteTool);
            Toolbox::builder()
                .container(disks)
                .expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun))
        },
        &guest,
    );
    let fixed = texts(
        || {
            let disks = Container::new("Disks", "All about disks.").tool(DeleteTool);
            Toolbox::builder().container(disks).expansion(
                ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun).fixed_definitions(),
            )
        },
        &guest,
    );
    let all: Vec<_> = [listed, inside, fixed].concat();
    assert!(all.len() > 500);
    for text in &all {
        for hidden in ["overpower", "unprotect", "shredder", "red", "blue", "protected"] {
            let quoted = |quote| text.split(quote).any(|word| word == hidden);
            assert!(!quoted('"') && !quoted(' ') && !quoted('`'), "{hidden}: {text}");
        }
    }
    let seen = texts(|| Toolbox::builder().tool(DeleteTool), &disk(true, true)).concat();
    assert!(seen.contains("overpower") && seen.contains("shredder"), "the same calls name visible parameters");
}

#[test]
fn hooks_batches_and_deferred_calls_see_the_same_parameters() {
    let hook = |call: &ProposedCall<'_>| {
        assert_eq!(call.argument("overpower"), None);
        if call.argument("path") == Some(json!("later")) { Verdict::Defer } else { Verdict::Run }
    };
    let disk = disk(false, false);
    let session = built(Toolbox::builder().tool(DeleteTool).before_call(hook).state(Arc::clone(&disk)));
    assert_eq!(
        rejection(&call(&session, "delete", r#"{"path": "a", "overpower": true}"#))["errors"][0]["error_code"],
        "UNKNOWN_FIELD"
    );
    let calls = [("1", "delete", r#"{"path": "a", "unprotect": true}"#), ("2", "delete", r#"{"path": "b"}"#)];
    let outcomes = pollster::block_on(session.call_batch(calls));
    let results: Vec<_> = outcomes.outcomes().iter().map(tool_runtime::Outcome::is_ok).collect();
    assert_eq!(results, [false, true]);
    assert!(call(&session, "delete", r#"{"path": "later"}"#).is_deferred());
    assert_eq!(pollster::block_on(session.resume("call_1")).expect("the call waits").to_text(), "later None nowhere 1");
}

#[test]
fn events_of_a_rejection_name_only_sent_fields() {
    let log = Arc::new(Log::default());
    let builder = Toolbox::builder().tool(DeleteTool).state(disk(false, false)).observer(Arc::clone(&log));
    let session = built(builder);
    assert!(!call(&session, "delete", r#"{"pth": "a"}"#).is_ok());
    let events = log.take().concat();
    assert!(events.contains("delete") && !events.contains("overpower"), "{events}");
}
