//! Names of tools with the tokens of a model's template on them.
//!
//! In comes the name as it was sent; out goes the name before the token, and a line for the ledger.

use super::{Repair, RepairRule};
use crate::shape::Text;

/// How control tokens begin: `<|channel|>` of most templates, `<｜tool▁sep｜>` of `DeepSeek`, `</tool_call>` of Hermes and Qwen.
const TOKENS: [&str; 5] = ["<|", "<｜", "</tool_call", "</function", "<tool_call"];

/// The name of a tool without the control tokens behind it; none where there are none, or nothing stands before them.
///
/// ```
/// use tool_schema::repair::tool_name;
///
/// let Some((name, repair)) = tool_name("get_weather<|channel|>commentary") else { return };
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
