//! Repairs scalars: whole numbers, booleans, and the names of enum values.

use super::location::CoercionPlace;
use super::planned_changes::Mending;
use super::{Coercer, Found};
use crate::case_significance::is_other_symbol;
use crate::json::{Json, Node, NumberText};
use crate::repair::RepairRule;
use crate::shape::{Precision, Shape, Union, Variant};

/// Converts `5.0`, `1e3` and `-0` to the integers that they equal.
pub(super) fn whole_number<'a>(place: CoercionPlace, text: &str) -> Option<Mending<'a>> {
    if place.is_strict() || NumberText(text).is_plain_integer() {
        return None;
    }
    let json = Json::from_node(Node::Number(digits(text)?.into()));
    Some(Mending::reading(RepairRule::WholeNumber, json, place.is_hidden))
}

/// Converts a number or a text that can only mean a boolean, where nothing else is allowed.
pub(super) fn as_boolean<'a>(place: CoercionPlace, node: &Node<'_>) -> Option<Mending<'a>> {
    if place.is_strict() || place.is_in_union {
        return None;
    }
    let value = boolean(node).or_else(|| boolean_word(node).filter(|_| place.reads_words()))?;
    Some(Mending::reading(RepairRule::AsBoolean, Json::from_node(Node::Bool(value)), place.is_hidden))
}

/// Returns the boolean that a value means in any case: the numbers one and zero, and the texts `1` and `0`.
fn boolean(node: &Node<'_>) -> Option<bool> {
    let is = |digit: &str| match node {
        Node::Number(text) => NumberText(text).same_value(NumberText(digit)),
        Node::String(text) => text.trim() == digit,
        _ => false,
    };
    if is("1") { Some(true) } else { is("0").then_some(false) }
}

/// Returns the boolean that a word means.
fn boolean_word(node: &Node<'_>) -> Option<bool> {
    let Node::String(text) = node else { return None };
    let is = |words: [&str; 5]| words.iter().any(|word| text.trim().eq_ignore_ascii_case(word));
    if is(["true", "yes", "on", "y", "t"]) { Some(true) } else { is(["false", "no", "off", "n", "f"]).then_some(false) }
}

/// Returns a number as the digits of an integer.
fn digits(text: &str) -> Option<String> {
    let number = NumberText(text);
    let negative = || number.to_i128().ok().map(|value| value.to_string());
    number.to_u128().ok().map(|value| value.to_string()).or_else(negative)
}

/// Returns `true` if a number, once decoded as a float, is printed as the same number.
pub(super) fn is_exact(precision: Precision, text: &str) -> bool {
    let double = NumberText(text).to_f64();
    #[allow(clippy::cast_possible_truncation)] // serde converts to `f32` in the same way.
    let (is_finite, printed) = match precision {
        Precision::Single => ((double as f32).is_finite(), format!("{:e}", double as f32)),
        Precision::Double => (double.is_finite(), format!("{double:e}")),
    };
    is_finite && NumberText(&printed).same_value(NumberText(text))
}

/// Returns `true` if a `serde_json::Value`, which has 64 bits for a number, can hold every number of a value exactly.
pub(super) fn is_exact_value(json: &Json<'_>) -> bool {
    match &json.node {
        Node::Number(text) => {
            let number = NumberText(text);
            let is_integer = number.is_plain_integer() && (text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok());
            is_integer || is_exact(Precision::Double, text)
        }
        _ => json.parts().all(is_exact_value),
    }
}

impl<'a> Coercer<'_, 'a> {
    /// Repairs a value that is not an object, for a tagged union: the name of a variant, or a text that contains the value.
    pub(super) fn name(
        &mut self,
        place: CoercionPlace,
        top: &Shape,
        union: &Union,
        node: &Node<'a>,
        json: &Json<'a>,
    ) -> Option<Mending<'a>> {
        let takes_names = union.tagging == crate::shape::Tagging::External;
        let is_unit = |variant: &Variant| variant.payload.is_none();
        match node {
            Node::String(text) if takes_names && union.find(text).is_some_and(is_unit) => None,
            Node::String(_) | Node::Number(_) | Node::Bool(_) if takes_names => {
                match named(place, union, json, is_unit) {
                    Some((mending, _)) => Some(mending),
                    None => self.text(place, top, json),
                }
            }
            Node::String(_) => self.text(place, top, json),
            _ => None,
        }
    }
}

/// Returns the only variant whose name is the text of the value (a string, a number or a boolean), and the changes that turn the value into
/// that name. Case and separators are ignored.
pub(super) fn named<'u, 'a>(
    place: CoercionPlace,
    union: &'u Union,
    json: &Json<'a>,
    fits: impl Fn(&Variant) -> bool,
) -> Option<(Mending<'a>, &'u Variant)> {
    if place.is_strict() || union.variants.iter().any(|variant| variant.other) {
        return None;
    }
    let as_text = || Json::from_node(Node::String(json.to_text().into()));
    let (text, mut mending) = match &json.node {
        Node::String(text) => (text.clone(), Mending::default()),
        Node::Number(_) | Node::Bool(_) => {
            let text = json.to_text().into();
            (text, Mending::reading(RepairRule::AsText, as_text(), place.is_hidden))
        }
        _ => return None,
    };
    let exact = union.find(&text).filter(|variant| fits(variant));
    let variant = match exact {
        Some(variant) => variant,
        None => respelt(union, &text).filter(|variant| fits(variant))?,
    };
    if exact.is_none() {
        let name = Json::from_node(Node::String(variant.name.to_string().into()));
        let reading = Mending::reading(RepairRule::EnumSpelling, name, place.is_hidden);
        mending.readings.extend(reading.readings);
    }
    (!mending.readings.is_empty()).then_some((mending, variant))
}

/// Returns the only variant with this name, ignoring separators, and case where it is only a matter of spelling.
pub(super) fn respelt<'u>(union: &'u Union, name: &str) -> Option<&'u Variant> {
    let plain = plain(name);
    let first = plain.bytes().next();
    // Most names are excluded by their first letter, because an array may have thousands of items and an enum thousands of names.
    let is_excluded = |name: &str| {
        let letter = name.bytes().next().filter(u8::is_ascii_alphanumeric);
        letter.is_some_and(|letter| Some(letter.to_ascii_lowercase()) != first)
    };
    let is_it = |name: &str| !is_excluded(name) && self::plain(name) == plain;
    let names = |variant: &Variant| !variant.untagged && variant.spellings().any(is_it);
    let mut found = union.variants.iter().filter(|variant| names(variant));
    match (found.next(), found.next()) {
        (Some(only), None) if !plain.is_empty() => {
            let is_it = |known: &str| {
                self::plain(known) == plain && !is_other_symbol(name, known, |rest| union.find(rest).is_some())
            };
            only.spellings().any(is_it).then_some(only)
        }
        _ => None,
    }
}

/// Returns a name in a common spelling: in lower case, without surrounding white space, and without word separators (`_`, `-`, white
/// space). All other signs are kept, and so are separators before a word or between two numbers: `-5`, `../rust`, `!active`, `1-5`.
fn plain(name: &str) -> String {
    let (mut plain, mut joint, mut before) = (String::with_capacity(name.len()), String::new(), None::<char>);
    for next in name.trim().chars() {
        if matches!(next, '_' | '-') || next.is_whitespace() {
            joint.push(next);
            continue;
        }
        let is_joint = joint.chars().all(char::is_whitespace) || joint.len() == 1;
        let is_between_words = |before: char| {
            before.is_alphanumeric() && next.is_alphanumeric() && !(before.is_numeric() && next.is_numeric())
        };
        if !(is_joint && before.is_some_and(is_between_words)) {
            plain.push_str(&joint);
        }
        joint.clear();
        plain.extend(next.to_lowercase());
        before = Some(next);
    }
    plain + &joint
}

/// Returns the last interpretation of a value, if there is one.
pub(super) fn last_reading<'f, 'a>(found: &'f Found<'a>) -> Option<&'f Json<'a>> {
    found.as_ref()?.readings.last().map(|reading| &reading.json)
}
