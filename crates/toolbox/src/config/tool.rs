//! The options of a tool in a configuration file: [`tool`].

use toml::de::DeValue;
use tool_proxy::ToolOptions;
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{Backoff, LimitOverrides, RateLimit, StreakLimits};

use super::table::{Table, whole};

/// Reads the options of a tool.
pub(super) fn tool(table: &mut Table<'_, '_>) -> ToolOptions {
    let presets = [("polling", LimitOverrides::NONE.polling()), ("unlimited", LimitOverrides::NONE.unlimited())];
    let names = presets.each_ref().map(|(name, _)| (*name, *name));
    let preset = table.choice("throttle", &names);
    let mut overrides =
        presets.into_iter().find(|(name, _)| Some(*name) == preset).map_or(LimitOverrides::NONE, |(_, preset)| preset);
    for (key, rule) in [
        ("consecutive_failures", ThrottleRule::ConsecutiveFailures),
        ("same_error", ThrottleRule::SameError),
        ("identical_call", ThrottleRule::IdenticalCall),
        ("alternating_calls", ThrottleRule::AlternatingCalls),
    ] {
        overrides = match table.value(key, "a whole number of at least 1, or false", count) {
            None => overrides,
            Some(Count::Off) => overrides.disable_rule(rule),
            Some(Count::After(limit)) => {
                let streak = StreakLimits { warn: limit - limit / 3, limit, pause: Backoff::DEFAULT };
                match rule {
                    ThrottleRule::ConsecutiveFailures => overrides.consecutive_failures(streak),
                    ThrottleRule::SameError => overrides.same_error(streak),
                    ThrottleRule::IdenticalCall => overrides.identical_call(streak),
                    _ => overrides.alternating_calls(streak),
                }
            }
        };
    }
    let rate = table.table("rate", |rate| (rate.number("calls", 1), rate.duration("window")));
    if let Some((Some(calls), Some(window))) = rate {
        overrides = overrides.same_tool_rate(RateLimit { calls, window });
    }
    let mut options = ToolOptions::new().throttle(overrides);
    if let Some(bytes) = table.number("result_bytes", 256) {
        options = options.result_bytes(bytes);
    }
    if let Some(limit) = table.duration("time_limit") {
        options = options.time_limit(limit);
    }
    options
}

/// The number of events after which a rule rejects calls.
enum Count {
    Off,
    After(u32),
}

fn count(value: &DeValue<'_>) -> Option<Count> {
    match value {
        DeValue::Boolean(false) => Some(Count::Off),
        _ => whole(value, 1).map(Count::After),
    }
}
