//! Hooks receive every argument under the name from the schema, at every depth, and the tool receives the same arguments.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::{ToolInput, Toolbox, tool};

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Target {
    /// Where it is.
    #[serde(alias = "file")]
    path: String,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Action {
    #[serde(alias = "rm")]
    Delete {
        /// Path of the file.
        #[serde(alias = "file")]
        path: String,
    },
    Keep,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[tool(ignore_unknown)]
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
#[tool(ignore_unknown)]
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

/// Returns the arguments of the hook, and those of the tool if it ran.
fn seen(arguments: &Value) -> (Option<Value>, Option<Value>) {
    let shown = Arc::new(Mutex::new(None));
    let hook = {
        let shown = Arc::clone(&shown);
        move |call: &ProposedCall<'_>| {
            *shown.lock().unwrap() = serde_json::from_str::<Value>(&call.arguments_text()).ok();
            Verdict::Run
        }
    };
    let session =
        Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("the toolbox is valid").session();
    let outcome = pollster::block_on(session.call("call_1", "change", arguments.to_string()));
    let shown = shown.lock().unwrap().take();
    (shown, outcome.value())
}

#[test]
fn a_hook_sees_the_names_of_the_schema_at_every_depth() {
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
fn arguments_without_an_alias_are_passed_on_unchanged() {
    let text = "{ \"path\" : \"a\",\"external\":\"keep\" }";
    let hook = |call: &ProposedCall<'_>| {
        assert_eq!(call.arguments_text(), "{ \"path\" : \"a\",\"external\":\"keep\" }");
        Verdict::Run
    };
    let session =
        Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("the toolbox is valid").session();
    assert!(pollster::block_on(session.call("call_1", "change", text)).is_ok());
}

#[test]
fn a_call_with_a_key_and_its_alias_does_not_run() {
    assert_eq!(seen(&json!({"path": "/tmp/a", "file": "/etc/passwd"})), (None, None));
}

/// serde decodes structs from arrays too, in which values have no names.
#[test]
fn the_hook_is_not_called_for_structs_sent_as_arrays() {
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

/// Calls that wait for approval or for an external answer use the names from the schema too.
#[test]
fn a_deferred_call_uses_the_names_of_the_schema() {
    let hook = |_: &ProposedCall<'_>| Verdict::Defer;
    let session =
        Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("the toolbox is valid").session();
    assert!(pollster::block_on(session.call("call_1", "change", r#"{"target": {"file": "a"}}"#)).is_deferred());
    assert_eq!(session.deferred_calls()[0].arguments_text(), r#"{"target":{"path":"a"}}"#);
    assert!(pollster::block_on(session.resume("call_1")).is_ok_and(|outcome| outcome.is_ok()));
}

#[test]
fn a_hook_that_denies_by_name_denies_an_alias() {
    let hook = |call: &ProposedCall<'_>| match call.argument("path") {
        Some(path) if path.as_str().is_some_and(|path| path.starts_with("/etc")) => Verdict::deny("Not below /etc."),
        _ => Verdict::Run,
    };
    let session =
        Toolbox::builder().tool(ChangeTool).before_call(hook).build().expect("the toolbox is valid").session();
    for arguments in [r#"{"file": "/etc/passwd"}"#, r"{'file': '/etc/passwd',}", r#"{"fi\u006ce": "/etc/passwd"}"#] {
        let outcome = pollster::block_on(session.call("call_1", "change", arguments));
        assert!(outcome.to_text().contains("Not below /etc."), "{}", outcome.to_text());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[serde(alias = "rm")]
    Delete,
    Keep,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Counted {
    #[serde(flatten)]
    counts: BTreeMap<Mode, u8>,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Chosen {
    #[serde(flatten)]
    action: External,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(untagged)]
enum Either {
    Often {
        /// Where it is.
        #[serde(alias = "file")]
        path: String,
        /// How often.
        times: u8,
    },
    Once {
        /// Where it is.
        file: String,
    },
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Lax {
    /// A word.
    word: Option<String>,
}

#[tool(undocumented)]
fn mode(mode: Mode) -> Value {
    json!({ "mode": mode })
}

#[tool(undocumented)]
fn modes(modes: Vec<Mode>) -> Value {
    json!({ "modes": modes })
}

#[tool(undocumented)]
fn by_mode(by: BTreeMap<Mode, u8>) -> Value {
    json!({ "by": by })
}

#[tool(undocumented)]
fn counted(counted: Counted) -> Value {
    json!({ "counted": counted })
}

#[tool(undocumented)]
fn chosen(chosen: Chosen) -> Value {
    json!({ "chosen": chosen })
}

#[tool(undocumented)]
fn either(either: Either) -> Value {
    json!({ "either": either })
}

#[tool(undocumented)]
fn read(#[tool(alias = "file")] path: String, lax: Option<Lax>) -> Value {
    json!({ "path": path, "lax": lax })
}

/// Returns the argument that the hook received, and the text of the answer.
fn asked(tool: &'static str, argument: &'static str, sent: Vec<u8>) -> (Option<Value>, String) {
    let shown = Arc::new(Mutex::new(None));
    let hook = {
        let shown = Arc::clone(&shown);
        move |call: &ProposedCall<'_>| {
            *shown.lock().unwrap() = Some(call.argument(argument).unwrap_or_default());
            Verdict::Run
        }
    };
    let builder = Toolbox::builder().tool(ModeTool).tool(ModesTool).tool(ByModeTool).tool(CountedTool);
    let builder = builder.tool(ChosenTool).tool(EitherTool).tool(ReadTool).before_call(hook);
    let session = builder.build().expect("all names differ").session();
    let outcome = pollster::block_on(session.call("call_1", tool, sent));
    let shown = shown.lock().unwrap().take();
    (shown, outcome.to_text().into_owned())
}

/// In these inputs only variants of enums have aliases.
#[test]
fn a_hook_sees_the_schema_names_of_plain_enums() {
    for (tool, argument, sent, shown) in [
        ("mode", "mode", json!("rm"), json!("delete")),
        ("mode", "mode", json!({"rm": null}), json!("delete")),
        ("modes", "modes", json!(["keep", "rm"]), json!(["keep", "delete"])),
        ("by_mode", "by", json!({"rm": 1}), json!({"delete": 1})),
        ("counted", "counted", json!({"rm": 1}), json!({"delete": 1})),
    ] {
        let (hook, answer) = asked(tool, argument, json!({argument: sent}).to_string().into_bytes());
        assert_eq!(hook, Some(shown.clone()), "{sent}");
        assert_eq!(answer, json!({argument: shown}).to_string());
    }
}

/// serde uses the first of several keys that name a variant, while a reader of the JSON uses the last.
#[test]
fn a_tool_and_a_hook_get_the_same_value_of_a_repeated_key() {
    for keys in [["delete", "delete"], ["rm", "delete"]] {
        let [first, last] = keys;
        let sent = format!(r#"{{"chosen": {{"{first}": {{"path": "/etc/passwd"}}, "{last}": {{"path": "/tmp/a"}}}}}}"#);
        let (hook, answer) = asked("chosen", "chosen", sent.into_bytes());
        assert_eq!(hook, Some(json!({"delete": {"path": "/tmp/a"}})), "{keys:?}");
        assert_eq!(answer, r#"{"chosen":{"delete":{"path":"/tmp/a"}}}"#, "{keys:?}");
    }
    // A repeated field decides which untagged variant matches.
    let sent = r#"{"either": {"file": "/etc/passwd", "times": 1, "times": 2}}"#;
    let (hook, answer) = asked("either", "either", sent.into());
    assert_eq!(hook, Some(json!({"path": "/etc/passwd", "times": 2})));
    assert_eq!(answer, r#"{"either":{"path":"/etc/passwd","times":2}}"#);
}

/// serde skips ignored values, whatever they are.
#[test]
fn an_ignored_value_hides_no_argument_from_a_hook() {
    let sent = |ignored: &[u8]| [&br#"{"file": "/etc/passwd", "lax": {"ignored": "#[..], ignored, b"}}"].concat();
    let (hook, _) = asked("read", "path", sent(b"1e999"));
    assert_eq!(hook, Some("/etc/passwd".into()));
    let deep = format!("{}1{}", r#"{"a":"#.repeat(300), "}".repeat(300));
    for ignored in [&br#""\ud800""#[..], b"\"\xff\"", deep.as_bytes()] {
        let (hook, answer) = asked("read", "path", sent(ignored));
        assert_eq!(hook, None, "{answer}");
        assert!(answer.contains("Call read again with one complete JSON object as its arguments."), "{answer}");
    }
}
