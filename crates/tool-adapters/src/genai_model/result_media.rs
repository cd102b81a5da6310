//! The images and sounds of results in a request: [`Media`].
//!
//! genai sends the answer to a call as a text. Therefore, images and sounds are sent after the answers, in a message of the user, and the
//! text of each answer mentions its parts in that message. Invariant: parts that a provider does not accept are described in words.

use genai::adapter::AdapterKind;
use genai::chat::{Binary, ContentPart};
use tool_runtime::tool::{Content, ContentParts};

/// The kinds of binary data that are sent to a provider.
#[derive(Clone, Copy)]
pub(super) struct Media {
    pub(super) images: bool,
    audio: bool,
}

impl Media {
    /// Returns the kinds that the usual models of a provider accept. For an unknown server, returns none.
    pub(super) const fn of(kind: AdapterKind, is_known: bool) -> Self {
        let gemini = matches!(kind, AdapterKind::Gemini | AdapterKind::Vertex);
        let others = matches!(kind, AdapterKind::OpenAI | AdapterKind::OpenAIResp | AdapterKind::Anthropic);
        Self { images: is_known && (gemini || others), audio: is_known && gemini }
    }

    fn takes(self, content: &Content) -> bool {
        match content {
            Content::Image(media) => {
                self.images && matches!(&*media.mime_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp")
            }
            Content::Audio(media) => self.audio && media.mime_type.starts_with("audio/"),
            _ => false,
        }
    }

    /// Returns the text of an answer, and the parts to send after it in a message of the user.
    pub(super) fn split(self, name: &str, parts: &ContentParts) -> (String, Vec<ContentPart>) {
        let mut following = Vec::new();
        for content in parts.contents().iter().filter(|content| self.takes(content)) {
            if let Content::Image(media) | Content::Audio(media) = content {
                let binary = Binary::from_base64(media.mime_type.as_str(), media.data.as_str(), None);
                following.push(ContentPart::Binary(binary));
            }
        }
        if !following.is_empty() {
            following.insert(0, ContentPart::from_text(format!("From the result of {name}:")));
        }
        (parts.to_text(|content| self.takes(content)), following)
    }
}
