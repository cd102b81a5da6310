//! The texts of results that are longer than the host allows: [`cut`].
//!
//! Invariants: the texts of a result have at most the allowed number of bytes, apart from a notice of their own; other parts do not change.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::call::text_part;
use super::message::{Answer, Splice, object, replaced};
use crate::private::cut_text;
use crate::private::json::Writer;

/// The smallest number of bytes that a text can be cut to, because of its notice.
const SMALLEST: usize = 256;

#[derive(Deserialize)]
struct Content<'l> {
    #[serde(borrow)]
    content: &'l RawValue,
}

/// A part of a result with a text of its own, or of a resource in it.
#[derive(Deserialize)]
struct Part<'l> {
    #[serde(borrow, default)]
    text: Option<&'l RawValue>,
    #[serde(borrow, default)]
    resource: Option<Resource<'l>>,
}

#[derive(Deserialize)]
struct Resource<'l> {
    #[serde(borrow, default)]
    text: Option<&'l RawValue>,
}

/// A result whose texts were cut.
pub(super) struct Cut {
    /// The line of the result, with all other bytes unchanged.
    pub(super) line: String,
    /// The number of bytes that the texts were reduced by.
    pub(super) bytes: usize,
}

/// Cuts the texts of a result to a number of bytes; `None` if they fit. `structuredContent` is not cut, because clients check it.
pub(super) fn cut(line: &str, answer: Answer<'_>, limit: usize) -> Option<Cut> {
    // A text is never longer than its JSON.
    let (Answer::Result(result), true) = (answer, line.len() > limit) else { return None };
    let content = object::<Content<'_>>(result)?.content.get();
    let parts: Vec<&RawValue> = serde_json::from_str(content).ok()?;
    let (mut room, mut bytes, mut left_out) = (limit.max(SMALLEST), 0, LeftOut::default());
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    for part in parts {
        let part = part.get();
        let Some((json, text)) = text_of(part) else {
            kept.push(part.into());
            continue;
        };
        let length = text.len();
        if length <= room {
            room -= length;
            kept.push(part.into());
        } else if room < SMALLEST {
            room = 0;
            left_out.texts += 1;
            left_out.bytes += length;
            bytes += length;
        } else {
            let shorter = cut_text(text, room)?;
            bytes += length - shorter.len();
            room = 0;
            let mut quoted = String::new();
            Writer::new(&mut quoted).string(&shorter);
            kept.push(replaced(part, vec![Splice { part: json, text: quoted.into() }]).into());
        }
    }
    if bytes == 0 {
        return None;
    }
    kept.extend(left_out.notice().map(|notice| text_part(&notice).into()));
    let text = format!("[{}]", kept.join(","));
    Some(Cut { line: replaced(line, vec![Splice { part: content, text: text.into() }]), bytes })
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

/// Returns the text of a part, as JSON and as it is.
fn text_of(part: &str) -> Option<(&str, String)> {
    let Part { text, resource } = object(part)?;
    let json = text.or_else(|| resource?.text)?.get();
    Some((json, serde_json::from_str(json).ok()?))
}
