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
mod call_assignment;
mod call_groups;
mod call_requirement;
mod calls;
mod check_count_and_order;
mod compare;
mod conversation;
mod conversation_data;
mod difference;
mod expectation;
mod expectation_report;
mod failed_expectation;
mod generate;
mod hide_secrets;
mod matcher;
mod ordered_calls;
mod path_parser;
mod reaction;
mod report_sentences;
mod scenario;
mod schema_agreement;
mod sentence_parts;
mod setup_error;
mod snapshot;
mod test_clock;
mod text_expectation;
mod typed_answer;
mod unordered_calls;

use tool_runtime::__private_0_1_0 as private;

// Items for `assert_schema_snapshot!`. The name contains the version of this crate, and `tests/tests/repository/packages.rs` checks that it does.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use crate::snapshot::folder;
}

pub use call_groups::{CallGroup, any_of, calls_in_any_order, calls_in_order, exactly, only_calls};
pub use calls::{CallExpectation, calls, calls_typed, never};
pub use conversation::{
    ConversationExpectation, expands, no_calls, no_failures, output_tokens_at_most, throttled, time_per_prompt_at_most,
    total_time_at_most, total_tokens_at_most,
};
pub use expectation::{Expectation, ExpectationSet, Expectations};
pub use expectation_report::ExpectationReport;
pub use failed_expectation::FailedExpectation;
pub use generate::{InvalidArguments, invalid_arguments, valid_arguments};
pub use matcher::{Matcher, any, approx, contains, equals, includes, of_type, one_of, regex, satisfying};
pub use scenario::{ConfidenceInterval, Failed, HostReply, Reliability, Runs, Scenario, ScenarioError};
pub use schema_agreement::{check_contract, check_contracts};
pub use setup_error::{SetupError, SetupErrors};
pub use snapshot::check_snapshot;
pub use test_clock::TestClock;
pub use text_expectation::{TextExpectation, last_answer};
pub use typed_answer::{AnswerExpectation, typed_answer};

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
