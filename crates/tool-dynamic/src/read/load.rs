//! An upper bound for the number of errors that `jsonschema` may report for a value. `jsonschema` keeps all errors in memory, and each
//! error takes a few hundred bytes.
//!
//! Invariants: the count is never too low. The work is linear in the size of the value.

use serde_json::Value;
use tool_runtime::tool_schema::issue::MOST_ISSUES;

use super::tame::{Tame, each};

/// A rough class of the number of errors that `jsonschema` may report for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// All errors can be listed.
    Light,
    /// There may be too many errors for a list, but the first error can be reported.
    Heavy,
    /// Not even the first error can be reported: it may be about a union, and contain too many errors of the branches.
    Crushing,
}

impl Tame {
    /// Estimates the number of errors for a value, which must have been [allowed](Self::allows).
    pub(crate) fn load(&self, value: &Value) -> Load {
        let mut scale = Scale { tame: self, steps: Self::most(value), is_crushing: false };
        let errors = scale.weigh(0, value);
        match errors <= MOST_ISSUES as u64 {
            _ if scale.is_crushing => Load::Crushing,
            true => Load::Light,
            false => Load::Heavy,
        }
    }
}

struct Scale<'t> {
    tame: &'t Tame,
    /// The number of checks that may still be counted before the estimate is given up.
    steps: u64,
    is_crushing: bool,
}

impl Scale<'_> {
    fn weigh(&mut self, number: usize, value: &Value) -> u64 {
        let Some(schema) = self.tame.schema(number) else { return 1 };
        if self.steps == 0 {
            self.is_crushing = true;
            return u64::MAX;
        }
        self.steps -= 1;
        let mut errors = schema.own.errors(value);
        for &same in &schema.same {
            errors = errors.saturating_add(self.weigh(same, value));
        }
        for (slot, inner) in &schema.inside {
            each(slot, value, |value, times| {
                errors = errors.saturating_add(self.weigh(*inner, value).saturating_mul(times));
            });
        }
        self.is_crushing |= schema.own.is_union && errors > MOST_ISSUES as u64;
        errors
    }
}
