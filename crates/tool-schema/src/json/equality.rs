//! Equality as JSON Schema means it, and what `uniqueItems` asks.
//!
//! In come trees; out goes whether they are the same value: numbers by their mathematical value, objects without regard
//! to the order of keys, the last of repeated keys alone. Both questions are answered on a canonical form, in time `n
//! log n`.

use std::collections::{HashMap, hash_map::Entry};

use super::{Json, Node, decimal::Decimal};

#[derive(PartialEq, Eq, Hash)]
enum Canonical<'j> {
    Null,
    Bool(bool),
    Number(Decimal<'j>),
    String(&'j str),
    Array(Vec<Canonical<'j>>),
    Object(Vec<(&'j str, Canonical<'j>)>),
}

impl<'j> Canonical<'j> {
    fn new(json: &'j Json<'_>) -> Self {
        match &json.node {
            Node::Null => Self::Null,
            Node::Bool(value) => Self::Bool(*value),
            Node::Number(text) => Self::Number(Decimal::new(text)),
            Node::String(text) => Self::String(text),
            Node::Array(items) => Self::Array(items.iter().map(Self::new).collect()),
            Node::Object(members) => {
                // Reversed before the stable sort, the last of equal keys is the one that stays.
                let mut last_first: Vec<_> = members.iter().rev().collect();
                last_first.sort_by(|left, right| left.key.cmp(&right.key));
                last_first.dedup_by(|later, kept| later.key == kept.key);
                Self::Object(last_first.iter().map(|member| (&*member.key, Self::new(&member.value))).collect())
            }
        }
    }
}

impl Json<'_> {
    /// Whether both are the same value in the sense of JSON Schema.
    ///
    /// ```
    /// use tool_schema::json::Json;
    ///
    /// let left = Json::parse(r#"{"a": 1.0, "b": [0.1]}"#)?;
    /// assert!(left.same_value(&Json::parse(r#"{"b": [1e-1], "a": 1}"#)?));
    /// assert!(!left.same_value(&Json::parse(r#"{"b": [0.1]}"#)?));
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn same_value(&self, other: &Json<'_>) -> bool {
        Canonical::new(self) == Canonical::new(other)
    }
}

/// The first item that repeats an earlier one, as the indices of both, earlier first; `None` where all are different
/// values.
pub fn has_duplicates(items: &[Json<'_>]) -> Option<(usize, usize)> {
    // Grown with what was seen: the first two items may be equal already.
    let mut seen = HashMap::new();
    items.iter().enumerate().find_map(|(index, item)| match seen.entry(Canonical::new(item)) {
        Entry::Occupied(earlier) => Some((*earlier.get(), index)),
        Entry::Vacant(free) => {
            free.insert(index);
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::json::{Json, has_duplicates};

    #[test]
    fn repeated_items() -> Result<(), crate::json::SyntaxError> {
        assert_eq!(has_duplicates(Json::parse("[1, 2, 1.0, 2]")?.items()), Some((0, 2)));
        assert_eq!(has_duplicates(Json::parse("[1, true]")?.items()), None);
        Ok(())
    }
}
