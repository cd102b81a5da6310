//! Checks of results: a doubtful result reaches the model unchanged, together with a warning.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use tool_runtime::event::{EventCounter, EventKind};
use tool_runtime::tool::Payload;
use tool_runtime::toolbox::Guard;
use tool_runtime::{
    Session, ToolError, Toolbox,
    event::{Observer, ToolEvent},
    tool,
};

use super::tools::{call, sync};

fn session(guard: Guard, payload: &Payload) -> Session {
    let payload = payload.clone();
    let answers = sync("answers", move |_| Ok(payload.clone()));
    Toolbox::builder().tool(answers).guard(guard).build().expect("the toolbox is valid").session()
}

fn check(payload: &Payload, expect: &[&str]) {
    let outcome = call(&session(Guard::new(), payload), "answers", "{}");
    assert_eq!(outcome.warnings(), expect);
    assert_eq!(outcome.payload(), Some(payload), "the result is unchanged");
    let outcome = call(&session(Guard::OFF, payload), "answers", "{}");
    assert!(outcome.warnings().is_empty());
}

fn json(text: &str) -> Payload {
    Payload::from_json_text(text).expect("the payload is JSON")
}

#[test]
fn a_large_result_causes_a_warning() {
    check(&Payload::Text("x".repeat(102_400)), &[]);
    check(&Payload::Text("x".repeat(256_512)), &["Large response (250.5KB). May impact context window."]);
}

#[test]
fn a_result_without_content_causes_a_warning() {
    for payload in [Payload::Text(String::new()), Payload::Text(" \n".to_owned()), json("[]"), json("{}"), json("null")]
    {
        check(&payload, &["Tool succeeded but returned nothing."]);
    }
    for text in [r#"{"success": true, "content": ""}"#, r#"{"success":true,"data":{"rows":[]},"error":null}"#] {
        check(&json(text), &["Tool succeeded but returned nothing."]);
        check(&Payload::Text(text.to_owned()), &["Tool succeeded but returned nothing."]);
    }
    for text in [r#"{"success": true}"#, r#"{"success": true, "content": "", "message": "The file is empty."}"#] {
        check(&json(text), &[]);
    }
    for payload in [Payload::Done, json("0"), json("false"), json("[[]]"), json("{\"rows\":[]}")] {
        check(&payload, &[]);
    }
}

#[test]
fn a_failure_in_a_successful_result_causes_a_warning() {
    check(&json(r#"{"success":false,"error":"Disk full."}"#), &["Tool reported failure: Disk full."]);
    check(
        &Payload::Text(" {\"success\": false}".to_owned()),
        &["Tool reported failure: it says \"success\": false and no more."],
    );
    check(&json(r#"{"success":true,"error":null}"#), &[]);
    check(&json(r#"{"last":{"success":false}}"#), &[]);
    check(&Payload::Text("It says \"success\": false.".to_owned()), &[]);
}

#[test]
fn a_page_without_a_cursor_causes_a_warning() {
    for text in [
        r#"{"truncated":true}"#,
        r#"{"truncated":true,"refinement_hint":""}"#,
        r#"{"has_more":true,"next_cursor":null}"#,
        r#"{"hasMore":true,"hint":""}"#,
    ] {
        check(&json(text), &["Result is incomplete but does not say how to get the rest."]);
    }
    for text in [
        r#"{"has_more":true,"nextPageToken":"b"}"#,
        r#"{"truncated":true,"hint":"Ask for fewer columns."}"#,
        r#"{"truncated": true, "refinement_hint": "Filter by date."}"#,
        r#"{"rows":[1],"is_truncated":true,"refinementHint":"Filter by date."}"#,
        r#"{"has_more":true,"offset":20}"#,
        r#"{"truncated":false}"#,
    ] {
        check(&json(text), &[]);
    }
}

#[test]
fn unexpected_characters_cause_a_warning() {
    check(&Payload::Text("a\u{7}b".to_owned()), &["Result contains control characters: U+0007."]);
    check(&json(r#"["\u001b[31m"]"#), &["Result contains control characters: U+001B."]);
    check(&Payload::Text("a\n\tb\r\né".to_owned()), &[]);
    check(&json(r#"["a\n\tb","C:\\build","é"]"#), &[]);
}

/// Writes a file.
#[tool(type = Write)]
fn write(
    /// Where to.
    path: String,
    /// The content.
    content: String,
) -> usize {
    path.len() + content.len()
}

#[test]
fn a_path_with_a_repeated_part_causes_a_warning() {
    let session = Toolbox::builder().tool(Write).build().expect("the toolbox is valid").session();
    let warnings = |arguments: &str| call(&session, "write", arguments).warnings().to_vec();
    assert_eq!(
        warnings(r#"{"path": "src/src/tools", "content": ""}"#),
        ["Path contains duplicate segments: src/src/tools"]
    );
    assert!(warnings(r#"{"path": "src/tools", "content": "src/src/tools"}"#).is_empty());
    // Arguments that are not a text are checked too.
    let arguments = serde_json::json!({"path": "app/web/app/web", "content": ""});
    let outcome = pollster::block_on(session.call("call_1", "write", &arguments));
    assert_eq!(outcome.warnings().len(), 1);
    // Any directory name counts, but numbers and file names do not.
    assert_eq!(warnings(r#"{"path": "a2ia/a2ia/tools/filesystem_tools.py", "content": ""}"#).len(), 1);
    for path in ["a2ia/a2ia.py", "2024/12/12/notes.md", "../../a", "https://a.example/b/b"] {
        assert!(warnings(&format!(r#"{{"path": "{path}", "content": ""}}"#)).is_empty(), "{path}");
    }
    // A rejected call has no result to warn about.
    assert!(warnings(r#"{"path": "src/src/tools"}"#).is_empty());
}

/// Reads a file.
#[tool(type = Read)]
fn read(
    /// Which one.
    path: String,
) -> Result<String, ToolError> {
    Err(ToolError::new(format!("There is no {path}.")))
}

#[test]
fn a_failed_call_also_warns_about_a_path_with_a_repeated_part() {
    let read_with = |guard| {
        let session = Toolbox::builder().tool(Read).guard(guard).build().expect("the toolbox is valid").session();
        call(&session, "read", r#"{"path": "a2ia/a2ia/tools/filesystem_tools.py"}"#)
    };
    let outcome = read_with(Guard::new());
    let warning = "Path contains duplicate segments: a2ia/a2ia/tools/filesystem_tools.py";
    assert_eq!(outcome.warnings(), [warning]);
    assert!(outcome.failure().is_some_and(|failure| failure.error_type() == "tool_error"));
    assert!(!outcome.to_text().contains(warning) && outcome.to_text_with_notes().ends_with(warning));
    assert!(read_with(Guard::OFF).warnings().is_empty());
}

/// Opens a vault.
#[tool(type = OpenVault)]
fn open_vault(
    /// Path of the key.
    #[tool(sensitive)]
    key_path: String,
) -> bool {
    !key_path.is_empty()
}

#[test]
fn a_secret_is_not_quoted() {
    let session = Toolbox::builder().tool(OpenVault).build().expect("the toolbox is valid").session();
    let outcome = call(&session, "open_vault", r#"{"key_path": "home/home/ada"}"#);
    assert_eq!(outcome.warnings(), ["Path contains duplicate segments."]);
}

#[test]
fn the_guard_of_a_tool_replaces_the_general_one() {
    let empty = |name| sync(name, |_| Payload::json::<[u8]>(&[]));
    let builder = Toolbox::builder().tool(empty("a")).tool(empty("b")).tool_guard("b", Guard::OFF);
    let session = builder.build().expect("the names differ").session();
    assert_eq!(["a", "b"].map(|name| call(&session, name, "").warnings().len()), [1, 0]);
}

#[test]
fn a_truncated_result_is_a_text_with_a_notice() {
    let text = format!("[{}1]", "1,".repeat(1_000));
    let outcome = call(&session(Guard::new().cut_to(Some(400)), &json(&text)), "answers", "");
    assert!(matches!(outcome.as_result(), Ok(Payload::Text(cut)) if cut.len() <= 400), "{:?}", outcome.as_result());
    assert!(outcome.to_text().contains("cannot be parsed"));
    assert_eq!(outcome.warnings().len(), 1);
}

#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Observer for Warnings {
    fn event(&self, event: &ToolEvent<'_>) {
        let mut seen = self.0.lock().expect("the lock is not poisoned");
        match event.kind {
            EventKind::Warned { tool, warning } => seen.push(format!("{tool}: {warning}")),
            kind => seen.push(kind.name().to_owned()),
        }
    }
}

#[test]
fn a_warning_is_observed_after_the_result() {
    let (warnings, counts) = (Warnings::default(), Arc::new(EventCounter::default()));
    let nothing = sync("nothing", |_| Ok(Payload::Text(String::new())));
    let builder = Toolbox::builder().tool(nothing).observer((warnings.clone(), Arc::clone(&counts)));
    let _ = call(&builder.build().expect("the toolbox is valid").session(), "nothing", "");
    let seen = warnings.0.lock().expect("the lock is not poisoned").join(", ");
    assert_eq!(seen, "received, executed, nothing: Tool succeeded but returned nothing.");
    assert_eq!(counts.snapshot().warnings, 1);
}

#[test]
fn notes_are_one_line_each() {
    let outcome = call(&session(Guard::new(), &json(r#"{"success":false,"error":"a\nb"}"#)), "Answers", "");
    let text = outcome.to_text_with_notes().into_owned();
    let notes: Vec<&str> = text.strip_prefix(&*outcome.to_text()).expect("the result comes first").lines().collect();
    assert_eq!(notes, ["", "Read tool \"Answers\" as answers.", "Tool reported failure: a b"]);
}

proptest! {
    /// A guard that only warns changes no result, and every warning is short.
    #[test]
    fn a_guard_that_only_warns_changes_no_result(text in ".{0,60}", key in "success|truncated|has_more|x", value in "true|false|null|\"a\"") {
        let object = format!("{{{}:{value},\"error\":{}}}", serde_json::json!(key), serde_json::json!(text));
        for payload in [Payload::Text(text.clone()), Payload::from_json_text(object).expect("it is JSON")] {
            let outcome = call(&session(Guard::new(), &payload), "answers", "");
            prop_assert_eq!(outcome.payload(), Some(&payload));
            prop_assert!(outcome.warnings().iter().all(|warning| warning.len() <= 300));
        }
    }

    /// A result that passes the quick check causes no warning in the full one.
    #[test]
    fn the_quick_and_the_full_check_agree(text in "[ \\{\\}\\[\\]\":,\\\\a-z_0\u{1b}]{0,40}") {
        let as_json = Payload::json(&text).expect("a text can be JSON");
        for payload in [Some(Payload::Text(text.clone())), Some(as_json), Payload::from_json_text(text).ok()].into_iter().flatten() {
            let outcome = call(&session(Guard::new(), &payload), "answers", "");
            prop_assert_eq!(outcome.warnings(), Guard::new().warnings(&payload));
        }
    }

    /// Any content is enclosed by two equal marks that do not occur in it.
    #[test]
    fn content_cannot_contain_its_end_mark(text in "(=== data [0-9a-f]{16} ===\n|x\n){0,4}") {
        let guard = Guard::OFF.mark_as_data(true);
        let outcome = call(&session(guard, &Payload::Text(text.clone())), "answers", "");
        let whole = outcome.to_text().into_owned();
        let (_, rest) = whole.split_once('\n').expect("a sentence comes first");
        let (mark, rest) = rest.split_once('\n').expect("then the mark");
        prop_assert_eq!(rest.strip_suffix(mark).and_then(|rest| rest.strip_suffix('\n')), Some(&*text));
        prop_assert!(!text.contains(mark));
    }
}
