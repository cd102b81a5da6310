//! Checks of a type together with its inner types: untagged variants that may be confused, and flattened fields with common keys.
//!
//! The checks are written once and compiled twice, because a `const fn` can only follow direct edges and static lists:
//! the compiler uses [`early`] and `build()` uses [`late`]. They only differ in the edges that they can follow.

mod flattened_key_conflict;
mod variant_conflict;

/// The reason why a flattened field cannot get its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlattenConflict {
    /// The surrounding object rejects unknown keys, and serde treats all keys of the type (a map, for example) as unknown.
    ClosedMap,
    /// The type has no keys.
    NoKeys,
    /// The type and the field with this index have a key in common.
    SharedKey(usize),
}

/// The checks for the compiler, which skip everything that a `const fn` cannot follow.
pub mod early {
    use crate::shape::{Ref, Shape, SharedSlice, Text};

    super::flattened_key_conflict::clash!(const);
    super::variant_conflict::mistaken!(const);

    const fn follow(edge: &Ref) -> Option<&Shape> {
        match edge {
            Ref::Static(shape) => Some(shape),
            _ => None,
        }
    }

    const fn elements<T>(list: &SharedSlice<T>) -> Option<&[T]> {
        match list {
            SharedSlice::Static(elements) => Some(elements),
            SharedSlice::Shared(_) => None,
        }
    }

    const fn known(text: &Text) -> Option<&str> {
        match text {
            Text::Static(text) => Some(text),
            Text::Shared(_) | Text::Short(_) => None,
        }
    }
}

/// The checks for `build()`, which see everything except edges that close a cycle in a schema parsed at run time.
#[expect(
    clippy::unnecessary_wraps,
    clippy::question_mark,
    reason = "the lines are shared with the `const fn`, which sees less and has no `?`"
)]
pub mod late {
    use crate::shape::{Ref, Shape, SharedSlice, Text};

    super::flattened_key_conflict::clash!();
    super::variant_conflict::mistaken!();

    fn follow(edge: &Ref) -> Option<&Shape> {
        match edge {
            Ref::Static(shape) => Some(shape),
            Ref::Lazy(shape) => Some(shape()),
            Ref::Shared(shape) => Some(shape),
            Ref::Weak(_) => None,
        }
    }

    fn elements<T>(list: &SharedSlice<T>) -> Option<&[T]> {
        Some(list)
    }

    fn known(text: &Text) -> Option<&str> {
        Some(text)
    }
}
