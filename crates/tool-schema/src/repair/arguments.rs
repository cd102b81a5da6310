//! Repairs the arguments of a call without running the tool: [`repair_arguments`].
//!
//! A session repairs arguments in the same way before it calls a tool, so a host that uses [`repair_arguments`] in advance gets the same result.
//! Invariant: incomplete text never becomes arguments, and arguments that the checker accepts are never changed.

use std::borrow::Cow;

use super::coerce::{attempt, coerce};
use super::text::{RepairedText, TextError, repair_broken};
use super::unwrap::unwrap_arguments;
use super::{Repair, RepairRule};
use crate::check::{accepts, check};
use crate::decode::{Rejected, check_if_needed};
use crate::input::Arguments;
use crate::issue::{Constraint, Issue, Issues, PriorCheck};
use crate::json::{Json, JsonType, Member, Node, Span, SyntaxError};
use crate::shape::{AcceptedTypes, Field, Kind, Ref, RepairPolicy, Shape};

/// The result of repairing the arguments of a call.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::repair::{RepairedArguments, RepairPolicy, repair_arguments};
/// use tool_schema::shape::Ref;
/// use tool_schema::{ToolInput, input::Arguments};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Input {
///     /// Days of forecast.
///     days: u8,
/// }
///
/// let arguments = Arguments::from(r#"{"days": "5"}"#);
/// let RepairedArguments::Repaired { arguments, repairs, .. } = repair_arguments("forecast", &Ref::Static(Input::SHAPE), &arguments, RepairPolicy::Lossless) else {
///     return Err("not repaired".into());
/// };
/// assert_eq!(arguments.to_text(), r#"{"days":5}"#);
/// assert_eq!(repairs[0].to_string(), r#"Read days "5" as 5."#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum RepairedArguments<'a> {
    /// The arguments are acceptable without changes.
    Clean(Json<'a>),
    /// The arguments are acceptable after repairs.
    Repaired {
        /// The repaired arguments.
        arguments: Json<'a>,
        /// The repairs that were applied, in order.
        repairs: Vec<Repair>,
        /// The issues of the arguments that were sent; empty if only their text was wrong.
        sent: Issues,
    },
    /// The arguments cannot be repaired with certainty.
    Rejected {
        /// The arguments after all certain repairs.
        arguments: Json<'a>,
        /// The repairs that were applied, in order.
        repairs: Vec<Repair>,
        /// The remaining issues; never empty.
        issues: Issues,
        /// The issues of the arguments that were sent.
        sent: Issues,
    },
    /// The text ends before the value is complete. Such arguments never run.
    Incomplete {
        /// The parsed part, for previews.
        partial: Option<Json<'a>>,
        /// The repairs that were found.
        repairs: Vec<Repair>,
        /// The syntax error of the text, as one issue.
        issues: Issues,
        /// The errors found by the lenient parser; empty if the policy is strict.
        errors: Vec<TextError>,
    },
    /// The text is not valid JSON, and its meaning is unclear.
    Unreadable {
        /// The parsed part, for previews.
        partial: Option<Json<'a>>,
        /// The repairs that were found.
        repairs: Vec<Repair>,
        /// The syntax error of the text, as one issue.
        issues: Issues,
        /// The errors found by the lenient parser; empty if the policy is strict.
        errors: Vec<TextError>,
    },
}

fn redact(repairs: &mut [Repair], errors: &mut [TextError], shape: &Shape) {
    if (repairs.is_empty() && errors.is_empty()) || !shape.has_secrets() {
        return;
    }
    let of_the_text = |repair: &&mut Repair| repair.path.is_root();
    repairs.iter_mut().filter(of_the_text).for_each(Repair::redact);
    errors.iter_mut().for_each(TextError::redact);
}

/// Repairs arguments for a tool, if only one meaning is possible; [`RepairedArguments`] has an example.
///
/// The text is parsed strictly, or else leniently. Values that the checker rejects are [coerced](coerce). The remaining issues are
/// reported. `tool` is the name of the tool, by which a wrapper such as `{"name": "get_weather", "arguments": {…}}` is recognized. `input` is the input of a tool (`ToolSpec::input` of `tool-runtime`). Under [`RepairPolicy::Strict`], only fields with their
/// own policy are repaired.
///
/// ```
/// use tool_schema::repair::{RepairedArguments, RepairPolicy, repair_arguments};
/// use tool_schema::shape::{Ref, Shape};
///
/// let any = Ref::Static(Shape::ANY);
/// assert!(matches!(repair_arguments("echo", &any, &r#"{"days": 5"#.into(), RepairPolicy::Lossless), RepairedArguments::Incomplete { .. }));
/// assert!(matches!(repair_arguments("echo", &any, &"5".into(), RepairPolicy::Lossless), RepairedArguments::Rejected { .. }));
/// assert!(matches!(repair_arguments("echo", &any, &"".into(), RepairPolicy::Lossless), RepairedArguments::Clean(_)));
/// ```
pub fn repair_arguments<'a>(
    tool: &str,
    input: &Ref,
    arguments: &'a Arguments<'_>,
    policy: RepairPolicy,
) -> RepairedArguments<'a> {
    let reject = |arguments: Json<'a>, repairs, mut sent: Issues| {
        let issue = Issue::no_object(input, &arguments);
        sent.push(issue.clone());
        RepairedArguments::Rejected { arguments, repairs, issues: vec![issue], sent }
    };
    match mend_value(tool, input, arguments, policy) {
        RepairedArguments::Clean(arguments) if !is_object(&arguments) => reject(arguments, Vec::new(), Issues::new()),
        RepairedArguments::Repaired { arguments, repairs, sent } if !is_object(&arguments) => {
            reject(arguments, repairs, sent)
        }
        mended => mended,
    }
}

/// Repairs a value of any JSON type. An answer may be an array, for example, while the arguments of a call must be an object.
pub(crate) fn mend_value<'a>(
    tool: &str,
    input: &Ref,
    arguments: &'a Arguments<'_>,
    policy: RepairPolicy,
) -> RepairedArguments<'a> {
    let shape = input.shape();
    let (value, repairs) = match as_json(arguments, policy) {
        Ok(read) => read,
        Err(mut mended) => {
            if let RepairedArguments::Incomplete { repairs, errors, .. }
            | RepairedArguments::Unreadable { repairs, errors, .. } = &mut *mended
            {
                redact(repairs, errors, &shape);
            }
            return *mended;
        }
    };
    let sent = repairs.is_empty().then(|| check(&shape, &value));
    if sent.as_ref().is_some_and(Vec::is_empty) {
        return RepairedArguments::Clean(value);
    }
    let Settled { value: arguments, repairs, sent, issues } =
        settle(tool, &shape, value, repairs, sent, usize::MAX, policy);
    match (issues.unwrap_or_default(), sent.unwrap_or_default()) {
        (issues, sent) if issues.is_empty() => RepairedArguments::Repaired { arguments, repairs, sent },
        (issues, sent) => RepairedArguments::Rejected { arguments, repairs, issues, sent },
    }
}

fn is_object(json: &Json<'_>) -> bool {
    matches!(json.node, Node::Object(_))
}

/// The maximum number of issues that are kept during the search for repairs.
const FEW_ISSUES: usize = 64;

/// The result of repairing rejected arguments.
pub struct RepairAttempt<'a> {
    /// The arguments after all repairs.
    pub arguments: Json<'a>,
    /// The repairs; never empty.
    pub repairs: Vec<Repair>,
    /// The remaining issues; empty if the arguments are acceptable.
    pub issues: Issues,
}

/// Repairs rejected arguments. The results of parsing and checking them are used again if the rejection contains them. Returns the
/// rejection if nothing can be repaired.
pub fn repair_rejected_arguments<'a>(
    tool: &str,
    input: &Ref,
    arguments: &Arguments<'a>,
    rejected: Rejected<'a>,
    policy: RepairPolicy,
) -> Result<RepairAttempt<'a>, Rejected<'a>> {
    let Rejected { error, found } = rejected;
    let found = check_if_needed(found, arguments, &input.shape());
    repair_found(tool, input, arguments, found, policy).map_err(|found| Rejected { error, found })
}

fn repair_found<'a>(
    tool: &str,
    input: &Ref,
    arguments: &Arguments<'a>,
    found: PriorCheck<'a>,
    policy: RepairPolicy,
) -> Result<RepairAttempt<'a>, PriorCheck<'a>> {
    let shape = input.shape();
    let is_accepted = matches!(found, PriorCheck::Accepted(_));
    let (value, repairs, known) = match found {
        // The checker has already rejected this tree, so it is not checked again.
        PriorCheck::Rejected(json) => (json, Vec::new(), None),
        PriorCheck::Accepted(json) => (json, Vec::new(), Some(Issues::new())),
        PriorCheck::Syntax(syntax) => match broken(arguments, &syntax, policy) {
            Some(RepairedText::Repaired { value, repairs }) => (value, repairs, None),
            _ => return Err(PriorCheck::Syntax(syntax)),
        },
        PriorCheck::Nothing => return Err(found),
    };
    let Settled { value, repairs, issues, .. } = settle(tool, &shape, value, repairs, known, FEW_ISSUES, policy);
    if repairs.is_empty() {
        // If the shape accepts the arguments, they were rejected for a reason that it does not express, so no repair is certain.
        return Err(if is_accepted { PriorCheck::Accepted(value) } else { PriorCheck::Rejected(value) });
    }
    let mut issues = issues.unwrap_or_else(|| check(&shape, &value));
    if issues.is_empty() && !is_object(&value) {
        issues.push(Issue::no_object(input, &value));
    }
    Ok(RepairAttempt { arguments: value, repairs, issues })
}

/// A value after all repairs of the text and of the value.
struct Settled<'a> {
    value: Json<'a>,
    repairs: Vec<Repair>,
    /// The issues without wrappers and before coercion; `None` if they were not kept.
    sent: Option<Issues>,
    /// The remaining issues; `None` if they equal the ones before coercion, which were not kept.
    issues: Option<Issues>,
}

/// Removes the wrappers of a value, and coerces what is inside.
///
/// `sent` are the issues of the value, if they are known. Otherwise the value was rejected, or its text was repaired. More issues than `most`
/// are not kept, because the memory of a rejected call must be bounded during the search for repairs.
fn settle<'a>(
    tool: &str,
    shape: &Shape,
    value: Json<'a>,
    repairs: Vec<Repair>,
    sent: Option<Issues>,
    most: usize,
    policy: RepairPolicy,
) -> Settled<'a> {
    let (value, mut repairs) = remove_wrappers(tool, shape, value, repairs, policy);
    // A tree that was already checked is not checked again.
    let sent = if repairs.is_empty() { sent } else { Some(check(shape, &value)) };
    if sent.as_ref().is_some_and(Vec::is_empty) {
        redact(&mut repairs, &mut [], shape);
        return Settled { value, repairs, issues: sent.clone(), sent };
    }
    let sent = sent.filter(|issues| issues.len() <= most);
    let (value, issues) = match attempt(shape, value, policy) {
        Ok((value, coercions)) => {
            repairs.extend(coercions);
            let issues = check(shape, &value);
            (value, Some(issues))
        }
        Err(value) => (value, sent.clone()),
    };
    redact(&mut repairs, &mut [], shape);
    Settled { value, repairs, sent, issues }
}

/// Parses arguments that are still in the form that the model saw. They are parsed strictly, or else leniently if the policy allows it, and
/// wrappers are removed. `knows` returns `true` for keys that are not wrappers.
///
/// # Errors
///
/// Fails if the text cannot be parsed.
pub fn read_arguments<'a>(
    tool: &str,
    arguments: &Arguments<'a>,
    policy: RepairPolicy,
    knows: impl Fn(&str) -> bool,
) -> Result<(Json<'a>, Vec<Repair>), Box<Rejected<'a>>> {
    let (value, mut repairs) = match arguments.tree() {
        Ok(value) => (value, Vec::new()),
        Err(error) => match broken(arguments, &error, policy) {
            Some(RepairedText::Repaired { value, repairs }) => (value, repairs),
            _ => return Err(Box::new(Rejected::syntax(error))),
        },
    };
    if policy == RepairPolicy::Strict {
        return Ok((value, repairs));
    }
    let (value, layers) = unwrap_arguments(tool, value, knows);
    repairs.extend(layers);
    Ok((value, repairs))
}

/// Hides the parts of a ledger that repeat a text, which may contain a secret.
pub fn redact_ledger(repairs: &mut [Repair], shape: &Shape) {
    redact(repairs, &mut [], shape);
}

/// Returns `true` if the shape accepts an argument of this name.
pub fn accepts_argument(shape: &Shape, key: &str) -> bool {
    knows(shape, key)
}

/// Parses text that is not valid JSON leniently.
fn broken<'a>(arguments: &Arguments<'a>, error: &SyntaxError, policy: RepairPolicy) -> Option<RepairedText<'a>> {
    match arguments {
        _ if policy == RepairPolicy::Strict => None,
        Arguments::Text(Cow::Borrowed(text)) => Some(repair_broken(text, error)),
        Arguments::Bytes(Cow::Borrowed(bytes)) => Some(repair_broken(std::str::from_utf8(bytes).ok()?, error)),
        owned => Some(repair_broken(text_of(owned)?, error).into_owned()),
    }
}

/// Returns the value of the arguments, parsed strictly or leniently, and the repairs of their text.
fn as_json<'a>(
    arguments: &'a Arguments<'_>,
    policy: RepairPolicy,
) -> Result<(Json<'a>, Vec<Repair>), Box<RepairedArguments<'a>>> {
    let error = match arguments.to_json() {
        Ok(json) => return Ok((json, Vec::new())),
        Err(error) => error,
    };
    let reading =
        if policy == RepairPolicy::Strict { None } else { text_of(arguments).map(|text| repair_broken(text, &error)) };
    Err(Box::new(match reading {
        Some(RepairedText::Clean(json)) => return Ok((json, Vec::new())),
        Some(RepairedText::Repaired { value, repairs }) => return Ok((value, repairs)),
        Some(RepairedText::Incomplete { partial, repairs, errors }) => {
            RepairedArguments::Incomplete { partial, repairs, issues: vec![Issue::syntax(&error)], errors }
        }
        Some(RepairedText::Rejected { partial, repairs, errors }) => unreadable(&error, partial, repairs, errors),
        None => unreadable(&error, None, Vec::new(), Vec::new()),
    }))
}

/// Returns the text of arguments that are not valid JSON.
fn text_of<'a>(arguments: &'a Arguments<'_>) -> Option<&'a str> {
    match arguments {
        Arguments::Text(text) => Some(text),
        Arguments::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        Arguments::Value(_) | Arguments::Map(_) => None,
    }
}

fn unreadable<'a>(
    error: &SyntaxError,
    partial: Option<Json<'a>>,
    repairs: Vec<Repair>,
    errors: Vec<TextError>,
) -> RepairedArguments<'a> {
    let issues = vec![Issue::syntax(error)];
    if matches!(error, SyntaxError::Incomplete { .. }) && errors.is_empty() {
        return RepairedArguments::Incomplete { partial, repairs, issues, errors };
    }
    RepairedArguments::Unreadable { partial, repairs, issues, errors }
}

/// Returns `true` if the shape accepts this key in the arguments.
fn knows(shape: &Shape, key: &str) -> bool {
    let member = Member { key: key.into(), key_span: Span::default(), value: Json::from_node(Node::Null) };
    let probe = Json::from_node(Node::Object(vec![member]));
    let is_unknown = |issue: &Issue| {
        matches!(issue.constraint, Constraint::UnknownField { .. })
            && issue.path.parent().is_some_and(|at| at.is_root())
    };
    !check(shape, &probe).iter().any(is_unknown)
}

/// Returns `true` if a tool can be called without arguments, and none of its fields takes a list. Then `[]` can only mean `{}`, which PHP
/// and others write so.
fn takes_nothing(shape: &Shape) -> bool {
    let takes_list =
        |field: &Field| field.flatten || AcceptedTypes::from_shape(&field.shape.shape()).contains(JsonType::Array);
    let is_object = match &shape.kind {
        Kind::Alias(inner) => return takes_nothing(&inner.shape()),
        Kind::Object(object) => !object.fields.iter().any(takes_list),
        Kind::Map { .. } => true,
        _ => false,
    };
    is_object && accepts(shape, &Json::from_node(Node::Object(Vec::new())))
}

/// Removes the wrappers of rejected arguments. Returns the inner value, and the ledger with one more repair for each wrapper.
///
/// An object with an unknown key is only removed if its content is acceptable after repairs, unless the wrapper has no other member and the
/// tool does not accept its key.
fn remove_wrappers<'a>(
    tool: &str,
    shape: &Shape,
    value: Json<'a>,
    mut repairs: Vec<Repair>,
    policy: RepairPolicy,
) -> (Json<'a>, Vec<Repair>) {
    if policy == RepairPolicy::Strict {
        return (value, repairs);
    }
    // An answer, which has no tool, may be the empty list.
    if !tool.is_empty() && matches!(&value.node, Node::Array(items) if items.is_empty()) && takes_nothing(shape) {
        let nothing = Json::from_node(Node::Object(Vec::new()));
        repairs.push(Repair::of_whole(RepairRule::Bracket, &value, &nothing));
        return (nothing, repairs);
    }
    let (inner, layers) = unwrap_arguments(tool, value.clone(), |key| shape.lists(key));
    if layers.is_empty() {
        return (value, repairs);
    }
    let is_alone = match value.members() {
        [] => true,
        [member] => !knows(shape, &member.key),
        _ => false,
    };
    if !is_alone && !coerce(shape, inner.clone(), policy).issues.is_empty() {
        return (value, repairs);
    }
    repairs.extend(layers);
    (inner, repairs)
}
