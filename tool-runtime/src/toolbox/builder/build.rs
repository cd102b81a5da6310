//! Builds a [`Toolbox`] from registrations.
//!
//! The cost is linear in the number of tools. Schemas are only rendered for tools that have to be strict, and patterns are only compiled for fields
//! with a default or an example.

use std::sync::Arc;
use std::time::Duration;

use tool_schema::dialect::Dialect;

use super::ToolboxBuilder;
use crate::bounded::DESCRIPTION;
use crate::container::{ContainerSpec, DefinitionLoading, ExpansionScope};
use crate::tool::{RequiredState, Retry, ToolSettings, ToolSpec};
use crate::toolbox::catalog::Catalog;
use crate::toolbox::check_argument_types::Inspector;
use crate::toolbox::item::Item;
use crate::toolbox::register::{BuiltIn, register};
use crate::toolbox::rendered_definitions::RenderedDialects;
use crate::toolbox::time_limit_and_retries::TimeLimitAndRetries;
use crate::toolbox::{BuildError, Parts, RegistrationError, Toolbox, is_declared};

impl<S> ToolboxBuilder<S> {
    /// Checks the whole registration, and builds the toolbox.
    ///
    /// # Errors
    ///
    /// Fails if the registration has problems. The error contains every [`RegistrationError`]: clashes of names, missing state, blocking tools
    /// without a spawner, time limits without a timer, and mistakes in the types of arguments that the compiler cannot detect. Such
    /// mistakes are unacceptable defaults and examples, flattened fields that lose keys, and untagged variants that may be mistaken for
    /// each other. If several tools use a type with such a mistake, the mistake is reported only for the first of these tools.
    pub fn build(mut self) -> Result<Toolbox<S>, BuildError> {
        let registered = std::mem::take(&mut self.registered);
        if self.settings.expansion.scope == ExpansionScope::AtMost(0) {
            self.errors.push(RegistrationError::NoExpansionAllowed);
        }
        let defers = self.preferences.dialect.is_some_and(Dialect::defers_tools);
        self.settings.is_native = defers && self.deferral != DefinitionLoading::Expanded;
        if self.deferral == DefinitionLoading::Native && !defers {
            self.errors.push(RegistrationError::NoNativeLoading {
                dialect: self.preferences.dialect.map(|dialect| dialect.name().to_owned()),
            });
        }
        let built_in = BuiltIn {
            call_tool: self.settings.expansion.fixed_definitions && !self.settings.is_native,
            read_result: self.responses.spills(),
            find_tools: self.find_tools.take(),
        };
        let mut catalog = register(registered, self.settings.expansion.collapse_above, built_in, &mut self.errors);
        catalog.stores = self.responses.stores();
        let is_no_tool = |name: &&str| !matches!(catalog.find(name), Some(Item::Tool(_)));
        let guarded = self.responses.names().filter(is_no_tool);
        self.errors.extend(guarded.map(|name| RegistrationError::NoSuchTool { name: name.to_owned() }));
        self.judge(&catalog);
        self.watch(&mut catalog);
        catalog.settle(&self.responses, self.output_check.as_ref(), !self.settings.hooks.is_empty());
        let providers = RenderedDialects::new(std::mem::take(&mut self.preferences), &mut catalog, &mut self.errors);
        let Self { shared, settings, limits, errors, .. } = self;
        BuildError::ok_if_empty(errors)?;
        let throttle = limits.map(|limits| Arc::new(catalog.throttled(&limits)));
        Ok(Toolbox::from_parts(Arc::new(Parts { catalog, shared: Arc::new(shared), settings, providers, throttle })))
    }

    /// Reports a description that is too long. For descriptions in attributes, this is checked at compile time.
    fn measure(&mut self, whose: &str, description: &str) {
        let length = description.chars().count();
        if length > DESCRIPTION {
            self.errors.push(RegistrationError::LongDescription { name: whose.to_owned(), length });
        }
    }

    fn need(&mut self, whose: &str, key: RequiredState) {
        let id = (key.id)();
        if !self.shared.contains(id) && !is_declared(&self.settings.session_states, id) {
            self.errors.push(RegistrationError::MissingState { tool: whose.to_owned(), state: (key.name)() });
        }
    }

    /// Checks each tool and container, except for clashes of names.
    fn judge(&mut self, catalog: &Catalog) {
        let mut inspector = Inspector::default();
        for ContainerSpec { name, description, instructions_from, system_prompt_from, .. } in
            catalog.containers.iter().map(|group| &group.spec)
        {
            self.measure(name, description);
            for text in [instructions_from, system_prompt_from].into_iter().flatten() {
                self.need(name, text.state());
            }
        }
        for entry in &catalog.tools {
            let tool = || entry.name.to_string();
            let spec = entry.tool.spec();
            let ToolSpec { description, state, verify, settings, .. } = spec;
            self.measure(&entry.name, description);
            for key in state {
                self.need(&entry.name, *key);
            }
            if let Some(Err(error)) = verify.map(|verify| verify()) {
                self.errors.push(RegistrationError::Literal { tool: tool(), reason: error });
            }
            for key in spec.states() {
                self.need(&entry.name, key);
            }
            if let Some(parameter) = spec.enum_from_without_strings() {
                self.errors
                    .push(RegistrationError::EnumFromWithoutStrings { tool: tool(), parameter: parameter.to_string() });
            }
            for (parameter, reason) in spec.unsupported_conditions() {
                self.errors.push(RegistrationError::UnsupportedCondition {
                    tool: tool(),
                    parameter: parameter.to_string(),
                    reason,
                });
            }
            if let Some(reason) = spec.host_error() {
                self.errors.push(RegistrationError::HostParameters { tool: tool(), reason });
            }
            inspector.inspect(&entry.name, spec, &mut self.errors);
            if settings.blocking && self.settings.spawner.is_none() {
                self.errors.push(RegistrationError::NoSpawner { tool: tool() });
            }
        }
    }

    /// Stores the limits of each tool. If the clock has no timer, reports the limits that need one.
    fn watch(&mut self, catalog: &mut Catalog) {
        let has_timer = self.settings.clock.has_timer();
        let errors = &mut self.errors;
        let mut untimed = |whose: &str, limit: Option<Duration>, retry: Option<Retry>| {
            let retry = retry.filter(|retry| retry.attempts > 1);
            for what in [limit.map(|_| "a time limit"), retry.map(|_| "a pause between attempts")] {
                if let (false, Some(what)) = (has_timer, what) {
                    errors.push(RegistrationError::NoTimer { owner: whose.to_owned(), setting: what });
                }
            }
        };
        untimed("the toolbox", self.run_limits.time_limit, self.run_limits.retry);
        for entry in &catalog.tools {
            let ToolSettings { time_limit, retry, .. } = entry.tool.spec().settings;
            untimed(&format!("`{}`", entry.name), time_limit, retry);
        }
        for entry in &mut catalog.tools {
            let spec = entry.tool.spec();
            let ToolSettings { retry, annotations, sequential, .. } = spec.settings;
            if retry.is_some_and(|retry| retry.attempts > 1) && annotations.idempotent != Some(true) {
                errors.push(RegistrationError::RetryHasEffects { tool: entry.name.to_string() });
            }
            entry.watch = TimeLimitAndRetries::for_tool(spec, self.run_limits);
            catalog.has_sequential |= sequential;
        }
    }
}
