//! What is expected of the conversation as a whole: [`Whole`], and the functions that make one.
//!
//! In: a limit, or what must or must not have happened. Out: an expectation. What always holds: it looks at all calls, whoever else expects
//! them.

use std::time::Duration;

use tool_runtime::failure::ThrottleRule;
use tool_runtime::tool_schema::repair::RepairRule;

use super::condition::{ended, throttled_by};
use super::evidence::Evidence;
use super::finding::first_of;
use super::made::{Made, Screen};
use super::{Finding, Misuse, words};

/// What is expected of the conversation as a whole.
///
/// ```
/// use tool_testkit::{Expectations, expands, no_failures};
///
/// assert!(Expectations::new().expect(no_failures()).expect(expands("Math")).build().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Whole(What);

#[derive(Clone, Debug)]
enum What {
    NoFailures,
    NoCalls,
    Expands(String),
    Throttled(ThrottleRule),
    TakesAtMost(Duration),
    UsesAtMost(u64),
}

/// No call was answered with a failure; one that waits for the host has no answer yet.
///
/// ```
/// use tool_testkit::{Expectations, no_failures};
///
/// assert!(Expectations::new().expect(no_failures()).build().is_ok());
/// ```
pub fn no_failures() -> Whole {
    Whole(What::NoFailures)
}

/// Nothing is called.
///
/// ```
/// use tool_testkit::{Expectations, no_calls};
///
/// assert!(Expectations::new().expect(no_calls()).build().is_ok());
/// ```
pub fn no_calls() -> Whole {
    Whole(What::NoCalls)
}

/// The container is expanded, by a call of its own or for one of its members.
///
/// ```
/// use tool_testkit::{Expectations, expands};
///
/// assert!(Expectations::new().expect(expands("Math")).build().is_ok());
/// ```
pub fn expands(container: impl Into<String>) -> Whole {
    Whole(What::Expands(container.into()))
}

/// The rule against thrashing refuses a call, of whatever function.
///
/// ```
/// use tool_runtime::failure::ThrottleRule;
/// use tool_testkit::{Expectations, throttled};
///
/// assert!(Expectations::new().expect(throttled(ThrottleRule::UnknownTools)).build().is_ok());
/// ```
pub fn throttled(rule: ThrottleRule) -> Whole {
    Whole(What::Throttled(rule))
}

/// The model and the tools take no longer, by the [clock](tool_chat::conversation::Conversation::clock) of the conversation.
///
/// ```
/// use std::time::Duration;
/// use tool_testkit::{Expectations, takes_at_most};
///
/// assert!(Expectations::new().expect(takes_at_most(Duration::from_secs(10))).build().is_ok());
/// ```
pub fn takes_at_most(most: Duration) -> Whole {
    Whole(What::TakesAtMost(most))
}

/// The conversation uses no more tokens, input and output together.
///
/// ```
/// use tool_testkit::{Expectations, uses_at_most};
///
/// assert!(Expectations::new().expect(uses_at_most(4_000)).build().is_ok());
/// ```
pub fn uses_at_most(tokens: u64) -> Whole {
    Whole(What::UsesAtMost(tokens))
}

impl Whole {
    pub(super) fn misuse(&self) -> Option<Misuse> {
        match &self.0 {
            What::Expands(container) if container.trim().is_empty() => Some(Misuse::Empty("the name of a container")),
            _ => None,
        }
    }

    pub(super) fn judge(&self, evidence: &Evidence, screen: &Screen) -> Vec<Finding> {
        let made = &evidence.made;
        match &self.0 {
            What::NoFailures => {
                first_of(made.iter().filter(|made| made.has_failed()).map(|made| failed(made, screen)).collect())
            }
            What::NoCalls => match made.first() {
                None => Vec::new(),
                Some(first) => {
                    let sentence = format!(
                        "Expected no function calls, but these functions were called: {}.",
                        words::called(made)
                    );
                    vec![Finding::new(sentence).near(first, &[], screen)]
                }
            },
            What::Expands(container) => unless(made.iter().any(|made| has_expanded(made, container)), || {
                format!("Expected container '{container}' to be expanded, but it was not.")
            }),
            What::Throttled(rule) => {
                let rule = rule.as_str();
                let is_throttled = made.iter().any(|made| throttled_by(made).as_deref() == Some(rule));
                unless(is_throttled, || format!("Expected a call to be throttled by {rule}, but none was."))
            }
            What::TakesAtMost(most) => {
                let took = evidence.elapsed;
                unless(took <= *most, || format!("Expected it to take at most {most:?}, but it took {took:?}."))
            }
            What::UsesAtMost(most) => {
                let used = evidence.tokens;
                unless(used <= *most, || format!("Expected it to use at most {most} tokens, but it used {used}."))
            }
        }
    }
}

fn unless(is_met: bool, sentence: impl FnOnce() -> String) -> Vec<Finding> {
    if is_met { Vec::new() } else { vec![Finding::new(sentence())] }
}

fn failed(made: &Made, screen: &Screen) -> Finding {
    let sentence = format!("Expected no failures, but '{}' was called and {}.", made.name(), ended(made));
    Finding::new(sentence).near(made, &[], screen)
}

/// By its own call, or on the way to a member.
fn has_expanded(made: &Made, container: &str) -> bool {
    let is_named =
        made.outcome.value().is_some_and(|value| value.get("expanded").is_some_and(|name| name == container));
    let is_own = made.name() == container && is_named;
    is_own
        || made
            .outcome
            .repairs()
            .iter()
            .any(|repair| repair.rule == RepairRule::Expansion && repair.after == *container)
}
