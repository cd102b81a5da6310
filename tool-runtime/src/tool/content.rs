//! [`Content`], one part of a result, with the forms of the Model Context Protocol.
//!
//! Invariant: binary data is stored as base64, the form in which every protocol sends it. `Debug` never shows binary data.

use std::fmt::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::bounded;

/// The maximum number of bytes of a name, a URI or a MIME type in a description.
const QUOTED: usize = 200;

/// One part of a result: a text, an image, a sound, or a resource. It serializes to a content block of the Model Context Protocol.
///
/// A tool returns one `Content`, a `Vec` of them, or [`ContentParts`](super::ContentParts).
///
/// ```
/// use tool_runtime::tool::Content;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Draws a chart.
/// #[tool]
/// fn chart() -> Vec<Content> {
///     vec![Content::text("Sales of this year:"), Content::image("image/png", b"\x89PNG")]
/// }
///
/// let session = Toolbox::builder().tool(ChartTool).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "chart", ""));
/// assert_eq!(outcome.to_text(), "Sales of this year:\n[image/png, 4 bytes, not shown]");
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A link to a resource that the recipient may read.
    ResourceLink(ResourceLink),
    /// A resource with its contents.
    Resource {
        /// The resource.
        resource: Resource,
    },
}

/// Binary data with its MIME type.
///
/// ```
/// use tool_runtime::tool::Media;
///
/// let media = Media::new("image/png", b"\x89PNG");
/// assert_eq!((media.data.as_str(), media.decoded_len()), ("iVBORw==", 4));
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Media {
    /// The data as base64, with padding.
    pub data: String,
    /// The MIME type, such as `image/png`.
    pub mime_type: String,
}

/// A reference to a resource.
///
/// ```
/// use tool_runtime::tool::{ContentParts, ResourceLink};
///
/// let mut link = ResourceLink::new("file:///report.pdf", "report.pdf");
/// link.mime_type = Some("application/pdf".to_owned());
/// link.size = Some(20_000);
/// assert_eq!(ContentParts::from_parts([link]).as_str(), "[link to file:///report.pdf: report.pdf, application/pdf, 20.0 kB]");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// The URI.
    pub uri: String,
    /// The name that programs use.
    pub name: String,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The MIME type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// A resource with its contents: a text, or binary data as base64.
///
/// ```
/// use tool_runtime::tool::Resource;
///
/// let notes = Resource::text("file:///notes.txt", "Buy milk.");
/// assert_eq!((notes.text.as_deref(), notes.blob), (Some("Buy milk."), None));
/// let report = Resource::blob("file:///report.pdf", "application/pdf", b"%PDF");
/// assert_eq!((report.text, report.blob.as_deref()), (None, Some("JVBERg==")));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// The URI.
    pub uri: String,
    /// The MIME type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The content, if it is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The content as base64 with padding, if it is not text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

impl Content {
    /// Creates a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Creates an image from its bytes.
    ///
    /// ```
    /// use tool_runtime::tool::Content;
    ///
    /// let image = serde_json::to_string(&Content::image("image/png", b"\x89PNG"))?;
    /// assert_eq!(image, r#"{"type":"image","data":"iVBORw==","mimeType":"image/png"}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn image(mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Image(Media::new(mime_type, bytes))
    }

    /// Creates a sound from its bytes.
    pub fn audio(mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Audio(Media::new(mime_type, bytes))
    }

    /// Returns the base64 data, if the part has binary data.
    pub fn base64_data(&self) -> Option<&str> {
        match self {
            Self::Image(media) | Self::Audio(media) => Some(&media.data),
            Self::Resource { resource } => resource.blob.as_deref(),
            Self::Text { .. } | Self::ResourceLink(_) => None,
        }
    }

    /// Writes the part as text. Binary data is replaced by a description that ends in `state`, such as `not shown`.
    pub(super) fn describe(&self, out: &mut String, state: &str) {
        match self {
            Self::Text { text } => out.push_str(text),
            Self::Image(media) | Self::Audio(media) => {
                let _ = write!(out, "[{}, {}, {state}]", quoted(&media.mime_type), size(media.decoded_len()));
            }
            Self::ResourceLink(link) => link.describe(out),
            Self::Resource { resource } => resource.describe(out, state),
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}

impl From<Resource> for Content {
    fn from(resource: Resource) -> Self {
        Self::Resource { resource }
    }
}

impl Media {
    /// Encodes bytes as base64.
    pub fn new(mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::from_base64(mime_type, STANDARD.encode(bytes))
    }

    /// Wraps data that is already base64.
    pub fn from_base64(mime_type: impl Into<String>, data: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into() }
    }

    /// Returns the length of the decoded data without decoding it.
    pub fn decoded_len(&self) -> usize {
        decoded_length(&self.data)
    }
}

impl ResourceLink {
    /// Creates a link from a URI and a name for programs.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), ..Self::default() }
    }

    fn describe(&self, out: &mut String) {
        let name = self.title.as_deref().unwrap_or(&self.name);
        let _ = write!(out, "[link to {}: {}", quoted(&self.uri), quoted(name));
        for part in [self.mime_type.as_deref(), self.description.as_deref()].into_iter().flatten() {
            let _ = write!(out, ", {}", quoted(part));
        }
        if let Some(bytes) = self.size {
            let _ = write!(out, ", {}", size(usize::try_from(bytes).unwrap_or(usize::MAX)));
        }
        out.push(']');
    }
}

impl Resource {
    /// Creates a resource with text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), text: Some(text.into()), ..Self::default() }
    }

    /// Creates a resource with binary data.
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        let Media { data, mime_type } = Media::new(mime_type, bytes);
        Self { uri: uri.into(), mime_type: Some(mime_type), text: None, blob: Some(data) }
    }

    fn describe(&self, out: &mut String, state: &str) {
        let _ = write!(out, "[{}", quoted(&self.uri));
        if let Some(mime_type) = &self.mime_type {
            let _ = write!(out, ", {}", quoted(mime_type));
        }
        if let Some(blob) = &self.blob {
            let _ = write!(out, ", {}, {state}", size(decoded_length(blob)));
        }
        out.push(']');
        if let Some(text) = &self.text {
            out.push('\n');
            out.push_str(text);
        }
    }
}

impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Media")
            .field("mime_type", &self.mime_type)
            .field("bytes", &self.decoded_len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |text: &Option<String>| text.as_ref().map(String::len);
        f.debug_struct("Resource")
            .field("uri", &self.uri)
            .field("mime_type", &self.mime_type)
            .field("text_bytes", &length(&self.text))
            .field("blob_bytes", &self.blob.as_deref().map(decoded_length))
            .finish()
    }
}

fn quoted(text: &str) -> impl fmt::Display + '_ {
    bounded::sentence(text, QUOTED)
}

/// Returns the length of decoded base64 data.
fn decoded_length(data: &str) -> usize {
    data.trim_end_matches('=').len() / 4 * 3 + data.trim_end_matches('=').len() % 4 * 3 / 4
}

/// Formats a size for people: `20 bytes`, `20.0 kB`, `1.5 MB`.
fn size(bytes: usize) -> String {
    let with = |unit: usize, name: &str| {
        let tenths = bytes.saturating_add(unit / 20) / (unit / 10);
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    };
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => with(1_000, "kB"),
        _ => with(1_000_000, "MB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decoded_length_is_exact() {
        for length in 0..50 {
            assert_eq!(Media::new("image/png", vec![7; length]).decoded_len(), length);
        }
    }

    #[test]
    fn sizes_have_one_decimal() {
        let sizes = [0, 999, 1_000, 20_049, 999_999, 1_500_000].map(size);
        assert_eq!(sizes, ["0 bytes", "999 bytes", "1.0 kB", "20.0 kB", "1000.0 kB", "1.5 MB"]);
    }
}
