//! Reads the tool calls that language models write as text.
//!
//! Servers and gateways often do not recognize the calls of a model, and pass them on as text in the format of the model's family. A
//! [`CallReader`] finds them, at once or in pieces. A [`CallFormat`] is one row of a table: marks, and the notation between them.
//!
//! ```
//! use tool_formats::{CallFormat, CallReader};
//! use tool_schema::shape::{Ref, Shape};
//!
//! let tools = |name: &str| (name == "get_weather").then_some(Ref::Static(Shape::ANY));
//! let answer = "Let me look.\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>";
//! let calls = CallReader::new(CallFormat::AUTO, tools).read(answer);
//! assert_eq!(calls.text, "Let me look.\n");
//! assert_eq!((calls.calls[0].name.as_str(), calls.calls[0].arguments.as_str()), ("get_weather", r#"{"city":"Paris"}"#));
//! ```
//!
//! # Invariants
//!
//! - Text never becomes a call by accident. Markup that somebody else wrote and that the model repeats is text.
//! - A call that is cut off is text.
//! - The calls and the text do not depend on the pieces in which an answer arrives. The time is linear in the answer.

mod call_body_parser;
mod can_call_begin;
mod echo;
mod format;
mod parameter_values;
mod parsed_answer;
mod reader;
mod value_end;

use tool_schema::__private_0_1_0 as private;

pub use format::{CallFormat, UnknownCallFormat};
pub use parsed_answer::{AnswerPart, FoundCall, TextAnswer};
pub use reader::CallReader;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
