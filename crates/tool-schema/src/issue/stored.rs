//! The stored form of an [`Issue`]. It consists of texts: the issue's references to the shape of the input only have a meaning in the
//! program that checked the call.
//!
//! Invariant: an issue that is read back has the same location, keyword and message. Its expectation is only a text, which may be cut.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bounded_text_list::to_escaped_text;
use super::{Constraint, Expected, Got, Issue, Path};
use crate::shape::Text;

/// The keywords of [`Constraint::keyword`], including those of checks by an independent validator.
const KEYWORDS: [&str; 34] = [
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "custom",
    "depth",
    "discriminator",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "false",
    "format",
    "incomplete",
    "maximum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minimum",
    "minItems",
    "minLength",
    "minProperties",
    "multipleDocuments",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "required",
    "syntax",
    "type",
    "unevaluatedItems",
    "uniqueItems",
];

/// The codes of [`Constraint::code`] that are not an author's own.
const CODES: [&str; 15] = [
    "CUSTOM",
    "INVALID_ENUM_VALUE",
    "INVALID_FORMAT",
    "INVALID_JSON",
    "INVALID_LENGTH",
    "INVALID_PATTERN",
    "INVALID_RANGE",
    "INVALID_TYPE",
    "MISSING_ITEM",
    "NOT_ALLOWED",
    "NOT_CHECKED",
    "NO_MATCHING_VARIANT",
    "REPEATED_FIELD",
    "REQUIRED_FIELD",
    "UNKNOWN_FIELD",
];

/// An issue as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored<'i> {
    path: Cow<'i, Path>,
    keyword: Cow<'i, str>,
    code: Cow<'i, str>,
    words: String,
    expected: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_secret: bool,
    got: Cow<'i, Got>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suggestion: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<Text>,
}

impl Serialize for Issue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut words = String::new();
        self.write_finding(&mut words);
        // The text begins with the space after the path.
        words.remove(0);
        let stored = Stored {
            path: Cow::Borrowed(&self.path),
            keyword: self.constraint.keyword().into(),
            code: self.constraint.code().into(),
            words,
            expected: to_escaped_text(&*self.expected),
            is_secret: self.expected.is_secret,
            got: Cow::Borrowed(&self.got),
            suggestion: self.suggestion.clone(),
            description: Some(self.description.clone()).filter(|text| !text.is_empty()),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Issue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let known = |names: &[&'static str], name: &str| names.iter().copied().find(|known| *known == name);
        let constraint = Constraint::Stored {
            keyword: known(&KEYWORDS, &stored.keyword).unwrap_or("custom"),
            code: known(&CODES, &stored.code).unwrap_or("CUSTOM"),
            text: stored.words.into(),
        };
        let expected = Expected { is_secret: stored.is_secret, ..Expected::from_text(stored.expected.into()) };
        Ok(Self {
            path: stored.path.into_owned(),
            constraint,
            expected: expected.into(),
            got: stored.got.into_owned(),
            suggestion: stored.suggestion,
            description: stored.description.unwrap_or(Text::EMPTY),
            inside: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::json::Json;
    use crate::repair::RepairRule;
    use crate::shape::{Field, Kind, Object, Precision, Ref, Rule, Shape, UnknownKeys};

    fn read_back(issue: &Issue) -> Issue {
        let text = serde_json::to_string(issue).expect("an issue is JSON");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn an_issue_that_is_read_back_has_the_same_texts() {
        let names: Vec<Text> =
            (0..40).map(|number| format!("\"a rather long name, number {number}\"").into()).collect();
        let text = || Ref::Shared(Shape::new(Kind::String).into());
        let field = Field::plain("an odd \u{202e} name".into(), "A description.".into(), text(), true);
        let shapes = [
            Shape::new(Kind::Boolean),
            Shape { rules: vec![Rule::Values(names.into())].into(), ..Shape::new(Kind::String) },
            Shape::new(Kind::Number(Precision::Single)),
            Shape::new(Kind::Object(Object { fields: vec![field].into(), unknown: UnknownKeys::Rejected })),
        ];
        let mut seen = 0;
        for shape in shapes {
            for text in ["3.5e300", "{\"a\": 1, \"b/c\": [1]}", "[[\"x\"]]", "\"text\""] {
                for issue in check(&shape, &Json::parse(text).expect("it is JSON")) {
                    let again = read_back(&issue);
                    assert_eq!(again.message(), issue.message());
                    assert_eq!((&again.path, &again.got), (&issue.path, &issue.got));
                    assert_eq!(again.constraint.keyword(), issue.constraint.keyword());
                    assert_eq!(again.constraint.code(), issue.constraint.code());
                    let (expected, stored) = (issue.expected.to_string(), again.expected.to_string());
                    assert!(expected.starts_with(stored.trim_end_matches('…')) && stored.len() > 5, "{stored}");
                    assert_eq!((&again.suggestion, &again.description), (&issue.suggestion, &issue.description));
                    assert_eq!(read_back(&again).message(), issue.message(), "it can be stored again");
                    seen += 1;
                }
            }
        }
        assert!(seen > 8, "only {seen} issues");
    }

    #[test]
    fn the_name_of_a_rule_is_its_stored_form() {
        for rule in [RepairRule::ToolName, RepairRule::Member, RepairRule::ByteOrderMark, RepairRule::AsText] {
            assert_eq!(serde_json::to_value(rule).ok(), Some(rule.name().into()));
        }
    }
}
