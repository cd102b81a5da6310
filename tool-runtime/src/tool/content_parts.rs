//! [`ContentParts`], a result of several parts.
//!
//! Invariant: the text form, for readers that do not support parts, is computed once, at creation.

use std::fmt;
use std::hash::Hasher as _;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Content, JsonText};
use crate::fast_hash::Mixer;

/// The note in the description of a part that the model does not get.
const NOT_SHOWN: &str = "not shown";
/// The note in the description of a part that the request contains after the text.
const SHOWN: &str = "shown below";

/// A result of several [parts](Content), with optional structured data. It serializes to a call result of the Model Context Protocol:
/// `{"content": […], "structuredContent": …}`.
///
/// ```
/// use tool_runtime::tool::{Content, ContentParts, ResourceLink};
///
/// let parts = ContentParts::from_parts([
///     Content::text("2 rows, and the chart."),
///     Content::image("image/png", [0; 20_000]),
///     ResourceLink::new("file:///rows.csv", "rows.csv").into(),
/// ]);
/// let parts = parts.with_structured(&[1, 2])?;
/// assert_eq!(parts.as_str(), "2 rows, and the chart.\n[image/png, 20.0 kB, not shown]\n[link to file:///rows.csv: rows.csv]");
/// assert_eq!(parts.structured_content().map(|json| json.as_str()), Some("[1,2]"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ContentParts(Arc<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    contents: Vec<Content>,
    structured: Option<JsonText>,
    text: String,
}

impl ContentParts {
    /// Creates a result from its parts, in order.
    pub fn from_parts<C: Into<Content>>(contents: impl IntoIterator<Item = C>) -> Self {
        Self::from_contents(contents.into_iter().map(Into::into).collect(), None)
    }

    pub(super) fn from_contents(contents: Vec<Content>, structured: Option<JsonText>) -> Self {
        let text = match &structured {
            Some(json) if contents.is_empty() => json.as_str().to_owned(),
            _ => in_words(&contents, |_| false),
        };
        Self(Arc::new(Inner { contents, structured, text }))
    }

    /// Adds the result as structured data for programs. An output schema describes this data. A model sees the data only if the result has
    /// no parts.
    ///
    /// # Errors
    ///
    /// Returns an error for a value that JSON cannot represent, such as a map with keys that are not strings.
    pub fn with_structured<T: Serialize + ?Sized>(self, value: &T) -> serde_json::Result<Self> {
        let json = JsonText::written(serde_json::to_string(value)?);
        Ok(Self::from_contents(Arc::unwrap_or_clone(self.0).contents, Some(json)))
    }

    /// Returns the parts.
    pub fn contents(&self) -> &[Content] {
        &self.0.contents
    }

    /// Returns the structured data, if there is any.
    pub fn structured_content(&self) -> Option<&JsonText> {
        self.0.structured.as_ref()
    }

    /// Returns the parts as text, one after the other. Binary data is replaced by descriptions.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Returns the parts as text, with descriptions of binary data. Let `is_shown` return `true` for each part that the request also
    /// contains as an image or a sound; its description then says `shown below`.
    ///
    /// ```
    /// use tool_runtime::tool::{Content, ContentParts};
    ///
    /// let parts = ContentParts::from_parts([Content::image("image/png", [0; 20_000]), Content::audio("audio/wav", [0; 500])]);
    /// let text = parts.to_text(|part| matches!(part, Content::Image(_)));
    /// assert_eq!(text, "[image/png, 20.0 kB, shown below]\n[audio/wav, 500 bytes, not shown]");
    /// ```
    pub fn to_text(&self, is_shown: impl Fn(&Content) -> bool) -> String {
        if self.0.contents.is_empty() { self.0.text.clone() } else { in_words(&self.0.contents, is_shown) }
    }

    /// Applies a function to every text, including the texts of resources. The structured data repeats the old texts, so it is dropped.
    pub(crate) fn map_texts(&self, map: impl Fn(&str) -> String) -> Self {
        let mut contents = self.0.contents.clone();
        for content in &mut contents {
            match content {
                Content::Text { text } => *text = map(text),
                Content::Resource { resource } => resource.text = resource.text.as_deref().map(&map),
                Content::Image(_) | Content::Audio(_) | Content::ResourceLink(_) => {}
            }
        }
        if let (true, Some(json)) = (contents.is_empty(), &self.0.structured) {
            contents.push(Content::text(map(json)));
        }
        Self::from_contents(contents, None)
    }

    /// Returns the parts without binary data as one text.
    pub(crate) fn words(&self) -> String {
        if self.0.contents.iter().all(|content| content.base64_data().is_none()) {
            return self.0.text.clone();
        }
        let texts = self.0.contents.iter().filter(|content| content.base64_data().is_none());
        joined(texts, |_| false)
    }

    /// Replaces all parts without binary data by one text. The structured data is dropped, because it is as long as the replaced text.
    pub(crate) fn with_words(&self, words: String) -> Self {
        let data = self.0.contents.iter().filter(|content| content.base64_data().is_some()).cloned();
        Self::from_contents(std::iter::once(Content::text(words)).chain(data).collect(), None)
    }

    /// Returns the number of bytes of the texts and of the encoded data.
    pub(crate) fn bytes(&self) -> usize {
        let data: usize = self.0.contents.iter().filter_map(Content::base64_data).map(str::len).sum();
        data + self.0.text.len()
    }

    /// Returns the structured data, or else the text if it is the only part; an empty string for any other result.
    pub(crate) fn statement(&self) -> &str {
        match (&self.0.structured, &self.0.contents[..]) {
            (Some(json), _) => json,
            (None, [Content::Text { text }]) => text,
            _ => "",
        }
    }

    /// Returns `true` if all parts are blank.
    pub(crate) fn is_empty(&self) -> bool {
        let is_blank = |content: &Content| matches!(content, Content::Text { text } if text.trim().is_empty());
        self.0.structured.is_none() && self.0.contents.iter().all(is_blank)
    }

    /// Returns a text to compare results by. It differs if the binary or structured data differs, even if the results have equal text.
    pub(crate) fn identity(&self) -> String {
        let data = self.0.contents.iter().filter_map(Content::base64_data);
        let hash = data.fold(Mixer::new(), |hash, data| hash.bytes(data.as_bytes()));
        let structured = self.0.structured.as_deref().unwrap_or_default();
        format!("{:016x}{structured}{}", hash.finish(), self.0.text)
    }
}

fn in_words(contents: &[Content], is_shown: impl Fn(&Content) -> bool) -> String {
    joined(contents.iter(), is_shown)
}

fn joined<'c>(contents: impl Iterator<Item = &'c Content>, is_shown: impl Fn(&Content) -> bool) -> String {
    let mut text = String::new();
    for (position, content) in contents.enumerate() {
        if position > 0 {
            text.push('\n');
        }
        content.describe(&mut text, if is_shown(content) { SHOWN } else { NOT_SHOWN });
    }
    text
}

impl From<Content> for ContentParts {
    fn from(content: Content) -> Self {
        Self::from_parts([content])
    }
}

impl From<Vec<Content>> for ContentParts {
    fn from(contents: Vec<Content>) -> Self {
        Self::from_contents(contents, None)
    }
}

impl fmt::Debug for ContentParts {
    /// Shows only the length of each text and of binary data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |content: &Content| match content {
            Content::Text { text } => format!("text of {} bytes", text.len()),
            Content::Image(media) | Content::Audio(media) => format!("{media:?}"),
            Content::ResourceLink(_) => "link".to_owned(),
            Content::Resource { resource } => format!("{resource:?}"),
        };
        let kinds: Vec<_> = self.0.contents.iter().map(kind).collect();
        f.debug_struct("Parts").field("contents", &kinds).finish_non_exhaustive()
    }
}

impl Serialize for ContentParts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let structured = self.0.structured.is_some();
        let mut parts = serializer.serialize_struct("Parts", 1 + usize::from(structured))?;
        parts.serialize_field("content", &self.0.contents)?;
        if let Some(json) = &self.0.structured {
            // Uses the text if it is nested too deeply for `serde_json`.
            let value = serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.as_str().to_owned()));
            parts.serialize_field("structuredContent", &value)?;
        }
        parts.end()
    }
}

impl<'de> Deserialize<'de> for ContentParts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Raw {
            #[serde(default)]
            content: Vec<Content>,
            #[serde(default)]
            structured_content: Option<Value>,
        }
        let Raw { content, structured_content } = Raw::deserialize(deserializer)?;
        let structured = structured_content.map(|value| JsonText::written(value.to_string()));
        Ok(Self::from_contents(content, structured))
    }
}
