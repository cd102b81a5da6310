//! A saved session contains no sensitive value, in any spelling, and nothing from which one can be guessed.

use tool_runtime::Dialect;
use tool_runtime::session::{RestoreError, SessionSetup, SessionState, SnapshotError};
use tool_runtime::{Outcome, Session, Toolbox};

use super::world::{Toy, World, ask_user, restored, saved};

fn call(session: &Session, id: &str, name: &str, arguments: &str) -> Outcome {
    pollster::block_on(session.call(id, name, arguments))
}

/// Begins a session that gets a PIN in every spelling, as arguments of the right and of the wrong tools and containers.
fn handled(world: &World, pin: &str) -> Session {
    let session = world.toolbox.begin_session(SessionSetup::new().id("seven")).expect("no state is declared");
    drop(session.definitions());
    let spellings = [
        format!(r#"{{"user": "a", "pin": "{pin}"}}"#),
        format!(r#"{{"pin": "{pin}", "user": "a"}}"#),
        format!(r#"{{"user": "a", "PIN": "{pin}"}}"#),
        format!(r#"{{"user": "a", "pn": "{pin}"}}"#),
        format!(r#"{{"user": "a", "pin": {pin}}}"#),
        format!(r#"{{"user": "a", "pin": ["{pin}"]}}"#),
        format!(r#"{{"arguments": {{"user": "a", "pin": "{pin}"}}}}"#),
        format!(r#"{{"user": "a", "{pin}": "{pin}"}}"#),
        format!(r#"{{"user": "{pin}", "pin": "{pin}"}}"#),
        format!("{{user: 'a', pin: '{pin}'"),
        format!("{{user: 'a', pin: '{pin}',}} # {pin}"),
        format!(r#""{{\"user\": \"a\", \"pin\": \"{pin}\"}}""#),
        pin.to_owned(),
    ];
    for (number, arguments) in spellings.iter().enumerate() {
        for name in ["login", "Login", "Files", "Web", "login<|channel|>"] {
            drop(call(&session, &format!("call_{number}"), name, arguments));
            world.clock.advance(std::time::Duration::from_secs(7));
        }
        drop(call(&session, "", "read_result", &format!(r#"{{"handle": "result_1", "search": "{pin}"}}"#)));
        session.reset_tool_throttle("Files");
    }
    // Two failures of the tool itself, whose message repeats the PIN, and two equal results.
    for user in ["b", "c", "c"] {
        drop(call(&session, "call", "login", &format!(r#"{{"user": "{user}", "pin": "{pin}"}}"#)));
    }
    session
}

fn text(state: &SessionState) -> String {
    serde_json::to_string(state).expect("a state is JSON")
}

#[test]
fn a_saved_session_does_not_depend_on_sensitive_values() {
    let of = |pin: &str| {
        let world = World::new(Some(Dialect::OPENAI_STRICT));
        let session = handled(&world, pin);
        (
            text(&session.snapshot().expect("nothing is deferred")),
            text(&session.snapshot_with(&Toy(9)).expect("a cipher")),
        )
    };
    let ((one, one_sealed), (other, other_sealed)) = (of("4710"), of("8250"));
    assert!(!one.contains("4710") && !one_sealed.contains("4710"), "{one}");
    assert_eq!(one, other, "whatever differs is a hint at the PIN");
    assert_ne!(one_sealed, other_sealed, "the sealed part has the hashes");
    let open = |sealed: &str| sealed.split(r#""sealed":"#).next().map(ToOwned::to_owned);
    assert_eq!(open(&one_sealed), open(&other_sealed));
    assert!(one.contains(r#""names":"#) && one.contains(r#""login""#), "{one}");
}

#[test]
fn calls_with_sensitive_values_are_still_compared_if_there_is_a_cipher() {
    let repeat = |session: &Session, count: usize| {
        let call = |_| call(session, "call", "login", r#"{"user": "a", "pin": "4711"}"#).warnings().len();
        (0..count).map(call).sum::<usize>()
    };
    let world = World::new(None);
    let session = world.toolbox.session();
    assert_eq!(repeat(&session, 1), 0);
    let sealed = saved(&session);
    let without = text(&session.snapshot().expect("nothing is deferred"));
    assert_eq!(repeat(&restored(&world.toolbox, &sealed), 1), 1, "it is the second call");
    assert_eq!(repeat(&restored(&world.toolbox, &without), 1), 0, "nothing is known about the first call");
    assert_eq!(repeat(&restored(&world.toolbox, &without), 2), 1);
}

#[test]
fn a_deferred_call_with_sensitive_values_needs_a_cipher() {
    let toolbox = Toolbox::builder().tool(ask_user()).build().expect("the toolbox is valid");
    let session = toolbox.begin_session(SessionSetup::new().id("seven")).expect("no state is declared");
    assert!(call(&session, "call_1", "ask_user", r#"{"question": "Why?", "code": "sesame"}"#).is_deferred());
    let error = session.snapshot().expect_err("the code would be lost");
    assert!(
        matches!(&error, SnapshotError::NeedsCipher { call_id, tool } if call_id == "call_1" && tool == "ask_user")
    );
    assert!(error.to_string().contains("call_1"), "{error}");
    let state = session.snapshot_with(&Toy(1)).expect("there is a cipher");
    assert!(state.needs_cipher() && !text(&state).contains("sesame") && !format!("{state:?}").contains("sesame"));
    let open = |state: &SessionState, setup| toolbox.restore(state.clone(), setup).map(drop);
    assert!(matches!(open(&state, SessionSetup::new()), Err(RestoreError::NeedsCipher)));
    let error = open(&state, SessionSetup::new().restore_cipher(&Toy(2))).expect_err("the key is wrong");
    assert!(error.to_string().starts_with("the cipher cannot open"), "{error}");
    assert!(open(&state, SessionSetup::new().restore_cipher(&Toy(1))).is_ok());

    // The sealed part of another session is rejected.
    let other = toolbox.begin_session(SessionSetup::new().id("eight")).expect("no state is declared");
    assert!(call(&other, "call_1", "ask_user", r#"{"question": "Why?", "code": "mallow"}"#).is_deferred());
    let other = text(&other.snapshot_with(&Toy(1)).expect("there is a cipher"));
    let swapped: SessionState = serde_json::from_str(&other.replace("eight", "seven")).expect("it is a state");
    let error =
        open(&swapped, SessionSetup::new().restore_cipher(&Toy(1))).expect_err("the secrets belong to another session");
    assert!(matches!(error, RestoreError::OtherSession { .. }), "{error}");

    assert!(session.complete("call_1", "Because.").is_ok());
    assert!(session.snapshot().is_ok(), "the call is answered");
}
