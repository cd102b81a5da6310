//! The model cannot send a host parameter, and reads nothing of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::tool_schema::repair::RepairPolicy;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{Dialect, Failure, ToolError, Toolbox, tool};

use super::super::tools::{call, rejection};
use super::{STORE, StoreTool, built, storing, supplying, upload};

#[test]
fn a_host_parameter_sent_by_the_model_is_an_unknown_key_and_no_hook_is_called() {
    let asked = Arc::new(AtomicUsize::new(0));
    for policy in [RepairPolicy::Strict, RepairPolicy::Lossless, RepairPolicy::Assisted] {
        for arguments in [
            r#"{"folder": "a", "upload": {"title": "x", "size": 1}}"#,
            r#"{"folder": "a", "owner": "Eve"}"#,
            r#"{"folder": "a", "note": null}"#,
            r#"{"folder": "a", "owner": "Eve", "owner": "Eve"}"#,
            r"{'folder': 'a', 'owner': 'Eve',}",
            r#""{\"folder\": \"a\", \"owner\": \"Eve\"}""#,
            r#"{"arguments": {"folder": "a", "owner": "Eve"}}"#,
            r#"{"folder": "a", "Owner": "Eve"}"#,
        ] {
            let count = Arc::clone(&asked);
            let hook = move |_: &ProposedCall<'_>| {
                count.fetch_add(1, Ordering::SeqCst);
                Verdict::RunWith(upload())
            };
            let builder = Toolbox::builder().no_throttle().repair(policy).tool(StoreTool).before_call(hook);
            let outcome = call(&built(builder), "store", arguments);
            assert!(!outcome.is_ok(), "{arguments}: {}", outcome.to_text());
            assert!(["validation_error", "invalid_json"].contains(&outcome.failure().map_or("", Failure::error_type)));
        }
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    let rejected = rejection(&call(&storing(upload()), "store", r#"{"folder": "a", "owner": "Eve"}"#));
    assert_eq!(rejected["errors"][0]["error_code"], "UNKNOWN_FIELD");
    assert_eq!(rejected["errors"][0]["error_message"], "owner is not a known field (known: folder, overwrite)");
}

/// Fails with its own words.
#[tool]
fn fail(
    /// Anything.
    text: String,
    #[tool(host)] path: String,
    #[tool(host, sensitive)] token: Option<String>,
) -> Result<String, ToolError> {
    Err(ToolError::new(format!("{path} {text} {token:?} cannot be used.")))
}

#[test]
fn a_sensitive_host_value_hides_the_messages_of_the_tool() {
    let supplied = HostArguments::new().with("path", "p").with("token", "s3cr3t");
    let session = built(Toolbox::builder().tool(FailTool).before_call(supplying(supplied.clone())));
    let outcome = call(&session, "fail", r#"{"text": "x"}"#);
    assert!(!outcome.to_text().contains("s3cr3t"), "{}", outcome.to_text());
    assert!(!format!("{supplied:?} {:?}", Verdict::RunWith(supplied.clone())).contains("s3cr3t"));
}

/// A word that its own code rejects.
struct Word;

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "bad" { Err(serde::de::Error::custom("bad word")) } else { Ok(Self) }
    }
}

impl schemars::JsonSchema for Word {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Word".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// Prints a word.
#[tool]
fn print(
    /// A word.
    #[tool(schemars)]
    word: Word,
    /// Copies.
    #[tool(default = 1)]
    copies: u8,
    #[tool(host, schemars)] stamp: Word,
) -> u8 {
    let (_, _) = (word, stamp);
    copies
}

#[test]
fn no_text_for_the_model_contains_a_host_value_or_its_name() {
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        for (stamp, arguments, error_type) in [
            ("unseen", r#"{"word": "bad"}"#, "validation_error"),
            ("unseen", r#"{"word": "good", "copies": 900}"#, "validation_error"),
            ("unseen", r#"{"wrd": "good", "copies": true}"#, "validation_error"),
            ("unseen", r#"{"word": 5"#, "invalid_json"),
            ("bad", r#"{"word": "good"}"#, "host_input"),
            ("bad", r#"{"word": "bad"}"#, "validation_error"),
        ] {
            let hook = supplying(HostArguments::new().with("stamp", stamp));
            let builder = Toolbox::builder().no_throttle().feedback(form).tool(PrintTool).before_call(hook);
            let session = built(builder);
            for _ in 0..2 {
                let outcome = call(&session, "print", arguments);
                assert_eq!(outcome.failure().map(Failure::error_type), Some(error_type), "{arguments}");
                let text = outcome.to_text();
                assert!(!text.contains("unseen") && !text.contains("stamp"), "{text}");
            }
        }
    }
}

#[test]
fn events_and_outcomes_show_the_arguments_of_the_model() {
    let seen = Arc::new(Received::default());
    let builder = Toolbox::builder().tool(StoreTool).before_call(supplying(upload())).observer(Arc::clone(&seen));
    assert!(call(&built(builder), "store", STORE).is_ok());
    assert_eq!(*seen.0.lock().expect("nobody panics under the lock"), [STORE]);
}

#[derive(Default)]
struct Received(Mutex<Vec<String>>);

impl Observer for Received {
    fn event(&self, event: &ToolEvent<'_>) {
        if let EventKind::Received { arguments, .. } = event.kind {
            self.0.lock().expect("nobody panics under the lock").push(arguments.to_text().into_owned());
        }
    }
}

fn arguments() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["folder", "overwrite", "upload", "owner", "note", "Owner", "colour"]);
    let value = prop::sample::select(vec![
        json!("Eve"),
        json!(true),
        json!(null),
        json!({"title": "evil", "size": 1}),
        json!(3),
    ]);
    prop::collection::vec((name, value), 0..4).prop_map(|members| {
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    })
}

proptest! {
    #[test]
    fn no_arguments_of_the_model_reach_a_host_parameter(
        arguments in arguments(),
        policy in prop::sample::select(vec![RepairPolicy::Strict, RepairPolicy::Lossless, RepairPolicy::Assisted]),
        has_value in any::<bool>(),
        is_deferred in any::<bool>(),
    ) {
        let supplied = if has_value { upload().with("owner", "Ann") } else { HostArguments::new() };
        let of_hook = supplied.clone();
        let hook = move |_: &ProposedCall<'_>| {
            if is_deferred { Verdict::Defer } else { Verdict::RunWith(of_hook.clone()) }
        };
        let session = built(Toolbox::builder().no_throttle().repair(policy).tool(StoreTool).before_call(hook));
        let schema: Value = session.definitions_in(Dialect::ANTHROPIC).to_value()[0]["input_schema"].clone();
        let mut outcome = call(&session, "store", &arguments.to_string());
        let is_accepted = jsonschema::is_valid(&schema, &arguments);
        let is_rejected = !matches!(outcome.failure().map(Failure::error_type), None | Some("host_input" | "deferred"));
        prop_assert!(!is_accepted || !is_rejected, "{}", outcome.to_text());
        prop_assert!(policy != RepairPolicy::Strict || is_accepted != is_rejected, "{}", outcome.to_text());
        if outcome.is_deferred() {
            match pollster::block_on(session.resume_with_host_arguments("call_1", supplied)) {
                Ok(resumed) => outcome = resumed,
                Err(error) => {
                    prop_assert!(!has_value, "{error}");
                    return Ok(());
                }
            }
        }
        prop_assert!(has_value || !outcome.is_ok());
        if outcome.is_ok() {
            prop_assert!(outcome.to_text().contains("/cat.png 3 ") && outcome.to_text().ends_with(" Ann None"), "{}", outcome.to_text());
        }
    }
}
