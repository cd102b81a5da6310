//! The items of an array and the values of an object, one after the other.

use super::literal::Literal;

/// The item or value at a position; nothing behind the last one, and in a literal without any.
pub(super) const fn item(literal: &Literal, index: usize) -> Option<&Literal> {
    match literal {
        Literal::Array(items) if index < items.len() => Some(&items[index]),
        Literal::Object(members) if index < members.len() => Some(&members[index].1),
        _ => None,
    }
}
