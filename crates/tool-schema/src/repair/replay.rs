//! The ledger applied to the text: what a host sees is what was done.
//!
//! In comes the text as it was sent and the ledger of its reading; out goes strict JSON that parses to what was read, or with the ledger of a
//! whole call its arguments. Nothing comes out for a ledger that does not belong to the text.

use super::coerce::replay_one;
use super::{Repair, RepairRule, read};
use crate::input::Arguments;
use crate::json::{Json, Member, Node};

/// Applies the repairs of a text to it: strict JSON that parses to the repaired value.
///
/// Of the ledger, only what [`read`](super::read) and [`unwrap`](super::unwrap) write is about the text; other lines (a coerced value, a tool's name)
/// are passed over. None where a repair does not fit the text.
pub fn replay(text: &str, repairs: &[Repair]) -> Option<String> {
    let out = replay_edits(text, repairs)?;
    let whole = repairs
        .iter()
        .rev()
        .find(|repair| repair.span.is_none() && matches!(repair.rule, RepairRule::Wrapper | RepairRule::Stringified));
    Some(whole.map_or(out, |repair| repair.after.to_string()))
}

/// Applies the ledger of a call, as [`mend`](super::mend()) and an outcome have it, to the text of its arguments: the arguments that it was read as.
///
/// Lines about the name of the tool are passed over. None where a line does not fit, and where what is redacted is needed: a key or a number
/// that was spelt otherwise in the text of a tool that takes secrets, a key that is data, the name of an enum's value.
pub fn replay_arguments(text: &str, repairs: &[Repair]) -> Option<Json<'static>> {
    let strict = replay_edits(text, repairs)?;
    let is_edited = repairs.iter().any(|repair| repair.span.is_some());
    // No arguments at all are `{}`; what was mended in a text is taken at its word.
    let sent = Arguments::from(text);
    let value = if is_edited { Json::parse(&strict) } else { sent.to_json() };
    let mut value = value.ok()?.into_owned();
    for repair in repairs.iter().filter(|repair| repair.span.is_none()) {
        match (repair.rule, value.node) {
            (RepairRule::Wrapper, Node::Object(members)) => {
                let [Member { value: inner, .. }] = <[Member<'_>; 1]>::try_from(members).ok()?;
                value = inner;
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

/// Applies the lines about stretches of the text.
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
    fn a_ledger_repeats_the_text() {
        let text = "{city: 'Paris', /* or Lyon */ days: 3,}";
        assert_eq!(replay(text, read(text).repairs()).as_deref(), Some(r#"{"city": "Paris",  "days": 3}"#));
    }
}
