//! Turns: their meaning, and hosts that lose count of their turns.

use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::{Session, Toolbox};

use super::tools::{call, group, visible};

fn session(scope: ExpansionScope) -> Session {
    let builder =
        Toolbox::builder().container(group("Math", &["add"])).expansion(ExpansionSettings::new().scope(scope));
    builder.build().expect("a container is a toolbox").session()
}

fn expand(session: &Session) {
    assert!(call(session, "Math", "{}").is_ok());
    assert_eq!(visible(session), ["Math", "add"]);
}

#[test]
fn an_expansion_for_a_turn_collapses_with_it() {
    let session = session(ExpansionScope::Turn);
    session.begin_turn();
    expand(&session);
    session.end_turn();
    assert_eq!(visible(&session), ["Math"]);
}

#[test]
fn an_expansion_for_the_session_stays() {
    let session = session(ExpansionScope::Session);
    session.begin_turn();
    expand(&session);
    session.end_turn();
    assert_eq!(visible(&session), ["Math", "add"]);
}

#[test]
fn a_new_turn_ends_the_previous_one() {
    let session = session(ExpansionScope::Turn);
    session.begin_turn();
    expand(&session);
    session.begin_turn();
    assert_eq!(visible(&session), ["Math"]);
}

#[test]
fn a_surplus_end_of_turn_has_no_effect() {
    let session = session(ExpansionScope::Turn);
    session.end_turn();
    session.begin_turn();
    session.end_turn();
    session.end_turn();
    expand(&session);
    assert_eq!(session.revision(), 1);
}

#[test]
fn calls_between_turns_belong_to_the_turn_that_ends_next() {
    let session = session(ExpansionScope::Turn);
    expand(&session);
    session.end_turn();
    assert_eq!(visible(&session), ["Math"]);
}
