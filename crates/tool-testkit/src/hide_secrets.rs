//! The values that the calls of one report sent in sensitive fields. [`Secrets`] hides them in the sentences of the report.
//!
//! This complements the redaction by position: a text of a model or of a test may repeat a secret. If the variant of a union is unknown,
//! the sensitive fields of all variants count. If a text is too long, or there are too many secrets, to compare them, the whole text is
//! hidden.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::private::issue::REDACTED;
use crate::private::shape::has_key;
use tool_runtime::tool_schema::json::{Json, Node};
use tool_runtime::tool_schema::shape::{Field, Kind, Object, Ref, Shape, Tagging, Union};

/// The minimum length of a value that is hidden, in characters. Shorter values would occur in texts by accident.
const SHORTEST: usize = 4;
/// The maximum product of the number of bytes of a text and the number of secrets. Larger texts are hidden without a comparison.
const MOST_COMPARED: usize = 1 << 26;
/// The maximum number of edges of a shape that are followed without descending into the JSON.
const MOST_HOPS: usize = 48;

/// The values that calls sent in sensitive fields.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    texts: HashSet<String>,
    /// The visited pairs of a shape and a node, by their addresses.
    seen: HashSet<(usize, usize)>,
}

impl Secrets {
    /// Adds the secrets in the arguments of another call.
    pub(super) fn and(mut self, shape: &Shape, arguments: &Json<'_>) -> Self {
        self.collect(shape, arguments, 0);
        self.seen = HashSet::new();
        self
    }

    /// Returns the text with the secrets in it replaced.
    pub(super) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.texts.is_empty() {
            return text.into();
        }
        if text.len().saturating_mul(self.texts.len()) > MOST_COMPARED {
            return REDACTED.into();
        }
        let mut found: Vec<(usize, usize)> = Vec::new();
        for secret in &self.texts {
            // Overlapping occurrences count too.
            let mut from = 0;
            while let Some(offset) = text.get(from..).and_then(|rest| rest.find(&**secret)) {
                let start = from + offset;
                found.push((start, start + secret.len()));
                from = start + secret.chars().next().map_or(1, char::len_utf8);
            }
        }
        if found.is_empty() {
            return text.into();
        }
        found.sort_unstable();
        let (mut hidden, mut copied) = (String::with_capacity(text.len()), 0);
        for (start, end) in found {
            if start >= copied {
                hidden += &text[copied..start];
                hidden += REDACTED;
            }
            copied = copied.max(end);
        }
        (hidden + &text[copied..]).into()
    }

    fn collect(&mut self, shape: &Shape, json: &Json<'_>, hops: usize) {
        if hops > MOST_HOPS {
            return self.take(json);
        }
        let address = std::ptr::from_ref(shape).addr();
        if hops > 0 && !self.seen.insert((address, std::ptr::from_ref(json).addr())) {
            return;
        }
        match &shape.kind {
            Kind::Alias(inner) | Kind::Nullable(inner) => self.collect(&inner.shape(), json, hops + 1),
            Kind::Array(items) => json.items().iter().for_each(|item| self.collect(&items.shape(), item, 0)),
            Kind::Tuple(positions) => {
                let items = positions.iter().zip(json.items());
                items.for_each(|(position, item)| self.collect(&position.shape(), item, 0));
            }
            Kind::Map { values, .. } => self.members(values, json),
            Kind::Object(object) => self.object(object, json, hops),
            Kind::Union(union) => self.union(union, json, hops),
            _ => {}
        }
    }

    fn members(&mut self, values: &Ref, json: &Json<'_>) {
        json.members().iter().for_each(|member| self.collect(&values.shape(), &member.value, 0));
    }

    fn object(&mut self, object: &Object, json: &Json<'_>, hops: usize) {
        // serde also decodes a struct from an array.
        let fields = object.fields.iter().filter(|field| !field.flatten);
        fields.zip(json.items()).for_each(|(field, item)| self.field(field, item));
        for field in &object.fields {
            if !field.flatten {
                let members = json.members().iter().filter(|member| has_key(field, &member.key));
                members.for_each(|member| self.field(field, &member.value));
            } else if field.sensitive {
                self.take(json);
            } else {
                self.collect(&field.shape.shape(), json, hops + 1);
            }
        }
    }

    fn field(&mut self, field: &Field, json: &Json<'_>) {
        if field.sensitive { self.take(json) } else { self.collect(&field.shape.shape(), json, 0) }
    }

    fn union(&mut self, union: &Union, json: &Json<'_>, hops: usize) {
        for variant in &union.variants {
            let Some(payload) = &variant.payload else { continue };
            match &union.tagging {
                Tagging::External if !variant.untagged => {
                    self.members(payload, json);
                }
                Tagging::Adjacent { content, .. } if !variant.untagged => {
                    let contents = json.members().iter().filter(|member| member.key == **content);
                    contents.for_each(|member| self.collect(&payload.shape(), &member.value, 0));
                }
                _ => self.collect(&payload.shape(), json, hops + 1),
            }
        }
    }

    /// Adds everything in a secret value: its texts, numbers and keys.
    fn take(&mut self, json: &Json<'_>) {
        match &json.node {
            Node::String(text) | Node::Number(text) => self.add(text),
            Node::Array(items) => items.iter().for_each(|item| self.take(item)),
            Node::Object(members) => members.iter().for_each(|member| {
                self.add(&member.key);
                self.take(&member.value);
            }),
            _ => {}
        }
    }

    /// Adds a text, and the text as `{:?}` prints it.
    fn add(&mut self, text: &str) {
        if text.chars().nth(SHORTEST - 1).is_none() {
            return;
        }
        let shown = format!("{text:?}");
        let shown = shown.trim_start_matches('"').strip_suffix('"').unwrap_or(&shown);
        if shown != text && shown.len() >= SHORTEST {
            self.texts.insert(shown.to_owned());
        }
        self.texts.insert(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(texts: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        for text in texts {
            secrets.add(text);
        }
        secrets
    }

    #[test]
    fn overlapping_secrets_are_hidden_together() {
        assert_eq!(secrets(&["hunter", "terrier"]).hide("a hunterrier!"), "a <redacted>!");
        assert_eq!(secrets(&["abab"]).hide("ababab ab"), "<redacted> ab");
        assert_eq!(secrets(&["hunter", "hunter2"]).hide("hunter2hunter"), "<redacted><redacted>");
    }

    #[test]
    fn short_values_and_other_texts_are_not_hidden() {
        assert_eq!(secrets(&["abc", "hunter"]).hide("abc is no hunt"), "abc is no hunt");
    }

    #[test]
    fn a_quoted_secret_is_hidden_too() {
        assert_eq!(secrets(&["a\"b\nc"]).hide(r#"not "a\"b\nc""#), r#"not "<redacted>""#);
    }

    #[test]
    fn a_text_with_too_many_secrets_to_compare_is_hidden() {
        let many: Vec<String> = (0..10_000).map(|number| format!("secret{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(secrets(&many).hide(&"x".repeat(10_000)), REDACTED);
    }
}
