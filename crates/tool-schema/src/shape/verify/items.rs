//! The items of an array and the values of an object, by position.

use super::literal::Literal;

/// Returns the item or value at a position; `None` after the last one, and for literals without items.
pub(super) const fn item(literal: &Literal, index: usize) -> Option<&Literal> {
    match literal {
        Literal::Array(items) if index < items.len() => Some(&items[index]),
        Literal::Object(members) if index < members.len() => Some(&members[index].1),
        _ => None,
    }
}
