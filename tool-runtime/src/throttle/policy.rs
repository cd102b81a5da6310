//! [`ThrottlePolicy`], the limits of a session and of each of its tools.
//!
//! Invariant: a policy never changes once sessions share it.

use super::limits::SessionLimits;
use super::overrides::{LimitOverrides, ToolLimits};
use super::rates::CountedRate;
use crate::shape::{Ref, Text};

/// The limits, and the tools to which they apply. A policy is created once and shared by all sessions of a toolbox.
///
/// ```
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
/// use tool_runtime::throttle::{SessionLimits, LimitOverrides, ThrottlePolicy};
///
/// let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
/// let load = policy.add_tool("load", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
/// assert_eq!(policy.name_of_tool(load), Some("load"));
/// ```
#[derive(Clone, Debug)]
pub struct ThrottlePolicy {
    limits: SessionLimits,
    /// The overall rate, prepared for counting.
    overall: Option<CountedRate>,
    /// The limits of the tools that override nothing.
    common: ToolLimits,
    tools: Vec<Option<Subject>>,
}

/// A tool.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) name: Text,
    /// The shape of the arguments, which says which arguments may be omitted.
    pub(super) input: Ref,
    /// `true` if the tool changes nothing.
    pub(super) is_read_only: bool,
    /// The limits of the tool, if it overrides any.
    limits: Option<Box<ToolLimits>>,
}

impl ThrottlePolicy {
    /// Creates a policy without tools.
    pub fn with_limits(limits: SessionLimits) -> Self {
        let overall = limits.overall_rate.map(CountedRate::from_limit);
        Self { common: LimitOverrides::NONE.over(&limits), overall, limits, tools: Vec::new() }
    }

    /// Adds a tool with its advertised name and the shape of its arguments, and returns the number that identifies it from now on.
    pub fn add_tool(&mut self, name: impl Into<Text>, input: Ref, overrides: &LimitOverrides) -> usize {
        let limits = (*overrides != LimitOverrides::NONE).then(|| Box::new(overrides.over(&self.limits)));
        self.tools.push(Some(Subject { name: name.into(), input, is_read_only: false, limits }));
        self.tools.len() - 1
    }

    /// Marks a tool as read-only: its successes do not end a sequence of identical calls of another tool.
    pub fn mark_read_only(&mut self, tool: usize) {
        if let Some(Some(subject)) = self.tools.get_mut(tool) {
            subject.is_read_only = true;
        }
    }

    /// Returns the name of a tool.
    pub fn name_of_tool(&self, tool: usize) -> Option<&str> {
        self.subject(tool).map(|subject| &*subject.name)
    }

    pub(super) fn overall(&self) -> Option<&CountedRate> {
        self.overall.as_ref()
    }

    pub(super) fn limits(&self) -> &SessionLimits {
        &self.limits
    }

    pub(super) fn subject(&self, tool: usize) -> Option<&Subject> {
        self.tools.get(tool)?.as_ref()
    }

    /// Returns the policy with these numbers for its tools, and with the removed tools `gone` under their old numbers. All these numbers
    /// must differ.
    pub(crate) fn numbered(&self, numbers: &[usize], gone: impl Iterator<Item = (usize, Text, Ref)>) -> Self {
        let gone = gone
            .map(|(number, name, input)| (number, Some(Subject { name, input, is_read_only: false, limits: None })));
        let there = numbers.iter().copied().zip(self.tools.iter().cloned());
        let mut tools = Vec::new();
        for (number, subject) in there.chain(gone) {
            if tools.len() <= number {
                tools.resize(number + 1, None);
            }
            tools[number] = subject;
        }
        Self { tools, ..self.clone() }
    }

    pub(super) fn limits_for<'p>(&'p self, subject: &'p Subject) -> &'p ToolLimits {
        subject.limits.as_deref().unwrap_or(&self.common)
    }
}
