//! Our ordered writer, for schemas and for what goes over the wire.
//!
//! In come values in the order in which they shall stand; out goes compact JSON at the end of a `String`. Commas,
//! colons, quotes and escapes are taken care of. Characters that a reader cannot see are always written as escapes, which changes the
//! text and not the value. A [`Writer`] is spent by writing one value, so that no place can be
//! filled twice.

use super::{Json, Number, render::write_json, write_visible};
use crate::visible;

/// A place for exactly one value.
#[derive(Debug)]
#[must_use = "a place that is left empty makes the text invalid"]
pub struct Writer<'o> {
    out: &'o mut String,
}

/// The members of an object that is being written, one call each, in order.
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> Writer<'o> {
    /// The place at the end of a text.
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

    /// Writes a number; one that JSON does not have as `null`.
    pub fn number(self, value: Number) {
        value.push(self.out);
    }

    /// Writes a string with its quotes and escapes. Invisible characters and those that change the direction of text are escaped too.
    pub fn string(self, value: &str) {
        write_visible(self.out, value);
    }

    /// Writes a text that is JSON already, with escapes for invisible characters in its strings.
    pub fn raw(self, json: &str) {
        self.out.push_str(&visible::escaped(json));
    }

    /// Writes JSON that a [`Writer`] has written: nothing in it is hidden any more.
    pub fn written(self, json: &str) {
        self.out.push_str(json);
    }

    /// Writes a constant that needs no escape, without searching it for one.
    #[inline]
    pub fn word(self, word: &'static str) {
        debug_assert!(needs_no_escape(word), "{word}");
        self.out.push('"');
        self.out.push_str(word);
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

    /// Writes an array; the closure writes each item into the place it is given.
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
    /// Writes a key and gives the place for its value.
    pub fn value(&mut self, key: &str) -> Writer<'_> {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_visible(self.out, key);
        self.out.push(':');
        Writer { out: &mut *self.out }
    }

    /// Writes a key that needs no escape and returns the writer of its value. Keys of the wire format are constants: searching each of them
    /// for characters to escape took a twentieth of a refusal.
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

    /// A member written by [`Writer::null`].
    pub fn null(&mut self, key: &str) {
        self.value(key).null();
    }

    /// A member written by [`Writer::bool`].
    pub fn bool(&mut self, key: &str, value: bool) {
        self.value(key).bool(value);
    }

    /// A member written by [`Writer::number`].
    pub fn number(&mut self, key: &str, value: Number) {
        self.value(key).number(value);
    }

    /// A member written by [`Writer::string`].
    pub fn string(&mut self, key: &str, value: &str) {
        self.value(key).string(value);
    }

    /// A member written by [`Writer::raw`].
    pub fn raw(&mut self, key: &str, json: &str) {
        self.value(key).raw(json);
    }

    /// A member written by [`Writer::written`].
    pub fn written(&mut self, key: &str, json: &str) {
        self.value(key).written(json);
    }

    /// A member written by [`Writer::json`].
    pub fn json(&mut self, key: &str, value: &Json<'_>) {
        self.value(key).json(value);
    }

    /// A member written by [`Writer::object`].
    pub fn object(&mut self, key: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.value(key).object(members);
    }

    /// A member written by [`Writer::array`].
    pub fn array<I: IntoIterator>(&mut self, key: &str, items: I, write: impl FnMut(Writer<'_>, I::Item)) {
        self.value(key).array(items, write);
    }
}

/// Checks that a string needs no escape between quotes.
fn needs_no_escape(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
}

#[cfg(test)]
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself is not general enough over its lifetime"
)]
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
            schema.raw("default", r#"{"days":3}"#);
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
        Writer::new(&mut text).raw("[1]");
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
        Writer::new(&mut text).object(|object| object.raw("a", "[1]"));
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
