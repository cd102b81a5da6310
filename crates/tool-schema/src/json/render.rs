//! Renders a [`Json`] tree as text: compact, or shortened to a preview.
//!
//! The text is the same as that of `serde_json` for the same value, except that it keeps the order of keys, repeated keys, and the text of
//! numbers.

use super::{Json, Node, sink::Sink, strings::quote};

/// The beginning of a value's compact text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The text, at most the requested number of bytes, cut between two characters.
    pub text: String,
    /// `true` if this is the whole text.
    pub complete: bool,
    /// The length of the whole compact text.
    pub bytes: usize,
}

impl Json<'_> {
    /// Returns the compact text.
    ///
    /// ```
    /// use tool_schema::json::Json;
    ///
    /// assert_eq!(Json::parse(r#"{ "b": 1.0, "a": "\u0041" }"#)?.to_text(), r#"{"b":1.0,"a":"A"}"#);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        render(self, &mut text);
        text
    }

    /// Returns at most `limit` bytes of the compact text, without rendering the rest.
    pub(crate) fn preview(&self, limit: usize) -> Preview {
        // The capacity is exact if no character is escaped, so that the text need not grow or shrink.
        let capacity = match &self.node {
            Node::Number(text) => text.len(),
            Node::String(text) => text.len() + 2,
            _ => 0,
        };
        let mut text = String::with_capacity(capacity.min(limit));
        let (complete, bytes) = self.preview_in(&mut text, limit);
        Preview { text, complete, bytes }
    }

    /// Writes the preview into an empty text. Returns `true` if the preview is complete, and the length of the whole compact text.
    pub(crate) fn preview_in(&self, text: &mut String, limit: usize) -> (bool, usize) {
        let mut limited = Limited { text, limit, complete: true, bytes: 0 };
        render(self, &mut limited);
        (limited.complete, limited.bytes)
    }
}

/// Appends the compact text of a tree.
pub(super) fn write_json(out: &mut String, json: &Json<'_>) {
    render(json, out);
}

struct Limited<'t> {
    text: &'t mut String,
    limit: usize,
    complete: bool,
    bytes: usize,
}

impl Sink for Limited<'_> {
    fn push(&mut self, piece: &str) {
        self.bytes += piece.len();
        if self.complete {
            let mut end = piece.len().min(self.limit - self.text.len());
            while !piece.is_char_boundary(end) {
                end -= 1;
            }
            self.text.push_str(&piece[..end]);
            self.complete = end == piece.len();
        }
    }
}

/// Renders compactly if `indent` is `None`, or else on several lines with this many levels of indentation.
fn render(json: &Json<'_>, out: &mut impl Sink) {
    match &json.node {
        Node::Null => out.push("null"),
        Node::Bool(true) => out.push("true"),
        Node::Bool(false) => out.push("false"),
        Node::Number(text) => out.push(text),
        Node::String(text) => quote(text, out),
        Node::Array(items) => {
            out.push("[");
            for (index, item) in items.iter().enumerate() {
                out.push(if index > 0 { "," } else { "" });
                render(item, out);
            }
            out.push("]");
        }
        Node::Object(members) => {
            out.push("{");
            for (index, member) in members.iter().enumerate() {
                out.push(if index > 0 { "," } else { "" });
                quote(&member.key, out);
                out.push(":");
                render(&member.value, out);
            }
            out.push("}");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::Json;

    #[test]
    fn a_preview_counts_the_whole_text() -> Result<(), crate::json::SyntaxError> {
        let preview = Json::parse(r#"["a", "b"]"#)?.preview(5);
        assert_eq!((&*preview.text, preview.complete, preview.bytes), (r#"["a","#, false, 9));
        Ok(())
    }

    #[test]
    fn a_preview_is_cut_between_characters() -> Result<(), crate::json::SyntaxError> {
        let preview = Json::parse("\"äöü\"")?.preview(4);
        assert_eq!((&*preview.text, preview.bytes), ("\"ä", 8));
        Ok(())
    }
}
