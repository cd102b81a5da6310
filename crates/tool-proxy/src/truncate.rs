//! The texts of results that are longer than the host allows: [`truncate`].
//!
//! Invariants: the texts of a result have at most the allowed number of bytes, apart from a notice of their own; other parts do not change.
//! If results are kept, the model can read every text on.

use std::borrow::Cow;

use serde_json::value::RawValue;
use tool_runtime::Session;

use crate::frame::{Answer, Frame, Splice, replaced};
use crate::members::{member, parsed};
use crate::own_messages::{json_string, text_part};
use crate::private::{cut_text, internal};

/// The smallest number of bytes that a text can be cut to, because of its notice.
const SMALLEST: usize = 256;
/// The smallest number of bytes of a result that is kept, because of its notice.
const SMALLEST_KEPT: usize = 1_024;

/// A part of a result, as JSON text.
struct Part<'l> {
    json: &'l str,
    /// The text of the part or of a resource in it, as JSON; `None` if there is none.
    quoted: Option<&'l str>,
    text: String,
    /// The URI of the resource.
    uri: Option<String>,
}

impl<'l> Part<'l> {
    fn of(json: &'l str) -> Self {
        let resource = member(json, "resource").filter(|_| member(json, "text").is_none());
        let holder = resource.unwrap_or(json);
        let text: Option<String> = parsed(holder, "text");
        let quoted = member(holder, "text").filter(|_| text.is_some());
        let uri = resource.and_then(|resource| parsed(resource, "uri"));
        Self { json, quoted, text: text.unwrap_or_default(), uri }
    }

    /// Returns the part with another text.
    fn with(&self, text: &str) -> Cow<'l, str> {
        match self.quoted {
            Some(part) => replaced(self.json, &[Splice { part, text: json_string(text).into() }]).into(),
            None => self.json.into(),
        }
    }
}

/// A result whose texts were cut.
pub(super) struct Truncated {
    /// The result, with all other bytes unchanged.
    pub(super) frame: Frame,
    /// The number of bytes that the texts were reduced by.
    pub(super) bytes: usize,
}

/// Cuts the texts of a result to a number of bytes; `None` if they fit. If there is a session, it keeps the whole texts.
/// `structuredContent` is not cut, because clients check it.
pub(super) fn truncate(frame: &Frame, answer: Answer<'_>, limit: usize, keep: Option<&Session>) -> Option<Truncated> {
    let mut room = limit.max(if keep.is_some() { SMALLEST_KEPT } else { SMALLEST });
    // A text is never longer than its JSON.
    let (Answer::Result(result), true) = (answer, frame.line().len() > room) else { return None };
    let content = member(result, "content")?;
    let parts: Vec<&RawValue> = serde_json::from_str(content).ok()?;
    let parts: Vec<Part<'_>> = parts.into_iter().map(|part| Part::of(part.get())).collect();
    let first = parts.iter().position(|part| {
        let fits = part.text.len() <= room;
        room -= if fits { part.text.len() } else { 0 };
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
    Some(Truncated { frame: frame.with_part(content, &text), bytes })
}

/// The parts that take the place of those that do not fit, and the number of bytes by which their texts are shorter.
type Shorter<'l> = (Vec<Cow<'l, str>>, usize);

/// Cuts the first text, and leaves the others out.
fn shortened<'l>(parts: &[Part<'l>], mut room: usize) -> Option<Shorter<'l>> {
    let (mut shown, mut bytes) = (Vec::new(), 0);
    let (mut texts, mut left_out) = (0, 0);
    for part in parts {
        let length = part.text.len();
        if length == 0 {
            shown.push(part.json.into());
        } else if room < SMALLEST {
            texts += 1;
            left_out += length;
        } else {
            let shorter = cut_text(part.text.clone(), room)?;
            bytes += length - shorter.len();
            shown.push(part.with(&shorter));
            room = 0;
        }
    }
    if texts > 0 {
        let notice = format!("[… {texts} more texts with {left_out} bytes are left out here. …]");
        shown.push(text_part(&notice).into());
    }
    Some((shown, bytes + left_out))
}

/// Keeps all texts as one, of which the first part shows the beginning. `None` if the texts are not kept.
fn kept<'l>(parts: &[Part<'l>], room: usize, session: &Session) -> Option<Shorter<'l>> {
    let mut whole = String::new();
    for (index, Part { text, uri, .. }) in parts.iter().filter(|part| part.quoted.is_some()).enumerate() {
        if index > 0 {
            whole.push('\n');
            whole.extend(uri.iter().flat_map(|uri| ["[", uri, "]\n"]));
        }
        whole.push_str(text);
    }
    let room = room.max(SMALLEST);
    if whole.len() <= room {
        // The notice about reading on would be longer.
        return Some((parts.iter().map(|part| part.json.into()).collect(), 0));
    }
    let shown = internal::keep_text(session, whole, room)?;
    let (first, others) = parts.split_first()?;
    let others = others.iter().filter(|part| part.quoted.is_none()).map(|part| part.json.into());
    let length: usize = parts.iter().map(|part| part.text.len()).sum();
    Some(([first.with(&shown)].into_iter().chain(others).collect(), length.saturating_sub(shown.len())))
}
