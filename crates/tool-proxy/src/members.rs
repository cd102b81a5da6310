//! The members of a JSON object, which can be changed one by one: [`Members`].
//!
//! The values are slices of the text of the object, so a value that is not changed keeps its bytes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::frame::object;
use super::writing::json_object;

/// The number of members from which on their names are hashed to find repeated ones.
const FEW: usize = 16;

/// The members of an object in their order, each with its value as JSON text. No name occurs twice.
#[derive(Default)]
pub(super) struct Members<'l>(Vec<(Cow<'l, str>, Cow<'l, str>)>);

#[derive(Deserialize)]
struct Name<'l>(#[serde(borrow)] Cow<'l, str>);

impl<'l> Members<'l> {
    /// Parses an object; `None` if the text is not an object, or if a name occurs twice.
    pub(super) fn of(text: &'l str) -> Option<Self> {
        object(text)
    }

    /// Returns a value as JSON text.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
    }

    /// Returns a value that is a string.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Removes a member, and returns its value.
    pub(super) fn remove(&mut self, name: &str) -> Option<Cow<'l, str>> {
        let position = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(position).1)
    }

    /// Sets a value, given as JSON text. A new member is the last one.
    pub(super) fn set(&mut self, name: &'l str, value: impl Into<Cow<'l, str>>) {
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => *own = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
    }

    /// Returns the object as JSON text.
    pub(super) fn to_text(&self) -> String {
        json_object(|object| {
            for (name, value) in &self.0 {
                object.written(name, value);
            }
        })
    }
}

impl<'de: 'l, 'l> Deserialize<'de> for Members<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let (mut members, mut names) = (Vec::<(Cow<'de, str>, Cow<'de, str>)>::new(), HashSet::new());
        while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
            // Comparing a few names takes less time than hashing them.
            let is_new = if members.len() < FEW {
                members.iter().all(|(own, _)| *own != name)
            } else {
                if names.is_empty() {
                    names.extend(members.iter().map(|(own, _)| own.clone()));
                }
                names.insert(name.clone())
            };
            if !is_new {
                return Err(A::Error::custom("a name occurs twice"));
            }
            members.push((name, value.get().into()));
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_changed_keep_their_bytes() {
        let text = r#"{ "a": 1.0e5, "b\u0062": {"x" : [1, 2]}, "c":"\u0041", "d": null }"#;
        let mut members = Members::of(text).unwrap();
        assert_eq!(
            (members.get("a"), members.get("bb"), members.get("e")),
            (Some("1.0e5"), Some(r#"{"x" : [1, 2]}"#), None)
        );
        assert_eq!((members.string("c"), members.string("a")), (Some("A".to_owned()), None));
        assert_eq!(members.remove("d").as_deref(), Some("null"));
        members.set("a", "2");
        members.set("f", "[]");
        assert_eq!(members.to_text(), r#"{"a":2,"bb":{"x" : [1, 2]},"c":"\u0041","f":[]}"#);
    }

    #[test]
    fn only_objects_with_distinct_names_are_accepted() {
        for text in ["", "[]", "1", r#"{"a":1,"a":2}"#, r#"{"a":1,"\u0061":2}"#, r#"{"a":1"#] {
            assert!(Members::of(text).is_none(), "{text}");
        }
        // Also if there are many.
        let many: Vec<String> = (0..3 * FEW).map(|name| format!(r#""{name}":0"#)).collect();
        assert!(Members::of(&format!("{{{}}}", many.join(","))).is_some());
        for name in [0, FEW, 3 * FEW - 1] {
            assert!(Members::of(&format!(r#"{{{},"{name}":1}}"#, many.join(","))).is_none(), "{name}");
        }
        assert_eq!(Members::of("{}").unwrap().to_text(), "{}");
    }
}
