//! Lets the throttle decide about all calls of a batch, before any of them runs, and finds the calls that run alone.
//!
//! In: the calls of a batch. Out: for each call that reaches a tool, permission to run or the rejection. Invariants: the decision about a
//! call depends on the calls before the batch, and on the other calls of the batch, but never on the outcomes in the batch. A call that
//! never starts is not counted.

use super::attempt::BatchDecision;
use super::find_name;
use super::member_call::{member_call, proxied_call};
use super::queue::CallLabel;
use super::session_with_toolbox::SessionView;
use crate::input::Arguments;
use crate::throttle::Batch;
use crate::toolbox::{Entry, Item};

/// Decides about all calls of a batch.
pub(super) fn decide_all<'s, 'c>(
    view: &'s SessionView,
    calls: impl Iterator<Item = (&'c CallLabel<'c>, &'c Arguments<'c>)>,
    batch: Batch,
) -> Vec<Option<BatchDecision<'s>>> {
    let reached: Vec<_> = calls.map(|(label, arguments)| reach(view, &label.name, arguments.as_borrowed())).collect();
    let mut tools: Vec<usize> = reached.iter().flatten().map(|(tool, _)| *tool).collect();
    tools.sort_unstable();
    let decide = |(tool, arguments): (usize, Arguments<'_>)| {
        let subject = view.subject(Item::Tool(tool));
        // A tool that is called only once cannot repeat a call.
        let first = tools.partition_point(|other| *other < tool);
        let may_repeat = tools.get(first + 1) == Some(&tool);
        decide(view, &view.catalog().tools[tool], subject, Some(batch), &arguments, may_repeat)
    };
    reached.into_iter().map(|call| call.and_then(decide)).collect()
}

/// Decides about a call of a batch. If the call may equal another call of the batch or a paused call, it is decoded first, because
/// calls are compared by the arguments that would run. It is also decoded if the pause of its tool admits valid arguments.
pub(super) fn decide<'s>(
    view: &'s SessionView,
    entry: &Entry,
    subject: usize,
    batch: Option<Batch>,
    arguments: &Arguments<'_>,
    may_repeat: bool,
) -> Option<BatchDecision<'s>> {
    let throttle = view.throttle.as_ref()?;
    let is_compared = may_repeat || throttle.compares(subject);
    let decoded = is_compared.then(|| view.decode_and_repair(entry, arguments));
    let identity = decoded.as_ref().map(|decoded| decoded.checked_identity(entry, arguments));
    let admitted = throttle.reserve(subject, batch, identity.unwrap_or_default());
    Some(BatchDecision { subject, admitted, decoded: decoded.map(|decoded| Box::new(decoded.into_owned())) })
}

/// Returns the tool that a call will probably reach, and the arguments for the tool.
fn reach<'a>(view: &SessionView, name: &str, arguments: Arguments<'a>) -> Option<(usize, Arguments<'a>)> {
    match reached(view, name, &arguments)? {
        (Item::Tool(tool), inner) => Some((tool, inner.unwrap_or(arguments))),
        _ => None,
    }
}

/// Returns the item that a call reaches, directly, through a container or through `call_tool`. If the arguments for the item were
/// nested in the arguments of the call, they are returned too.
fn reached(view: &SessionView, name: &str, arguments: &Arguments<'_>) -> Option<(Item, Option<Arguments<'static>>)> {
    let catalog = view.catalog();
    match find_name::find(view, name).ok()?.item {
        tool @ Item::Tool(_) => Some((tool, None)),
        Item::Container(container) => {
            let call = member_call(catalog, container, arguments)?;
            Some((call.item, Some(call.arguments)))
        }
        Item::CallTool => {
            let (tool, inner) = proxied_call(arguments, false).ok()?;
            Some((find_name::find(view, &tool).ok()?.item, Some(inner)))
        }
    }
}

/// Returns `true` if a call runs alone, because it reaches a `sequential` tool. A call through several containers runs alone, because it may
/// reach such a tool.
pub(super) fn runs_alone(view: &SessionView, name: &str, arguments: &Arguments<'_>) -> bool {
    let catalog = view.catalog();
    if !catalog.has_sequential {
        return false;
    }
    let is_sequential = |item| match item {
        Item::Tool(tool) => catalog.tools[tool].tool.spec().settings.sequential,
        Item::Container(_) | Item::CallTool => true,
    };
    // Expanding a container runs no tool, but a member that is called through the container may be sequential.
    reached(view, name, arguments).is_some_and(|(item, _)| is_sequential(item))
}
