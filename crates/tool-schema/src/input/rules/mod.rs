//! Rules on typed values: for each rule, the types to which it applies, and its test.
//!
//! Absent values satisfy every rule: `None` is always accepted. Invariant: no test allocates (except `unique_items`), and each has the same
//! result as the checker for the JSON node from which the value was decoded.

use std::borrow::Cow;
use std::sync::Arc;

mod items;
mod length;
mod number;
mod text;

pub use items::{AcceptsUniqueItems, HasItems};
pub use length::HasLength;
pub(crate) use number::NumericValue;
pub use number::{AcceptsMultipleOf, AcceptsRange};
pub use text::{AcceptsFormat, AcceptsPattern};

/// A type that holds at most one value. A rule for the type applies to the value inside it.
pub trait Holder {
    /// The type of the value.
    type Held: ?Sized;

    /// Returns the value, if there is one.
    fn held(&self) -> Option<&Self::Held>;
}

impl<T> Holder for Option<T> {
    type Held = T;

    #[inline]
    fn held(&self) -> Option<&T> {
        self.as_ref()
    }
}

macro_rules! pointers {
    ($([$($bounds:tt)*] $pointer:ty),+) => {$(
        impl<T: ?Sized $($bounds)*> Holder for $pointer {
            type Held = T;

            #[inline]
            fn held(&self) -> Option<&T> {
                Some(self)
            }
        }
    )+};
}

pointers! { [] Box<T>, [] Arc<T>, [+ ToOwned] Cow<'_, T> }

#[cfg(test)]
mod tests {
    use crate::input::rules::Holder;

    #[test]
    fn holder() {
        assert_eq!(Box::new(7).held(), Some(&7));
        assert_eq!(None::<u8>.held(), None);
    }
}
