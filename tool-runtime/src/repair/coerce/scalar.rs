//! Values without parts: whole numbers, and the names of an enum's values.

use super::mending::Mending;
use super::place::Place;
use super::{Coercer, Found};
use crate::json::{Json, Node, NumberText};
use crate::repair::RepairRule;
use crate::shape::{Shape, Text, Union, Variant};
use crate::suggest::fold;

/// `5.0`, `1e3` and `-0` for the integers that they are, exactly.
pub(super) fn whole_number<'a>(place: Place, text: &str) -> Option<Mending<'a>> {
    if place.is_strict() || NumberText(text).is_plain_integer() {
        return None;
    }
    let json = Json::new(Node::Number(digits(text)?.into()));
    Some(Mending::reading(RepairRule::WholeNumber, json, place.is_hidden))
}

/// The integer that a number is, as integers are written.
pub(super) fn digits(text: &str) -> Option<String> {
    let number = NumberText(text);
    let negative = || number.to_i128().ok().map(|value| value.to_string());
    number.to_u128().ok().map(|value| value.to_string()).or_else(negative)
}

impl<'a> Coercer<'_, 'a> {
    /// What is no object where a union is wanted that tells its variants: a name, or a text that holds the value.
    pub(super) fn name(
        &mut self,
        place: Place,
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

/// The one variant whose name it is but for case and separators, or whose name is the text of the number or boolean.
pub(super) fn named<'u, 'a>(
    place: Place,
    union: &'u Union,
    json: &Json<'a>,
    fits: impl Fn(&Variant) -> bool,
) -> Option<(Mending<'a>, &'u Variant)> {
    if place.is_strict() || union.variants.iter().any(|variant| variant.other) {
        return None;
    }
    let as_text = || Json::new(Node::String(json.to_text().into()));
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
        let name = Json::new(Node::String(variant.name.to_string().into()));
        let reading = Mending::reading(RepairRule::EnumSpelling, name, place.is_hidden);
        mending.readings.extend(reading.readings);
    }
    (!mending.readings.is_empty()).then_some((mending, variant))
}

/// The one variant that has this name but for case and separators.
pub(super) fn respelt<'u>(union: &'u Union, name: &str) -> Option<&'u Variant> {
    let folded = fold(name);
    let names = |variant: &Variant| {
        let mut names = std::iter::once(&variant.name).chain(&variant.aliases);
        !variant.untagged && names.any(|name: &Text| fold(name) == folded)
    };
    let mut found = union.variants.iter().filter(|variant| names(variant));
    match (found.next(), found.next()) {
        (Some(only), None) if !folded.is_empty() => Some(only),
        _ => None,
    }
}

/// The last reading of a value itself, if it is read otherwise at all.
pub(super) fn last_reading<'f, 'a>(found: &'f Found<'a>) -> Option<&'f Json<'a>> {
    found.as_ref()?.readings.last().map(|reading| &reading.json)
}
