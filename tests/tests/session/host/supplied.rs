//! The values that hooks and persons supply.

use serde_json::json;
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::CompletionError;
use tool_runtime::{Toolbox, tool};

use super::super::tools::{call, rejection};
use super::{STORE, StoreTool, built, storing, supplying, upload};

#[test]
fn a_hook_supplies_host_parameters() {
    let session = storing(upload());
    let definitions = session.definitions().to_string();
    assert!(definitions.contains("folder") && !definitions.contains("upload") && !definitions.contains("owner"));
    let outcome = call(&session, "store", STORE);
    assert_eq!((outcome.to_text(), outcome.repaired_arguments()), ("a/cat.png 3 false nobody None".into(), None));
    let all = upload().with("owner", "Ann").with("note", "mine");
    assert_eq!(call(&storing(all), "store", STORE).to_text(), r#"a/cat.png 3 false Ann Some("mine")"#);
}

#[test]
fn without_a_value_the_call_fails_with_its_own_error_type() {
    for session in [built(Toolbox::builder().tool(StoreTool)), storing(HostArguments::new())] {
        let rejected = rejection(&call(&session, "store", STORE));
        let expected = json!({
            "error_type": "host_input",
            "tool": "store",
            "error_message": "store was not run: the application did not supply what it needs.",
            "retry_guidance": "Do not repeat this call. Use another tool, or answer with what you have.",
            "recovery": "replan",
        });
        assert_eq!(rejected, expected);
    }
}

#[test]
fn values_are_validated_like_arguments() {
    for (supplied, details) in [
        (HostArguments::new(), "upload is required"),
        (HostArguments::new().with("upload", "cat.png"), "upload must be an object"),
        (
            HostArguments::new().with("upload", json!({"title": "", "size": 900})),
            "upload.title must have at least 1 character; upload.size must be at most 100",
        ),
        (upload().with("owner", "X"), "owner must have at least 2 characters"),
        (upload().with("uplaod", 5), "uplaod is not a known field (known: upload, owner, note)"),
        (upload().with("folder", "b"), "folder is not a known field (known: upload, owner, note)"),
        (upload().with("overwrite", true), "overwrite is not a known field (known: upload, owner, note)"),
    ] {
        let outcome = call(&storing(supplied), "store", STORE);
        let failure = outcome.failure().expect("it is rejected");
        assert_eq!(
            (failure.error_type(), failure.observer_details(), failure.issues().len()),
            ("host_input", Some(details), 0)
        );
        assert!(!outcome.to_text().contains("upload"), "{}", outcome.to_text());
    }
}

#[test]
fn hooks_see_the_arguments_of_the_model_and_values_from_earlier_hooks() {
    let names = |call: &ProposedCall<'_>| -> Vec<String> {
        call.missing_host_parameters().iter().map(|parameter| parameter.name.to_string()).collect()
    };
    let first = move |call: &ProposedCall<'_>| {
        assert_eq!((names(call), call.supplied().is_empty()), (vec!["upload".to_owned()], true));
        let host = call.spec().host.as_ref().expect("it has host parameters");
        assert_eq!(
            host.fields().iter().map(|field| field.name.to_string()).collect::<Vec<_>>(),
            ["upload", "owner", "note"]
        );
        Verdict::RunWith(upload().with("owner", "Ann"))
    };
    let second = move |call: &ProposedCall<'_>| {
        assert!(names(call).is_empty());
        assert_eq!((call.supplied().get("owner"), call.argument("owner")), (Some(&json!("Ann")), None));
        assert_eq!(call.arguments_text(), STORE);
        Verdict::RunWith(HostArguments::new().with("owner", "Bob"))
    };
    let builder = Toolbox::builder().tool(StoreTool).before_call(first).before_call(second);
    assert_eq!(call(&built(builder), "store", STORE).to_text(), "a/cat.png 3 false Bob None");
    let denied = Toolbox::builder().tool(StoreTool).before_call(supplying(upload()));
    let denied = denied.before_call(|_: &ProposedCall<'_>| Verdict::deny("Not now."));
    assert_eq!(rejection(&call(&built(denied), "store", STORE))["error_type"], "denied");
}

/// Says something.
#[tool]
fn say(
    /// A name.
    text: String,
    #[tool(host, default_fn = nobody)] speaker: String,
    #[tool(host)] tone: Option<String>,
) -> String {
    format!("{speaker} {tone:?}: {text}")
}

fn nobody() -> String {
    "nobody".to_owned()
}

/// Says nothing.
#[tool]
fn hush() {}

#[test]
fn optional_host_parameters_need_no_hook() {
    let session = built(Toolbox::builder().tool(SayTool));
    assert_eq!(call(&session, "say", r#"{"text": "hi"}"#).to_text(), "nobody None: hi");
    let outcome = call(&session, "say", "{'text': 'hi',}");
    assert_eq!(outcome.to_text(), "nobody None: hi", "arguments are repaired as always");
    assert_eq!(rejection(&call(&session, "say", "{}"))["errors"][0]["error_code"], "REQUIRED_FIELD");
    let session = built(Toolbox::builder().tool(HushTool).before_call(supplying(upload())));
    assert!(call(&session, "hush", "{}").is_ok(), "a tool without host parameters ignores the values");
}

#[test]
fn a_deferred_call_runs_with_the_values_of_a_person() {
    let hook = |call: &ProposedCall<'_>| {
        if call.missing_host_parameters().is_empty() { Verdict::Run } else { Verdict::Defer }
    };
    let first = supplying(HostArguments::new().with("owner", "Ann"));
    let session = built(Toolbox::builder().tool(StoreTool).before_call(first).before_call(hook));
    assert!(call(&session, "store", STORE).is_deferred());
    let waiting = session.deferred_calls();
    assert_eq!(
        (waiting[0].missing_host_parameters()[0].name.as_str(), &*waiting[0].arguments_text()),
        ("upload", STORE)
    );

    let error = pollster::block_on(session.resume("call_1")).expect_err("the file is missing");
    assert_eq!(error.to_string(), "`store` cannot run the call `call_1`: upload is required");
    let wrong = HostArguments::new().with("upload", json!({"title": "cat.png", "size": 101}));
    let error =
        pollster::block_on(session.resume_with_host_arguments("call_1", wrong)).expect_err("the file is too large");
    let CompletionError::HostArguments { issues, .. } = error else { panic!("{error}") };
    assert_eq!(
        (issues[0].0.to_string().as_str(), issues[0].1.as_str()),
        ("upload.size", "upload.size must be at most 100")
    );

    let outcome = pollster::block_on(session.resume_with_host_arguments("call_1", upload())).expect("it still waits");
    assert_eq!(outcome.to_text(), "a/cat.png 3 false Ann None");
    assert!(pollster::block_on(session.resume_with_host_arguments("call_1", upload())).is_err(), "once");
    assert!(call(&session, "store", STORE).is_deferred());
    assert_eq!(session.complete("call_1", "done by hand").expect("it waits").to_text(), "done by hand");
}

mod before_the_change {
    use tool_runtime::tool;

    /// Stores a file under the name of its owner.
    #[tool(name = "keep")]
    pub(super) fn keep(
        /// Name of the folder.
        folder: String,
        /// Name of the owner.
        owner: Option<String>,
    ) -> String {
        format!("{folder} {owner:?}")
    }
}

/// Stores a file under the name of its owner.
#[tool(name = "keep")]
fn keep(
    /// Name of the folder.
    folder: String,
    #[tool(host)] owner: Option<String>,
) -> String {
    format!("{folder} {owner:?}")
}

#[test]
fn a_deferred_call_of_a_changed_tool_is_checked_again() {
    let hook = |_: &ProposedCall<'_>| Verdict::Defer;
    let session = built(Toolbox::builder().tool(before_the_change::KeepTool).before_call(hook));
    for (arguments, is_ok) in [(r#"{"folder": "a", "owner": "Eve"}"#, false), (r#"{"folder": "a"}"#, true)] {
        assert!(call(&session, "keep", arguments).is_deferred());
        let toolbox = Toolbox::builder().tool(KeepTool).before_call(hook).build().expect("the registration is sound");
        assert!(session.replace_toolbox(&toolbox).is_ok());
        let outcome = pollster::block_on(session.resume("call_1")).expect("it waits");
        assert_eq!(outcome.is_ok(), is_ok, "{}", outcome.to_text());
        let toolbox = Toolbox::builder().tool(before_the_change::KeepTool).before_call(hook).build();
        assert!(session.replace_toolbox(&toolbox.expect("the registration is sound")).is_ok());
    }
}
