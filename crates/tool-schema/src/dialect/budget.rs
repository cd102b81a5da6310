//! The limits that a provider sets for all strict tools of one request.

use super::definition::{Definition, EffectiveStrictness};
use super::downgrade_reason::DowngradeReason;
use super::rules::Budget;
use super::schema_size::Cost;

/// The spent part of a budget.
pub(super) struct Spent {
    budget: &'static Budget,
    strict: usize,
    cost: Cost,
}

impl Spent {
    pub(super) fn nothing_of(budget: &'static Budget) -> Self {
        Self { budget, strict: 0, cost: Cost::default() }
    }

    /// Subtracts the cost of a tool, or returns the reason why the request has no room for it in the strict form. Other
    /// forms cost nothing.
    pub(super) fn pay(&mut self, tool: &Definition) -> Option<DowngradeReason> {
        if tool.strictness() != EffectiveStrictness::Strict {
            return None;
        }
        let (budget, after) = (self.budget, self.cost.and(tool.cost()));
        let exceeded = [
            (self.strict + 1, budget.tools, "strict tools"),
            (after.optionals, budget.optionals, "optional parameters"),
            (after.unions, budget.unions, "parameters with union types"),
        ];
        if let Some((_, limit, what)) = exceeded.into_iter().find(|(count, limit, _)| count > limit) {
            return Some(DowngradeReason::of_tool(format!("a request takes {limit} {what}")).not_strict());
        }
        (self.strict, self.cost) = (self.strict + 1, after);
        None
    }
}
