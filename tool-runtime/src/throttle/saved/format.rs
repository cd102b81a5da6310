//! The saved form, version 1. A later version needs other types, because states of version 1 must always load.
//!
//! Tools are identified by their index in the session's list of names. Times are in nanoseconds, on the clock of the session.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Defines parts of the saved form. The members after the semicolon are left out while they have their default value.
macro_rules! saved {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($always:ident: $always_type:ty,)* ; $($(#[$doc:meta])* $member:ident: $type:ty,)*
    })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        $vis struct $name {
            $(pub(super) $always: $always_type,)*
            $($(#[$doc])* #[serde(default, skip_serializing_if = "is_default")] pub(super) $member: $type,)*
        }
    )*};
}

saved! {
    /// The state of a throttle, without the details of tools with sensitive parameters.
    pub(crate) struct SavedThrottle {
        // The time at which the state was saved.
        now: u64,
        ;
        tools: Vec<SavedTool>,
        details: Details,
        overall: SavedWindow,
        run: SavedRun,
        /// Pairs of a second and its number of calls, for the last minute.
        minute: Vec<(u64, u32)>,
        unknown_names: u64,
        batches: u64,
        probes: u64,
        news: u64,
        renewed: u64,
        decision: u64,
        batch: Option<u64>,
        calls: SavedLast,
        changes: SavedLast,
    }

    /// The data that depends on arguments, results and errors.
    pub(crate) struct Details {
        ;
        traces: Vec<SavedTraces>,
        sightings: Vec<SavedSighting>,
    }

    /// The state of one tool, without its [traces](SavedTraces).
    pub(super) struct SavedTool {
        tool: usize,
        ;
        pause: Option<SavedPause>,
        window: SavedWindow,
        batch: Option<u64>,
        renewed: u64,
        in_a_row: u32,
        fewest: Option<usize>,
        detours: u8,
        failed: Option<u64>,
        succeeded: Option<u64>,
        until: u64,
        counters: SavedCounters,
    }

    /// The hashes of one tool's arguments, results and errors, and the names of its invalid fields.
    pub(super) struct SavedTraces {
        tool: usize,
        ;
        #[serde(rename = "refusals")]
        rejections: Vec<Digest>,
        errors: Vec<SavedError>,
        calls: Vec<SavedCall>,
        hints: Vec<SavedHint>,
        /// The arguments of the first call that the pause of the tool has rejected.
        paused: Option<Digest>,
        /// The fields that the last answer named, as indices of `hints`.
        named: Vec<usize>,
    }

    pub(super) struct SavedWindow {
        ;
        /// The times of the counted calls, oldest first.
        times: Vec<u64>,
        batch: Option<u64>,
    }

    pub(super) struct SavedRun {
        ;
        invented: u32,
        invented_in: Option<u64>,
        failures: u32,
        failed_in: Option<u64>,
    }

    pub(super) struct SavedLast {
        ;
        tool: Option<usize>,
        decision: u64,
        others: u64,
    }

    pub(super) struct SavedCounters {
        ;
        calls: u64,
        failures: u64,
        #[serde(rename = "refused")]
        rejected: u64,
        undecided: u64,
        repaired: u64,
        tries: u64,
        first_tries: u64,
        time: u64,
        argument_bytes: u64,
        result_bytes: u64,
        throttled: u64,
        is_correcting: bool,
    }
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

/// A remembered call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedSighting {
    pub(super) tool: usize,
    /// Equal to `age`. Earlier versions kept the remembered calls in another order.
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
