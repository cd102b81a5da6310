//! Converts the text of a language model into a typed value, or into a complete list of its issues.
//!
//! Derive [`ToolInput`](derive@ToolInput) beside `Deserialize`. The macro writes a constant description of the type, its
//! [`Shape`](shape::Shape). The rest is computed from the shape: the JSON Schema for the model, the rules that a value must satisfy, the
//! complete list of issues, and the hint for the next attempt.
//!
//! ```
//! use serde::Deserialize;
//! use tool_schema::{ToolInput, extract, schema::schema_text};
//!
//! #[derive(Deserialize, ToolInput)]
//! #[serde(deny_unknown_fields)]
//! struct Invoice {
//!     /// The person or company that is billed.
//!     customer: String,
//!     /// Amount in cents.
//!     #[tool(range(min = 1))]
//!     cents: u32,
//! }
//!
//! assert!(schema_text(Invoice::SHAPE).contains(r#""cents":{"type":"integer""#));
//!
//! let invoice = extract::<Invoice>("Here it is: {'customer': 'Ada', \"cents\": \"1250\",}")?;
//! assert_eq!(invoice.value.cents, 1250);
//! assert_eq!(invoice.repairs.last().map(ToString::to_string).as_deref(), Some(r#"Read cents "1250" as 1250."#));
//!
//! let error = extract::<Invoice>(r#"{"cents": 0}"#).err().ok_or("accepted")?;
//! assert_eq!(error.to_string(), "2 issues: customer is required; cents must be at least 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`extract`] parses the answer of a model. [`decode`](decode::decode) parses the arguments of a call, and is as fast as `serde_json` for
//! good arguments. The crate `tool-runtime` builds tools and sessions on both.
//!
//! # Modules
//!
//! | you want to | use |
//! | --- | --- |
//! | extract a typed value from an answer | [`extract`](extract()) |
//! | ask a model for an answer of a type | [`AnswerForm`] |
//! | decode the arguments of a call, or get every issue | [`decode`], [`issue`] |
//! | show a model the accepted input | [`schema`] |
//! | explain to a model how to correct its input | [`hint`], [`feedback`] |
//! | parse broken JSON, repair values, find calls in a text | [`repair`] |
//! | check a value against a shape without a type | [`check`], [`shape`], [`json`] |
//! | use types of std and other crates as inputs | [`input`] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `pattern` (default) | `#[tool(pattern = "…")]`, checked in linear time |
//! | `rc` (default) | `Arc` in inputs |
//! | `chrono04`, `jiff02`, `rust_decimal1`, `url2`, `uuid1` | types of `chrono`, `jiff`, `rust_decimal`, `url` and `uuid` as inputs |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer_form;
mod bounded;
mod case_significance;
pub mod check;
pub mod decode;
pub mod dialect;
mod extract;
mod fast_hash;
pub mod feedback;
mod find_parameter_markup;
pub mod hint;
pub mod input;
pub mod issue;
pub mod json;
mod parse_counters;
pub mod repair;
pub mod schema;
pub mod shape;
mod suggest;
mod tool_names;
mod visible;
mod wrapped_arguments;

mod __private;

// The name contains the version of this crate, so that code from macros of another version does not compile. `tests/tests/repository/packages.rs`
// checks that the name fits the version.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use crate::__private::*;
}

pub use answer_form::{AnswerForm, AnswerFormError};
pub use dialect::Dialect;
pub use extract::{ExtractError, Extracted, UnreadAnswerReason, extract};
pub use hint::RetryHint;
pub use input::{ToolInput, double_option};
pub use issue::{Issue, ValidationError};
pub use repair::{Repair, RepairRule};
pub use shape::CustomRuleError;
pub use tool_macros::SchemaToolInput as ToolInput;

/// The README's example, compiled as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
