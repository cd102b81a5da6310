//! Numbers and strings: their kinds, and their keywords as rules.
//!
//! Each rule means the same as its keyword. A `pattern` is compiled on first use and matched by `jsonschema` itself, with its dialect of
//! regular expressions. A `format` that the dialect of JSON Schema does not define is ignored.

use std::sync::{Arc, OnceLock};

use crate::private::json::{Json, Number, NumberText, as_number};
use jsonschema::Validator;
use serde_json::{Value, json};
use tool_runtime::tool_schema::shape::{
    Kind, Length, Measure, Pattern, PatternMatcher, Precision, Range, Rule, Shape, StringFormat, Text,
};

use super::applicable_schemas::Parts;
use super::type_set::TypeSet;
use super::{Reader, shape_with};

impl<'d> Reader<'d> {
    pub(super) fn number(parts: &Parts<'d>, types: TypeSet) -> Shape {
        let mut rules = numeric(parts);
        if types == TypeSet::INTEGER {
            rules.insert(0, Rule::Integral);
            return shape_with(Kind::Integer, rules);
        }
        shape_with(Kind::Number(Precision::Double), rules)
    }

    pub(super) fn string(&self, parts: &Parts<'d>) -> Shape {
        shape_with(Kind::String, self.textual(parts))
    }

    /// Returns the rules for a value whose type is not restricted. Each rule only applies to values of its own type.
    pub(super) fn rules_of_any(&self, parts: &Parts<'d>) -> Vec<Rule> {
        let mut rules = numeric(parts);
        rules.extend(self.textual(parts));
        rules.extend(length(parts, Measure::Items));
        rules.extend(length(parts, Measure::Properties));
        rules.extend(unique(parts));
        rules
    }

    fn textual(&self, parts: &Parts<'d>) -> Vec<Rule> {
        let mut rules: Vec<_> = length(parts, Measure::Characters).into_iter().collect();
        for (_, pattern) in parts.each("pattern") {
            rules.extend(pattern.as_str().map(|source| Rule::Pattern(as_judged(source))));
        }
        for (_, format) in parts.each("format") {
            let known = format.as_str().filter(|name| (self.is_known_format)(self.document.draft, name));
            rules.extend(known.and_then(StringFormat::from_name).map(Rule::Format));
        }
        rules
    }
}

fn numeric(parts: &Parts<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for at in &parts.0 {
        let bound = |keyword: &str| at.schema.get(keyword).and_then(as_number).map(NumberText::value);
        let is_set = |keyword: &str| at.schema.get(keyword).and_then(Json::as_bool) == Some(true);
        let (mut range, (min, max)) = (Range::UNBOUNDED, (bound("minimum"), bound("maximum")));
        // In draft-04, `exclusiveMinimum: true` makes the bound in `minimum` exclusive.
        (range.min, range.exclusive_min) =
            if is_set("exclusiveMinimum") { (None, min) } else { (min, bound("exclusiveMinimum")) };
        (range.max, range.exclusive_max) =
            if is_set("exclusiveMaximum") { (None, max) } else { (max, bound("exclusiveMaximum")) };
        if range != Range::UNBOUNDED {
            rules.push(Rule::Range(range));
        }
        let positive = |divisor: &Number| divisor.compare(Number::Integer(0)).is_gt();
        rules.extend(bound("multipleOf").filter(positive).map(Rule::MultipleOf));
    }
    rules
}

/// Returns the range of lengths that all parts allow.
pub(super) fn length(parts: &Parts<'_>, measure: Measure) -> Option<Rule> {
    let (least, greatest) = match measure {
        Measure::Characters => ("minLength", "maxLength"),
        Measure::Items => ("minItems", "maxItems"),
        Measure::Properties => ("minProperties", "maxProperties"),
    };
    let bounds = |keyword| parts.each(keyword).filter_map(|(_, bound)| size(bound));
    let (min, max) = (bounds(least).max().unwrap_or(0), bounds(greatest).min());
    (min > 0 || max.is_some()).then_some(Rule::Length(Length { measure, min, max }))
}

/// Parses a bound on a length. `2.0` is accepted too.
pub(super) fn size(bound: &Json<'_>) -> Option<u64> {
    u64::try_from(as_number(bound)?.to_u128().ok()?).ok()
}

pub(super) fn unique(parts: &Parts<'_>) -> Option<Rule> {
    parts.each("uniqueItems").any(|(_, unique)| unique.as_bool() == Some(true)).then_some(Rule::UniqueItems)
}

/// Creates a pattern that is matched by `jsonschema`.
fn as_judged(source: &str) -> Pattern {
    let (text, validator) = (source.to_owned(), OnceLock::<Option<Validator>>::new());
    let matcher = move |subject: &str| {
        let validator = validator.get_or_init(|| jsonschema::validator_for(&json!({"pattern": text})).ok());
        validator.as_ref().is_none_or(|validator| validator.is_valid(&Value::String(subject.to_owned())))
    };
    let matcher = PatternMatcher::Shared(Arc::new(matcher));
    Pattern { source: Text::from(source.to_owned()), matcher, sample: Text::from(candidate(source)) }
}

/// The maximum number of steps for generating a text from a pattern.
const STEPS: usize = 1 << 20;

/// Returns a text that is likely to match the pattern, or an empty text if no such text can be generated.
fn candidate(source: &str) -> String {
    if steps(source).is_none_or(|steps| steps > STEPS) {
        return String::new();
    }
    jsonschema_regex::pattern_witness(source).unwrap_or_default()
}

/// Returns an upper bound for the number of steps of `pattern_witness`: it writes repetitions out, and nested repetitions multiply. Returns
/// `None` for groups such as `(?x)`, because a flag may change how repetition counts (`{2}`) are read.
fn steps(source: &str) -> Option<usize> {
    let has_flags = source.split("(?").skip(1).any(|group| !group.starts_with([':', '<']));
    let counts = source.split('{').skip(1).map(|rest| {
        let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        // The fallback does not matter, because the parser rejects counts beyond `usize`.
        rest[..digits].parse::<usize>().unwrap_or(1).max(1)
    });
    let most = counts.fold(source.len(), usize::saturating_mul);
    (!has_flags).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_gets_a_candidate_that_jsonschema_accepts() {
        for (source, expected) in [
            ("^[A-Z]{2}-[0-9]{4}$", "AA-0000"),
            ("^(?:[01]\\d|2[0-3]):[0-5]\\d$", "00:00"),
            ("^(GET|POST)$", "GET"),
            ("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"),
        ] {
            let pattern = as_judged(source);
            assert_eq!((&*pattern.sample, pattern.is_match(&pattern.sample)), (expected, true), "{source}");
        }
    }

    #[test]
    fn an_expensive_pattern_gets_no_candidate() {
        let nested = (0..5).fold("a?".to_owned(), |inner, _| format!("(?:{inner}){{64}}"));
        let spaced = format!("(?x){}", nested.replace('{', "{ "));
        for source in [nested, spaced, "^(?=a)a$".to_owned(), "(".to_owned(), "a{99999999999999999999}".to_owned()] {
            assert_eq!(candidate(&source), "", "{source}");
        }
    }
}
