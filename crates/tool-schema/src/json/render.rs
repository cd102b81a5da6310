//! A [`Json`] tree to text: compact, indented, or only as much of it as one wants to see.
//!
//! In comes a tree; out goes the text that `serde_json` would write for the same value, keys in the order of the tree,
//! repeated keys and the text of numbers kept. A preview counts what it does not show and never holds more than its
//! limit.

use super::{Json, Node, sink::Sink, strings::quote};

/// The beginning of a value's compact text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// At most as many bytes as were asked for, cut between two characters.
    pub text: String,
    /// Whether that is all of it.
    pub complete: bool,
    /// Length of the whole compact text.
    pub bytes: usize,
}

impl Json<'_> {
    /// Its compact text.
    ///
    /// ```
    /// use tool_schema::json::Json;
    ///
    /// assert_eq!(Json::parse(r#"{ "b": 1.0, "a": "\u0041" }"#)?.to_text(), r#"{"b":1.0,"a":"A"}"#);
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        render(self, &mut text, None);
        text
    }

    /// Its text with two spaces of indent.
    ///
    /// ```
    /// use tool_schema::json::Json;
    ///
    /// assert_eq!(Json::parse(r#"{"a":[]}"#)?.to_pretty(), "{\n  \"a\": []\n}");
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn to_pretty(&self) -> String {
        let mut text = String::new();
        render(self, &mut text, Some(0));
        text
    }

    /// At most `limit` bytes of its compact text, without writing the rest.
    pub(crate) fn preview(&self, limit: usize) -> Preview {
        // Exact where nothing is escaped, so that the text is neither grown nor cut to size.
        let capacity = match &self.node {
            Node::Number(text) => text.len(),
            Node::String(text) => text.len() + 2,
            _ => 0,
        };
        let mut text = String::with_capacity(capacity.min(limit));
        let (complete, bytes) = self.preview_in(&mut text, limit);
        Preview { text, complete, bytes }
    }

    /// Writes the preview into an empty text, and returns whether it is complete and how long the whole compact text is.
    pub(crate) fn preview_in(&self, text: &mut String, limit: usize) -> (bool, usize) {
        let mut limited = Limited { text, limit, complete: true, bytes: 0 };
        render(self, &mut limited, None);
        (limited.complete, limited.bytes)
    }
}

/// Appends the compact text of a tree.
pub(super) fn write_json(out: &mut String, json: &Json<'_>) {
    render(json, out, None);
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

/// Compact where `indent` is `None`, else on lines of their own, this many levels deep.
fn render(json: &Json<'_>, out: &mut impl Sink, indent: Option<usize>) {
    let inner = indent.map(|levels| levels + 1);
    match &json.node {
        Node::Null => out.push("null"),
        Node::Bool(true) => out.push("true"),
        Node::Bool(false) => out.push("false"),
        Node::Number(text) => out.push(text),
        Node::String(text) => quote(text, out),
        Node::Array(items) => {
            out.push("[");
            for (index, item) in items.iter().enumerate() {
                separate(out, index, inner);
                render(item, out, inner);
            }
            close(out, "]", items.is_empty(), indent);
        }
        Node::Object(members) => {
            out.push("{");
            for (index, member) in members.iter().enumerate() {
                separate(out, index, inner);
                quote(&member.key, out);
                out.push(if indent.is_some() { ": " } else { ":" });
                render(&member.value, out, inner);
            }
            close(out, "}", members.is_empty(), indent);
        }
    }
}

fn separate(out: &mut impl Sink, index: usize, indent: Option<usize>) {
    if index > 0 {
        out.push(",");
    }
    break_line(out, indent);
}

fn close(out: &mut impl Sink, bracket: &str, empty: bool, indent: Option<usize>) {
    if !empty {
        break_line(out, indent);
    }
    out.push(bracket);
}

fn break_line(out: &mut impl Sink, indent: Option<usize>) {
    if let Some(levels) = indent {
        out.push("\n");
        (0..levels).for_each(|_| out.push("  "));
    }
}

#[cfg(test)]
mod tests {
    use crate::json::Json;

    #[test]
    fn preview() -> Result<(), crate::json::SyntaxError> {
        let preview = Json::parse(r#"["a", "b"]"#)?.preview(5);
        assert_eq!((&*preview.text, preview.complete, preview.bytes), (r#"["a","#, false, 9));
        Ok(())
    }

    #[test]
    fn preview_2() -> Result<(), crate::json::SyntaxError> {
        let preview = Json::parse("\"äöü\"")?.preview(4);
        assert_eq!((&*preview.text, preview.bytes), ("\"ä", 8));
        Ok(())
    }
}
