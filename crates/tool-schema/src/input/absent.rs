//! Absent keys, and the difference between an absent key and `null`.
//!
//! serde gives an absent key the value of an `Option` for `null`, so it decodes both as the same value. An `Option<Option<T>>` has two
//! values for them: `None` if the key was absent, and `Some(None)` for `null`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// Decodes the value of a field that was sent: `null` becomes `Some(None)`.
///
/// Together with `default`, which makes an absent field `None`, the three cases of a partial update differ. A parameter of a tool needs no
/// attribute.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::ToolInput;
///
/// /// A change of a task.
/// #[derive(Deserialize, ToolInput, Debug, PartialEq)]
/// #[serde(deny_unknown_fields)]
/// struct Change {
///     /// New note; null removes it.
///     #[serde(default, deserialize_with = "tool_schema::double_option")]
///     note: Option<Option<String>>,
/// }
///
/// let change = |text| serde_json::from_str::<Change>(text).map(|change| change.note);
/// assert_eq!(change("{}")?, None);
/// assert_eq!(change(r#"{"note": null}"#)?, Some(None));
/// assert_eq!(change(r#"{"note": "call back"}"#)?, Some(Some("call back".to_owned())));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the value is neither `null` nor a `T`.
pub fn double_option<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Returns `true` if serde decodes a field of this type although its key is absent.
pub fn decodes_absent<T: DeserializeOwned>() -> bool {
    T::deserialize(AbsentKeyDeserializer::<serde::de::value::Error>::new("")).is_ok()
}

/// The deserializer for an absent key. Only optional types get a value from it, as from the one that serde's derive uses.
pub struct AbsentKeyDeserializer<E> {
    key: &'static str,
    error: PhantomData<E>,
}

impl<E> AbsentKeyDeserializer<E> {
    /// Creates the deserializer for a key.
    pub const fn new(key: &'static str) -> Self {
        Self { key, error: PhantomData }
    }
}

impl<E> fmt::Debug for AbsentKeyDeserializer<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("AbsentKeyDeserializer").field(&self.key).finish()
    }
}

impl<'de, E: Error> Deserializer<'de> for AbsentKeyDeserializer<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.key))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}
