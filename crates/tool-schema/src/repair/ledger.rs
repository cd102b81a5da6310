//! The ledger of a repaired call: one [`Repair`] for each change.
//!
//! Invariant: every change has a line, and a line is short whatever the length of the text.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::issue::{Path, REDACTED};
use crate::json::{Json, Span, write_visible};
use crate::shape::Text;
use crate::visible::{self, is_hidden};

/// The maximum number of characters of the sent text that a line repeats.
const LONGEST: usize = 64;

/// One recorded change of a call.
///
/// ```
/// use tool_schema::Repair;
///
/// let repair = Repair::for_tool_name("GetWeather", "get_weather".into());
/// assert_eq!(repair.to_string(), r#"Read tool "GetWeather" as get_weather."#);
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repair {
    /// The location in the arguments. It is the root for repairs of the text of the arguments, and of the tool's name.
    pub path: Path,
    /// The range of bytes in the sent text that was replaced by [`after`](Self::after); `None` for a repair that is not about the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The rule that allows the repair.
    pub rule: RepairRule,
    /// The text before the repair: the tool name, the range of text, or the JSON text of the value at the path. It has at most 64
    /// characters, of which the last is `…` if the text was cut.
    pub before: Text,
    /// The text after the repair, in the same form.
    pub after: Text,
}

/// Creates [`RepairRule`] from a list of the rules with their names in JSON.
macro_rules! repair_rules {
    ($(#[$attribute:meta])* enum $rules:ident { $($(#[$doc:meta])* $rule:ident = $name:literal,)* }) => {
        $(#[$attribute])*
        pub enum $rules {
            $($(#[$doc])* #[serde(rename = $name)] $rule,)*
        }

        impl $rules {
            /// Returns the rule with this [name](Self::name).
            pub fn from_name(name: &str) -> Option<Self> {
                [$(Self::$rule),*].into_iter().find(|rule| rule.name() == name)
            }

            /// Returns the name of the rule in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }
        }
    };
}

repair_rules! {
/// The rule that allows a repair.
///
/// ```
/// use tool_schema::repair::{RepairRule, repair_text};
///
/// let reading = repair_text("{city: 'Paris'}");
/// let rules: Vec<_> = reading.repairs().iter().map(|repair| repair.rule.name()).collect();
/// assert_eq!(rules, ["unquoted_key", "quote", "quote"]);
/// assert_eq!(RepairRule::from_name("unquoted_key"), Some(RepairRule::UnquotedKey));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
enum RepairRule {
    /// A name that differs from a tool's name only in case and separators.
    ToolName = "tool_name",
    /// An alias of a tool: a name that the tool's author added, or the tool's original name if it was changed because some providers reject
    /// it.
    ToolAlias = "tool_alias",
    /// A control token of the model's template after the name of a tool.
    ControlToken = "control_token",
    /// A call of a container that names a member in its arguments.
    Member = "member",
    /// A call that required the expansion of a container.
    Expansion = "expansion",
    /// Arguments in a call of a container, although a container takes none.
    ContainerArguments = "container_arguments",

    /// A code fence around the value.
    CodeFence = "code_fence",
    /// Text before or after the value.
    SurroundingText = "surrounding_text",
    /// A byte order mark.
    ByteOrderMark = "byte_order_mark",
    /// A comment.
    Comment = "comment",
    /// A missing or superfluous comma.
    Comma = "comma",
    /// A missing, mismatched or superfluous bracket, and `[]` in place of arguments.
    Bracket = "bracket",
    /// White space that JSON does not allow, such as a no-break space.
    WhiteSpace = "blank",
    /// Quotes that JSON does not allow.
    Quote = "quote",
    /// A key without quotes.
    UnquotedKey = "unquoted_key",
    /// A constant of Python or JavaScript.
    Constant = "constant",
    /// A number in a spelling that JSON does not allow.
    Number = "number",
    /// A raw control character in a string.
    ControlCharacter = "control_character",
    /// An escape that JSON does not allow.
    Escape = "escape",
    /// Arguments wrapped in another object: `{"arguments": {…}}`.
    Wrapper = "wrapper",
    /// A string with the JSON text of the value.
    Stringified = "stringified",

    /// A whole number with a fraction of zero: `5.0` for `5`.
    WholeNumber = "whole_number",
    /// A text that is exactly one value of the expected type: `"5"` for `5`.
    Text = "text",
    /// A number or a boolean where a text is expected.
    AsText = "as_text",
    /// A number or a word where a boolean is expected: `1` for `true`.
    AsBoolean = "as_boolean",
    /// One value where an array of such values is expected.
    SingleItem = "single_item",
    /// `null`, an empty text, or a word such as `"None"` for an optional value.
    Absent = "absent",
    /// A text that differs from an enum value only in case and separators.
    EnumSpelling = "enum_spelling",
    /// A key that can only mean another key.
    Rename = "rename",
}
}

impl Repair {
    /// Creates a repair of a range of text.
    pub(super) fn of_text(rule: RepairRule, span: Span, before: &str, after: Text) -> Self {
        // Frequent texts. They are stored without an allocation, because the ledger of a long text may have many such lines.
        const USUAL: [&str; 9] = ["", ",", "\n", "\t", "\r", "'", "\"", "\\", "\\'"];
        let usual = USUAL.into_iter().find(|usual| *usual == before);
        Self {
            path: Path::root(),
            span: Some(span),
            rule,
            before: usual.map_or_else(|| cut(before), Text::from_static),
            after,
        }
    }

    /// Creates a repair of a tool name.
    pub(super) fn of_name(rule: RepairRule, before: &str, after: Text) -> Self {
        Self { path: Path::root(), span: None, rule, before: cut(before), after }
    }

    /// Creates a repair that unwraps the arguments.
    pub(super) fn of_whole(rule: RepairRule, before: &Json<'_>, after: &Json<'_>) -> Self {
        Self { path: Path::root(), span: None, rule, before: json_preview(before), after: after.to_text().into() }
    }

    /// Creates the repair of a tool name that differs in case or separators.
    pub fn for_tool_name(before: &str, after: Text) -> Self {
        Self::of_name(RepairRule::ToolName, before, after)
    }

    /// Creates a repair from its parts.
    pub(crate) const fn from_parts(
        path: Path,
        span: Option<Span>,
        rule: RepairRule,
        before: Text,
        after: Text,
    ) -> Self {
        Self { path, span, rule, before, after }
    }

    /// Creates the repair of a call that used an alias of a tool.
    pub fn for_tool_alias(before: &str, after: Text) -> Self {
        Self::of_name(RepairRule::ToolAlias, before, after)
    }
}

impl Repair {
    /// Hides the parts that repeat arguments, because they may contain a secret. If a key, a number or a wrapper is hidden, the ledger
    /// cannot be replayed on the text; hiding a removed part has no such effect.
    pub(super) fn redact(&mut self) {
        match self.rule {
            RepairRule::SurroundingText | RepairRule::Comment => self.before = REDACTED.into(),
            RepairRule::Number | RepairRule::UnquotedKey => {
                (self.before, self.after) = (REDACTED.into(), REDACTED.into());
            }
            RepairRule::Wrapper | RepairRule::Stringified => (self.before, self.after) = (HIDDEN, HIDDEN),
            _ => {}
        }
    }

    /// Creates the repair of a value.
    pub(crate) fn of_value(path: Path, rule: RepairRule, before: &Json<'_>, after: &Json<'_>) -> Self {
        Self { path, span: None, rule, before: json_preview(before), after: json_preview(after) }
    }

    /// Creates the repair of a misspelled enum value. `after` is never cut, because it comes from the schema.
    pub(crate) fn respelt(path: Path, before: &Json<'_>, after: &Json<'_>) -> Self {
        Self {
            path,
            span: None,
            rule: RepairRule::EnumSpelling,
            before: json_preview(before),
            after: after.to_text().into(),
        }
    }

    /// Creates the repair of a secret value.
    pub(crate) fn hidden(path: Path, rule: RepairRule) -> Self {
        Self { path, span: None, rule, before: HIDDEN, after: HIDDEN }
    }

    /// Creates the repair that removes an empty member.
    pub(crate) fn left_out(path: Path, before: &Json<'_>, is_secret: bool) -> Self {
        let before = if is_secret { HIDDEN } else { json_preview(before) };
        Self { path, span: None, rule: RepairRule::Absent, before, after: Text::EMPTY }
    }

    /// Creates the repair of a key. `after` is never cut, because it comes from the schema.
    pub(crate) fn renamed(path: Path, before: &str, after: &Text, is_secret: bool) -> Self {
        let before = if is_secret { REDACTED.into() } else { cut(before) };
        Self { path, span: None, rule: RepairRule::Rename, before, after: after.clone() }
    }

    /// Creates a repair of a container's call.
    pub(crate) fn of_container(rule: RepairRule, before: &str, after: Text) -> Self {
        Self { path: Path::root(), span: None, rule, before: cut(before), after }
    }
}

/// The text that replaces a secret value.
const HIDDEN: Text = Text::from_static("\"<redacted>\"");

/// Returns a value's JSON text, cut to [`LONGEST`] characters.
fn json_preview(json: &Json<'_>) -> Text {
    // A character takes at most four bytes, so even a preview that was cut has more characters than a line shows.
    cut(&json.preview(4 * (LONGEST + 1)).text)
}

/// Cuts a text to [`LONGEST`] characters; a cut text ends in `…`.
fn cut(text: &str) -> Text {
    match text.char_indices().nth(LONGEST - 1) {
        Some((end, _)) if text[end..].chars().nth(1).is_some() => [&text[..end], "…"].concat().into(),
        _ => text.to_owned().into(),
    }
}

/// A range of text in backticks, or as a JSON string if it has backticks or hidden characters.
struct Shown<'t>(&'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.contains(|next: char| is_hidden(next) || next == '`') {
            return Quoted(self.0).fmt(f);
        }
        write!(f, "`{}`", self.0)
    }
}

/// A text as a JSON string.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut quoted = String::new();
        write_visible(&mut quoted, self.0);
        f.write_str(&quoted)
    }
}

impl fmt::Debug for Repair {
    /// Leaves out `before` and `after`, which contain parts of the arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repair")
            .field("path", &self.path)
            .field("span", &self.span)
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible::one_line(&Sentence(self).to_string()))
    }
}

/// Returns one line of text for each repair, in order; equal lines are merged into one line with a count.
///
/// ```
/// use tool_schema::repair::{repair_text, summary_lines};
///
/// let reading = repair_text("{'city': 'Paris',}");
/// assert_eq!(summary_lines(reading.repairs()), ["Read `'` as `\"` (4×).", "Left out `,`."]);
/// ```
pub fn summary_lines(repairs: &[Repair]) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    let mut known = HashMap::new();
    for repair in repairs {
        let line = repair.to_string();
        let at = *known.entry(line.clone()).or_insert(lines.len());
        match lines.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => lines.push((line, 1)),
        }
    }
    let counted = |(line, count): (String, usize)| match count {
        1 => line,
        _ => format!("{} ({count}×).", line.strip_suffix('.').unwrap_or(&line)),
    };
    lines.into_iter().map(counted).collect()
}

struct Sentence<'r>(&'r Repair);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(repair) = self;
        match repair.rule {
            RepairRule::ToolName | RepairRule::ToolAlias | RepairRule::ControlToken => {
                write!(f, "Read tool {} as {}.", Quoted(&repair.before), repair.after)
            }
            RepairRule::Member => write!(f, "Read the call of {} as one of {}.", Quoted(&repair.before), repair.after),
            RepairRule::Expansion => write!(f, "Expanded {} for {}.", repair.after, Quoted(&repair.before)),
            RepairRule::ContainerArguments => write!(f, "Left out the arguments of {}.", Quoted(&repair.before)),
            _ if repair.span.is_some() && repair.before.is_empty() => write!(f, "Inserted {}.", Shown(&repair.after)),
            _ if repair.span.is_some() && repair.after.is_empty() => write!(f, "Left out {}.", Shown(&repair.before)),
            _ if repair.span.is_some() => write!(f, "Read {} as {}.", Shown(&repair.before), Shown(&repair.after)),
            RepairRule::Absent => write!(f, "Left out {}, which was {}.", repair.path, repair.before),
            RepairRule::Rename => write!(f, "Read {} as {}.", repair.path, repair.after),
            _ if repair.path.is_root() => write!(f, "Read {} as {}.", repair.before, repair.after),
            _ => write!(f, "Read {} {} as {}.", repair.path, repair.before, repair.after),
        }
    }
}
