//! `ToolInput` for the types of std and for JSON itself.
//!
//! Invariant: the shape accepts the values that serde accepts, except for the cases in `docs/agreement.md`. Types on the heap have a `Lazy`
//! edge to their items, so that recursive types need no attribute; all other types have a direct edge, so that the compiler can check
//! defaults.

mod duration;
mod holders;
mod maps;
mod numbers;
mod scalars;
mod sequences;
#[cfg(test)]
mod tests;

pub use duration::{Milliseconds, Seconds};

/// Implements `ToolInput` for types without rules on the typed value: every decoded value is accepted.
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
