//! The facts of an expectation, for hints: the tightest rules in the terms of JSON Schema.

use super::expected::{Terminal, only_type};
use super::{Expected, tighten};
use crate::json::Number;
use crate::shape::{Kind, Measure, Object, Range, Rule, SharedSlice, StringFormat, Tagging, Text, Union, Variant};

/// The content of an [`Expected`] as data, with one field for each key of a constraint in a hint (see `docs/wire.md`).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ExpectedFacts {
    /// `type`: the only JSON type that is accepted besides `null`; `None` if there are several.
    pub json_type: Option<&'static str>,
    /// `items_type`: the JSON type of an array's items.
    pub items_type: Option<&'static str>,
    /// `true` if `null` is accepted too.
    pub nullable: bool,
    /// `allowed_values`: the accepted values, if all of them are strings.
    pub allowed_values: Vec<Text>,
    /// `allowed_values`: the accepted values as JSON texts, if not all of them are strings.
    pub values: SharedSlice<Text>,
    /// `pattern`: the regular expression that a string must match.
    pub pattern: Option<Text>,
    /// `format`: the format of a string.
    pub format: Option<StringFormat>,
    /// `min`: the least accepted number.
    pub min: Option<Number>,
    /// `max`: the greatest accepted number.
    pub max: Option<Number>,
    /// `exclusive_min`: the bound that a number must exceed.
    pub exclusive_min: Option<Number>,
    /// `exclusive_max`: the bound that a number must stay below.
    pub exclusive_max: Option<Number>,
    /// `multiple_of`: the divisor of all accepted numbers.
    pub multiple_of: Option<Number>,
    /// `min_length`: the minimum number of characters of a string.
    pub min_length: Option<u64>,
    /// `max_length`: the maximum number of characters of a string.
    pub max_length: Option<u64>,
    /// `min_items`: the minimum number of items of an array.
    pub min_items: Option<u64>,
    /// `max_items`: the maximum number of items of an array.
    pub max_items: Option<u64>,
    /// The minimum number of properties of an object whose keys are data.
    pub min_properties: Option<u64>,
    /// The maximum number of properties of an object whose keys are data.
    pub max_properties: Option<u64>,
    /// `true` if the items of an array must be unique.
    pub unique_items: bool,
    /// `required_fields` of an object: the name and expectation of each.
    pub required_fields: Vec<(Text, Expected)>,
    /// `variants` of a union: a name or expectation for each.
    pub variants: Vec<Text>,
    /// `true` if `min` is only the least value of an integer type.
    pub(crate) is_min_of_type: bool,
    /// `true` if `max` is only the greatest value of an integer type.
    pub(crate) is_max_of_type: bool,
}

/// The maximum depth of flattened types inside each other.
const MOST_FLATTENED: usize = 16;

impl Expected {
    /// Returns the expectation as data.
    pub fn facts(&self) -> ExpectedFacts {
        let mut facts = ExpectedFacts::default();
        self.at_terminal(|terminal| facts.complete(terminal));
        facts
    }
}

impl ExpectedFacts {
    /// Fills in the facts that the text needs. They are written in place, because copying all facts costs more than computing the few that
    /// apply.
    pub(super) fn fill(&mut self, terminal: &Terminal<'_>) {
        let shape = terminal.shape;
        self.json_type = only_type(shape);
        self.nullable = terminal.is_nullable;
        match &shape.kind {
            Kind::Integer | Kind::Number(_) => self.range(terminal),
            Kind::Array(items) => self.items_type = only_type(&items.shape()),
            Kind::Tuple(edges) => {
                self.min_items = Some(edges.len() as u64);
                self.max_items = self.min_items;
            }
            Kind::Object(object) => required(object, &mut self.required_fields, 0),
            Kind::Union(union) => self.union(union),
            _ => {}
        }
        terminal.each_rule(|rule| self.rule(rule, self.json_type));
    }

    /// Fills in all facts.
    pub(super) fn complete(&mut self, terminal: &Terminal<'_>) {
        self.fill(terminal);
        match &terminal.shape.kind {
            Kind::Integer | Kind::Number(_) => self.ends_of_type(terminal),
            Kind::Union(union) => self.variants = union.forms(),
            _ => {}
        }
    }

    fn range(&mut self, terminal: &Terminal<'_>) {
        let mut range = Range::UNBOUNDED;
        terminal.each_rule(|rule| {
            if let Rule::Range(other) = rule {
                tighten(&mut range, other);
            }
        });
        (self.min, self.max) = (range.min, range.max);
        (self.exclusive_min, self.exclusive_max) = (range.exclusive_min, range.exclusive_max);
    }

    /// Marks each bound of the range that comes only from the integer type and not from a rule.
    fn ends_of_type(&mut self, terminal: &Terminal<'_>) {
        let mut written = Range::UNBOUNDED;
        // The parser of schemas marks every integer with `Integral`. Such an integer has only the bounds that are written in the schema.
        let is_typed = !terminal.shape.rules.iter().any(|rule| matches!(rule, Rule::Integral));
        terminal.each_rule(|rule| {
            if let Rule::Range(other) = rule {
                let is_own = is_typed && terminal.shape.rules.iter().any(|own| std::ptr::eq(own, rule));
                tighten(&mut written, &if is_own { without_type(other) } else { *other });
            }
        });
        self.is_min_of_type = written.min.is_none() && written.exclusive_min.is_none();
        self.is_max_of_type = written.max.is_none() && written.exclusive_max.is_none();
    }

    /// Adds a rule, if it applies to the JSON type.
    fn rule(&mut self, rule: &Rule, json_type: Option<&str>) {
        match (rule, json_type) {
            (Rule::Length(length), Some("string")) if length.measure == Measure::Characters => {
                narrow((&mut self.min_length, &mut self.max_length), length.min, length.max);
            }
            (Rule::Length(length), Some("array")) if length.measure == Measure::Items => {
                narrow((&mut self.min_items, &mut self.max_items), length.min, length.max);
            }
            (Rule::Length(length), Some("object")) if length.measure == Measure::Properties => {
                narrow((&mut self.min_properties, &mut self.max_properties), length.min, length.max);
            }
            (Rule::MultipleOf(divisor), Some("integer" | "number")) => self.multiple_of = Some(*divisor),
            (Rule::Pattern(pattern), Some("string")) => self.pattern = Some(pattern.source.clone()),
            (Rule::Format(format), Some("string")) => self.format = Some(*format),
            (Rule::UniqueItems, Some("array")) => self.unique_items = true,
            (Rule::Values(values), _) => self.values = values.clone(),
            _ => {}
        }
    }

    fn union(&mut self, union: &Union) {
        if union.is_enumeration() {
            self.allowed_values = union.names();
        }
        required_tag(union, &mut self.required_fields);
    }
}

impl Union {
    /// Returns one text for each visible variant: its name if the JSON contains the name, or else its expectation. The result is empty for
    /// an enumeration.
    pub(crate) fn forms(&self) -> Vec<Text> {
        if self.is_enumeration() {
            return Vec::new();
        }
        let shown = self.variants.iter().filter(|variant| !variant.hidden);
        let form = |variant: &Variant| match &variant.payload {
            _ if self.tagging != Tagging::Untagged && !variant.untagged => variant.name.clone(),
            Some(payload) => Expected::from_shape(payload.clone()).to_string().into(),
            None => Text::from_static("null"),
        };
        shown.map(form).collect()
    }
}

/// Returns a range without the bounds that are only the limits of an integer type. The lower bound of a `NonZero` type is kept, because it
/// is informative.
fn without_type(range: &Range) -> Range {
    let width = |end: Number| match end {
        Number::Integer(end) => {
            let unsigned = [u8::MAX.into(), u16::MAX.into(), u32::MAX.into(), u64::MAX.into()];
            let signed = [i8::MAX.into(), i16::MAX.into(), i32::MAX.into(), i64::MAX.into(), i128::MAX];
            (unsigned.contains(&end), signed.contains(&end))
        }
        Number::Large(end) => (end == u128::MAX, false),
        Number::Float(_) => (false, false),
    };
    let (Some(min @ Number::Integer(least)), Some(max)) = (range.min, range.max) else { return *range };
    let (is_unsigned, is_signed) = width(max);
    let is_mirrored = matches!(max, Number::Integer(max) if least == -max - 1);
    match least {
        0 if is_unsigned => Range { min: None, max: None, ..*range },
        1 if is_unsigned => Range { max: None, ..*range },
        _ if is_signed && is_mirrored => Range { min: None, max: None, ..*range },
        _ => Range { min: Some(min), ..*range },
    }
}

/// Narrows a range of lengths; a minimum of zero counts as none.
fn narrow((least, most): (&mut Option<u64>, &mut Option<u64>), min: u64, max: Option<u64>) {
    *least = (*least).max(Some(min).filter(|&min| min > 0));
    *most = match (*most, max) {
        (Some(most), Some(max)) => Some(most.min(max)),
        (most, max) => most.or(max),
    };
}

/// Adds the required keys, including those of flattened structs.
fn required(object: &Object, fields: &mut Vec<(Text, Expected)>, depth: usize) {
    for field in &object.fields {
        if !field.flatten {
            if field.is_required() && !field.hidden {
                fields.push((field.name.clone(), Expected::from_field(field)));
            }
        } else if depth < MOST_FLATTENED {
            Expected::from_field(field).at_terminal(|terminal| match &terminal.shape.kind {
                _ if terminal.is_nullable => {}
                Kind::Object(object) => required(object, fields, depth + 1),
                Kind::Union(union) => required_tag(union, fields),
                _ => {}
            });
        }
    }
}

fn required_tag(union: &Union, fields: &mut Vec<(Text, Expected)>) {
    if let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = &union.tagging {
        fields.push((tag.clone(), Expected::from_shape(union.tag_shape())));
    }
}

#[cfg(test)]
mod tests {
    use crate::{ToolInput, issue::Expected, json::Number, shape::Ref};

    #[test]
    fn the_facts_of_an_integer_include_its_range() {
        let facts = Expected::from_shape(Ref::Static(u8::SHAPE)).facts();
        assert_eq!((facts.json_type, facts.max), (Some("integer"), Some(Number::Integer(255))));
    }

    #[test]
    fn the_type_ignores_null() {
        assert_eq!(Expected::from_shape(Ref::Static(<Option<bool>>::SHAPE)).facts().json_type, Some("boolean"));
    }
}
