//! Expectations about the calls that a model makes, for ordinary tests. One report shows all expectations that failed.
//!
//! A test compares a conversation with expectations ([`calls`], [`exactly`], [`calls_in_order`], [`last_answer`], [`no_failures`] …), usually in a
//! [`Scenario`].
//!
//! # Invariants
//!
//! - Calls are assigned to expectations so that as many as possible are met; the order of the expectations makes no difference.
//! - An expectation that can never be met is reported before a model is called.
//! - Values of sensitive fields are redacted.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod actual_call;
mod answers;
mod calls;
mod compare;
mod condition;
mod contract;
mod conversation;
mod conversation_data;
mod counts;
mod difference;
mod expectation;
mod failed_expectation;
mod generate;
mod group;
mod matcher;
mod ordered;
mod pairing;
mod path;
mod phrases;
mod reaction;
mod report;
mod scenario;
mod secrets;
mod sentences;
mod setup_error;
mod snapshot;
mod test_clock;
mod text_expectation;
mod unordered;

use tool_runtime::__private_0_1_0 as private;

// Items for `assert_schema_snapshot!`. The name contains the version of this crate, and `tests/tests/repository/packages.rs` checks that it does.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use crate::snapshot::folder;
}

pub use answers::{AnswerExpectation, answers};
pub use calls::{CallExpectation, calls, calls_typed, never};
pub use contract::{check_contract, check_contracts};
pub use conversation::{
    ConversationExpectation, expands, no_calls, no_failures, output_tokens_at_most, throttled, time_per_prompt_at_most,
    total_time_at_most, total_tokens_at_most,
};
pub use expectation::{Expectation, ExpectationSet, Expectations};
pub use failed_expectation::FailedExpectation;
pub use generate::{InvalidArguments, invalid_arguments, valid_arguments};
pub use group::{CallGroup, any_of, calls_in_any_order, calls_in_order, exactly, subset};
pub use matcher::{Matcher, any, approx, contains, equals, includes, of_type, one_of, regex, satisfies};
pub use report::Report;
pub use scenario::{ConfidenceInterval, Failed, HostReply, Reliability, Runs, Scenario, ScenarioError};
pub use setup_error::{SetupError, SetupErrors};
pub use snapshot::check_snapshot;
pub use test_clock::TestClock;
pub use text_expectation::{TextExpectation, last_answer};

/// Guides to tests of tools and conversations.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/groups.md")]
    pub mod groups {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/hosts.md")]
    pub mod hosts {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/reliability.md")]
    pub mod reliability {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/testing.md")]
    pub mod testing {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/tool-tests.md")]
    pub mod tool_tests {}
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
