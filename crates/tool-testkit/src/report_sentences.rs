//! The sentences of a report. Tests compare some of them word for word.

use super::actual_call::ActualCall;
use super::call_requirement::Mismatch;
use super::calls::CallExpectation;
use super::sentence_parts::{listed, times};

/// The maximum number of functions that a sentence names.
const NAMED: usize = 10;

/// Returns the sentence for a function that was not called at all.
pub(super) fn not_called(name: &str, made: &[ActualCall]) -> String {
    if made.is_empty() {
        return format!("Expected function '{name}' to be called, but no function calls were made.");
    }
    format!("Expected function '{name}' to be called, but only these functions were called: {}.", called(made))
}

/// Returns the sentence for alternatives if none of these functions was called.
pub(super) fn none_called(names: &[&str], made: &[ActualCall]) -> String {
    let but = if made.is_empty() {
        "no function calls were made".to_owned()
    } else {
        format!("only these functions were called: {}", called(made))
    };
    format!("Expected any of these functions to be called: {}; but {but}.", several(names.iter().copied()))
}

/// Returns the sentence for a call that no expectation claims.
pub(super) fn unexpected(name: &str) -> String {
    format!("Function '{name}' was called, but no such call was expected.")
}

/// Returns the names of the called functions, in the order of their first calls.
pub(super) fn called(made: &[ActualCall]) -> String {
    several(made.iter().map(ActualCall::name))
}

/// Returns the first few distinct names as a list in words.
fn several<'n>(all: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut are_more = false;
    for name in all {
        if names.contains(&name) {
            continue;
        }
        // The list is short, so a linear search is cheap.
        if names.len() == NAMED {
            are_more = true;
            break;
        }
        names.push(name);
    }
    let mut listed = listed(&names);
    if are_more {
        listed += " and others";
    }
    listed
}

/// Returns the sentence for a wrong number of calls. `wanted` is the required number in words: `2 times`, `at least 1 time`.
pub(super) fn count(calls: &CallExpectation, wanted: &str, got: usize) -> String {
    let way = if calls.is_particular() { " in this way" } else { "" };
    format!("Expected function '{}' to be called {wanted}{way}, but it was called {}.", calls.name(), times(got))
}

/// Returns the sentence for a function that must not be called.
pub(super) fn forbidden(calls: &CallExpectation, got: usize) -> String {
    let way = if calls.is_particular() { " in this way" } else { "" };
    format!("Expected function '{}' not to be called{way}, but it was called {}.", calls.name(), times(got))
}

/// Returns the sentences for a function that was called, but not as expected.
pub(super) fn incorrect(name: &str, mismatches: &[Mismatch]) -> String {
    let is_about_parameters = mismatches.iter().any(|mismatch| matches!(mismatch, Mismatch::Parameter { .. }));
    let mut sentence = if is_about_parameters {
        format!("Function '{name}' was called with incorrect parameters.")
    } else {
        format!("Function '{name}' was called, but not as expected.")
    };
    for mismatch in mismatches {
        sentence.push(' ');
        sentence += &mismatch.to_string();
    }
    sentence
}
