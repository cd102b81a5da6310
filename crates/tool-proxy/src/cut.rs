//! The texts of results that are longer than the host allows: [`cut`].
//!
//! Invariants: the texts of a result have at most the allowed number of bytes, apart from a notice of their own; other parts do not change.
//! If results are kept, the model can read every text on.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use tool_runtime::Session;

use super::frame::{Answer, Frame, Splice, object, replaced};
use super::writing::{json_string, text_part};
use crate::private::cut_text;
use crate::private::siblings;

/// The smallest number of bytes that a text can be cut to, because of its notice.
const SMALLEST: usize = 256;
/// The smallest number of bytes of a result that is kept, because of its notice.
const SMALLEST_KEPT: usize = 1_024;

#[derive(Deserialize)]
struct Content<'l> {
    #[serde(borrow)]
    content: &'l RawValue,
}

#[derive(Deserialize)]
struct Members<'l> {
    #[serde(borrow, default)]
    text: Option<&'l RawValue>,
    #[serde(borrow, default)]
    resource: Option<&'l RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'l RawValue>,
}

/// A part of a result, as JSON text.
struct Part<'l> {
    json: &'l str,
    /// The text of the part, or of a resource in it; `None` if there is none.
    text: Option<Text<'l>>,
}

struct Text<'l> {
    /// The text as JSON.
    json: &'l str,
    value: String,
    /// The URI of the resource.
    uri: Option<String>,
}

impl<'l> Part<'l> {
    fn of(json: &'l str) -> Self {
        Self { json, text: Text::of(json) }
    }

    fn length(&self) -> usize {
        self.text.as_ref().map_or(0, |text| text.value.len())
    }

    /// Returns the part with another text.
    fn with(&self, text: &str) -> Cow<'l, str> {
        let quoted = json_string(text);
        match &self.text {
            Some(Text { json, .. }) => replaced(self.json, vec![Splice { part: json, text: quoted.into() }]).into(),
            None => self.json.into(),
        }
    }
}

impl<'l> Text<'l> {
    fn of(part: &'l str) -> Option<Self> {
        let Members { text, resource, .. } = object(part)?;
        let string = |json: &RawValue| serde_json::from_str(json.get()).ok();
        if let Some(json) = text {
            return Some(Self { json: json.get(), value: string(json)?, uri: None });
        }
        let Members { text, uri, .. } = object(resource?.get())?;
        Some(Self { json: text?.get(), value: string(text?)?, uri: uri.and_then(string) })
    }
}

/// A result whose texts were cut.
pub(super) struct Cut {
    /// The result, with all other bytes unchanged.
    pub(super) frame: Frame,
    /// The number of bytes that the texts were reduced by.
    pub(super) bytes: usize,
}

/// Cuts the texts of a result to a number of bytes; `None` if they fit. If there is a session, it keeps the whole texts.
/// `structuredContent` is not cut, because clients check it.
pub(super) fn cut(frame: &Frame, answer: Answer<'_>, limit: usize, keep: Option<&Session>) -> Option<Cut> {
    let mut room = limit.max(if keep.is_some() { SMALLEST_KEPT } else { SMALLEST });
    // A text is never longer than its JSON.
    let (Answer::Result(result), true) = (answer, frame.line().len() > room) else { return None };
    let content = object::<Content<'_>>(result)?.content.get();
    let parts: Vec<&RawValue> = serde_json::from_str(content).ok()?;
    let parts: Vec<Part<'_>> = parts.into_iter().map(|part| Part::of(part.get())).collect();
    let first = parts.iter().position(|part| {
        let fits = part.length() <= room;
        room -= if fits { part.length() } else { 0 };
        !fits
    })?;
    let (fitting, rest) = parts.split_at(first);
    let (shorter, bytes) = match keep.and_then(|session| kept(rest, room, session)) {
        Some(shorter) => shorter,
        None => shortened(rest, room)?,
    };
    if bytes == 0 {
        return None;
    }
    let shown = fitting.iter().map(|part| part.json.into()).chain(shorter);
    let text = format!("[{}]", shown.collect::<Vec<Cow<'_, str>>>().join(","));
    Some(Cut { frame: frame.with_part(content, &text), bytes })
}

/// The parts that take the place of those that do not fit, and the number of bytes by which their texts are shorter.
type Shorter<'l> = (Vec<Cow<'l, str>>, usize);

/// Cuts the first text, and leaves the others out.
fn shortened<'l>(parts: &[Part<'l>], mut room: usize) -> Option<Shorter<'l>> {
    let (mut shown, mut bytes, mut left_out) = (Vec::new(), 0, LeftOut::default());
    for part in parts {
        let Some(Text { value: text, .. }) = part.text.as_ref().filter(|text| !text.value.is_empty()) else {
            shown.push(part.json.into());
            continue;
        };
        if room < SMALLEST {
            left_out.texts += 1;
            left_out.bytes += text.len();
            bytes += text.len();
        } else {
            let shorter = cut_text(text.clone(), room)?;
            bytes += text.len() - shorter.len();
            shown.push(part.with(&shorter));
        }
        room = 0;
    }
    shown.extend(left_out.notice().map(|notice| text_part(&notice).into()));
    Some((shown, bytes))
}

/// Keeps all texts as one, of which the first part shows the beginning. `None` if the texts are not kept.
fn kept<'l>(parts: &[Part<'l>], room: usize, session: &Session) -> Option<Shorter<'l>> {
    let (mut whole, mut length) = (String::new(), 0);
    for (index, Text { value: text, uri, .. }) in parts.iter().filter_map(|part| part.text.as_ref()).enumerate() {
        if index > 0 {
            whole.push('\n');
            whole.extend(uri.iter().flat_map(|uri| ["[", uri, "]\n"]));
        }
        whole.push_str(text);
        length += text.len();
    }
    let room = room.max(SMALLEST);
    if whole.len() <= room {
        // The notice about reading on would be longer.
        return Some((parts.iter().map(|part| part.json.into()).collect(), 0));
    }
    let shown = siblings::keep_text(session, whole, room)?;
    let (first, others) = parts.split_first()?;
    let others = others.iter().filter(|part| part.text.is_none()).map(|part| part.json.into());
    Some(([first.with(&shown)].into_iter().chain(others).collect(), length.saturating_sub(shown.len())))
}

/// The texts after the one that was cut.
#[derive(Default)]
struct LeftOut {
    texts: usize,
    bytes: usize,
}

impl LeftOut {
    fn notice(&self) -> Option<String> {
        let Self { texts, bytes } = self;
        (*texts > 0).then(|| format!("[… {texts} more texts with {bytes} bytes are left out here. …]"))
    }
}
