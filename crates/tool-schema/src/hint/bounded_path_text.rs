//! Texts of paths and fields in answers, bounded but still unambiguous.

use std::borrow::Cow;

use crate::bounded;
use crate::check::accepts;
use crate::issue::{Constraint, Issue, Path, Segment, WriteText, to_escaped_text_with_capacity};
use crate::json::{Json, JsonType, Node};
use crate::visible::{escape_len, is_hidden};

/// The maximum number of bytes of an expectation.
pub const MAX_EXPECTED_BYTES: usize = 200;

/// The maximum number of bytes of a path. Long paths are cut at the beginning, because the end is more specific.
const PATH: usize = 320;
/// The usual number of bytes of a path.
const USUAL_PATH: usize = 48;
/// The maximum number of segments in a path that is first written in full, in the hope that it fits.
const SHORT_PATH: usize = 8;
/// The maximum number of characters shown of a key that the model sent.
const KEY: usize = 64;
/// The maximum number of bytes shown of such a key, counted after escaping.
const KEY_BYTES: usize = 256;
/// A key of at most this length is never cut, even if every byte is escaped.
const SHORT_KEY: usize = KEY_BYTES / 6;
/// The maximum length of a missing field's name that is shown in full, in bytes.
const NAME: usize = 200;
const DESCRIPTION: usize = 120;

/// Returns the text of an issue's path for the model, made of the segments from `shown_steps`. A long path is cut at the beginning.
pub fn path_text(issue: &Issue) -> String {
    let mut text = String::with_capacity(USUAL_PATH);
    push_path(&mut text, issue);
    text
}

/// Appends the text that [`path_text`] returns for an issue.
pub fn push_path(out: &mut String, issue: &Issue) {
    let start = out.len();
    let segments = issue.path.segments();
    let is_short = |segment: &Segment| !matches!(segment, Segment::Key(key) if key.len() > SHORT_KEY);
    if segments.len() <= SHORT_PATH && segments.iter().all(is_short) {
        issue.path.write(out);
        // A short text of printable ASCII is neither cut nor escaped.
        if bounded::is_short_printable_ascii(&out[start..]) {
            return;
        }
        out.truncate(start);
    }
    out.push_str(&long_path_text(issue));
}

fn long_path_text(issue: &Issue) -> String {
    let is_short = |segment: &Segment| match segment {
        Segment::Key(key) => matches!(key_text(key), Cow::Borrowed(_)),
        Segment::Index(_) => true,
    };
    let whole = if issue.path.segments().iter().all(is_short) {
        to_escaped_text_with_capacity(&issue.path, USUAL_PATH)
    } else {
        path_of(shown_steps(issue))
    };
    if bounded::is_text(&whole, PATH) {
        return whole;
    }
    let mut end = Vec::new();
    let mut text = String::from("…");
    for segment in shown_steps(issue).rev() {
        end.insert(0, segment);
        let longer = format!("…{}", path_of(end.iter().cloned()));
        if !bounded::is_text(&longer, PATH) {
            break;
        }
        text = longer;
    }
    text
}

/// Returns the segments of an issue's path. A key of more than 64 characters is cut and ends in `…`. The name of a missing field may be
/// longer ([`NAME`]), because the model cannot find it in its arguments. A shown segment refers to the key with exactly this spelling, or
/// else to the first key that begins with it.
pub(super) fn shown_steps(issue: &Issue) -> impl DoubleEndedIterator<Item = Cow<'_, Segment>> {
    let segments = issue.path.segments();
    let missing = matches!(issue.constraint, Constraint::Required).then(|| segments.len().saturating_sub(1));
    segments.iter().enumerate().map(move |(index, segment)| match segment {
        Segment::Key(key) if missing != Some(index) || key.len() > NAME => match key_text(key) {
            Cow::Borrowed(_) => Cow::Borrowed(segment),
            Cow::Owned(cut) => Cow::Owned(Segment::Key(cut.into())),
        },
        whole => Cow::Borrowed(whole),
    })
}

fn key_text(key: &str) -> Cow<'_, str> {
    let is_short = || key.chars().nth(KEY).is_none() && bounded::json_string_len(key) <= KEY_BYTES;
    if key.len() <= SHORT_KEY || is_short() {
        return key.into();
    }
    let mut bytes = 0;
    let fits = |character: &char| {
        bytes += if is_hidden(*character) { escape_len(*character) } else { character.len_utf8() };
        bytes <= KEY_BYTES
    };
    key.chars().take(KEY - 1).take_while(fits).chain(['…']).collect::<String>().into()
}

fn path_of<'i>(steps: impl Iterator<Item = Cow<'i, Segment>>) -> String {
    steps.map(Cow::into_owned).collect::<Path>().to_string()
}

/// Appends a field with its description, such as `location (City and country)`.
pub fn push_described(out: &mut String, field: &str, description: &str) {
    out.push_str(field);
    let description = bounded::description(description, DESCRIPTION);
    if !description.is_empty() {
        out.extend([" (", &description, ")"]);
    }
}

/// Returns the JSON text of an object that was sent where only a text is expected, if the text is acceptable there and short enough to be shown.
pub(crate) fn text_to_send(issue: &Issue) -> Option<&str> {
    let text = issue.got.json.as_deref().filter(|_| issue.got.json_type == Some(JsonType::Object))?;
    let Constraint::Type(types) = &issue.constraint else { return None };
    let json = Json::from_node(Node::String(text.into()));
    let is_acceptable = || issue.expected.as_shape().is_some_and(|shape| accepts(&shape, &json));
    let is_text = types.iter().all(|one| matches!(one, JsonType::String | JsonType::Null));
    (is_text && is_acceptable()).then_some(text)
}
