//! Serialization of the statistics with serde.
//!
//! Names are in `snake_case`, and members in the order of the fields. A rate without data is `null`. Times are in milliseconds.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{HintStatistics, Statistics, ToolStatistics};

/// The number of tools listed as the most called.
pub(super) const MOST_CALLED: usize = 5;

impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let most_called = self.most_called_tools(MOST_CALLED);
        let most_called: Vec<_> = most_called.into_iter().map(|(name, calls)| Called { name, calls }).collect();
        let mut all = serializer.serialize_struct("Statistics", 5)?;
        all.serialize_field("total_calls_last_60s", &self.total_calls_last_60s)?;
        all.serialize_field("unknown_names", &self.unknown_names)?;
        all.serialize_field("tools_with_failures", &self.tools_with_failures())?;
        all.serialize_field("most_called_tools", &most_called)?;
        all.serialize_field("tools", &self.tools)?;
        all.end()
    }
}

struct Called<'a> {
    name: &'a str,
    calls: u64,
}

impl Serialize for Called<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut called = serializer.serialize_struct("Called", 2)?;
        called.serialize_field("name", self.name)?;
        called.serialize_field("calls", &self.calls)?;
        called.end()
    }
}

impl Serialize for ToolStatistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tool = serializer.serialize_struct("ToolStatistics", 16)?;
        tool.serialize_field("name", &self.name)?;
        tool.serialize_field("calls", &self.calls)?;
        tool.serialize_field("failures", &self.failures)?;
        tool.serialize_field("rejected", &self.rejected)?;
        tool.serialize_field("undecided", &self.undecided)?;
        tool.serialize_field("repaired", &self.repaired)?;
        tool.serialize_field("throttled", &self.throttled)?;
        tool.serialize_field("tries", &self.tries)?;
        tool.serialize_field("first_tries", &self.first_tries)?;
        tool.serialize_field("first_try_rate", &self.first_try_rate())?;
        tool.serialize_field("time_ms", &u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX))?;
        tool.serialize_field("argument_bytes", &self.argument_bytes)?;
        tool.serialize_field("argument_tokens", &self.argument_tokens())?;
        tool.serialize_field("result_bytes", &self.result_bytes)?;
        tool.serialize_field("result_tokens", &self.result_tokens())?;
        tool.serialize_field("hints", &self.hints)?;
        tool.end()
    }
}

impl Serialize for HintStatistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut hint = serializer.serialize_struct("HintStatistics", 4)?;
        hint.serialize_field("field", &self.field)?;
        hint.serialize_field("given", &self.given)?;
        hint.serialize_field("followed", &self.followed)?;
        hint.serialize_field("success_rate", &self.success_rate())?;
        hint.end()
    }
}
