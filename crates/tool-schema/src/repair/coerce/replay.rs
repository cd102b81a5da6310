//! Replays a ledger on the value that was sent.
//!
//! Invariant: replaying the lines of a coercion on the sent value returns the coerced value. A line cannot be replayed
//! if a redacted part of it is needed, which is the case for the key of a map and for the name of an enum value.

use super::scalar::{any_boolean, digits};
use super::text::read;
use crate::issue::{Path, Segment};
use crate::json::{Json, Member, Node};
use crate::repair::{Repair, RepairRule};

/// Applies the repairs of a coercion, in their order, to the value that was sent.
///
/// Repairs of tool names and of ranges of a text are skipped. Returns `None` if a repair does not match the value.
pub fn replay_values<'a>(mut value: Json<'a>, repairs: &[Repair]) -> Option<Json<'a>> {
    for repair in repairs {
        replay_one(&mut value, repair)?;
    }
    Some(value)
}

/// Applies one line.
pub(in crate::repair) fn replay_one(value: &mut Json<'_>, repair: &Repair) -> Option<()> {
    match repair.rule {
        RepairRule::Stringified | RepairRule::Text if repair.span.is_none() => {
            let json = find(value, &repair.path)?;
            let Node::String(text) = &json.node else { return None };
            *json = read(text)?;
        }
        RepairRule::WholeNumber => {
            let json = find(value, &repair.path)?;
            let Node::Number(text) = &json.node else { return None };
            json.node = Node::Number(digits(text)?.into());
        }
        RepairRule::AsText => {
            let json = find(value, &repair.path)?;
            json.node = Node::String(json.to_text().into());
        }
        RepairRule::AsBoolean => {
            let json = find(value, &repair.path)?;
            json.node = Node::Bool(any_boolean(&json.node)?);
        }
        RepairRule::SingleItem => {
            let json = find(value, &repair.path)?;
            let item = std::mem::replace(json, Json::new(Node::Null));
            json.node = Node::Array(vec![item]);
        }
        RepairRule::EnumSpelling => {
            let name = Json::parse(&repair.after).ok()?.into_owned();
            find(value, &repair.path)?.node = name.node;
        }
        RepairRule::Absent => {
            let (members, index) = find_member(value, &repair.path)?;
            members.remove(index);
        }
        RepairRule::Rename => {
            let (members, index) = find_member(value, &repair.path)?;
            members[index].key = repair.after.to_string().into();
        }
        _ => {}
    }
    Some(())
}

fn find<'v, 'a>(mut value: &'v mut Json<'a>, path: &Path) -> Option<&'v mut Json<'a>> {
    for segment in path.segments() {
        value = match (segment, &mut value.node) {
            (Segment::Key(key), Node::Object(members)) => {
                &mut members.iter_mut().find(|member| member.key == **key)?.value
            }
            (Segment::Index(index), Node::Array(items)) => items.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

fn find_member<'v, 'a>(value: &'v mut Json<'a>, path: &Path) -> Option<(&'v mut Vec<Member<'a>>, usize)> {
    let (parent, key) = (path.parent()?, path.last_key()?);
    let Node::Object(members) = &mut find(value, &parent)?.node else { return None };
    let index = members.iter().position(|member| member.key == key)?;
    Some((members, index))
}

#[cfg(test)]
mod tests {
    use crate::__private::replay_values;
    use crate::repair::RepairPolicy;
    use crate::repair::coerce::coerce;
    use crate::{ToolInput, json::Json};

    #[test]
    fn a_replayed_ledger_returns_the_coerced_value() -> Result<(), crate::json::SyntaxError> {
        let sent = Json::parse(r#""[1, \"2\"]""#)?;
        let coerced = coerce(<Vec<u8>>::SHAPE, sent.clone(), RepairPolicy::Lossless);
        assert_eq!(replay_values(sent, &coerced.repairs), Some(coerced.value));
        Ok(())
    }
}
