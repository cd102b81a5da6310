//! What was read otherwise than it was written: one [`Repair`] for each line of the ledger that a repaired call carries.
//!
//! In: what the model sent and what it was read as. Out: data for the host, and a sentence for whoever wants one. What always
//! holds: nothing is changed without such a line, and the line is short however long the text was.

use std::collections::HashMap;
use std::fmt;

use crate::issue::{Path, REDACTED};
use crate::json::{Json, Span, write_visible};
use crate::shape::Text;
use crate::visible::{self, is_hidden};

/// The most characters of what was sent that a line repeats.
const LONGEST: usize = 64;

/// One thing that was read otherwise than it was written.
///
/// ```
/// use tool_schema::Repair;
///
/// let repair = Repair::tool_name("GetWeather", "get_weather".into());
/// assert_eq!(repair.to_string(), r#"Read tool "GetWeather" as get_weather."#);
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Where in the arguments: the root for what concerns the whole text, or the tool's name.
    pub path: Path,
    /// Where in the text that was sent, in bytes, if a stretch of it was read as [`after`](Self::after).
    pub span: Option<Span>,
    /// Why it could be read so.
    pub rule: RepairRule,
    /// What was sent, at most 64 characters of it, with `…` as the last where it was cut: the name or the stretch of text itself; the JSON text of a value at a path.
    pub before: Text,
    /// What it was read as, in the same form.
    pub after: Text,
}

/// Why something could be read otherwise than it was written.
///
/// ```
/// use tool_schema::{Repair, RepairRule};
///
/// assert_eq!(Repair::tool_name("GetWeather", "get_weather".into()).rule, RepairRule::ToolName);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairRule {
    /// The name of a tool, but for case and separators.
    ToolName,
    /// A further name of a tool: an alias that its author gave it, or its name before it was made acceptable to providers.
    ToolAlias,
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
    /// A bracket that was missing, of the other kind, or one too many.
    Bracket,
    /// A blank that JSON does not know, such as a no-break space.
    Blank,
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
    /// assert_eq!(tool_runtime::tool_schema::repair::RepairRule::UnquotedKey.name(), "unquoted_key");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::ToolName => "tool_name",
            Self::ToolAlias => "tool_alias",
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
            Self::Bracket => "bracket",
            Self::Blank => "blank",
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
    /// A stretch of a text that was read otherwise than it was written.
    pub(super) fn of_text(rule: RepairRule, span: Span, before: &str, after: Text) -> Self {
        // What a text is full of if it has any of it, so that no line of a long ledger allocates.
        const USUAL: [&str; 9] = ["", ",", "\n", "\t", "\r", "'", "\"", "\\", "\\'"];
        let usual = USUAL.into_iter().find(|usual| *usual == before);
        Self { path: Path::root(), span: Some(span), rule, before: usual.map_or_else(|| cut(before), Text::new), after }
    }

    /// The name of a tool.
    pub(super) fn of_name(rule: RepairRule, before: &str, after: Text) -> Self {
        Self { path: Path::root(), span: None, rule, before: cut(before), after }
    }

    /// The same, in a text that has so many bytes before it.
    pub(super) fn moved(mut self, by: usize) -> Self {
        self.span = self.span.map(|span| Span::new(span.start as usize + by, span.end as usize + by));
        self
    }

    /// The arguments as a whole, taken out of what stood around them.
    pub(super) fn of_whole(rule: RepairRule, before: &Json<'_>, after: &Json<'_>) -> Self {
        Self { path: Path::root(), span: None, rule, before: shown(before), after: after.to_text().into() }
    }

    /// The name of a tool, but for case and separators.
    ///
    /// ```
    /// # use tool_schema::Repair;
    /// assert_eq!(Repair::tool_name("get-weather", "get_weather".into()).after, "get_weather");
    /// ```
    pub fn tool_name(before: &str, after: Text) -> Self {
        Self::of_name(RepairRule::ToolName, before, after)
    }

    /// A further name of a tool.
    ///
    /// ```
    /// # use tool_schema::Repair;
    /// assert_eq!(Repair::tool_alias("cat", "read_file".into()).to_string(), r#"Read tool "cat" as read_file."#);
    /// ```
    pub fn tool_alias(before: &str, after: Text) -> Self {
        Self::of_name(RepairRule::ToolAlias, before, after)
    }
}

impl Repair {
    /// Hides what the line repeats of the arguments, because something in them may be secret. A key, a number or a layer that was read otherwise
    /// is told as such and no more, so the text cannot be replayed from it; what is only left out still can.
    pub(super) fn redact(&mut self) {
        match self.rule {
            RepairRule::SurroundingText | RepairRule::Comment | RepairRule::CallAsText => self.before = REDACTED.into(),
            RepairRule::Number | RepairRule::UnquotedKey => {
                (self.before, self.after) = (REDACTED.into(), REDACTED.into());
            }
            RepairRule::Wrapper | RepairRule::Stringified => (self.before, self.after) = (HIDDEN, HIDDEN),
            _ => {}
        }
    }

    /// A value that was read as another.
    pub(crate) fn of_value(path: Path, rule: RepairRule, before: &Json<'_>, after: &Json<'_>) -> Self {
        Self { path, span: None, rule, before: shown(before), after: shown(after) }
    }

    /// A value of an enum that was spelt otherwise. What it was read as is whole, because it is the schema's.
    pub(crate) fn respelt(path: Path, before: &Json<'_>, after: &Json<'_>) -> Self {
        Self { path, span: None, rule: RepairRule::EnumSpelling, before: shown(before), after: after.to_text().into() }
    }

    /// A value that nobody may read.
    pub(crate) fn hidden(path: Path, rule: RepairRule) -> Self {
        Self { path, span: None, rule, before: HIDDEN, after: HIDDEN }
    }

    /// A member that stood for an absent one.
    pub(crate) fn left_out(path: Path, before: &Json<'_>, is_secret: bool) -> Self {
        let before = if is_secret { HIDDEN } else { shown(before) };
        Self { path, span: None, rule: RepairRule::Absent, before, after: Text::EMPTY }
    }

    /// A key that was read as another; what it was read as is whole, because it is the schema's.
    pub(crate) fn renamed(path: Path, before: &str, after: &Text, is_secret: bool) -> Self {
        let before = if is_secret { REDACTED.into() } else { cut(before) };
        Self { path, span: None, rule: RepairRule::Rename, before, after: after.clone() }
    }

    /// The call of a container was read as one of its member, or expanded it, or lost its arguments.
    pub(crate) fn of_container(rule: RepairRule, before: &str, after: Text) -> Self {
        Self { path: Path::root(), span: None, rule, before: cut(before), after }
    }
}

/// What stands for a value that nobody may read.
const HIDDEN: Text = Text::new("\"<redacted>\"");

/// As much of a value's JSON text as a line repeats.
fn shown(json: &Json<'_>) -> Text {
    // A character takes at most four bytes, so a cut preview has more characters than a line repeats.
    cut(&json.preview(4 * (LONGEST + 1)).text)
}

/// As much as a line repeats; what is cut ends in `…`.
fn cut(text: &str) -> Text {
    match text.char_indices().nth(LONGEST - 1) {
        Some((end, _)) if text[end..].chars().nth(1).is_some() => [&text[..end], "…"].concat().into(),
        _ => text.to_owned().into(),
    }
}

/// A stretch of text as it stands, where that can be shown; else as a JSON string.
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
    /// Leaves the texts out, which are part of somebody's arguments.
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

/// The lines of a ledger in their order; equal lines are one line with a count.
///
/// ```
/// use tool_schema::repair::{lines, read};
///
/// let reading = read("{'city': 'Paris',}");
/// assert_eq!(lines(reading.repairs()), ["Read `'` as `\"` (4×).", "Left out `,`."]);
/// ```
pub fn lines(repairs: &[Repair]) -> Vec<String> {
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
            RepairRule::CallAsText => write!(f, "Read {} as a call of {}.", Shown(&repair.before), repair.after),
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
