//! The sentences of a report.
//!
//! In: names, counts, mismatches. Out: one sentence each, those of the contract byte for byte. What always holds: they depend on nothing
//! but what comes in.

use super::calls::Calls;
use super::condition::Mismatch;
use super::made::Made;
use super::phrases::{listed, times};

/// How many different functions a sentence names.
const NAMED: usize = 10;

/// The function was not called at all.
pub(super) fn not_called(name: &str, made: &[Made]) -> String {
    if made.is_empty() {
        return format!("Expected function '{name}' to be called, but no function calls were made.");
    }
    format!("Expected function '{name}' to be called, but only these functions were called: {}.", called(made))
}

/// The names of the functions that were called, in the order of their first calls.
pub(super) fn called(made: &[Made]) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut are_more = false;
    for name in made.iter().map(Made::name) {
        if names.contains(&name) {
            continue;
        }
        // The list is as short as the sentence, so that looking through it costs nothing.
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

/// The count is not what it should be; `wanted` says how many: `2 times`, `at least 1 time`.
pub(super) fn count(calls: &Calls, wanted: &str, got: usize) -> String {
    let way = if calls.is_particular() { " in this way" } else { "" };
    format!("Expected function '{}' to be called {wanted}{way}, but it was called {}.", calls.name(), times(got))
}

/// The function was called although it must not be.
pub(super) fn forbidden(calls: &Calls, got: usize) -> String {
    let way = if calls.is_particular() { " in this way" } else { "" };
    format!("Expected function '{}' not to be called{way}, but it was called {}.", calls.name(), times(got))
}

/// The function was called, but not like this.
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
