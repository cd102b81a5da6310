//! JSON for readers: each array and object on one line where it fits.

use tool_runtime::json::{Json, Member, Node, write_string};

/// The widest line that is not broken.
const WIDTH: usize = 140;

/// Lays out a text if it is JSON, and gives it back as it is if not.
///
/// ```
/// assert_eq!(examples::layout::laid_out("done"), "done");
/// assert_eq!(examples::layout::laid_out(r#"{"a": [1, 2]}"#), r#"{"a": [1, 2]}"#);
/// ```
#[must_use]
pub fn laid_out(text: &str) -> String {
    Json::parse(text).map_or_else(|_| text.to_owned(), |json| broken(&json, 0))
}

/// What was parsed is nested no deeper than `Json` goes, and so is this.
fn broken(json: &Json<'_>, indent: usize) -> String {
    let line = on_one_line(json);
    if line.chars().count() + 2 * indent <= WIDTH {
        return line;
    }
    let (open, lines, close) = parts(json, |part| broken(part, indent + 1));
    if lines.is_empty() {
        return line;
    }
    let inner = "  ".repeat(indent + 1);
    format!("{open}\n{inner}{}\n{}{close}", lines.join(&format!(",\n{inner}")), "  ".repeat(indent))
}

fn on_one_line(json: &Json<'_>) -> String {
    let (open, parts, close) = parts(json, on_one_line);
    if parts.is_empty() { json.to_text() } else { format!("{open}{}{close}", parts.join(", ")) }
}

/// The parts of an array or object; none of anything else.
fn parts(json: &Json<'_>, write: impl Fn(&Json<'_>) -> String) -> (char, Vec<String>, char) {
    match &json.node {
        Node::Array(items) => ('[', items.iter().map(write).collect(), ']'),
        Node::Object(members) => {
            let member = |member: &Member<'_>| {
                let mut line = String::new();
                write_string(&mut line, &member.key);
                line + ": " + &write(&member.value)
            };
            ('{', members.iter().map(member).collect(), '}')
        }
        _ => (' ', Vec::new(), ' '),
    }
}
