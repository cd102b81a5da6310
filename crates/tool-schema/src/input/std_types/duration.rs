//! Durations with their unit in the type: [`Seconds`] and [`Milliseconds`].
//!
//! `std::time::Duration` itself is not a `ToolInput`: serde decodes it from `{"secs": …, "nanos": …}`, which no model guesses and no author
//! expects. The ISO 8601 form (`PT1H30M`) is `jiff::SignedDuration`, with the feature `jiff02`.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use crate::input::ToolInput;
use crate::input::rules::NumericValue;
use crate::json::Number;
use crate::shape::{Kind, Precision, Range, Rule, Shape, SharedSlice, Text};

/// A duration, written as a number of seconds: `1.5`.
///
/// ```
/// use std::time::Duration;
/// use tool_schema::input::Seconds;
///
/// let Seconds(wait) = serde_json::from_str("1.5")?;
/// assert_eq!(wait, Duration::from_millis(1500));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seconds(pub Duration);

/// A duration, written as a whole number of milliseconds: `1500`.
///
/// ```
/// use std::time::Duration;
/// use tool_schema::input::Milliseconds;
///
/// let Milliseconds(wait) = serde_json::from_str("1500")?;
/// assert_eq!(wait, Duration::from_millis(1500));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Milliseconds(pub Duration);

/// The limit up to which an `f64` represents every whole second exactly.
const MOST_SECONDS: u64 = (1 << 53) - 1;

macro_rules! durations {
    ($($type:ident: $doc:literal, $kind:expr, max $max:expr),+) => {$(
        impl ToolInput for $type {
            const SHAPE: &'static Shape = &Shape {
                name: Text::from_static(stringify!($type)),
                identity: None,
                doc: Text::from_static($doc),
                kind: $kind,
                rules: SharedSlice::from_static(&[Rule::Range(Range::inclusive(Number::Integer(0), Number::Integer($max as i128)))]),
            };
            const GUARDED: bool = false;

            #[inline]
            fn guard(&self) -> bool {
                true
            }
        }

        impl Deref for $type {
            type Target = Duration;

            fn deref(&self) -> &Duration {
                &self.0
            }
        }

        impl From<$type> for Duration {
            fn from(duration: $type) -> Self {
                duration.0
            }
        }
    )+};
}

durations! {
    Seconds: "A duration in seconds.", Kind::Number(Precision::Double), max MOST_SECONDS,
    Milliseconds: "A duration in milliseconds.", Kind::Integer, max u64::MAX
}

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(|count| Self(Duration::from_millis(count)))
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Count;

        impl Visitor<'_> for Count {
            type Value = Seconds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number of seconds from 0 to {MOST_SECONDS}")
            }

            fn visit_u64<E: Error>(self, count: u64) -> Result<Seconds, E> {
                if count > MOST_SECONDS {
                    return Err(E::invalid_value(Unexpected::Unsigned(count), &self));
                }
                Ok(Seconds(Duration::from_secs(count)))
            }

            fn visit_i64<E: Error>(self, count: i64) -> Result<Seconds, E> {
                match u64::try_from(count) {
                    Ok(count) => self.visit_u64(count),
                    Err(_) => Err(E::invalid_value(Unexpected::Signed(count), &self)),
                }
            }

            #[allow(clippy::cast_precision_loss)] // `f64` represents the limit exactly.
            fn visit_f64<E: Error>(self, count: f64) -> Result<Seconds, E> {
                match Duration::try_from_secs_f64(count) {
                    Ok(duration) if count <= MOST_SECONDS as f64 => Ok(Seconds(duration)),
                    _ => Err(E::invalid_value(Unexpected::Float(count), &self)),
                }
            }
        }

        deserializer.deserialize_f64(Count)
    }
}

impl NumericValue for Seconds {
    #[inline]
    fn compare(&self, bound: Number) -> Option<Ordering> {
        self.0.as_secs_f64().compare(bound)
    }

    fn multiple_of(&self, divisor: Number) -> bool {
        self.0.as_secs_f64().multiple_of(divisor)
    }
}

impl NumericValue for Milliseconds {
    #[inline]
    fn compare(&self, bound: Number) -> Option<Ordering> {
        self.0.as_millis().compare(bound)
    }

    fn multiple_of(&self, divisor: Number) -> bool {
        self.0.as_millis().multiple_of(divisor)
    }
}
