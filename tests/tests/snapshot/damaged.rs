//! Saved sessions that are damaged, hostile or from a newer version: an error or a session that works, never a panic.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::Dialect;
use tool_runtime::Session;
use tool_runtime::session::{SessionSetup, SessionState};

use super::world::{Toy, World, seal, unsealed};

/// Returns a saved session that has something of everything.
pub(crate) fn rich(world: &World) -> Session {
    let session = world.toolbox.begin_session(SessionSetup::new().id("seven")).expect("no state is declared");
    drop(session.definitions());
    session.begin_turn();
    session.add_reminder("The build is red.");
    let calls = [
        ("search", r#"{"query": "a"}"#),
        ("search", r#"{"query": "a"}"#),
        ("search", r#"{"query":  "a"}"#),
        ("search", r#"{"limit": 12}"#),
        ("search", r#"{"limit": 12,"Query": "b"}"#),
        ("Files", ""),
        ("list", r#"{"lines": 200}"#),
        ("write", r#"{"text": "a", "labels": []}"#),
        ("write", r#"{"text": "busy", "labels": []}"#),
        ("write", r#"{"text": "fail", "labels": []}"#),
        ("write", r#"{"text": "fail", "labels": null}"#),
        ("write", r#"{"text": "fail", "labels": [{"key": "b", "value": "c"}]}"#),
        ("login", r#"{"user": "a", "pin": "4710"}"#),
        ("login", r#"{"user": "guest", "pin": "4711"}"#),
        ("purge", r#"{folder: "home"}"#),
        ("ask_user", r#"{"question": "Why?", "code": null}"#),
        ("invented", "{}"),
    ];
    for (number, (name, arguments)) in calls.iter().enumerate() {
        drop(pollster::block_on(session.call(&format!("call_{number}"), name, *arguments)));
        world.clock.advance(std::time::Duration::from_millis(1_500));
    }
    session
}

fn value(session: &Session) -> Value {
    serde_json::to_value(session.snapshot_with(&Toy(0)).expect("there is a cipher")).expect("a state is JSON")
}

/// Restores a session, and uses it. Returns the error, if there is one.
fn attempt(world: &World, text: &str) -> Result<(), String> {
    let state: SessionState = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let setup = SessionSetup::new().restore_cipher(&Toy(0));
    let session = world.toolbox.restore(state, setup).map_err(|error| error.to_string())?;
    for _ in 0..4 {
        for (name, arguments) in [
            ("search", r#"{"query": "a"}"#),
            ("search", r#"{"limit": 12}"#),
            ("write", r#"{"text": "fail", "labels": null}"#),
            ("write", r#"{"text": "a", "labels": [{"key": "b", "value": "c"}]}"#),
            ("login", r#"{"user": "a", "pin": "4710"}"#),
            ("Web", ""),
            ("invented", "{}"),
        ] {
            drop(pollster::block_on(session.call("call", name, arguments)));
        }
        world.clock.advance(std::time::Duration::from_secs(40));
    }
    drop((session.statistics(), session.definitions_in(Dialect::MCP), session.definitions(), session.reminders()));
    for call in session.deferred_calls() {
        drop((call.missing_host_parameters(), pollster::block_on(session.resume(call.call_id()))));
        drop(session.complete(call.call_id(), "done"));
    }
    // No pause lasts, whatever the state says.
    world.clock.advance(std::time::Duration::from_secs(2 * 24 * 60 * 60));
    session.end_turn();
    session.begin_turn();
    let outcome = pollster::block_on(session.call("call", "search", r#"{"query": "alive"}"#));
    assert_ne!(outcome.failure().map(tool_runtime::Failure::error_type), Some("throttled"), "{}", outcome.to_text());
    // It can be saved again, and what was saved can be restored.
    let again = serde_json::to_string(&session.snapshot_with(&Toy(0)).expect("there is a cipher")).expect("it is JSON");
    let state: SessionState = serde_json::from_str(&again).expect("what is saved can be read");
    let setup = SessionSetup::new().restore_cipher(&Toy(0));
    world.toolbox.restore(state, setup).map(drop).map_err(|error| panic!("saved again: {error}\n{again}"))
}

/// Returns pointers to every part of a value.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), found));
        }
        Value::Object(members) => {
            for (key, member) in members {
                pointers(member, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
}

fn hostile() -> impl Strategy<Value = Value> {
    let numbers = [0, 1, 2, 63, 1 << 31, u64::from(u32::MAX), 1 << 53, u64::MAX - 1, u64::MAX];
    prop_oneof![
        4 => prop::sample::select(numbers.map(|number| json!(number)).to_vec()),
        1 => prop::sample::select(vec![json!(null), json!(-1), json!(1.5), json!(true), json!([]), json!({}), json!("")]),
        1 => prop::sample::select(vec![json!("seven"), json!("search"), json!("0123456789abcdef"), json!([[[[]]]]), json!("x".repeat(9_000))]),
        1 => (0_usize..70, 0_u64..20).prop_map(|(length, item)| Value::from(vec![item; length])),
    ]
}

/// A change: the index of a part, and its replacement; `None` repeats the items of a list, or removes the part.
type Change = (prop::sample::Index, Option<Value>);

fn apply(value: &mut Value, (index, replacement): &Change) {
    let mut all = Vec::new();
    pointers(value, "", &mut all);
    let part = value.pointer_mut(&all[index.index(all.len())]).expect("the pointer leads to a part");
    match (replacement, part) {
        (Some(replacement), part) => *part = replacement.clone(),
        (None, Value::Array(items)) => items.extend(items.clone()),
        (None, part) => *part = Value::Null,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(100)))]

    #[test]
    fn changed_states_are_rejected_or_work(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::option::weighted(0.8, hostile())), 1..4),
        is_sealed_part in prop::bool::ANY,
    ) {
        let world = World::new(Some(Dialect::OPENAI_STRICT));
        let mut state = value(&rich(&world));
        if is_sealed_part {
            let mut sealed = unsealed(&state, &Toy(0));
            for change in &changes {
                apply(&mut sealed, change);
            }
            state["session"]["sealed"] = seal(&sealed, &Toy(0));
        } else {
            for change in &changes {
                apply(&mut state, change);
            }
        }
        if let Err(error) = attempt(&world, &state.to_string()) {
            prop_assert!(!error.is_empty() && error.len() < 20_000, "{}", error);
        }
    }

    #[test]
    fn cut_and_garbled_texts_are_rejected(at in any::<prop::sample::Index>(), byte in prop::option::of(any::<char>())) {
        let world = World::new(Some(Dialect::OPENAI_STRICT));
        let text = value(&rich(&world)).to_string();
        let at = at.index(text.len());
        let changed = match byte {
            None => text[..at].to_owned(),
            Some(byte) => format!("{}{byte}{}", &text[..at], &text[at..]),
        };
        let answer = attempt(&world, &changed);
        prop_assert!(byte.is_some() || answer.is_err());
    }
}

#[test]
fn the_undamaged_state_contains_every_part() {
    let world = World::new(Some(Dialect::OPENAI_STRICT));
    let state = value(&rich(&world));
    let session = &state["session"];
    for part in ["names", "visible", "advertised", "reminders", "results", "deferred", "refused", "throttle", "sealed"]
    {
        assert!(!session[part].is_null(), "{part} is missing: {state:#}");
    }
    for part in ["tools", "details", "overall", "run", "minute", "calls", "changes"] {
        assert!(!session["throttle"][part].is_null(), "{part} is missing: {state:#}");
    }
    let sealed = unsealed(&state, &Toy(0));
    assert!(sealed["deferred"][0]["arguments"].is_string() && !sealed["throttle"]["traces"].is_null(), "{sealed:#}");
    assert_eq!(attempt(&world, &state.to_string()), Ok(()));
}

#[test]
fn the_errors_name_the_reason() {
    let world = World::new(None);
    let session = world.toolbox.session();
    for number in 0..20 {
        drop(pollster::block_on(session.call("call", "search", format!(r#"{{"query": "{number}"}}"#))));
        world.clock.advance(std::time::Duration::from_secs(10));
    }
    let state = value(&session);
    let with = |pointer: &str, replacement: Value| {
        let mut state = state.clone();
        *state.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = replacement;
        attempt(&world, &state.to_string()).expect_err("the state is damaged")
    };
    assert_eq!(
        with("/version", json!(2)),
        "the session was saved in version 2, but this program reads versions up to 1: update tool-runtime"
    );
    assert_eq!(with("/version", json!(0)), "there is no version 0 of a saved session");
    assert_eq!(
        with("/format", json!("tool-chat run")),
        "expected the format `tool-runtime session`, found `tool-chat run`"
    );
    let sighting = &state["session"]["throttle"]["details"]["sightings"][0];
    assert_eq!(
        with("/session/throttle/details/sightings", Value::from(vec![sighting.clone(); 17])),
        "the saved session is damaged: there are too many remembered calls"
    );
    assert_eq!(
        with("/session/throttle/tools/0/tool", json!(1_000_000_000)),
        "the saved session is damaged: a tool has no name"
    );
    let name = json!({"name": "search"});
    assert_eq!(with("/session/names", json!([name, name])), "the saved session is damaged: two tools have one name");
    assert_eq!(
        with("/session/saved_at", json!("now")),
        "the saved session is damaged: invalid type: string \"now\", expected struct Duration"
    );
    assert!(with("/session/id", json!(7)).starts_with("the saved session is damaged: invalid type: "));

    // The version is checked first, also if the rest has another form, and in any order of the members.
    let newer = r#"{"session": [1, 2], "format": "tool-runtime session", "more": true, "version": 7}"#;
    assert!(attempt(&world, newer).is_err_and(|error| error.starts_with("the session was saved in version 7, but")));
}
