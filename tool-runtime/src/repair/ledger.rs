//! What was read otherwise than it was written: one [`Repair`] for each line of the ledger that a repaired call carries.
//!
//! In: what the model sent and what it was read as. Out: data for the host, and a sentence for whoever wants one. What always
//! holds: nothing is changed without such a line, and the line is short however long the text was.

use std::fmt;

use crate::issue::Path;
use crate::json::{Span, write_string};
use crate::shape::Text;

/// The most characters of what was sent that a line repeats.
const LONGEST: usize = 64;

/// One thing that was read otherwise than it was written.
///
/// ```
/// use tool_runtime::Repair;
///
/// let repair = Repair::tool_name("GetWeather", "get_weather".into());
/// assert_eq!(repair.to_string(), r#"Read tool "GetWeather" as get_weather."#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Where in the arguments: the root for what concerns the whole text, or the tool's name.
    pub path: Path,
    /// Where in the text that was sent, in bytes, if a stretch of it was read as [`after`](Self::after).
    pub span: Option<Span>,
    /// Why it could be read so.
    pub rule: RepairRule,
    /// What was sent, at most 64 characters of it: the name or the stretch of text itself; the JSON text of a value at a path.
    pub before: Text,
    /// What it was read as, in the same form.
    pub after: Text,
}

/// Why something could be read otherwise than it was written.
///
/// ```
/// use tool_runtime::{Repair, RepairRule};
///
/// assert_eq!(Repair::tool_name("GetWeather", "get_weather".into()).rule, RepairRule::ToolName);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairRule {
    /// The name of a tool, but for case and separators.
    ToolName,
    /// A control token of the model's template after the name of a tool.
    ControlToken,
    /// A call that was written as text.
    CallAsText,
    /// The call of a container that names a member in its arguments.
    Member,
    /// A call that could only be answered once a container was expanded.
    Expansion,
    /// The arguments of a container, which takes none.
    ContainerArguments,

    /// A code fence around the value.
    CodeFence,
    /// Text before or after the value.
    SurroundingText,
    /// A byte order mark.
    ByteOrderMark,
    /// A comment.
    Comment,
    /// A comma that was missing, or one too many.
    Comma,
    /// Quotes that JSON does not know.
    Quote,
    /// A key without quotes.
    UnquotedKey,
    /// A constant of Python or JavaScript.
    Constant,
    /// A number that JSON spells otherwise.
    Number,
    /// A raw control character in a string.
    ControlCharacter,
    /// An escape that JSON does not know.
    Escape,
    /// Arguments in an object of their own: `{"arguments": {…}}`.
    Wrapper,
    /// JSON in a string, in the place of the value itself.
    Stringified,

    /// A whole number with a fraction of zero: `5.0` for `5`.
    WholeNumber,
    /// A text that is exactly one value of the wanted type: `"5"` for `5`.
    Text,
    /// A number or a boolean where its text is wanted.
    AsText,
    /// One value where an array of such values is wanted.
    SingleItem,
    /// `null` or an empty text for what may be absent.
    Absent,
    /// A value of an enum, but for case and separators.
    EnumSpelling,
    /// A key that can only have meant another.
    Rename,
}

impl RepairRule {
    /// The rule's name, as it stands in JSON.
    ///
    /// ```
    /// assert_eq!(tool_runtime::RepairRule::UnquotedKey.name(), "unquoted_key");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::ToolName => "tool_name",
            Self::ControlToken => "control_token",
            Self::CallAsText => "call_as_text",
            Self::Member => "member",
            Self::Expansion => "expansion",
            Self::ContainerArguments => "container_arguments",
            Self::CodeFence => "code_fence",
            Self::SurroundingText => "surrounding_text",
            Self::ByteOrderMark => "byte_order_mark",
            Self::Comment => "comment",
            Self::Comma => "comma",
            Self::Quote => "quote",
            Self::UnquotedKey => "unquoted_key",
            Self::Constant => "constant",
            Self::Number => "number",
            Self::ControlCharacter => "control_character",
            Self::Escape => "escape",
            Self::Wrapper => "wrapper",
            Self::Stringified => "stringified",
            Self::WholeNumber => "whole_number",
            Self::Text => "text",
            Self::AsText => "as_text",
            Self::SingleItem => "single_item",
            Self::Absent => "absent",
            Self::EnumSpelling => "enum_spelling",
            Self::Rename => "rename",
        }
    }
}

impl Repair {
    /// The name of a tool, but for case and separators.
    ///
    /// ```
    /// # use tool_runtime::Repair;
    /// assert_eq!(Repair::tool_name("get-weather", "get_weather".into()).after, "get_weather");
    /// ```
    pub fn tool_name(before: &str, after: Text) -> Self {
        Self { path: Path::root(), span: None, rule: RepairRule::ToolName, before: cut(before), after }
    }
}

impl Repair {
    /// The call of a container was read as one of its member, or expanded it, or lost its arguments.
    pub(crate) fn of_container(rule: RepairRule, before: &str, after: Text) -> Self {
        Self { path: Path::root(), span: None, rule, before: cut(before), after }
    }
}

/// As much as a line repeats.
fn cut(text: &str) -> Text {
    text.chars().take(LONGEST).collect::<String>().into()
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut quoted = String::new();
        write_string(&mut quoted, &self.before);
        match self.rule {
            RepairRule::ToolName | RepairRule::ControlToken => write!(f, "Read tool {quoted} as {}.", self.after),
            RepairRule::Member => write!(f, "Read the call of {quoted} as one of {}.", self.after),
            RepairRule::Expansion => write!(f, "Expanded {} for {quoted}.", self.after),
            RepairRule::ContainerArguments => write!(f, "Left out the arguments of {quoted}."),
            _ if self.span.is_some() && self.after.is_empty() => write!(f, "Left out {quoted}."),
            _ if self.span.is_some() => write!(f, "Read {quoted} as {}.", self.after),
            _ if self.path.is_root() => write!(f, "Read {} as {}.", self.before, self.after),
            _ => write!(f, "Read {} {} as {}.", self.path, self.before, self.after),
        }
    }
}
