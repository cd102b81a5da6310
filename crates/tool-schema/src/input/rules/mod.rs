//! Rules on typed values: which types a rule applies to, and the test itself.
//!
//! In come a decoded value and what a [`Rule`](crate::shape::Rule) says; out goes whether the value satisfies it. A rule says nothing
//! about values that are not there: `None` satisfies everything. What always holds: no test allocates (`unique_items` aside), and each
//! gives the verdict that the checker gives on the JSON node that the value was decoded from.

use std::borrow::Cow;
use std::sync::Arc;

mod items;
mod length;
mod number;
mod text;

pub use items::{AcceptsUniqueItems, HasItems};
pub use length::HasLength;
pub(crate) use number::Numeric;
pub use number::{AcceptsMultipleOf, AcceptsRange};
pub use text::{AcceptsFormat, AcceptsPattern};

/// A type that only holds a value, or none: a rule on it is a rule on what it holds.
pub trait Holder {
    /// What is held.
    type Held: ?Sized;

    /// The value, where there is one.
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
