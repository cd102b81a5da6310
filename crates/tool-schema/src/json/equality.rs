//! Equality in JSON Schema, and the search for duplicates for `uniqueItems`.
//!
//! Numbers are compared by their mathematical value, and objects regardless of the order of keys; only the last of repeated keys counts.
//! Both operations use a canonical form and take time `n log n`.

use std::collections::{HashMap, hash_map::Entry};

use super::{Json, Node, decimal_parts::Decimal};

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
                // The members are reversed before the stable sort, so that the last of equal keys is kept.
                let mut last_first: Vec<_> = members.iter().rev().collect();
                last_first.sort_by(|left, right| left.key.cmp(&right.key));
                last_first.dedup_by(|later, kept| later.key == kept.key);
                Self::Object(last_first.iter().map(|member| (&*member.key, Self::new(&member.value))).collect())
            }
        }
    }
}

impl Json<'_> {
    /// Returns `true` if both are the same value in JSON Schema.
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

/// Finds the first item that repeats an earlier one. Returns the indices of the earlier item and of the repetition; `None` if all items
/// differ.
pub fn find_duplicate(items: &[Json<'_>]) -> Option<(usize, usize)> {
    // The map is not allocated for all items in advance, because the first two items may already be equal.
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
    use crate::json::{Json, find_duplicate};

    #[test]
    fn repeated_items() -> Result<(), crate::json::SyntaxError> {
        assert_eq!(find_duplicate(Json::parse("[1, 2, 1.0, 2]")?.items()), Some((0, 2)));
        assert_eq!(find_duplicate(Json::parse("[1, true]")?.items()), None);
        Ok(())
    }
}
