//! Explains missing fields that were sent at another place: inside a wrapper ([`add_wrapper_issue`]), or as markup in a text ([`locate_markup`]).
//!
//! Otherwise, a hint would ask for values that were sent. A model that follows it keeps the wrapper, and the name in the wrapper may become
//! the value of a parameter `name`.

use std::collections::{HashMap, HashSet};

use super::{Constraint, Expected, Got, Issue, Issues, Path, Segment};
use crate::find_parameter_markup::swallowed;
use crate::json::{Json, Member, Node};
use crate::shape::{Shape, Text};
use crate::suggest::{is_negating_or_other, words};
use crate::tool_names::is_spelling_of_tool;
use crate::wrapped_arguments::{
    WrappedArguments, are_schemas, is_call_type, is_of_call, may_hold_arguments, tool_name,
};

/// Adds an issue about the wrapper to the issues of `arguments`, if a member of the arguments contains fields that belong to the top level.
/// [`resolved`] decides which issues are left, once the name of the tool is known.
///
/// The member must have a key that the tool does not list. It counts as a wrapper if its key is the usual one for arguments, and it contains
/// a field of the tool or there is a name of a tool beside it; or if it is the only member that contains a missing field.
pub(super) fn add_wrapper_issue(shape: &Shape, arguments: &Json<'_>, mut issues: Issues) -> Issues {
    let lists = |key: &str| shape.lists(key);
    let missing: HashSet<&str> = issues.iter().filter_map(missing_field).collect();
    let label = arguments.members().iter().find_map(|member| Some((member, tool_name(member)?)));
    let wrapper = WrappedArguments::find("", arguments, &lists);
    let is_call = wrapper.is_some_and(|wrapper| wrapper.has_call_type());
    let usual = wrapper.map(|wrapper| wrapper.content);
    let wrapper = match usual.filter(|member| label.is_some() || has_key(&member.value, &lists)) {
        Some(member) => member,
        // A key that is not a usual one may be a secret, and is only looked for if a field is missing.
        None if missing.is_empty() || shape.has_secrets() => return issues,
        None => {
            let holds = |member: &&Member<'_>| {
                has_key(&member.value, &|key: &str| missing.contains(key))
                    && !lists(&member.key)
                    && !is_other_thing(&member.key)
                    && !are_schemas(&member.value)
            };
            let mut found = arguments.members().iter().filter(holds);
            let Some(member) = found.next().filter(|_| found.next().is_none()) else { return issues };
            member
        }
    };
    let beside = |member: &&Member<'_>| !std::ptr::eq(*member, wrapper);
    let mut others = arguments.members().iter().filter(beside);
    if arguments.members().iter().filter(beside).any(|member| member.key == wrapper.key) {
        return issues;
    }
    let is_label = |member: &Member<'_>| {
        label.is_some_and(|(label, _)| std::ptr::eq(label, member))
            || is_call && (is_call_type(member) || is_of_call(member))
    };
    let label = label.filter(|_| !shape.has_secrets());
    let constraint = Constraint::Wrapper {
        contains_all_fields: !others.any(|member| lists(&member.key) && !is_label(member)),
        tool: label.map(|(_, name)| Text::from(name.to_owned())),
        parameter: label.filter(|(member, _)| lists(&member.key)).map(|(member, _)| member.key.to_string().into()),
        fields: fields_of(&wrapper.value, &lists),
    };
    let path = Path::root().key(&*wrapper.key);
    issues.insert(
        0,
        Issue::new(path, constraint, Expected::from_text("nothing".into()), Got::for_shape(shape, &wrapper.value)),
    );
    issues
}

/// Returns the issues of rejected arguments for a tool. An issue about a wrapper takes the place of the others that it explains, or is left
/// out if the wrapper belongs to a parameter with another value.
pub(crate) fn resolved(tool: &str, mut issues: Issues) -> Issues {
    let Some(Issue {
        constraint: Constraint::Wrapper { contains_all_fields, tool: label, parameter, fields },
        path,
        ..
    }) = issues.first_mut()
    else {
        return issues;
    };
    let is_own = label.as_deref().is_some_and(|label| is_spelling_of_tool(label, tool));
    if parameter.is_some() && !is_own {
        // The name is the value of a parameter, so it is one of the arguments beside the wrapper.
        (*contains_all_fields, *label, *parameter) = (false, None, None);
        if fields.is_empty() {
            issues.remove(0);
            return issues;
        }
    }
    if *contains_all_fields {
        issues.truncate(1);
        return issues;
    }
    let (wrapper, inside) = (path.clone(), fields.clone());
    let is_explained = |issue: &Issue| {
        missing_field(issue).is_some_and(|field| inside.iter().any(|name| **name == *field))
            || issue.path.segments().starts_with(wrapper.segments())
                && !matches!(issue.constraint, Constraint::Wrapper { .. })
    };
    issues.retain(|issue| !is_explained(issue));
    issues
}

/// The maximum number of fields inside a wrapper that are remembered.
const MOST_FIELDS: usize = 64;

/// Returns the fields of the tool inside a wrapper.
fn fields_of(value: &Json<'_>, lists: &impl Fn(&str) -> bool) -> Vec<Text> {
    let fields = |object: &Json<'_>| {
        let known = object.members().iter().filter(|member| lists(&member.key));
        known.take(MOST_FIELDS).map(|member| Text::from(member.key.to_string())).collect()
    };
    match &value.node {
        Node::String(text) if may_hold_arguments(value) => {
            Json::parse(text).map(|inner| fields(&inner)).unwrap_or_default()
        }
        _ => fields(value),
    }
}

/// Returns `true` if the name of a wrapper says that its content is not what is wanted.
fn is_other_thing(key: &str) -> bool {
    const OTHERS: [&str; 8] = ["error", "example", "examples", "unwanted", "wrong", "invalid", "current", "existing"];
    is_negating_or_other(key) || words(key).iter().any(|word| OTHERS.contains(&word.as_str()))
}

/// Adds to the issue of each missing field which other field contains it as markup.
pub(super) fn locate_markup(arguments: &Json<'_>, issues: &mut Issues) {
    let missing: HashSet<&str> = issues.iter().filter_map(missing_field).collect();
    if missing.is_empty() {
        return;
    }
    let found: HashMap<String, String> = swallowed(arguments, |name| missing.contains(name))
        .into_iter()
        .map(|(field, name)| (name.to_owned(), field.to_owned()))
        .collect();
    for issue in issues.iter_mut().filter(|_| !found.is_empty()) {
        issue.inside = missing_field(issue).and_then(|name| found.get(name)).map(|field| field.clone().into());
    }
}

/// Returns the name of the field at the top level that an issue reports as missing.
fn missing_field(issue: &Issue) -> Option<&str> {
    match (&issue.constraint, issue.path.segments()) {
        (Constraint::Required, [Segment::Key(name)]) => Some(name),
        _ => None,
    }
}

/// Returns `true` if an object, or an object in a text, has such a key.
fn has_key(value: &Json<'_>, is_wanted: &impl Fn(&str) -> bool) -> bool {
    let has = |object: &Json<'_>| object.members().iter().any(|member| is_wanted(&member.key));
    match &value.node {
        Node::String(text) if may_hold_arguments(value) => Json::parse(text).is_ok_and(|inner| has(&inner)),
        _ => has(value),
    }
}
