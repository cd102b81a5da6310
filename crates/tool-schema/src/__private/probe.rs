//! Tests at compile time of a type about which only its name is known.
//!
//! `IsOption::<T>::VALUE` is the constant of the type, if `T` is an `Option`, also behind a type alias. For every other type, the compiler
//! falls back to the constant of a trait, which must be in scope. It does so too for a type parameter, whatever its type.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer};

/// `true` for an `Option`; needs [`Otherwise`] in scope.
pub struct IsOption<T>(PhantomData<T>);

/// `true` for an `Option` of an `Option`, which may be in a `Box`; needs [`Otherwise`] in scope.
pub struct IsDoubleOption<T>(PhantomData<T>);

/// `false` for all other types.
pub trait Otherwise {
    const VALUE: bool = false;
}

/// Decodes the value of a key that was sent; needs [`SentOtherwise`] in scope.
pub struct Sent<T>(PhantomData<T>);

/// The decoding of all other types.
pub trait SentOtherwise<'de> {
    type Value: Deserialize<'de>;

    /// Decodes the value.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be decoded.
    fn decode<D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        Deserialize::deserialize(deserializer)
    }
}

impl<T> IsOption<Option<T>> {
    pub const VALUE: bool = true;
}

/// An `Option`, also in a `Box`.
pub trait Nullable {}

impl<T> Nullable for Option<T> {}

impl<T: Nullable> Nullable for Box<T> {}

impl<T: Nullable> IsDoubleOption<Option<T>> {
    pub const VALUE: bool = true;
}

impl<'de, T: Nullable + Deserialize<'de>> Sent<Option<T>> {
    /// Decodes `null` as the inner `None`.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be decoded.
    pub fn decode<D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        T::deserialize(deserializer).map(Some)
    }
}

impl<T> Otherwise for IsOption<T> {}

impl<T> Otherwise for IsDoubleOption<T> {}

impl<'de, T: Deserialize<'de>> SentOtherwise<'de> for Sent<T> {
    type Value = T;
}
