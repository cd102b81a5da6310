//! The saved form, version 1. A later version needs other types, because states of version 1 must always load.
//!
//! Tools are identified by their index in the session's list of names. Times are in nanoseconds, on the clock of the session.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The state of a throttle, without the details of tools with sensitive parameters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedThrottle {
    /// The time at which the state was saved.
    pub(super) now: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) tools: Vec<SavedTool>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) details: Details,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) overall: SavedWindow,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) run: SavedRun,
    /// Pairs of a second and its number of calls, for the last minute.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) minute: Vec<(u64, u32)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) unknown_names: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) batches: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) probes: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) news: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) renewed: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) decision: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) batch: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) calls: SavedLast,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) changes: SavedLast,
}

/// The data that depends on arguments, results and errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Details {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) traces: Vec<SavedTraces>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) sightings: Vec<SavedSighting>,
}

/// The state of one tool, without its [traces](SavedTraces).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedTool {
    pub(super) tool: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) pause: Option<SavedPause>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) window: SavedWindow,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) batch: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) renewed: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) in_a_row: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) fewest: Option<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) detours: u8,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) failed: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) succeeded: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) until: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) counters: SavedCounters,
}

/// The hashes of one tool's arguments, results and errors, and the names of its invalid fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedTraces {
    pub(super) tool: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) refusals: Vec<Digest>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) errors: Vec<SavedError>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) calls: Vec<SavedCall>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) hints: Vec<SavedHint>,
    /// The arguments of the first call that the pause of the tool has refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) paused: Option<Digest>,
    /// The fields that the last answer named, as indices of `hints`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) named: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedError {
    pub(super) error: Digest,
    pub(super) count: u32,
    pub(super) last: u64,
    pub(super) news: u64,
    /// The values of the arguments that the error quotes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) quoted: u64,
}

/// A paused call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedCall {
    pub(super) arguments: Digest,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) value: Option<Digest>,
    pub(super) result: Digest,
    pub(super) pause: SavedPause,
    pub(super) decision: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedPause {
    pub(super) rule: String,
    pub(super) count: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) partner: Option<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_apart: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) admits_valid: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) admits_new: bool,
    /// The length of the first pause, the factor for later pauses, and the maximum length.
    pub(super) backoff: (u64, u32, u64),
    pub(super) length: u64,
    pub(super) until: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedWindow {
    /// The times of the counted calls, oldest first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) times: Vec<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) batch: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedRun {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) invented: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) invented_in: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) failures: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) failed_in: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedLast {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) tool: Option<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) decision: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) others: u64,
}

/// A remembered call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedSighting {
    pub(super) tool: usize,
    /// The index of this call among the remembered calls.
    pub(super) at: usize,
    /// The rank of this call by age; the oldest call has the rank 0.
    pub(super) age: usize,
    pub(super) arguments: Digest,
    pub(super) result: Digest,
    /// The hash of the meaning of the arguments, if their text was kept and is valid JSON.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) value: Option<Digest>,
    /// Always `false`. Earlier versions wrote `true` for the texts that they kept, to drop them in the same order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) has_text: bool,
    pub(super) decision: u64,
    pub(super) seen: u64,
    pub(super) in_a_row: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_apart: bool,
    pub(super) rounds: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedCounters {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) calls: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) failures: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) refused: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) undecided: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) repaired: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) tries: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) first_tries: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) time: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) argument_bytes: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) result_bytes: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) throttled: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_correcting: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedHint {
    pub(super) field: String,
    pub(super) given: u64,
    pub(super) followed: u64,
}

/// A hash as sixteen hexadecimal digits, because many programs read JSON numbers with only 53 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest(pub(crate) u64);

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;

        impl Visitor<'_> for Digits {
            type Value = Digest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("sixteen hexadecimal digits")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Digest, E> {
                let digits =
                    Some(text).filter(|text| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
                let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                number.map(Digest).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Digits)
    }
}

/// Returns `true` for a value that is left out of the saved form.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
