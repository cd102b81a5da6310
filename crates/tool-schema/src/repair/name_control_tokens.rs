//! Tool names with control tokens of a model's template.

use super::{Repair, RepairRule};
use crate::tool_names::before_token;

/// Removes control tokens after the name of a tool; returns `None` if there are none, or no name before them.
///
/// ```
/// use tool_schema::repair::strip_control_tokens_from_name;
///
/// let Some((name, repair)) = strip_control_tokens_from_name("get_weather<|channel|>commentary") else { unreachable!() };
/// assert_eq!(name, "get_weather");
/// assert_eq!(repair.to_string(), r#"Read tool "get_weather<|channel|>commentary" as get_weather."#);
/// assert!(strip_control_tokens_from_name("get_weather").is_none());
/// ```
pub fn strip_control_tokens_from_name(name: &str) -> Option<(&str, Repair)> {
    let plain = before_token(name)?;
    Some((plain, Repair::of_name(RepairRule::ControlToken, name, plain.to_owned().into())))
}
