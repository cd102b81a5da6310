//! Converts issues into the form that the model saw.
//!
//! In: the issues of the tool's own arguments, and the same arguments in the form that the model saw. Out: the same
//! issues with the locations, keys and expectations that the model knows. Issues that already have that form stay
//! unchanged.

use std::sync::Arc;

use super::forward_path::Location;
use super::forward_shape::{Showing, of_entries};
use super::inverse::Inverse;
use super::inverse_plan::Plan;
use crate::issue::path::value_at;
use crate::issue::{Constraint, Expected, Got, Issue, Path, Segment};
use crate::json::{Json, JsonType};
use crate::shape::{CustomRuleError, Kind, Ref, Text};

impl Inverse {
    /// Rewrites issues so that they refer to the form that the model saw; `shown` contains the arguments in that form.
    pub(crate) fn shown_issues(&self, issues: Vec<Issue>, shown: &Json<'_>) -> Vec<Issue> {
        let mut showing = Showing::new(self);
        issues.into_iter().map(|issue| self.shown_issue(issue, shown, &mut showing)).collect()
    }

    fn shown_issue(&self, mut issue: Issue, shown: &Json<'_>, showing: &mut Showing<'_>) -> Issue {
        let Location { path, plan, whole, siblings, is_value } = self.locate(&issue.path, shown);
        issue.path = path;
        if let Some(siblings) = siblings {
            issue.suggestion = issue.suggestion.as_ref().map(|key| siblings.shown_key(key));
            if let Constraint::UnknownField { allowed } = &mut issue.constraint {
                *allowed = allowed.iter().map(|key| siblings.shown_key(key)).collect::<Vec<_>>().into();
            }
        }
        if let (Constraint::UnknownField { allowed }, true) = (&issue.constraint, is_value) {
            let words = allowed.iter().map(Text::as_str).collect::<Vec<_>>().join(", ");
            return about_key(issue, words);
        }
        if issue.expected.is_optional {
            // A strict definition requires every field.
            Arc::make_mut(&mut issue.expected).is_optional = false;
        }
        let plan = if union_of(&issue.expected).is_some() { whole } else { plan };
        if matches!(plan, Plan::Same) {
            return issue;
        }
        let own = Arc::unwrap_or_clone(issue.expected);
        let is_map = matches!(plan, Plan::Entries(_));
        issue.expected = Arc::new(Expected {
            shape: own.shape.map(|shape| showing.shown_shape(&shape, plan)),
            rules: if is_map { of_entries(&own.rules) } else { own.rules },
            example: own.example.map(|example| showing.literal(&example, plan)),
            default: own.default.map(|default| showing.literal(&default, plan)),
            ..own
        });
        if is_map {
            issue.constraint = of_map(issue.constraint);
        }
        if let Constraint::AnyOf { variants } = &mut issue.constraint {
            *variants = variants_of(&issue.expected, variants).into();
        }
        if issue.got.json.is_some()
            && let Some(value) = value_at(shown, issue.path.segments())
        {
            issue.got = Got::from_node(value);
        }
        issue
    }
}

/// Returns the texts for the variants of a union, as an issue lists them. Texts that do not come from its shape may name the tool's own keys,
/// so they are replaced by one text for the whole union.
fn variants_of(expected: &Expected, own: &[Text]) -> Vec<Text> {
    if let Some(union) = union_of(expected)
        && let Kind::Union(union) = &union.shape().kind
    {
        let forms = union.forms();
        if forms.len() == own.len() {
            return forms;
        }
        if union.names() == own {
            return own.to_vec();
        }
    }
    vec![expected.to_string().into()]
}

/// Returns the shape of the union that is expected.
fn union_of(expected: &Expected) -> Option<Ref> {
    let edge = expected.shape.as_ref()?.unaliased()?;
    let is_union = matches!(edge.shape().kind, Kind::Union(_));
    is_union.then_some(edge)
}

/// Converts a constraint on a map into one on its entries.
fn of_map(constraint: Constraint) -> Constraint {
    let entries = |json_type| if json_type == JsonType::Object { JsonType::Array } else { json_type };
    match constraint {
        Constraint::Type(types) => Constraint::Type(types.into_iter().map(entries).collect()),
        Constraint::MinProperties(count) => Constraint::MinItems(count),
        Constraint::MaxProperties(count) => Constraint::MaxItems(count),
        other => other,
    }
}

/// Converts an issue about a rejected key of a map. The model wrote this key as the member `key` of an entry.
fn about_key(issue: Issue, accepted: String) -> Issue {
    let path: Path = match issue.path.segments() {
        [entry @ .., Segment::Key(value)] if value == "value" => {
            entry.iter().cloned().chain([Segment::Key(Text::from_static("key"))]).collect()
        }
        _ => issue.path,
    };
    let expected = if accepted.is_empty() { issue.expected } else { Expected::from_text(accepted.into()).into() };
    Issue { path, constraint: Constraint::Custom(CustomRuleError::new("is not an accepted key")), expected, ..issue }
}
