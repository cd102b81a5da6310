//! Tests at compile time of a type about which only its name is known.
//!
//! `IsOption::<T>::VALUE` is the constant of the type, if `T` is an `Option`, also behind a type alias. For every other type, the compiler
//! falls back to the constant of a trait, which must be in scope. It does so too for a type parameter, whatever its type.

use std::marker::PhantomData;

/// `true` for an `Option`; needs [`Otherwise`] in scope.
pub struct IsOption<T>(PhantomData<T>);

/// `true` for an `Option` of an `Option`; needs [`Otherwise`] in scope.
pub struct IsDoubleOption<T>(PhantomData<T>);

/// `false` for all other types.
pub trait Otherwise {
    const VALUE: bool = false;
}

impl<T> IsOption<Option<T>> {
    pub const VALUE: bool = true;
}

impl<T> IsDoubleOption<Option<Option<T>>> {
    pub const VALUE: bool = true;
}

impl<T> Otherwise for IsOption<T> {}

impl<T> Otherwise for IsDoubleOption<T> {}
