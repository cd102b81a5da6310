//! Decodes the arguments of a tool. serde's derive would generate such code for each tool; here it is written once for all tools.
//!
//! In: an object. Out: the values of the parameters, in nested pairs. Invariant: keys, values and absent keys are handled as serde's derive
//! handles them for a struct, except that an array is not accepted as an object. The generated code of a tool then consists only of types
//! and names, which rustc compiles faster than functions.

#[cfg(test)]
mod tests;

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::{ForeignParameter, Parameter};
use crate::input::ToolInput;
use crate::private::AbsentKeyDeserializer;

/// The names and types of a tool's parameters.
pub trait Parameters {
    /// Nested pairs of [`Required`] and similar types. The depth of the tree is logarithmic in the number of parameters, so that the
    /// compiler need not recurse deeply.
    type Tree: Tree;
    /// The name of each parameter, which is its key.
    const NAMES: &'static [&'static str];
    /// Aliases, each with the index of its parameter.
    const ALIASES: &'static [(&'static str, usize)] = &[];
    /// `true` if unknown keys are rejected.
    const CLOSED: bool = true;
}

/// A group of a tool's parameters: none, one, or a pair of groups.
pub trait Tree {
    /// Storage for the values while they are decoded; each is absent until its key was read.
    type Slots;
    type Values;
    const COUNT: usize;

    fn empty() -> Self::Slots;

    /// Returns the index of the parameter with this key.
    fn find(key: &str) -> Option<usize>;

    /// Decodes the value of one parameter. `number` is the position of the parameter in this tree, counted from 0.
    ///
    /// # Errors
    ///
    /// Fails if the key is repeated or the value cannot be decoded.
    fn fill<'de, A: MapAccess<'de>>(slots: &mut Self::Slots, number: usize, map: &mut A) -> Result<(), A::Error>;

    /// Returns the values of all parameters in this tree.
    ///
    /// # Errors
    ///
    /// Fails if a required key is absent.
    fn values<E: Error>(slots: Self::Slots) -> Result<Self::Values, E>;
}

/// Decodes the values of all parameters.
///
/// # Errors
///
/// Fails under the same conditions as serde's derive.
#[inline]
pub fn decode_parameters<'de, P: Parameters, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<<P::Tree as Tree>::Values, D::Error> {
    deserializer.deserialize_struct("arguments", P::NAMES, Arguments::<P>(PhantomData))
}

struct Arguments<P>(PhantomData<P>);

impl<'de, P: Parameters> Visitor<'de> for Arguments<P> {
    type Value = <P::Tree as Tree>::Values;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of arguments")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut slots = P::Tree::empty();
        while let Some(number) = map.next_key_seed(Key::<P>(PhantomData))? {
            match number {
                Some(number) => P::Tree::fill(&mut slots, number, &mut map)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        P::Tree::values(slots)
    }
}

/// Decodes a key into the index of its parameter, or into `None` for an unknown key that is ignored.
struct Key<P>(PhantomData<P>);

impl<'de, P: Parameters> DeserializeSeed<'de> for Key<P> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<P: Parameters> Visitor<'_> for Key<P> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of an argument")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        let of_alias = || P::ALIASES.iter().find(|(alias, _)| *alias == key).map(|(_, number)| *number);
        match P::Tree::find(key).or_else(of_alias) {
            None if P::CLOSED => Err(E::unknown_field(key, P::NAMES)),
            number => Ok(number),
        }
    }
}

/// No parameters.
pub struct NoParameters<const CLOSED: bool>;

impl<const CLOSED: bool> Parameters for NoParameters<CLOSED> {
    type Tree = ();
    const NAMES: &'static [&'static str] = &[];
    const CLOSED: bool = CLOSED;
}

impl Tree for () {
    type Slots = ();
    type Values = ();
    const COUNT: usize = 0;

    fn empty() -> Self::Slots {}

    fn find(_: &str) -> Option<usize> {
        None
    }

    fn fill<'de, A: MapAccess<'de>>((): &mut Self::Slots, _: usize, _: &mut A) -> Result<(), A::Error> {
        Ok(())
    }

    fn values<E: Error>((): Self::Slots) -> Result<Self::Values, E> {
        Ok(())
    }
}

impl<L: Tree, R: Tree> Tree for (L, R) {
    type Slots = (L::Slots, R::Slots);
    type Values = (L::Values, R::Values);
    const COUNT: usize = L::COUNT + R::COUNT;

    #[inline]
    fn empty() -> Self::Slots {
        (L::empty(), R::empty())
    }

    #[inline]
    fn find(key: &str) -> Option<usize> {
        L::find(key).or_else(|| R::find(key))
    }

    #[inline]
    fn fill<'de, A: MapAccess<'de>>(slots: &mut Self::Slots, number: usize, map: &mut A) -> Result<(), A::Error> {
        match number.checked_sub(L::COUNT) {
            None => L::fill(&mut slots.0, number, map),
            Some(number) => R::fill(&mut slots.1, number, map),
        }
    }

    #[inline]
    fn values<E: Error>(slots: Self::Slots) -> Result<Self::Values, E> {
        Ok((L::values(slots.0)?, R::values(slots.1)?))
    }
}

/// A parameter whose key must be present, unless its type, such as `Option`, allows it to be absent.
pub struct Required<P, const INDEX: usize>(PhantomData<P>);

/// A parameter with a default. Its value is `None` if the key was absent; a `null` is decoded as a value.
pub struct Defaulted<P, const INDEX: usize>(PhantomData<P>);

/// A [`Required`] whose type `schemars` describes.
pub struct ForeignRequired<P, const INDEX: usize>(PhantomData<P>);

/// A [`Defaulted`] whose type `schemars` describes.
pub struct ForeignDefaulted<P, const INDEX: usize>(PhantomData<P>);

macro_rules! leaves {
    ($($leaf:ident of $parameter:ident as $sent:ident: $values:ty, $values_of:expr;)+) => {$(
        impl<P: Parameters + $parameter<INDEX>, const INDEX: usize> Tree for $leaf<P, INDEX> {
            type Slots = Option<P::Type>;
            type Values = $values;
            const COUNT: usize = 1;

            #[inline]
            fn empty() -> Self::Slots {
                None
            }

            #[inline]
            fn find(key: &str) -> Option<usize> {
                (key == P::NAMES[INDEX]).then_some(INDEX)
            }

            #[inline]
            fn fill<'de, A: MapAccess<'de>>(slot: &mut Self::Slots, _: usize, map: &mut A) -> Result<(), A::Error> {
                if slot.is_some() {
                    return Err(A::Error::duplicate_field(P::NAMES[INDEX]));
                }
                *slot = Some(map.next_value_seed($sent::<P, INDEX>(PhantomData))?);
                Ok(())
            }

            #[inline]
            fn values<E: Error>(slot: Self::Slots) -> Result<Self::Values, E> {
                $values_of(slot, P::NAMES[INDEX])
            }
        }
    )+};
}

leaves! {
    Required of Parameter as Sent: P::Type, required;
    Defaulted of Parameter as Sent: Option<P::Type>, defaulted;
    ForeignRequired of ForeignParameter as ForeignSent: P::Type, required;
    ForeignDefaulted of ForeignParameter as ForeignSent: Option<P::Type>, defaulted;
}

/// Decodes the value of a key that was sent, in which an `Option<Option<T>>` tells `null` from an absent key.
struct Sent<P, const INDEX: usize>(PhantomData<P>);

impl<'de, P: Parameter<INDEX>, const INDEX: usize> DeserializeSeed<'de> for Sent<P, INDEX> {
    type Value = P::Type;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<P::Type, D::Error> {
        P::Type::from_sent(deserializer)
    }
}

/// A [`Sent`] whose type `schemars` describes.
struct ForeignSent<P, const INDEX: usize>(PhantomData<P>);

impl<'de, P: ForeignParameter<INDEX>, const INDEX: usize> DeserializeSeed<'de> for ForeignSent<P, INDEX> {
    type Value = P::Type;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<P::Type, D::Error> {
        P::from_sent(deserializer)
    }
}

#[inline]
#[expect(clippy::unnecessary_wraps, reason = "it is called in place of `required`")]
fn defaulted<T, E>(value: Option<T>, _: &'static str) -> Result<Option<T>, E> {
    Ok(value)
}

#[inline]
fn required<'de, T: Deserialize<'de>, E: Error>(value: Option<T>, key: &'static str) -> Result<T, E> {
    match value {
        Some(value) => Ok(value),
        None => T::deserialize(AbsentKeyDeserializer::new(key)),
    }
}
