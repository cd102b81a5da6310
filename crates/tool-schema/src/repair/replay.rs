//! Replays a ledger on a text, so that a host can check what was done.
//!
//! The result is the strict JSON that was parsed, or, for the ledger of a whole call, the arguments of the call. There is no result if the
//! ledger belongs to another text.

use super::coerce::replay_one;
use super::{Repair, RepairRule, read};
use crate::envelope::Envelope;
use crate::input::Arguments;
use crate::json::{Json, Node};

/// Applies the repairs to the text; the result is the repaired value as strict JSON.
///
/// Only the repairs from [`read`](super::read) and [`unwrap`](super::unwrap) apply to the text. Repairs of coerced values and of tool names
/// are skipped. Returns `None` if a repair does not match the text.
pub fn replay(text: &str, repairs: &[Repair]) -> Option<String> {
    let out = replay_edits(text, repairs)?;
    let whole = repairs.iter().rev().find(|repair| {
        repair.span.is_none()
            && matches!(repair.rule, RepairRule::Wrapper | RepairRule::Stringified | RepairRule::Bracket)
    });
    Some(whole.map_or(out, |repair| repair.after.to_string()))
}

/// Applies the ledger of a call to the text of the call's arguments, and returns the repaired arguments. The ledger comes from
/// [`mend`](super::mend()) or from an outcome.
///
/// Repairs of the tool's name are skipped. Returns `None` if a repair does not match, or if it needs a text that was redacted: the original
/// spelling of a key or number in the arguments of a tool with secrets, the key of a map, or the name of an enum value.
pub fn replay_arguments(text: &str, repairs: &[Repair]) -> Option<Json<'static>> {
    let strict = replay_edits(text, repairs)?;
    let is_edited = repairs.iter().any(|repair| repair.span.is_some());
    // Empty arguments stand for `{}`, but an edited text must be strict JSON.
    let sent = Arguments::from(text);
    let value = if is_edited { Json::parse(&strict) } else { sent.to_json() };
    let mut value = value.ok()?.into_owned();
    for repair in repairs.iter().filter(|repair| repair.span.is_none()) {
        match (repair.rule, value.node) {
            (RepairRule::Wrapper, node @ Node::Object(_)) => {
                let outer = Json { node, span: value.span };
                value = match outer.members() {
                    [only] => only.value.clone(),
                    _ => Envelope::find("", &outer, &|_: &str| false)?.content.value.clone(),
                };
            }
            // `[]` was read as `{}`.
            (RepairRule::Bracket, Node::Array(items)) if items.is_empty() => {
                value = Json { node: Node::Object(Vec::new()), span: value.span };
            }
            (RepairRule::Stringified, Node::String(layer)) if repair.path.is_root() => {
                value = read(&layer).value()?.clone().into_owned();
            }
            (_, node) => {
                value = Json { node, span: value.span };
                replay_one(&mut value, repair)?;
            }
        }
    }
    Some(value)
}

/// Applies the repairs that replace ranges of the text.
fn replay_edits(text: &str, repairs: &[Repair]) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for repair in repairs {
        let Some(span) = repair.span else { continue };
        let (start, end) = (span.start as usize, span.end as usize);
        out.push_str(text.get(at..start)?);
        text.get(start..end)?;
        out.push_str(&repair.after);
        at = end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use crate::__private::replay;
    use crate::repair::read;

    #[test]
    fn a_replayed_ledger_returns_the_strict_text() {
        let text = "{city: 'Paris', /* or Lyon */ days: 3,}";
        assert_eq!(replay(text, read(text).repairs()).as_deref(), Some(r#"{"city": "Paris",  "days": 3}"#));
    }
}
