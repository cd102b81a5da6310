//! Finds the tool that a call reaches, directly or through containers.
//!
//! In: a name and arguments. Out: a tool with its arguments and the ledger so far, or the end of the call. Invariants: a call that no policy allows
//! is rejected as if there were no policies. A container is expanded for a call of a member only if it is certain which container was meant.

use std::borrow::Cow;

use super::attempt::{Attempt, End, NO_ARGUMENTS};
use super::expand::{expand, reject_arguments};
use super::find_name::{self, Found};
use super::member_call::{MemberCall, member_call, proxied_call};
use super::session_with_toolbox::SessionView;
use super::suggestions::near_members;
use crate::container::UnexpandedCallPolicy;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::repair::{Repair, RepairRule, of_container};
use crate::shape::Text;
use crate::toolbox::{CALL_TOOL, Entry, Item};

/// A call for a tool, or one that reaches no tool.
type Resolution<'s> = Result<Resolved<'s>, Box<NoTool>>;

/// A call for a tool.
struct Resolved<'s> {
    entry: &'s Entry,
    /// The arguments for the tool, if they were nested in the arguments of the call.
    nested: Option<Arguments<'static>>,
    /// The repairs of the name.
    ledger: Vec<Repair>,
}

/// A call that reaches no tool.
struct NoTool {
    /// The name of the tool or container in the answer.
    name: Text,
    ledger: Vec<Repair>,
    reason: Reason,
}

/// The reason why a call reaches no tool.
enum Reason {
    /// A container was called and must be expanded. If its arguments name an unknown `function`, the names are similar members.
    Container(usize, Vec<Text>),
    /// A container was expanded instead of running the call.
    Expanded(usize),
    Failed(Failure),
}

impl SessionView {
    /// Returns the visible tool with exactly this name. Nearly every call reaches its tool in this way.
    #[inline]
    pub(super) fn find_at_hand(&self, name: &str) -> Option<&Entry> {
        self.catalog().find_tool(name).filter(|entry| self.is_at_hand(entry))
    }

    /// Finds the tool of a call. This is a stage.
    pub(super) fn resolve<'a>(&'a self, call: &mut Attempt<'a>) -> Result<&'a Entry, End<'a>> {
        if let Some(entry) = self.find_at_hand(call.called) {
            self.visible.used(&entry.owners);
            call.reach(entry);
            return Ok(entry);
        }
        match self.resolve_named(call.call_id, call.called, call.sent, None, Vec::new()) {
            Ok(Resolved { entry, nested, ledger }) => {
                call.reach(entry);
                call.ledger = ledger;
                if let Some(nested) = nested {
                    call.send_nested(nested);
                }
                Ok(entry)
            }
            Err(no_tool) => Err(self.end_without_tool(call, *no_tool)),
        }
    }

    /// Ends a call that reaches no tool. The throttle counts it like any other call.
    #[cold]
    fn end_without_tool<'a>(&'a self, call: &mut Attempt<'a>, no_tool: NoTool) -> End<'a> {
        let NoTool { name, ledger, reason } = no_tool;
        call.name = Cow::Owned(name);
        call.ledger = ledger;
        match reason {
            Reason::Container(container, near) => {
                call.sent = &NO_ARGUMENTS;
                match self.admit_container(container, call.member.as_deref()) {
                    Ok(ticket) => {
                        call.ticket = ticket;
                        expand(self, call.call_id, container, true);
                        End::Expanded(container, near)
                    }
                    Err(rejection) => End::Throttled(rejection),
                }
            }
            Reason::Expanded(container) => {
                call.sent = &NO_ARGUMENTS;
                End::Expanded(container, Vec::new())
            }
            Reason::Failed(failure) => {
                let failure = failure.cut_off(call.is_cut_off);
                match self.admit_failed(&failure, call) {
                    Ok(warning) => {
                        call.warning = warning.map(Box::new);
                        End::Denied(failure)
                    }
                    Err(rejection) => End::Throttled(rejection),
                }
            }
        }
    }

    /// Returns `true` if the model currently sees a tool.
    #[inline]
    fn is_at_hand(&self, entry: &Entry) -> bool {
        let visible = &self.visible;
        let is_visible = entry.always
            || entry.owners.iter().any(|&owner| visible.is_expanded(owner))
            || visible.is_found(entry.position);
        is_visible && visible.is_available(entry)
    }

    #[cold]
    fn resolve_named<'s>(
        &'s self,
        call_id: &str,
        name: &str,
        sent: &Arguments<'_>,
        nested: Option<Arguments<'static>>,
        mut ledger: Vec<Repair>,
    ) -> Resolution<'s> {
        let Found { item, repair, through } = match find_name::find(self, name) {
            Ok(found) => found,
            Err(failure) => return stop(name, ledger, failure),
        };
        if let Some(repair) = repair {
            self.note(call_id, &mut ledger, vec![repair]);
        }
        let arguments = nested.as_ref().unwrap_or(sent);
        match item {
            Item::Tool(index) => self.resolve_tool(call_id, index, through, nested, ledger),
            Item::Container(index) => self.resolve_container(call_id, index, arguments, ledger),
            Item::CallTool => match proxied_call(arguments, self.catalog().takes_secrets()) {
                // `call_tool` inside `call_tool` is not allowed, because one level is enough to reach every tool.
                Ok((tool, _)) if self.visible.find(self.catalog(), &tool) == Some(Item::CallTool) => {
                    let failure = Failure::unknown_tool(&tool, [], self.available());
                    stop(&tool, ledger, failure)
                }
                Ok((tool, inner)) => self.resolve_named(call_id, &tool, sent, Some(inner), ledger),
                Err(error) => stop(&CALL_TOOL.name, ledger, Failure::validation(&CALL_TOOL.name, error)),
            },
        }
    }

    /// Resolves a tool, which may be hidden.
    fn resolve_tool<'s>(
        &'s self,
        call_id: &str,
        index: usize,
        through: Option<usize>,
        nested: Option<Arguments<'static>>,
        mut ledger: Vec<Repair>,
    ) -> Resolution<'s> {
        let (catalog, visible) = (self.catalog(), &self.visible);
        let entry = &catalog.tools[index];
        if let Some(owner) = through.or_else(|| entry.owners.first().copied())
            && !visible.is_visible(catalog, Item::Tool(index))
        {
            // The model has not seen the member yet, so the state is asked about it.
            visible.look_into(catalog, &self.scope, owner);
        }
        if !visible.is_available(entry) {
            return stop(&entry.name, ledger, Failure::unavailable(&entry.name, None));
        }
        if !visible.is_callable(catalog, Item::Tool(index)) {
            let expansion = &self.toolbox.parts().settings.expansion;
            let policy = if through.is_some() { expansion.qualified_name } else { expansion.hidden_member };
            let Some(owner) = through.or_else(|| entry.owners.first().copied()) else {
                return stop(&entry.name, ledger, Failure::unknown_tool(&entry.name, [], []));
            };
            match policy {
                UnexpandedCallPolicy::Reject => {
                    let container = &catalog.containers[owner].spec.name;
                    let failure = Failure::container_not_expanded(&entry.name, container);
                    return stop(&entry.name, ledger, failure);
                }
                UnexpandedCallPolicy::Expand => {
                    self.expand_for(call_id, &entry.name, owner, true, &mut ledger);
                    return Err(Box::new(self.no_tool(owner, ledger, Reason::Expanded(owner))));
                }
                UnexpandedCallPolicy::ExpandAndRun => self.expand_for(call_id, &entry.name, owner, false, &mut ledger),
            }
        }
        visible.used(&entry.owners);
        Ok(Resolved { entry, nested, ledger })
    }

    /// Resolves a container, with or without arguments.
    fn resolve_container<'s>(
        &'s self,
        call_id: &str,
        index: usize,
        arguments: &Arguments<'_>,
        mut ledger: Vec<Repair>,
    ) -> Resolution<'s> {
        let name = &self.catalog().containers[index].spec.name;
        let mut near = Vec::new();
        if !arguments.is_empty() {
            match self.toolbox.parts().settings.expansion.container_arguments {
                UnexpandedCallPolicy::Reject => {
                    let failure = reject_arguments(self, index, arguments);
                    return stop(name, ledger, failure);
                }
                UnexpandedCallPolicy::Expand => {}
                UnexpandedCallPolicy::ExpandAndRun => {
                    if let Some(MemberCall { item, arguments }) = member_call(self.catalog(), index, arguments) {
                        let member = self.catalog().name(item).clone();
                        self.note(call_id, &mut ledger, vec![of_container(RepairRule::Member, name, member)]);
                        if !self.visible.is_expanded(index) {
                            self.expand_for(call_id, name, index, matches!(item, Item::CallTool), &mut ledger);
                        }
                        return match item {
                            Item::Container(inner) => self.resolve_container(call_id, inner, &arguments, ledger),
                            Item::Tool(tool) => self.resolve_tool(call_id, tool, Some(index), Some(arguments), ledger),
                            Item::CallTool => Err(Box::new(self.no_tool(index, ledger, Reason::Expanded(index)))),
                        };
                    }
                }
            }
            near = near_members(self, index, arguments);
            let rule = RepairRule::ContainerArguments;
            self.note(call_id, &mut ledger, vec![of_container(rule, name, "".into())]);
        }
        Err(Box::new(self.no_tool(index, ledger, Reason::Container(index, near))))
    }

    /// Expands a container for a call that named one of its members, and records the repair.
    fn expand_for(&self, call_id: &str, called: &str, container: usize, is_answer: bool, ledger: &mut Vec<Repair>) {
        let name = self.catalog().containers[container].spec.name.clone();
        self.note(call_id, ledger, vec![of_container(RepairRule::Expansion, called, name)]);
        self.reopen(container);
        expand(self, call_id, container, is_answer);
    }

    /// Creates the result for a call that expands a container.
    fn no_tool(&self, container: usize, ledger: Vec<Repair>, reason: Reason) -> NoTool {
        NoTool { name: self.catalog().containers[container].spec.name.clone(), ledger, reason }
    }
}

/// Ends a call that reaches no tool.
fn stop<'s>(name: &str, ledger: Vec<Repair>, failure: Failure) -> Resolution<'s> {
    Err(Box::new(NoTool { name: name.to_owned().into(), ledger, reason: Reason::Failed(failure) }))
}
