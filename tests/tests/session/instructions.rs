//! Instructions: once in the expansion, and in the system prompt while the container is expanded.

use std::sync::atomic::{AtomicU8, Ordering};

use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{Container, Session, Toolbox};

use super::tools::{call, group, without_states};

struct Level(AtomicU8);

fn session() -> Session {
    let files = group("Files", &["read"]).instructions("Paths are relative.").system_prompt("Never read secrets.\n");
    let math = group("Math", &["add"])
        .instructions_from(|level: &Level| format!("Level {}.", level.0.load(Ordering::Relaxed)))
        .system_prompt_from(|level: &Level| format!("Be exact at level {}.", level.0.load(Ordering::Relaxed)));
    let open = group("Clock", &["hour"]).system_prompt("All times are in UTC.").always_expanded();
    let builder = Toolbox::builder().container(files).container(math).container(open).state(Level(AtomicU8::new(1)));
    builder.build().expect("the registration is valid").session()
}

#[test]
fn the_instructions_of_a_container_are_in_the_prompt_while_it_is_expanded() {
    let session = session();
    let clock = "## Clock\n\nAll times are in UTC.";
    assert_eq!(session.instructions(), clock);
    let _ = (call(&session, "Math", ""), call(&session, "Files", ""));
    let files = "## Files\n\nNever read secrets.";
    assert_eq!(session.instructions(), format!("{clock}\n\n## Math\n\nBe exact at level 1.\n\n{files}"));
    session.collapse_container("Math");
    assert_eq!(session.instructions(), format!("{clock}\n\n{files}"));
}

#[test]
fn the_instructions_disappear_however_the_container_collapses() {
    let of = |scope| {
        let groups = [("A", "a"), ("B", "b")].map(|(name, member)| group(name, &[member]).system_prompt("Be exact."));
        let builder = groups
            .into_iter()
            .fold(Toolbox::builder().expansion(ExpansionSettings::new().scope(scope)), ToolboxBuilder::container);
        builder.build().expect("the registration is valid").session()
    };
    let turn = of(ExpansionScope::Turn);
    let _ = call(&turn, "A", "");
    assert_eq!(turn.instructions(), "## A\n\nBe exact.");
    turn.end_turn();
    assert_eq!(turn.instructions(), "");
    let one = of(ExpansionScope::AtMost(1));
    let _ = (call(&one, "A", ""), call(&one, "B", ""));
    assert_eq!(one.instructions(), "## B\n\nBe exact.");
}

#[test]
fn the_text_of_the_expansion_can_be_computed() {
    let session = session();
    assert!(call(&session, "Files", "").to_text().ends_with(r#""instructions":"Paths are relative."}"#));
    assert!(call(&session, "Math", "").to_text().ends_with(r#""instructions":"Level 1."}"#));
}

#[test]
fn computed_instructions_follow_the_state() {
    let level = std::sync::Arc::new(Level(AtomicU8::new(1)));
    let seen = std::sync::Arc::clone(&level);
    let of = move |(): &()| format!("Level {}.", seen.0.load(Ordering::Relaxed));
    let math = group("Math", &["add"]).system_prompt_from(of.clone()).instructions_from(of);
    let session = Toolbox::builder().container(math).state(()).build().expect("the registration is valid").session();
    let _ = call(&session, "Math", "");
    level.0.store(2, Ordering::Relaxed);
    assert_eq!(session.instructions(), "## Math\n\nLevel 2.");
    assert!(call(&session, "Math", "").to_text().contains("Level 2."));
}

#[test]
fn a_missing_state_is_a_problem() {
    let math = Container::new("Math", "Arithmetic.").system_prompt_from(|_: &u8| String::new());
    let error = Toolbox::builder().container(math).build().expect_err("nobody brings a `u8`");
    assert_eq!(error.errors(), [RegistrationError::MissingState { tool: "Math".into(), state: "u8" }]);
}

#[test]
fn without_its_state_the_fixed_text_replaces_a_computed_one() {
    let math = group("Math", &["add"]).system_prompt("Be exact.").system_prompt_from(|user: &String| user.clone());
    let toolbox = Toolbox::builder().container(math).require_session_state::<String>().build().expect("it is declared");
    let (without, with) = (
        without_states(&toolbox),
        toolbox.session_with("Be Ann.".to_owned()).expect("the state has the declared type"),
    );
    let _ = (call(&without, "Math", ""), call(&with, "Math", ""));
    assert_eq!(
        (without.instructions().as_str(), with.instructions().as_str()),
        ("## Math\n\nBe exact.", "## Math\n\nBe Ann.")
    );
}

#[test]
fn a_computed_text_that_panics_is_omitted() {
    let panics = |_: &u8| -> String { panic!("the function panics") };
    let math = group("Math", &["add"]).system_prompt_from(panics).instructions_from(panics);
    let session = Toolbox::builder().container(math).state(1_u8).build().expect("it is shared").session();
    assert!(call(&session, "Math", "").is_ok());
    assert_eq!(session.instructions(), "");
}
