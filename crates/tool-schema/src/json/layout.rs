//! JSON for readers: each array and object on one line where it fits, and on lines of its own where it does not.
//!
//! In comes a tree and the widest line one wants; out goes text that parses to the same tree. What always holds: what is too wide for
//! one line is found out after that many characters, so that the work is linear in the tree.

use super::{Json, Node, write_visible};

impl Json<'_> {
    /// Its text with everything on one line that fits into `width` characters. A single value that is wider stays as it is.
    pub(crate) fn laid_out(&self, width: usize) -> String {
        let mut out = String::new();
        lay_out(self, 0, width, &mut out);
        out
    }
}

/// A tree is nested no deeper than `Json` goes, and so is this.
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

/// What is left of a line.
struct Line {
    room: usize,
}

impl Line {
    /// Writes a value with a blank after each comma and colon; `false` as soon as it does not fit.
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
        // A text of more bytes than four a character cannot fit, and need not be written to know it.
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
