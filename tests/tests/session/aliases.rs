//! Hooks see every argument under the name that the schema shows, at every depth, and the tool gets what the hook saw.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::{ToolInput, Toolbox, tool};

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Target {
    /// Where it is.
    #[serde(alias = "file")]
    path: String,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Action {
    #[serde(alias = "rm")]
    Delete {
        /// What.
        #[serde(alias = "file")]
        path: String,
    },
    Keep,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[serde(tag = "kind", content = "of", rename_all = "snake_case")]
enum Adjacent {
    #[serde(alias = "rm")]
    Delete(Target),
    Keep,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum External {
    #[serde(alias = "rm")]
    Delete(Target),
    #[serde(alias = "leave")]
    Keep,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[serde(untagged)]
enum Untagged {
    Many {
        /// All of them.
        #[serde(alias = "files")]
        targets: Vec<Target>,
    },
    One(Target),
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Flat {
    /// How often.
    times: Option<u8>,
    #[serde(flatten)]
    target: Target,
    #[serde(flatten)]
    action: Option<External>,
}

/// Changes files.
#[tool(undocumented)]
#[allow(clippy::too_many_arguments)]
fn change(
    #[tool(alias = "file")] path: Option<String>,
    target: Option<Box<Target>>,
    list: Option<Vec<Target>>,
    by_name: Option<BTreeMap<String, Target>>,
    pair: Option<(Target, u8)>,
    action: Option<Action>,
    adjacent: Option<Adjacent>,
    external: Option<External>,
    untagged: Option<Untagged>,
    #[tool(alias = "plain")] flat: Option<Flat>,
) -> Value {
    json!({
        "path": path, "target": target, "list": list, "by_name": by_name, "pair": pair, "action": action, "adjacent": adjacent,
        "external": external, "untagged": untagged, "flat": flat,
    })
}

/// What a hook was shown, and what the tool got, if it ran.
fn seen(arguments: &Value) -> (Option<Value>, Option<Value>) {
    let shown = Arc::new(Mutex::new(None));
    let hook = {
        let shown = Arc::clone(&shown);
        move |call: &ProposedCall<'_>| {
            *shown.lock().unwrap() = serde_json::from_str::<Value>(&call.to_text()).ok();
            Verdict::Run
        }
    };
    let session = Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("one tool").session();
    let outcome = pollster::block_on(session.call("call_1", "change", arguments.to_string()));
    let shown = shown.lock().unwrap().take();
    (shown, outcome.value())
}

#[test]
fn a_hook_sees_own_names_at_every_depth() {
    let target = || json!({"file": "/etc/passwd"});
    let own = || json!({"path": "/etc/passwd"});
    for (sent, shown) in [
        (json!({"file": "/etc/passwd"}), json!({"path": "/etc/passwd"})),
        (json!({"target": target()}), json!({"target": own()})),
        (json!({"list": [own(), target()]}), json!({"list": [own(), own()]})),
        (json!({"by_name": {"file": target()}}), json!({"by_name": {"file": own()}})),
        (json!({"pair": [target(), 1]}), json!({"pair": [own(), 1]})),
        (
            json!({"action": {"kind": "rm", "file": "/etc/passwd"}}),
            json!({"action": {"kind": "delete", "path": "/etc/passwd"}}),
        ),
        (json!({"action": {"kind": "delete", "file": "x"}}), json!({"action": {"kind": "delete", "path": "x"}})),
        (json!({"adjacent": {"kind": "rm", "of": target()}}), json!({"adjacent": {"kind": "delete", "of": own()}})),
        (json!({"external": {"rm": target()}}), json!({"external": {"delete": own()}})),
        (json!({"external": "leave"}), json!({"external": "keep"})),
        (json!({"external": {"leave": null}}), json!({"external": "keep"})),
        (json!({"untagged": target()}), json!({"untagged": own()})),
        (json!({"untagged": {"files": [target()]}}), json!({"untagged": {"targets": [own()]}})),
        (json!({"plain": {"file": "x", "times": 3}}), json!({"flat": {"path": "x", "times": 3}})),
        (json!({"flat": {"file": "x", "rm": target()}}), json!({"flat": {"path": "x", "delete": own()}})),
    ] {
        let (hook, tool) = seen(&sent);
        assert_eq!(hook.as_ref(), Some(&shown), "{sent}");
        let tool = tool.unwrap_or_else(|| panic!("{sent} should run"));
        let (again, without_alias) = seen(&shown);
        assert_eq!((again, without_alias), (Some(shown), Some(tool)), "{sent}");
    }
}

#[test]
fn arguments_without_an_alias_are_handed_over_as_they_were_written() {
    let text = "{ \"path\" : \"a\",\"external\":\"keep\" }";
    let hook = |call: &ProposedCall<'_>| {
        assert_eq!(call.to_text(), "{ \"path\" : \"a\",\"external\":\"keep\" }");
        Verdict::Run
    };
    let session = Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("one tool").session();
    assert!(pollster::block_on(session.call("call_1", "change", text)).is_ok());
}

#[test]
fn a_name_beside_its_alias_runs_nothing() {
    assert_eq!(seen(&json!({"path": "/tmp/a", "file": "/etc/passwd"})), (None, None));
}

/// serde reads a struct from an array too, where no name leads to a value.
#[test]
fn nobody_is_asked_about_values_without_names() {
    for sent in [
        json!({"target": ["/etc/passwd"]}),
        json!({"list": [["/etc/passwd"]]}),
        json!({"action": ["delete", "/etc/passwd"]}),
        json!({"external": {"delete": ["/etc/passwd"]}}),
        json!({"untagged": ["/etc/passwd"]}),
    ] {
        assert_eq!(seen(&sent), (None, None), "{sent}");
    }
}

/// What waits for a human, or is answered outside, has own names too.
#[test]
fn a_deferred_call_waits_under_own_names() {
    let hook = |_: &ProposedCall<'_>| Verdict::Defer;
    let session = Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("one tool").session();
    assert!(pollster::block_on(session.call("call_1", "change", r#"{"target": {"file": "a"}}"#)).is_deferred());
    assert_eq!(session.deferred()[0].to_text(), r#"{"target":{"path":"a"}}"#);
    assert!(pollster::block_on(session.resume("call_1")).is_ok_and(|outcome| outcome.is_ok()));
}

#[test]
fn a_hook_that_denies_by_name_denies_an_alias() {
    let hook = |call: &ProposedCall<'_>| match call.argument("path") {
        Some(path) if path.as_str().is_some_and(|path| path.starts_with("/etc")) => Verdict::deny("Not below /etc."),
        _ => Verdict::Run,
    };
    let session = Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("one tool").session();
    for arguments in [r#"{"file": "/etc/passwd"}"#, r#"{'file': '/etc/passwd',}"#, r#"{"fi\u006ce": "/etc/passwd"}"#] {
        let outcome = pollster::block_on(session.call("call_1", "change", arguments));
        assert!(outcome.to_text().contains("Not below /etc."), "{}", outcome.to_text());
    }
}
