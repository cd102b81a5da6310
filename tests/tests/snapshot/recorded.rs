//! A session that version 1 has saved. Every later version must load it.

use std::fs;
use std::path::PathBuf;

use regex::Regex;
use tool_runtime::Dialect;
use tool_runtime::Session;
use tool_runtime::hook::HostArguments;

use super::damaged::rich;
use super::world::{World, restored, saved};

/// The recorded text. It is never recorded again; a later version gets a file of its own.
fn recorded() -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshot/version-1.json");
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn kind(session: &Session, name: &str, arguments: &str) -> String {
    let outcome = pollster::block_on(session.call("call_x", name, arguments));
    outcome.failure().map_or_else(|| outcome.to_text().into_owned(), |failure| failure.error_type().to_owned())
}

#[test]
fn a_session_of_version_1_can_be_restored() {
    let world = World::new(Some(Dialect::OPENAI_STRICT));
    let session = restored(&world.toolbox, &recorded());
    assert_eq!(session.id(), "seven");
    assert!(session.is_expanded("Files") && !session.is_expanded("Web"));
    assert!(session.reminders().is_some_and(|text| text.contains("The build is red.")));
    let waiting: Vec<_> =
        session.deferred_calls().iter().map(|call| (call.tool_name().to_owned(), call.repairs().len())).collect();
    assert_eq!(waiting, [("login".to_owned(), 0), ("purge".to_owned(), 1), ("ask_user".to_owned(), 0)]);
    let statistics = session.statistics();
    let called = statistics.tools.iter().filter(|tool| tool.calls > 0);
    let calls: Vec<_> = called.map(|tool| (&*tool.name, tool.calls, tool.failures)).collect();
    assert_eq!(calls, [("search", 5, 2), ("write", 5, 4), ("login", 1, 1), ("list", 1, 0), ("Files", 1, 0)]);
    assert_eq!(statistics.unknown_names, 1);
    assert_eq!(kind(&session, "write", r#"{"text": "a", "labels": null}"#), "throttled");
    world.clock.advance(std::time::Duration::from_secs(60));
    // The call has the form in which the tool was advertised.
    let written = kind(&session, "write", r#"{"text": "a", "labels": [{"key": "b", "value": "c"}]}"#);
    assert_eq!(written, r#"a Some({"b": "c"})"#);
    let resumed =
        pollster::block_on(session.resume_with_host_arguments("call_14", HostArguments::new().with("approval", 4)));
    assert_eq!(resumed.expect("it waits").to_text(), "home purged with 4");
    let resumed = pollster::block_on(session.resume("call_13")).expect("it waits");
    assert_eq!(resumed.to_text(), "guest is in");
}

/// Hashes may change with a version of the crate that computes them.
fn without_hashes(text: &str) -> String {
    let hashes = Regex::new(r#""[0-9a-f]{16}"|"sealed":"[^"]*""#).expect("the pattern is valid");
    hashes.replace_all(text, "…").into_owned()
}

/// Removes the optional hashes of arguments by value. Version 1 was recorded when only the last three calls of each tool had one, marked with
/// `has_text`; today all remembered calls have one. Both read the state of the other.
fn without_values(text: &str) -> String {
    let values =
        Regex::new(r#""value":"[0-9a-f]{16}",("has_text":true,)?("decision":)"#).expect("the pattern is valid");
    values.replace_all(text, "$2").into_owned()
}

#[test]
fn the_form_of_version_1_does_not_change() {
    let world = World::new(Some(Dialect::OPENAI_STRICT));
    let text = saved(&rich(&world));
    if std::env::var_os("RECORD_VERSION_1").is_some() {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshot/version-1.json");
        fs::write(file, &text).expect("the file can be written");
    }
    // When the state was recorded, a hint paired this key with `query`; today it pairs only other spellings of one name.
    let text = text.replace(r#""field":"Query""#, r#""field":"qery""#);
    let form = |text: &str| without_hashes(&without_values(text));
    assert_eq!(form(&text), form(&recorded()), "a change of the form needs version 2");
}
