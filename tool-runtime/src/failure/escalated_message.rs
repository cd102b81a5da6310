//! The text for a repeated rejection of the same location of a tool: [`EscalatedMessage`].
//!
//! It consists of a sentence, and of the schema and a valid example for the location if these are short enough. Invariants: the escalation
//! has at most 1,300 bytes and contains no sent value; the sentence is true for both rejections; the checker accepts the example.

use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::check::accepts;
use crate::decode::expected_at;
use crate::fast_hash::hash;
use crate::hint::{example_value, path_text};
use crate::issue::{Constraint, Expected, Issue};
use crate::json::{Json, Writer};
use crate::schema::schema_text;
use crate::shape::{Kind, Ref, Shape, for_each_part};

/// The maximum number of bytes of the schema.
const SCHEMA: usize = 420;
/// The maximum number of bytes of the example.
const EXAMPLE: usize = 200;

/// A stronger message for a repeated issue, with the information needed to correct the value.
///
/// ```
/// use tool_runtime::{Toolbox, tool};
///
/// /// Dims the lights.
/// #[tool]
/// fn dim(
///     /// How bright they shall be, in percent.
///     #[tool(range(max = 100))]
///     level: u8,
/// ) -> String {
///     format!("{level} %")
/// }
///
/// let session = Toolbox::builder().tool(DimTool).build()?.session();
/// let call = || pollster::block_on(session.call("", "dim", r#"{"level": 140}"#));
/// let escalation = |outcome: tool_runtime::Outcome| Some(outcome.failure()?.escalation()?.as_json().to_owned());
/// assert_eq!(escalation(call()), None);
/// assert_eq!(
///     escalation(call()).as_deref(),
///     Some(concat!(
///         r#"{"property":"level","message":"level was rejected before and is rejected again. Do not send the same value a third time: "#,
///         r#"send one that fits the schema, or answer with what you have.","#,
///         r#""schema":{"type":"integer","minimum":0,"maximum":100},"example":1}"#,
///     )),
/// );
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EscalatedMessage {
    json: String,
    /// The JSON object without schema and example, for an answer that has no room for them.
    brief: String,
    text: String,
}

/// The kind of issue at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IssueKind {
    Missing,
    Unknown,
    /// The arguments were not one JSON value.
    NotJson,
    /// A wrong value, with its hash; the hash is `None` if the value is hidden or long.
    Value(Option<u64>),
}

impl IssueKind {
    pub(crate) fn from_issue(issue: &Issue) -> Self {
        match issue.constraint {
            Constraint::Required => Self::Missing,
            Constraint::UnknownField { .. } => Self::Unknown,
            Constraint::Syntax { .. } | Constraint::MultipleDocuments { .. } | Constraint::Incomplete => Self::NotJson,
            _ => Self::Value(issue.got.json.as_deref().map(|json| hash(json.as_bytes()))),
        }
    }
}

/// Returns the message about two rejections of the same location, which may have different reasons.
fn message(issue: &Issue, before: IssueKind, has_schema: bool) -> String {
    let now = IssueKind::from_issue(issue);
    let (place, is) = if issue.path.is_root() { ("The arguments".into(), "are") } else { (path_text(issue), "is") };
    let fitting = if has_schema { "that fits the schema" } else { "that is as expected" };
    let again =
        || format!("{place} {} rejected before and {is} rejected again.", if is == "is" { "was" } else { "were" });
    let (happened, remedy) = match now {
        IssueKind::Missing if before == now => {
            (format!("{place} {is} still missing."), format!("Send it with a value {fitting}"))
        }
        IssueKind::Missing => {
            (format!("{place} was rejected before and is missing now."), format!("Send it with a value {fitting}"))
        }
        IssueKind::Unknown if before == now => {
            (format!("{place} {is} still not a known field."), "Leave it out".to_owned())
        }
        IssueKind::Unknown => (again(), "Leave it out".to_owned()),
        IssueKind::NotJson if before == now => {
            (format!("{place} {is} still not valid JSON."), "Send one complete JSON object".to_owned())
        }
        IssueKind::NotJson => (again(), "Send one complete JSON object".to_owned()),
        IssueKind::Value(Some(_)) if before == now => {
            let again = again() + " Do not send the same value a third time:";
            (again, format!("send one {fitting}"))
        }
        IssueKind::Value(_) => (again(), format!("Send a value {fitting}")),
    };
    format!("{happened} {remedy}, or answer with what you have.")
}

impl EscalatedMessage {
    pub(crate) fn for_issue(issue: &Issue, before: IssueKind, input: &Ref, arguments: Option<&Json<'_>>) -> Self {
        let (schema, example) = known(issue, input, arguments).map_or((None, None), |expected| described(&expected));
        Self::written(issue, message(issue, before, schema.is_some()), schema, example)
    }

    /// Creates the escalation for arguments that the output limit of the model cut off again.
    pub(crate) fn of_cut_off(issue: &Issue) -> Self {
        let message = "The output limit has cut off the arguments again. Send at most half as much text in one call, or answer with what you have.";
        Self::written(issue, message.to_owned(), None, None)
    }

    fn written(issue: &Issue, message: String, schema: Option<String>, example: Option<String>) -> Self {
        let property = path_text(issue);
        let written = |schema: Option<&String>, example: Option<&String>| {
            let mut json = String::new();
            Writer::new(&mut json).object(|object| {
                object.string("property", &property);
                object.string("message", &message);
                if let Some(schema) = schema {
                    object.json_text("schema", schema);
                }
                if let Some(example) = example {
                    object.json_text("example", example);
                }
            });
            json
        };
        let (json, brief) = (written(schema.as_ref(), example.as_ref()), written(None, None));
        // Small models send an example as it is, so the text has none.
        let text = schema.map_or_else(|| message.clone(), |schema| format!("{message} Schema: {schema}."));
        Self { json, brief, text }
    }

    /// Returns a JSON object with the members `property` and `message`, and with `schema` and `example` if these are short enough.
    pub fn as_json(&self) -> &str {
        &self.json
    }

    pub(crate) fn brief(&self) -> &str {
        &self.brief
    }

    /// Returns the escalation as prose.
    pub fn as_text(&self) -> &str {
        &self.text
    }
}

/// Returns the values that are expected at the location. For an unknown field, these are the values of the surrounding object; for text
/// that is not valid JSON, the values of the whole input.
fn known(issue: &Issue, input: &Ref, arguments: Option<&Json<'_>>) -> Option<Expected> {
    if issue.expected.shape.is_some() {
        return Some(Expected::clone(&issue.expected));
    }
    match issue.path.parent().filter(|parent| !parent.is_root()) {
        Some(parent) => expected_at(input, arguments?, &parent),
        None => Some(Expected::from_shape(input.clone())),
    }
}

fn described(expected: &Expected) -> (Option<String>, Option<String>) {
    let Some(edge) = expected.shape.clone() else { return (None, None) };
    let shape = Shape { rules: expected.rules.clone(), ..Shape::new(Kind::Alias(edge)) };
    let is_short = is_short(&shape, &mut { SCHEMA / PART });
    let schema = is_short
        .then(|| schema_text(&shape))
        .filter(|schema| bounded::json_string_len(schema) <= SCHEMA && schema != "{}" && schema != "true");
    let fits = |text: &String| text.len() <= EXAMPLE && Json::parse(text).is_ok_and(|json| accepts(&shape, &json));
    (schema, example_value(expected).filter(fits))
}

/// The minimum number of bytes that each field or variant adds to a schema: `{},` or `"",`.
const PART: usize = 3;

/// Returns `true` if the schema may be short enough to be shown. This estimate is cheap; rendering a schema with ten thousand names is not.
fn is_short(shape: &Shape, left: &mut usize) -> bool {
    let parts = match &shape.kind {
        Kind::Object(object) => object.fields.len(),
        Kind::Union(union) => union.variants.len(),
        _ => 1,
    };
    let Some(rest) = left.checked_sub(parts) else { return false };
    *left = rest;
    let mut is_short_so_far = true;
    for_each_part(shape, |_, edge| is_short_so_far = is_short_so_far && is_short(&edge.shape(), left));
    is_short_so_far
}
