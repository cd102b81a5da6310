//! The items for which the throttle counts calls: each tool, each container, and `call_tool`.
//!
//! In the numbering, the tools come first, in the order of their indices. The containers follow, and `call_tool` is last.

use super::call_tool_spec::CALL_TOOL;
use super::catalog::Catalog;
use super::item::Item;
use crate::shape::{Ref, Shape, Text};
use crate::throttle::{LimitOverrides, SessionLimits, ThrottlePolicy};

impl Catalog {
    /// Returns the names of all tools and containers, in the order of their [numbers](Self::subject), without `call_tool`, which is last.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Text> {
        let containers = self.containers.iter().map(|group| &group.spec.name);
        self.tools.iter().map(|entry| &entry.name).chain(containers)
    }

    /// Returns the number of an item in the policy.
    pub(crate) fn subject(&self, item: Item) -> usize {
        match item {
            Item::Tool(index) => index,
            Item::Container(index) => self.tools.len() + index,
            Item::CallTool => self.tools.len() + self.containers.len(),
        }
    }

    pub(super) fn throttled(&self, limits: &SessionLimits) -> ThrottlePolicy {
        let mut policy = ThrottlePolicy::with_limits(*limits);
        for entry in &self.tools {
            let spec = entry.tool.spec();
            let tool = policy.add_tool(entry.name.clone(), spec.input.clone(), &spec.throttle);
            if spec.settings.annotations.read_only == Some(true) {
                policy.mark_read_only(tool);
            }
        }
        for group in &self.containers {
            let container = policy.add_tool(group.spec.name.clone(), Ref::Static(Shape::ANY), &LimitOverrides::NONE);
            // A container counts as read-only, because an expansion changes nothing but the visible tools.
            policy.mark_read_only(container);
        }
        policy.add_tool(CALL_TOOL.name.clone(), CALL_TOOL.input.clone(), &LimitOverrides::NONE);
        policy
    }
}
