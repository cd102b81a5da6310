//! Types that hold at most one value: `Option`, `Box`, `Arc`, `Cow`.
//!
//! `Option` is the value or `null`, and may be absent. The others have the form of their value. Recursive types contain themselves through
//! a `Box` or an `Arc`, so the edges of these two are lazy. A `Cow` owns the decoded value and is never part of a cycle by itself, so it
//! has the shape of the owned type. An `Option` of an optional type leaves `null` to that type, if the key was sent.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use crate::input::ToolInput;
use crate::shape::{Kind, Ref, Shape};

impl<T: ToolInput> ToolInput for Option<T> {
    const SHAPE: &'static Shape = &Shape::new(Kind::Nullable(Ref::Static(T::SHAPE)));
    const OPTIONAL: bool = true;
    const DISTINCT_NULL: bool = T::OPTIONAL;
    const GUARDED: bool = T::GUARDED;

    #[inline]
    fn guard(&self) -> bool {
        self.as_ref().is_none_or(T::guard)
    }

    #[inline]
    fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if T::OPTIONAL { T::from_sent(deserializer).map(Some) } else { Self::deserialize(deserializer) }
    }
}

/// Implements [`ToolInput`] for pointers that own a decoded value.
macro_rules! pointers {
    ($($pointer:ty, $shape:expr, [$($bounds:tt)+];)+) => {$(
        impl<T: $($bounds)+> ToolInput for $pointer {
            const SHAPE: &'static Shape = $shape;
            const OPTIONAL: bool = T::OPTIONAL;
            const DISTINCT_NULL: bool = T::DISTINCT_NULL;
            const GUARDED: bool = T::GUARDED;

            #[inline]
            fn guard(&self) -> bool {
                T::guard(self)
            }

            #[inline]
            fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                T::from_sent(deserializer).map(Self::new)
            }
        }
    )+};
}

pointers! { Box<T>, &Shape::new(Kind::Alias(Ref::Lazy(|| T::SHAPE))), [ToolInput]; }

#[cfg(feature = "rc")]
pointers! { std::sync::Arc<T>, <Box<T>>::SHAPE, [ToolInput + Sync]; }

impl<B: ToOwned<Owned: ToolInput> + Sync + ?Sized + 'static> ToolInput for Cow<'static, B> {
    const SHAPE: &'static Shape = B::Owned::SHAPE;
    const OPTIONAL: bool = B::Owned::OPTIONAL;
    const DISTINCT_NULL: bool = B::Owned::DISTINCT_NULL;
    const GUARDED: bool = B::Owned::GUARDED;

    #[inline]
    fn guard(&self) -> bool {
        match self {
            Self::Owned(value) => value.guard(),
            // serde decodes into an owned `Cow`, so only a value that was built in code is copied here.
            Self::Borrowed(value) => !Self::GUARDED || (*value).to_owned().guard(),
        }
    }

    #[inline]
    fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        B::Owned::from_sent(deserializer).map(Cow::Owned)
    }
}
