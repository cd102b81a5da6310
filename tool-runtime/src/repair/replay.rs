//! The ledger applied to the text: what a host sees is what was done.
//!
//! In comes the text as it was sent and the ledger of its reading; out goes strict JSON that parses to what was read. Nothing comes out for a
//! ledger that does not belong to the text.

use super::{Repair, RepairRule};

/// Applies the repairs of a text to it: strict JSON that parses to the repaired value.
///
/// Of the ledger, only what [`read`](super::read) and [`unwrap`](super::unwrap) write is about the text; other lines (a coerced value, a tool's name)
/// are passed over. None where a repair does not fit the text.
///
/// ```
/// use tool_runtime::repair::{read, replay};
///
/// let text = "{city: 'Paris', /* or Lyon */ days: 3,}";
/// assert_eq!(replay(text, read(text).repairs()).as_deref(), Some(r#"{"city": "Paris",  "days": 3}"#));
/// ```
pub fn replay(text: &str, repairs: &[Repair]) -> Option<String> {
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
    let whole = repairs
        .iter()
        .rev()
        .find(|repair| repair.span.is_none() && matches!(repair.rule, RepairRule::Wrapper | RepairRule::Stringified));
    Some(whole.map_or(out, |repair| repair.after.to_string()))
}
