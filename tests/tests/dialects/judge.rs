//! Judges a tool in a dialect: its definition by the provider's rules, and its inverse by values.

use serde_json::Value;
use tests::dialects::forward::{In, sent};
use tests::dialects::recorded::Tool;
use tests::dialects::values::{Dice, spoilt};
use tests::providers::rejections;
use tool_schema::dialect::{Definition, Dialect, EffectiveStrictness};

use crate::dialects::restored;

/// A tool with values that its schema accepts.
pub(crate) struct Judge<'t> {
    tool: &'t Tool,
    values: Vec<Value>,
}

impl<'t> Judge<'t> {
    pub(crate) fn of(tool: &'t Tool) -> Self {
        Self { tool, values: tool.accepted() }
    }

    /// Adds the issues of the tool in a dialect, and returns the number of tested values.
    pub(crate) fn faults(&self, dialect: Dialect, rendition: &Definition, faults: &mut Vec<String>) -> usize {
        let (name, tool) = (dialect.name(), &self.tool.name);
        let mut fault = |words: String| faults.push(format!("{name}: {tool}: {words}"));
        let Some(definition) = (!rendition.omits_tool()).then(|| rendition.to_value()) else {
            if rendition.notes().is_empty() {
                fault("is left out without a reason".to_owned());
            }
            return 0;
        };
        if name.ends_with("-strict")
            && rendition.strictness() == EffectiveStrictness::Plain
            && rendition.notes().is_empty()
        {
            fault("is plain without a reason".to_owned());
        }
        rejections(name, std::slice::from_ref(&definition)).into_iter().for_each(&mut fault);
        let Some(shown) = crate::dialects::shown(name, &definition) else { return 0 };
        let plain = In::root(&self.tool.value);
        let validator = match jsonschema::options().build(&shown) {
            Ok(validator) => validator,
            Err(error) => {
                fault(format!("{shown}, shown for {}, does not compile: {error}", self.tool.value));
                return 0;
            }
        };
        let mut dice = Dice::new(7);
        for own in &self.values {
            match sent(plain, In::root(&shown), own) {
                Err(reason) => fault(format!("{own} cannot be expressed: {reason}")),
                Ok(sent) => {
                    if !validator.is_valid(&sent) {
                        fault(format!("{sent} is sent for {own}, and the shown schema rejects it"));
                    }
                    let back = restored(rendition, &sent);
                    if back.as_ref() != Ok(own) {
                        fault(format!("{own} comes back from {sent} as {back:?}"));
                    }
                }
            }
            let back = restored(rendition, own);
            if back.as_ref() != Ok(own) {
                fault(format!("{own}, sent as it is, comes back as {back:?}"));
            }
            // Every value gets an answer.
            drop(restored(rendition, &spoilt(own, &mut dice)));
        }
        self.values.len()
    }
}
