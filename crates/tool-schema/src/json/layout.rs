//! JSON for readers: each array and object is on one line if it fits, or else on several lines.
//!
//! The text parses to the same tree. A value that is too wide is abandoned after `width` characters, so the work is linear in the tree.

use super::{Json, Node, write_visible};

impl Json<'_> {
    /// Returns the text. Each array or object is on one line if it fits into `width` characters. A single value that is wider is not split.
    pub(crate) fn laid_out(&self, width: usize) -> String {
        let mut out = String::new();
        lay_out(self, 0, width, &mut out);
        out
    }
}

/// Writes a value. The recursion is bounded by the depth of the tree.
fn lay_out(json: &Json<'_>, indent: usize, width: usize, out: &mut String) {
    let start = out.len();
    let room = width.saturating_sub(2 * indent);
    let mut line = Line { room };
    if line.write(json, out) {
        return;
    }
    out.truncate(start);
    let (open, close) = match &json.node {
        Node::Array(items) if !items.is_empty() => ('[', ']'),
        Node::Object(members) if !members.is_empty() => ('{', '}'),
        _ => return out.push_str(&json.to_text()),
    };
    let pad = |out: &mut String, levels: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", levels));
    };
    out.push(open);
    for (position, item) in json.items().iter().enumerate() {
        out.push_str(if position == 0 { "" } else { "," });
        pad(out, indent + 1);
        lay_out(item, indent + 1, width, out);
    }
    for (position, member) in json.members().iter().enumerate() {
        out.push_str(if position == 0 { "" } else { "," });
        pad(out, indent + 1);
        write_visible(out, &member.key);
        out.push_str(": ");
        lay_out(&member.value, indent + 1, width, out);
    }
    pad(out, indent);
    out.push(close);
}

/// The remaining room on a line.
struct Line {
    room: usize,
}

impl Line {
    /// Writes a value with a space after each comma and colon; returns `false` once it does not fit.
    fn write(&mut self, json: &Json<'_>, out: &mut String) -> bool {
        match &json.node {
            Node::Array(items) => {
                self.push("[", out)
                    && items
                        .iter()
                        .enumerate()
                        .all(|(position, item)| (position == 0 || self.push(", ", out)) && self.write(item, out))
                    && self.push("]", out)
            }
            Node::Object(members) => {
                self.push("{", out)
                    && members.iter().enumerate().all(|(position, member)| {
                        (position == 0 || self.push(", ", out))
                            && self.string(&member.key, out)
                            && self.push(": ", out)
                            && self.write(&member.value, out)
                    })
                    && self.push("}", out)
            }
            Node::String(text) => self.string(text, out),
            _ => self.push(&json.to_text(), out),
        }
    }

    fn string(&mut self, text: &str, out: &mut String) -> bool {
        // A text with more than four bytes for each remaining character cannot fit, so it need not be written.
        if text.len() > self.room.saturating_mul(4) {
            return false;
        }
        let mut quoted = String::new();
        write_visible(&mut quoted, text);
        self.push(&quoted, out)
    }

    fn push(&mut self, text: &str, out: &mut String) -> bool {
        out.push_str(text);
        match self.room.checked_sub(text.chars().count()) {
            Some(room) => {
                self.room = room;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {

    use crate::json::Json;

    #[test]
    fn laid_out() -> Result<(), crate::json::SyntaxError> {
        let json = Json::parse(r#"{"name":"Ada","scores":[1,2]}"#)?;
        assert_eq!(json.laid_out(40), r#"{"name": "Ada", "scores": [1, 2]}"#);
        assert_eq!(json.laid_out(20), "{\n  \"name\": \"Ada\",\n  \"scores\": [1, 2]\n}");
        Ok(())
    }

    #[test]
    fn every_layout_parses_to_the_same_tree() -> Result<(), crate::json::SyntaxError> {
        let text = r#"{"a":[[],{},["a long text that will not fit"],{"b":null,"c":[1.50,-2e3,true]}],"a":"again"}"#;
        let json = Json::parse(text)?;
        for width in 0..120 {
            assert_eq!(Json::parse(&json.laid_out(width))?, json, "width {width}");
        }
        Ok(())
    }
}
