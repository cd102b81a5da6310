//! What a turn means, and that a host may lose count of its turns.

use tool_runtime::container::ExpansionScope;
use tool_runtime::{Session, Toolbox};

use super::tools::{call, group, visible};

fn session(scope: ExpansionScope) -> Session {
    let builder = Toolbox::builder().container(group("Math", &["add"])).expansion_scope(scope);
    builder.build().expect("a container is a toolbox").session()
}

fn expand(session: &Session) {
    assert!(call(session, "Math", "{}").is_ok());
    assert_eq!(visible(session), ["Math", "add"]);
}

#[test]
fn what_was_expanded_for_a_turn_collapses_with_it() {
    let session = session(ExpansionScope::Turn);
    session.begin_turn();
    expand(&session);
    session.end_turn();
    assert_eq!(visible(&session), ["Math"]);
}

#[test]
fn what_was_expanded_for_the_session_stays() {
    let session = session(ExpansionScope::Session);
    session.begin_turn();
    expand(&session);
    session.end_turn();
    assert_eq!(visible(&session), ["Math", "add"]);
}

#[test]
fn a_turn_that_begins_ends_the_one_before() {
    let session = session(ExpansionScope::Turn);
    session.begin_turn();
    expand(&session);
    session.begin_turn();
    assert_eq!(visible(&session), ["Math"]);
}

#[test]
fn an_end_too_many_ends_nothing() {
    let session = session(ExpansionScope::Turn);
    session.end_turn();
    session.begin_turn();
    session.end_turn();
    session.end_turn();
    expand(&session);
    assert_eq!(session.revision(), 1);
}

#[test]
fn calls_outside_of_any_turn_belong_to_the_one_that_ends_next() {
    let session = session(ExpansionScope::Turn);
    expand(&session);
    session.end_turn();
    assert_eq!(visible(&session), ["Math"]);
}
