//! Expectations about the conversation as a whole: [`ConversationExpectation`], and the functions that create one.
//!
//! Invariant: these expectations consider all calls, even if other expectations use the same calls.

use std::time::Duration;

use tool_runtime::failure::ThrottleRule;
use tool_runtime::tool_schema::repair::RepairRule;

use super::actual_call::{ActualCall, Screen};
use super::call_requirement::{ended, throttled_by};
use super::conversation_data::Evidence;
use super::failed_expectation::first_of;
use super::{FailedExpectation, SetupError, report_sentences};

/// An expectation about the conversation as a whole.
///
/// ```
/// use tool_chat::transcript::Transcript;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Expectations, expands, no_failures};
///
/// let expected = Expectations::new().expect(no_failures()).expect(expands("Math")).build()?;
/// let report = expected.check(&Transcript::new(), &Toolbox::builder().build()?.session());
/// assert_eq!(report.failed_expectations().len(), 1);
/// assert_eq!(report.failed_expectations()[0].message(), "Expected container 'Math' to be expanded, but it was not.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConversationExpectation(What);

#[derive(Clone, Debug)]
enum What {
    NoFailures,
    NoCalls,
    Expands(String),
    Throttled(ThrottleRule),
    TakesAtMost(Duration),
    AnswersWithin(Duration),
    UsesAtMost(u64),
    WritesAtMost(u64),
}

/// Expects that no call was answered with a failure. A deferred call has no answer yet, so it is not a failure.
pub fn no_failures() -> ConversationExpectation {
    ConversationExpectation(What::NoFailures)
}

/// Expects no calls at all.
pub fn no_calls() -> ConversationExpectation {
    ConversationExpectation(What::NoCalls)
}

/// Expects the container to be expanded, by its own call or by a call of one of its members.
pub fn expands(container: impl Into<String>) -> ConversationExpectation {
    ConversationExpectation(What::Expands(container.into()))
}

/// Expects this rule of the throttle to stop a call of any function.
pub fn throttled(rule: ThrottleRule) -> ConversationExpectation {
    ConversationExpectation(What::Throttled(rule))
}

/// Expects the model and the tools to take at most this long, on the [clock](tool_chat::conversation::Conversation::clock) of the
/// conversation.
pub fn total_time_at_most(most: Duration) -> ConversationExpectation {
    ConversationExpectation(What::TakesAtMost(most))
}

/// Expects each prompt to be answered within this time, on the [clock](tool_chat::conversation::Conversation::clock) of the conversation.
/// This includes the time of the model and the tools, but not the time in which a call waits for the host.
///
/// ```
/// use std::time::Duration;
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Scenario, TestClock, time_per_prompt_at_most};
///
/// let (toolbox, clock) = (Toolbox::builder().build()?, TestClock::new());
/// let model = ScriptedModel::new().clock(clock.clone()).text("Hi.").text("Well …").last_answer_delay(Duration::from_secs(3));
/// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()).clock(clock.clone()))
///     .prompt("Hello!")
///     .prompt("What is the meaning of life?")
///     .expect(time_per_prompt_at_most(Duration::from_secs(2)));
/// let error = pollster::block_on(scenario.run()).err().ok_or("3 seconds are too long")?;
/// assert!(error.to_string().contains("Expected each prompt to be answered within 2s, but prompt 2 took 3s."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_per_prompt_at_most(most: Duration) -> ConversationExpectation {
    ConversationExpectation(What::AnswersWithin(most))
}

/// Expects the conversation to use at most this number of tokens, counting input and output together.
pub fn total_tokens_at_most(tokens: u64) -> ConversationExpectation {
    ConversationExpectation(What::UsesAtMost(tokens))
}

/// Expects the model to write at most this number of tokens. These are the output tokens, also called completion tokens.
///
/// ```
/// use std::time::Duration;
/// use tool_chat::model::Usage;
/// use tool_chat::transcript::Transcript;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Expectations, output_tokens_at_most};
///
/// let mut transcript = Transcript::new();
/// transcript.add_to_turn_totals(Usage::new(900, 40), Duration::ZERO);
/// let report = Expectations::new().expect(output_tokens_at_most(30)).build()?.check(&transcript, &Toolbox::builder().build()?.session());
/// assert_eq!(report.failed_expectations()[0].message(), "Expected the model to write at most 30 tokens, but it wrote 40.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn output_tokens_at_most(tokens: u64) -> ConversationExpectation {
    ConversationExpectation(What::WritesAtMost(tokens))
}

impl ConversationExpectation {
    pub(super) fn misuse(&self) -> Option<SetupError> {
        match &self.0 {
            What::Expands(container) if container.trim().is_empty() => {
                Some(SetupError::Empty("the name of a container"))
            }
            _ => None,
        }
    }

    pub(super) fn failed(&self, evidence: &Evidence, screen: &Screen) -> Vec<FailedExpectation> {
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
                        report_sentences::called(made)
                    );
                    vec![FailedExpectation::new(sentence).near(first, &[], screen)]
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
                let took = evidence.cost.elapsed;
                unless(took <= *most, || format!("Expected it to take at most {most:?}, but it took {took:?}."))
            }
            What::AnswersWithin(most) => {
                let (turn, slowest) =
                    evidence.turns.iter().rev().max_by_key(|(_, cost)| cost.elapsed).copied().unwrap_or_default();
                let took = slowest.elapsed;
                unless(took <= *most, || {
                    format!(
                        "Expected each prompt to be answered within {most:?}, but prompt {} took {took:?}.",
                        turn + 1
                    )
                })
            }
            What::UsesAtMost(most) => {
                let used = evidence.cost.usage.total();
                unless(used <= *most, || format!("Expected it to use at most {}, but it used {used}.", tokens(*most)))
            }
            What::WritesAtMost(most) => {
                let wrote = evidence.cost.usage.output_tokens;
                unless(wrote <= *most, || {
                    format!("Expected the model to write at most {}, but it wrote {wrote}.", tokens(*most))
                })
            }
        }
    }
}

fn tokens(count: u64) -> String {
    if count == 1 { "1 token".to_owned() } else { format!("{count} tokens") }
}

fn unless(is_met: bool, sentence: impl FnOnce() -> String) -> Vec<FailedExpectation> {
    if is_met { Vec::new() } else { vec![FailedExpectation::new(sentence())] }
}

fn failed(made: &ActualCall, screen: &Screen) -> FailedExpectation {
    let sentence = format!("Expected no failures, but '{}' was called and {}.", made.name(), ended(made));
    FailedExpectation::new(sentence).near(made, &[], screen)
}

/// Returns `true` if a call expanded the container, directly or to reach a member.
fn has_expanded(made: &ActualCall, container: &str) -> bool {
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
