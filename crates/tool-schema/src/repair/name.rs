//! Tool names with control tokens of a model's template.

use super::{Repair, RepairRule};
use crate::shape::Text;

/// The beginnings of control tokens: `<|channel|>` in most templates, `<｜tool▁sep｜>` in `DeepSeek`, `</tool_call>` in Hermes and Qwen.
const TOKENS: [&str; 5] = ["<|", "<｜", "</tool_call", "</function", "<tool_call"];

/// Removes control tokens after the name of a tool; returns `None` if there are none, or no name before them.
///
/// ```
/// use tool_schema::repair::tool_name;
///
/// let Some((name, repair)) = tool_name("get_weather<|channel|>commentary") else { unreachable!() };
/// assert_eq!(name, "get_weather");
/// assert_eq!(repair.to_string(), r#"Read tool "get_weather<|channel|>commentary" as get_weather."#);
/// assert!(tool_name("get_weather").is_none());
/// ```
pub fn tool_name(name: &str) -> Option<(&str, Repair)> {
    let end = TOKENS.iter().filter_map(|token| name.find(token)).min()?;
    let plain = name.get(..end)?.trim();
    let after = Text::from(plain.to_owned());
    (!plain.is_empty()).then(|| (plain, Repair::of_name(RepairRule::ControlToken, name, after)))
}
