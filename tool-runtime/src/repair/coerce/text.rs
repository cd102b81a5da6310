//! Strings that hold the value: `"5"` for 5, `"[1, 2]"` for the array, a string in a string, where no string is wanted.
//!
//! The whole string must be one strict JSON value of the wanted type; only the spelling of booleans may be Python's. A prefix, a number
//! with a unit or prose is never one.

use std::borrow::Cow;
use std::rc::Rc;

use super::mending::Mending;
use super::place::{MOST_TEXTS, Place};
use super::scalar::last_reading;
use super::{Coercer, STEPS_A_NODE, address, levels, nodes};
use crate::json::{Json, Node, NumberText};
use crate::repair::RepairRule;
use crate::shape::{Kind, Shape, Types};

impl<'a> Coercer<'_, 'a> {
    /// A string where `top` wants something else.
    pub(super) fn text(&mut self, place: Place, top: &Shape, json: &Json<'a>) -> Option<Mending<'a>> {
        if place.is_strict() || place.texts == MOST_TEXTS {
            return None;
        }
        let parsed = self.parsed(json)?;
        if !place.holds(levels(&parsed)) {
            return None;
        }
        let found = self.value(place.text(), top, &parsed);
        // Of an array with one item the string may be that item, as it is.
        if found.as_ref().is_some_and(|found| found.has_wrapped()) {
            return None;
        }
        let read = last_reading(&found).unwrap_or(&parsed);
        let is_wanted = match &read.node {
            Node::String(_) => {
                let whole = found.as_ref().map_or_else(|| (*parsed).clone(), |found| found.apply((*parsed).clone()));
                self.accepts(top, &whole)
            }
            Node::Number(text) if wants_integer(top, 0) => NumberText(text).is_plain_integer(),
            _ => Types::of(top).contains(read.json_type()),
        };
        if !is_wanted {
            return None;
        }
        let is_container = matches!(parsed.node, Node::Array(_) | Node::Object(_) | Node::String(_));
        let rule = if is_container { RepairRule::Stringified } else { RepairRule::Text };
        let mut mending = Mending::reading(rule, (*parsed).clone(), self.is_secret(place, top, is_container));
        if let Some(found) = found {
            mending.take_over(&found);
        }
        Some(mending)
    }

    /// What a string holds, read once.
    fn parsed(&mut self, json: &Json<'a>) -> Option<Rc<Json<'a>>> {
        if let Some(known) = self.parsed.get(&address(json)) {
            return known.clone();
        }
        let Node::String(text) = &json.node else { return None };
        let parsed = read(text);
        // What was read may take as many steps as what was sent.
        let steps = parsed.as_ref().map_or(0, |parsed| STEPS_A_NODE.saturating_mul(nodes(parsed)));
        self.steps_left = self.steps_left.saturating_add(steps);
        let parsed = parsed.map(Rc::new);
        // Outside of trials nobody asks again.
        if self.trials > 0 {
            self.parsed.insert(address(json), parsed.clone());
        }
        parsed
    }
}

/// The one value that a whole text is.
pub(super) fn read<'a>(text: &Cow<'a, str>) -> Option<Json<'a>> {
    let constant = match text.trim_matches([' ', '\t', '\n', '\r']) {
        "True" | "TRUE" => Some(true),
        "False" | "FALSE" => Some(false),
        _ => None,
    };
    match (constant, text) {
        (Some(value), _) => Some(Json::new(Node::Bool(value))),
        (None, Cow::Borrowed(text)) => Json::parse(text).ok(),
        (None, Cow::Owned(text)) => Json::parse(text).ok().map(Json::into_owned),
    }
}

fn wants_integer(shape: &Shape, hops: u8) -> bool {
    match &shape.kind {
        Kind::Integer => true,
        Kind::Alias(inner) | Kind::Nullable(inner) if hops < 48 => wants_integer(&inner.shape(), hops + 1),
        _ => false,
    }
}
