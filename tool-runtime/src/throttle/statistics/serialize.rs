//! Serialization of the statistics with serde.
//!
//! Names are in `snake_case`, and members in the order of the fields. A rate without data is `null`. Times are in milliseconds.

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::{HintStatistics, Statistics, ToolStatistics};

/// The number of tools listed as the most called.
pub(super) const MOST_CALLED: usize = 5;

/// Serializes values as a struct with these members.
macro_rules! members {
    ($serializer:ident, $name:literal, $($member:ident: $value:expr,)+) => {{
        let mut members = $serializer.serialize_struct($name, [$(stringify!($member)),+].len())?;
        $(members.serialize_field(stringify!($member), &$value)?;)+
        members.end()
    }};
}

impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let most_called = self.most_called_tools(MOST_CALLED);
        let most_called: Vec<_> = most_called.into_iter().map(|(name, calls)| Called { name, calls }).collect();
        members! { serializer, "Statistics",
            total_calls_last_60s: self.total_calls_last_60s,
            unknown_names: self.unknown_names,
            tools_with_failures: self.tools_with_failures(),
            most_called_tools: most_called,
            tools: self.tools,
        }
    }
}

#[derive(Serialize)]
struct Called<'a> {
    name: &'a str,
    calls: u64,
}

impl Serialize for ToolStatistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        members! { serializer, "ToolStatistics",
            name: self.name,
            calls: self.calls,
            failures: self.failures,
            rejected: self.rejected,
            undecided: self.undecided,
            repaired: self.repaired,
            throttled: self.throttled,
            tries: self.tries,
            first_tries: self.first_tries,
            first_try_rate: self.first_try_rate(),
            time_ms: u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX),
            argument_bytes: self.argument_bytes,
            argument_tokens: self.argument_tokens(),
            result_bytes: self.result_bytes,
            result_tokens: self.result_tokens(),
            hints: self.hints,
        }
    }
}

impl Serialize for HintStatistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        members! { serializer, "HintStatistics",
            field: self.field,
            given: self.given,
            followed: self.followed,
            success_rate: self.field_correction_rate(),
        }
    }
}
