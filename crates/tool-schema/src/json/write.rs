//! A writer for ordered JSON, used for schemas and for answers.
//!
//! It appends compact JSON to a `String`, with values in the order in which they are written, and takes care of commas, colons, quotes and
//! escapes. Invisible characters are always escaped, which changes the text but not the value. A [`Writer`] is consumed by writing one
//! value.

use super::{Json, Number, render::write_json, write_visible};
use crate::visible;

/// A writer for exactly one value.
#[derive(Debug)]
#[must_use = "a missing value makes the text invalid"]
pub struct Writer<'o> {
    out: &'o mut String,
}

/// A writer for the members of an object, in order.
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> Writer<'o> {
    /// Creates a writer that appends to a text.
    pub fn new(out: &'o mut String) -> Self {
        Self { out }
    }

    /// Writes `null`.
    pub fn null(self) {
        self.out.push_str("null");
    }

    /// Writes `true` or `false`.
    pub fn bool(self, value: bool) {
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Writes a number; infinity and NaN become `null`.
    pub fn number(self, value: Number) {
        value.push(self.out);
    }

    /// Writes a string with its quotes and escapes, including escapes for invisible characters and for those that change the direction of
    /// text.
    pub fn string(self, value: &str) {
        write_visible(self.out, value);
    }

    /// Writes a JSON text, with escapes for invisible characters in its strings.
    pub fn json_text(self, json: &str) {
        self.out.push_str(&visible::escaped(json));
    }

    /// Writes a JSON text that another [`Writer`] has written, without escaping it again.
    pub fn escaped_json_text(self, json: &str) {
        self.out.push_str(json);
    }

    /// Writes a string constant that needs no escape, without searching it for characters to escape.
    #[inline]
    pub fn unescaped_string(self, text: &'static str) {
        debug_assert!(needs_no_escape(text), "{text}");
        self.out.push('"');
        self.out.push_str(text);
        self.out.push('"');
    }

    /// Writes a tree.
    pub fn json(self, value: &Json<'_>) {
        let start = self.out.len();
        write_json(self.out, value);
        visible::escape_from(self.out, start);
    }

    /// Writes an object whose members the closure writes.
    pub fn object(self, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.out.push('{');
        let mut object = ObjectWriter { out: &mut *self.out, empty: true };
        members(&mut object);
        self.out.push('}');
    }

    /// Writes an array; the closure writes each item.
    pub fn array<I: IntoIterator>(self, items: I, mut write: impl FnMut(Writer<'_>, I::Item)) {
        self.out.push('[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(Writer { out: &mut *self.out }, item);
        }
        self.out.push(']');
    }
}

impl ObjectWriter<'_> {
    /// Writes a key and returns the writer of its value.
    pub fn value(&mut self, key: &str) -> Writer<'_> {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_visible(self.out, key);
        self.out.push(':');
        Writer { out: &mut *self.out }
    }

    /// Writes a key that needs no escape and returns the writer of its value. Searching the constant keys of answers
    /// for characters to escape took 5 % of the time that a rejection takes.
    #[inline]
    pub fn known(&mut self, key: &'static str) -> Writer<'_> {
        debug_assert!(needs_no_escape(key), "{key}");
        if self.empty {
            self.out.push('"');
            self.empty = false;
        } else {
            self.out.push_str(",\"");
        }
        self.out.push_str(key);
        self.out.push_str("\":");
        Writer { out: &mut *self.out }
    }

    /// Writes a member with [`Writer::null`].
    pub fn null(&mut self, key: &str) {
        self.value(key).null();
    }

    /// Writes a member with [`Writer::bool`].
    pub fn bool(&mut self, key: &str, value: bool) {
        self.value(key).bool(value);
    }

    /// Writes a member with [`Writer::number`].
    pub fn number(&mut self, key: &str, value: Number) {
        self.value(key).number(value);
    }

    /// Writes a member with [`Writer::string`].
    pub fn string(&mut self, key: &str, value: &str) {
        self.value(key).string(value);
    }

    /// Writes a member with [`Writer::json_text`].
    pub fn json_text(&mut self, key: &str, json: &str) {
        self.value(key).json_text(json);
    }

    /// Writes a member with [`Writer::escaped_json_text`].
    pub fn escaped_json_text(&mut self, key: &str, json: &str) {
        self.value(key).escaped_json_text(json);
    }

    /// Writes a member with [`Writer::json`].
    pub fn json(&mut self, key: &str, value: &Json<'_>) {
        self.value(key).json(value);
    }

    /// Writes a member with [`Writer::object`].
    pub fn object(&mut self, key: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.value(key).object(members);
    }

    /// Writes a member with [`Writer::array`].
    pub fn array<I: IntoIterator>(&mut self, key: &str, items: I, write: impl FnMut(Writer<'_>, I::Item)) {
        self.value(key).array(items, write);
    }
}

/// Returns `true` if a string needs no escape between quotes.
fn needs_no_escape(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
}

#[cfg(test)]
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself has no sufficiently general lifetime")]
mod tests {
    use crate::json::{Json, Number, Writer};

    #[test]
    fn writer() {
        let mut text = String::new();
        Writer::new(&mut text).object(|schema| {
            schema.string("type", "object");
            schema.object("properties", |properties| {
                properties.object("days", |days| days.number("maximum", Number::Integer(14)));
            });
            schema.array("required", ["days"], |item, name| item.string(name));
            schema.json_text("default", r#"{"days":3}"#);
        });
        assert_eq!(
            text,
            r#"{"type":"object","properties":{"days":{"maximum":14}},"required":["days"],"default":{"days":3}}"#,
        );
    }

    #[test]
    fn object_writer() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| {
            object.string("a", "x");
            object.null("b");
        });
        assert_eq!(text, r#"{"a":"x","b":null}"#);
    }

    #[test]
    fn new() {
        let mut text = String::from("data: ");
        Writer::new(&mut text).bool(true);
        assert_eq!(text, "data: true");
    }

    #[test]
    fn null() {
        let mut text = String::new();
        Writer::new(&mut text).null();
        assert_eq!(text, "null");
    }

    #[test]
    fn bool() {
        let mut text = String::new();
        Writer::new(&mut text).bool(false);
        assert_eq!(text, "false");
    }

    #[test]
    fn number() {
        let mut text = String::new();
        Writer::new(&mut text).number(Number::Integer(3));
        assert_eq!(text, "3");
    }

    #[test]
    fn string() {
        let mut text = String::new();
        Writer::new(&mut text).string("a\tb");
        assert_eq!(text, r#""a\tb""#);
    }

    #[test]
    fn raw() {
        let mut text = String::new();
        Writer::new(&mut text).json_text("[1]");
        assert_eq!(text, "[1]");
    }

    #[test]
    fn json() -> Result<(), crate::json::SyntaxError> {
        let mut text = String::new();
        Writer::new(&mut text).json(&Json::parse("[ 1 ]")?);
        assert_eq!(text, "[1]");
        Ok(())
    }

    #[test]
    fn object() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.bool("a", true));
        assert_eq!(text, r#"{"a":true}"#);
    }

    #[test]
    fn array() {
        let mut text = String::new();
        Writer::new(&mut text).array(["a", "b"], |item, name| item.string(name));
        assert_eq!(text, r#"["a","b"]"#);
    }

    #[test]
    fn value() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.value("a").bool(true));
        assert_eq!(text, r#"{"a":true}"#);
    }

    #[test]
    fn null_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.null("a"));
        assert_eq!(text, r#"{"a":null}"#);
    }

    #[test]
    fn bool_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.bool("a", true));
        assert_eq!(text, r#"{"a":true}"#);
    }

    #[test]
    fn number_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.number("a", Number::Integer(1)));
        assert_eq!(text, r#"{"a":1}"#);
    }

    #[test]
    fn string_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.string("a", "é\n"));
        assert_eq!(text, r#"{"a":"é\n"}"#);
    }

    #[test]
    fn raw_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.json_text("a", "[1]"));
        assert_eq!(text, r#"{"a":[1]}"#);
    }

    #[test]
    fn json_of_a_member() -> Result<(), crate::json::SyntaxError> {
        let mut text = String::new();
        let list = Json::parse("[ 1 ]")?;
        Writer::new(&mut text).object(|object| object.json("a", &list));
        assert_eq!(text, r#"{"a":[1]}"#);
        Ok(())
    }

    #[test]
    fn object_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.object("a", |inner| inner.null("b")));
        assert_eq!(text, r#"{"a":{"b":null}}"#);
    }

    #[test]
    fn array_of_a_member() {
        let mut text = String::new();
        Writer::new(&mut text).object(|object| object.array("a", ["x", "y"], |item, text| item.string(text)));
        assert_eq!(text, r#"{"a":["x","y"]}"#);
    }
}
