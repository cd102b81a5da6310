//! What one type cannot see of the types inside it: untagged variants that may be mistaken for each other, and flattened fields that
//! take each other's keys.
//!
//! In comes a union or an object and the index of a variant or field; out goes what it clashes with, or nothing. The judgements are
//! written once and compiled twice, because a `const fn` can follow nothing but direct edges and static lists: [`early`] is what the
//! compiler asks, [`late`] what `build()` asks, and they differ in what they see alone.

mod clash;
mod mistaken;

/// What keeps a flattened field from getting its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Clash {
    /// It takes no keys away, and the object around it refuses unknown keys.
    ClosedMap,
    /// It has none.
    NoKeys,
    /// It has a key that the field with this index has too.
    SharedKey(usize),
}

/// For the compiler: passes over what no `const fn` can follow.
pub mod early {
    use crate::shape::{List, Ref, Shape, Text};

    super::clash::clash!(const);
    super::mistaken::mistaken!(const);

    const fn follow(edge: &Ref) -> Option<&Shape> {
        match edge {
            Ref::Static(shape) => Some(shape),
            _ => None,
        }
    }

    const fn elements<T>(list: &List<T>) -> Option<&[T]> {
        match list {
            List::Static(elements) => Some(elements),
            List::Shared(_) => None,
        }
    }

    const fn known(text: &Text) -> Option<&str> {
        match text {
            Text::Static(text) => Some(text),
            Text::Shared(_) | Text::Short(_) => None,
        }
    }
}

/// For `build()`: sees everything but an edge that closes a cycle of a schema which was read at run time.
#[expect(
    clippy::unnecessary_wraps,
    clippy::question_mark,
    reason = "the compiler sees less and has no `?`, and the lines are the same"
)]
pub mod late {
    use crate::shape::{List, Ref, Shape, Text};

    super::clash::clash!();
    super::mistaken::mistaken!();

    fn follow(edge: &Ref) -> Option<&Shape> {
        match edge {
            Ref::Static(shape) => Some(shape),
            Ref::Lazy(shape) => Some(shape()),
            Ref::Shared(shape) => Some(shape),
            Ref::Weak(_) => None,
        }
    }

    fn elements<T>(list: &List<T>) -> Option<&[T]> {
        Some(list)
    }

    fn known(text: &Text) -> Option<&str> {
        Some(text)
    }
}
