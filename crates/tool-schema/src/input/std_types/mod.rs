//! `ToolInput` for the types of std and for JSON itself.
//!
//! What always holds: the shape accepts what serde accepts of the type, apart from the rows of `docs/agreement.md`; what lives on the
//! heap holds its items by a `Lazy` edge, so that recursive types need no attribute; everything else by a direct one, so that the
//! compiler can check defaults.

mod arrays;
mod duration;
mod holders;
mod maps;
mod numbers;
mod strings;
#[cfg(test)]
mod tests;

pub use duration::{Milliseconds, Seconds};

/// Types without rules of their own on the typed value: what serde decoded is good.
macro_rules! leaves {
    ($($type:ty => $shape:expr),+ $(,)?) => {$(
        impl $crate::input::ToolInput for $type {
            const SHAPE: &'static $crate::shape::Shape = &$shape;
            const GUARDED: bool = false;

            #[inline]
            fn guard(&self) -> bool {
                true
            }
        }
    )+};
}
pub(super) use leaves;
