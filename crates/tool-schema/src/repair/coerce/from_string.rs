//! Repairs strings that contain the value, where no string is expected: `"5"` for 5, `"[1, 2]"` for the array, a string in a string.
//!
//! The whole string must be one JSON value of the expected type. Booleans, arrays and objects may be written as in Python, `null` also as
//! `None` or `undefined`, and arrays and objects may be in a fence; a text with any other deviation from JSON is not converted. The same applies to prefixes, numbers with a
//! unit, prose, and numbers that decoding would change.

use std::borrow::Cow;
use std::rc::Rc;

use super::detect_list_text::{is_absent_word, takes_absent_word};
use super::location::{CoercionPlace, MOST_TEXTS};
use super::planned_changes::Mending;
use super::scalar::last_reading;
use super::{Coercer, STEPS_A_NODE, address, levels};
use crate::json::{Json, Node, Number, NumberText};
use crate::repair::{Repair, RepairRule};
use crate::shape::{AcceptedTypes, Kind, Rule, Shape};

impl<'a> Coercer<'_, 'a> {
    /// Repairs a string where `top` expects another type.
    pub(super) fn text(&mut self, place: CoercionPlace, top: &Shape, json: &Json<'a>) -> Option<Mending<'a>> {
        if place.is_strict() || place.texts == MOST_TEXTS {
            return None;
        }
        let parsed = self.parsed(json)?;
        if !place.holds(levels(&parsed)) || parsed.is_null() && takes_absent_word(top) {
            return None;
        }
        let found = self.value(place.text(), top, &parsed);
        // If the parsed value would become the only item of an array, the unchanged string could be that item instead.
        if found.as_ref().is_some_and(|found| found.has_wrapped() || found.rounds()) {
            return None;
        }
        let read = last_reading(&found).unwrap_or(&parsed);
        let is_wanted = match &read.node {
            Node::String(_) => {
                let whole = found.as_ref().map_or_else(|| (*parsed).clone(), |found| found.apply((*parsed).clone()));
                self.accepts(top, &whole)
            }
            Node::Number(_) if is_grouped(json) && !is_fraction(top, 0) => false,
            Node::Number(text) if wants_integer(top, 0) => NumberText(text).is_plain_integer(),
            _ => AcceptedTypes::from_shape(top).contains(read.json_type()),
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

    /// Returns the parsed content of a string. A string is parsed only once, although each trial visits it.
    fn parsed(&mut self, json: &Json<'a>) -> Option<Rc<Json<'a>>> {
        if let Some(known) = self.parsed.get(&address(json)) {
            return known.clone();
        }
        let Node::String(text) = &json.node else { return None };
        let parsed = read(text);
        // The search may take as many steps for the parsed value as for a sent value of this size.
        let steps = parsed.as_ref().map_or(0, |parsed| STEPS_A_NODE.saturating_mul(parsed.nodes()));
        self.steps_left = self.steps_left.saturating_add(steps);
        let parsed = parsed.map(Rc::new);
        self.parsed.insert(address(json), parsed.clone());
        parsed
    }
}

/// Parses a text that consists of one value.
fn read<'a>(text: &Cow<'a, str>) -> Option<Json<'a>> {
    let constant = match text.trim_matches([' ', '\t', '\n', '\r']) {
        "True" | "TRUE" => Some(Node::Bool(true)),
        "False" | "FALSE" => Some(Node::Bool(false)),
        _ if is_absent_word(text) => Some(Node::Null),
        _ => None,
    };
    match (constant, text) {
        (Some(value), _) => Some(Json::from_node(value)),
        (None, Cow::Borrowed(text)) => Json::parse(text).ok().or_else(|| respelt(text)),
        (None, Cow::Owned(text)) => Json::parse(text).ok().or_else(|| respelt(text)).map(Json::into_owned),
    }
}

/// Parses an array or object that is written as in Python or JavaScript, or in a fence.
fn respelt(text: &str) -> Option<Json<'_>> {
    if !text.trim_start().starts_with(['[', '{', '`', '~']) {
        return None;
    }
    let reading = crate::repair::repair_text(text);
    let value = reading.value_alone().filter(|value| matches!(value.node, Node::Array(_) | Node::Object(_)))?;
    reading.repairs().iter().all(|repair| is_spelling(text, repair)).then(|| value.clone())
}

/// Returns `true` if a repair only changes a spelling. A missing bracket or comma may mean that an item is missing too.
fn is_spelling(text: &str, repair: &Repair) -> bool {
    let Some(span) = repair.span else { return false };
    let (before, after) = (text.get(..span.start as usize), text.get(span.end as usize..));
    match repair.rule {
        RepairRule::CodeFence => {
            let removed = text.get(span.start as usize..span.end as usize);
            removed.zip(after).is_some_and(|(removed, after)| is_fence(removed, after))
        }
        RepairRule::ByteOrderMark
        | RepairRule::WhiteSpace
        | RepairRule::Quote
        | RepairRule::UnquotedKey
        | RepairRule::Constant
        | RepairRule::Number
        | RepairRule::ControlCharacter
        | RepairRule::Escape => true,
        // Only removing a trailing comma is a change of spelling.
        RepairRule::Comma => {
            repair.after.is_empty()
                && after.is_some_and(|after| after.trim_start().starts_with([']', '}']))
                && !before.is_some_and(|before| before.trim_end().ends_with(['[', '{', ',']))
        }
        _ => false,
    }
}

/// Returns `true` if a fence ends with its line, has no language, or has a usual one. Any other word may be a part of the value.
fn is_fence(fence: &str, after: &str) -> bool {
    const LANGUAGES: [&str; 9] = ["json", "json5", "jsonc", "javascript", "js", "python", "py", "text", "txt"];
    let language = fence.trim_matches(['`', '~']);
    let ends_with_line = || after.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    language.is_empty() || LANGUAGES.iter().any(|known| language.eq_ignore_ascii_case(known)) || ends_with_line()
}

/// Returns `true` for a text such as `1.000` or `10.000.000`, which is a thousand or ten millions in many languages.
fn is_grouped(json: &Json<'_>) -> bool {
    let Node::String(text) = &json.node else { return false };
    let mut groups = text.trim().trim_start_matches(['+', '-']).split(['.', ',']);
    let is_first = |group: &str| (1..=3).contains(&group.len());
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(|group| is_first(group) && are_digits(group));
    let mut others = groups.peekable();
    first && others.peek().is_some() && others.all(|group| group.len() == 3 && are_digits(group))
}

fn wants_integer(shape: &Shape, hops: u8) -> bool {
    match &shape.kind {
        Kind::Integer => true,
        Kind::Alias(inner) | Kind::Nullable(inner) if hops < 48 => wants_integer(&inner.shape(), hops + 1),
        _ => false,
    }
}

/// Returns `true` for a number that is neither an integer nor one of a list of values.
fn is_fraction(shape: &Shape, hops: u8) -> bool {
    let is_whole = |rule: &Rule| match rule {
        Rule::MultipleOf(step) => step.is_multiple_of(Number::Integer(1)),
        rule => matches!(rule, Rule::Integral | Rule::Values(_)),
    };
    !shape.rules.iter().any(is_whole)
        && match &shape.kind {
            Kind::Number(_) => true,
            Kind::Alias(inner) | Kind::Nullable(inner) if hops < 48 => is_fraction(&inner.shape(), hops + 1),
            _ => false,
        }
}
