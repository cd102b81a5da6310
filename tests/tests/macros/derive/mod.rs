//! `#[derive(ToolInput)]`: every attribute that it reads, in every representation where it has a meaning.
//!
//! Each test compares the shape with one line, and states which JSON texts serde accepts or rejects.
//!
//! Invariant: the typed path (serde, then the guard) and the complete check give the stated verdict on each text.

// Types are next to the assertions about them and only decoded, and rules always take references.
#![allow(dead_code, clippy::items_after_statements, clippy::trivially_copy_pass_by_ref)]

mod enums;
mod outline;
mod rules;
mod structs;

use tool_runtime::ToolInput;
use tool_schema::check::check;
use tool_schema::json::Json;

use outline::outline;

/// Asserts the shape in one line, and the verdict on each text.
#[track_caller]
fn expect<T: ToolInput>(shape: &str, accepted: &[&str], rejected: &[&str]) {
    assert_eq!(outline(T::SHAPE), shape);
    for (texts, verdict) in [(accepted, true), (rejected, false)] {
        for text in texts {
            let json = Json::parse(text).expect("the test writes JSON");
            let issues = check(T::SHAPE, &json);
            assert_eq!(issues.is_empty(), verdict, "the complete check on {text}: {issues:?}");
            let typed = serde_json::from_str::<T>(text);
            let sure = typed.as_ref().is_ok_and(T::guard);
            let said = typed.as_ref().map(|_| ()).map_err(ToString::to_string);
            // A guard may leave the verdict to the check, but must not accept values that the check rejects.
            assert!(
                if verdict { typed.is_ok() } else { !sure },
                "the typed path on {text}: serde {said:?}, guard {sure}"
            );
        }
    }
}

/// Asserts that the guard itself accepts valid values, so that the complete check is not needed.
#[track_caller]
fn expect_sure<T: ToolInput>(accepted: &[&str]) {
    for text in accepted {
        assert!(serde_json::from_str::<T>(text).is_ok_and(|value| value.guard()), "{text}");
    }
}
