//! From the text of a language model to a typed value, or to everything that is wrong with it.
//!
//! Derive [`ToolInput`](derive@ToolInput) beside `Deserialize`. The macro writes a constant description of the type, its
//! [`Shape`](shape::Shape). Everything else is read from it: the JSON Schema that a model sees, the rules that a value must satisfy, the
//! complete list of issues if it does not, and the hint for the next attempt.
//!
//! ```
//! use serde::Deserialize;
//! use tool_schema::{ToolInput, extract, schema::schema_text};
//!
//! #[derive(Deserialize, ToolInput)]
//! struct Invoice {
//!     /// Who is billed.
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
//! assert_eq!(error.to_string(), "2 problems: customer is required; cents must be at least 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`extract`] reads the answer of a model. The arguments of a call are read by [`decode`](decode::decode), which costs what `serde_json` costs if
//! they are good. The crate `tool-runtime` builds tools and sessions on both.
//!
//! # Where to find what
//!
//! | you want to | look at |
//! | --- | --- |
//! | read a typed value from an answer | [`extract`](extract()) |
//! | decode the arguments of a call, or get every issue | [`decode`], [`issue`] |
//! | show a model what it may send | [`schema`] |
//! | tell a model what to correct | [`hint`], [`feedback`] |
//! | read broken JSON, repair values, find calls in a text | [`repair`] |
//! | check a value against a shape without a type | [`check`], [`shape`], [`json`] |
//! | use types of std and other crates as inputs | [`input`] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `pattern` (default) | `#[tool(pattern = "…")]`, checked in linear time |
//! | `rc` (default) | `Arc` in inputs |
//! | `jiff02`, `uuid1`, `url2` | types of `jiff`, `uuid` and `url` as inputs |

mod bounded;
pub mod check;
mod counted;
pub mod decode;
pub mod dialect;
mod extract;
pub mod feedback;
mod hash;
pub mod hint;
pub mod input;
pub mod issue;
pub mod json;
pub mod repair;
pub mod schema;
pub mod shape;
mod suggest;
mod visible;

mod __private;

// The name has the version, so that code of other macros fails to compile; `tests/tests/packages.rs` compares the two.
#[doc(hidden)]
pub mod __private_0_1_0 {
    pub use crate::__private::*;
}

pub use extract::{ExtractError, Extracted, extract};
pub use hint::RetryHint;
pub use input::ToolInput;
pub use issue::{Issue, ValidationError};
pub use repair::{Repair, RepairRule};
pub use schema::Format;
pub use shape::Rejection;
pub use tool_macros::SchemaToolInput as ToolInput;

/// The example of the README is compiled like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
