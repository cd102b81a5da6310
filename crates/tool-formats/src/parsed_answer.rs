//! The calls and the text of an answer.

use std::ops::Range;

use crate::format::CallFormat;

/// A call that a model wrote as text.
///
/// ```
/// use tool_formats::{CallFormat, CallReader};
/// use tool_schema::shape::{Ref, Shape};
///
/// let reader = CallReader::new(CallFormat::AUTO, |name| (name == "now").then_some(Ref::Static(Shape::ANY)));
/// let calls = reader.read("<tool_call>{'name': 'now', 'arguments': {'zone': 'UTC',}}</tool_call>");
/// assert_eq!((calls.calls[0].format, calls.calls[0].span.clone()), (CallFormat::HERMES, 0..69));
/// // Broken JSON is repaired when the call runs.
/// assert_eq!(calls.calls[0].arguments, "{'zone': 'UTC',}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundCall {
    /// The name of a known tool.
    pub name: String,
    /// The arguments: the JSON that the model wrote, which may be broken, or JSON that was made from another notation.
    pub arguments: String,
    /// The range of the markup in the text. The calls of one list have the same range.
    pub span: Range<usize>,
    /// The format of the markup.
    pub format: CallFormat,
}

/// A part of an answer.
///
/// ```
/// use tool_formats::{AnswerPart, CallFormat, CallReader};
///
/// let mut reader = CallReader::new(CallFormat::AUTO, |_| None);
/// assert_eq!(reader.push("1 < 2, and <tool"), [AnswerPart::Text("1 < 2, and ".into())]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerPart {
    /// Text that is not a call.
    Text(String),
    /// A complete call.
    Call(FoundCall),
}

/// The text of an answer, and the calls in it.
///
/// ```
/// use tool_formats::{CallFormat, CallReader};
/// use tool_schema::shape::{Ref, Shape};
///
/// let reader = CallReader::new(&[CallFormat::PYTHON_TAG], |name| (name == "add").then_some(Ref::Static(Shape::ANY)));
/// let calls = reader.read("One moment.\n<|python_tag|>{\"name\": \"add\", \"parameters\": {\"a\": 1}}<|eom_id|>");
/// assert_eq!((calls.text.as_str(), calls.calls[0].arguments.as_str()), ("One moment.\n", r#"{"a": 1}"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextAnswer {
    /// The text without the calls and the marks around them.
    pub text: String,
    /// The calls, in the order of the text.
    pub calls: Vec<FoundCall>,
}
