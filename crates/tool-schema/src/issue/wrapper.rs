//! Explains missing fields that were sent at another place: inside a wrapper ([`unwrapped`]), or as markup in a text ([`locate_markup`]).
//!
//! Otherwise, a hint would ask for values that were sent. A model that follows it keeps the wrapper, and the name in the wrapper may become
//! the value of a parameter `name`.

use std::collections::{HashMap, HashSet};

use super::{Constraint, Expected, Got, Issue, Issues, Path, Segment};
use crate::envelope::{Envelope, is_label, may_hold_arguments, tool_name};
use crate::json::{Json, Member, Node};
use crate::markup::swallowed;
use crate::shape::{Shape, Text};

/// Replaces the issues of `arguments` by one about the wrapper, if a member of the arguments contains fields that belong to the top level.
///
/// The member must have a key that the tool does not list. It counts as a wrapper if it contains a field that is missing, or if its key is
/// the usual one for arguments and it contains any field of the tool.
pub(super) fn unwrapped(shape: &Shape, arguments: &Json<'_>, issues: Issues) -> Issues {
    let lists = |key: &str| shape.lists(key);
    let missing: HashSet<&str> = issues.iter().filter_map(missing_field).collect();
    let usual = Envelope::find("", arguments, &lists).map(|envelope| envelope.content);
    let wrapper = match usual.filter(|member| has_key(&member.value, &lists)) {
        Some(member) => member,
        // A key that is not a usual one may be a secret, and is only looked for if a field is missing.
        None if missing.is_empty() || shape.has_secrets() => return issues,
        None => {
            let holds = |member: &&Member<'_>| {
                has_key(&member.value, &|key: &str| missing.contains(key)) && !lists(&member.key)
            };
            let Some(member) = arguments.members().iter().find(holds) else { return issues };
            member
        }
    };
    let beside = |member: &&Member<'_>| !std::ptr::eq(*member, wrapper);
    let is_argument = |member: &Member<'_>| lists(&member.key) && !is_label(member);
    let is_whole = !arguments.members().iter().filter(beside).any(is_argument);
    let name =
        arguments.members().iter().filter(beside).find_map(|member| tool_name(member).filter(|_| !lists(&member.key)));
    let tool = name.filter(|_| !shape.has_secrets()).map(|name| Text::from(name.to_owned()));
    let path = Path::root().key(&*wrapper.key);
    let expected = Expected::words("nothing".into());
    let got = Got::at(shape, &wrapper.value);
    let mut left = vec![Issue::new(path, Constraint::Wrapper { is_whole, tool }, expected, got)];
    if !is_whole {
        let is_inside = |issue: &Issue| match issue.path.segments() {
            [Segment::Key(key), ..] if **key == *wrapper.key => true,
            _ => missing_field(issue).is_some_and(|field| has_key(&wrapper.value, &|key: &str| key == field)),
        };
        left.extend(issues.into_iter().filter(|issue| !is_inside(issue)));
    }
    left
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
