//! Renders one tool in its best form: [`Rendering`].

use std::sync::Arc;

use super::arrays;
use super::definition::{Definition, EffectiveStrictness, Rendered};
use super::downgrade_reason::DowngradeReason;
use super::inverse::Inverse;
use super::ref_targets::RefTargets;
use super::rewrite::{Rewriter, Settled};
use super::root::Root;
use super::rules::{Budget, Form, Parts, Rules};
use super::schema_size::{Cost, cost, exceeded_limits};
use crate::json::Json;
use crate::schema::ToolDeclaration;
use crate::schema::keywords::edit_each;

/// A tool to render.
pub(super) struct Rendering<'a> {
    rules: &'static Rules,
    declaration: &'a ToolDeclaration<'a>,
    schema: Option<&'a Json<'static>>,
}

impl<'a> Rendering<'a> {
    pub(super) const fn new(
        rules: &'static Rules,
        declaration: &'a ToolDeclaration<'a>,
        schema: Option<&'a Json<'static>>,
    ) -> Self {
        Self { rules, declaration, schema }
    }

    /// Renders the tool in the strict form, if the dialect has one that can express its schema, or else in the plain
    /// form.
    pub(super) fn best(&self) -> Definition {
        let strict = self.rules.strict.filter(|_| self.rules.names.accepts(self.declaration.name));
        let Some(strict) = strict else { return self.plain(Vec::new()) };
        match self.written(strict) {
            Ok(settled) => self.definition(settled, EffectiveStrictness::Strict, Vec::new()),
            Err(reasons) => self.plain(reasons.into_iter().map(DowngradeReason::not_strict).collect()),
        }
    }

    /// Renders the tool in the plain form, with notes that give the reasons.
    pub(super) fn plain(&self, mut notes: Vec<DowngradeReason>) -> Definition {
        match self.written(self.rules.plain) {
            Ok(settled) => self.definition(settled, EffectiveStrictness::Plain, notes),
            Err(reasons) => {
                notes.extend(reasons);
                Definition::omitted(self.declaration.name, notes)
            }
        }
    }

    fn written(&self, form: &Form) -> Result<Settled, Vec<DowngradeReason>> {
        if !self.rules.names.accepts(self.declaration.name) {
            let words = format!("the name is rejected: {}", self.rules.names);
            return Err(vec![DowngradeReason::of_tool(words)]);
        }
        let mut root = Root::from_declaration(self.declaration, self.schema, form);
        arrays::prepare(&mut root.schema, form.arrays);
        if let Some(mut begin) = form.begin {
            edit_each(&mut root.schema, &mut begin);
        }
        if form.changes_only_keys() && !root.has_other_keys(form) {
            return Ok(Settled { schema: root.schema, plans: None, reasons: Vec::new() });
        }
        let document = RefTargets::new(&root.schema);
        let rewriter = || Rewriter::new(form, &document, &root);
        let mut settled = rewriter().settle(&root.schema);
        if !settled.reasons.is_empty() && form.keys.is_some() && !form.needs_types {
            // Providers check only the top-level keys of the arguments.
            settled = rewriter().without_renames_below().settle(&root.schema);
        }
        settled.reasons.extend(exceeded_limits(&settled.schema, &form.limits));
        if settled.reasons.is_empty() { Ok(settled) } else { Err(settled.reasons) }
    }

    fn definition(&self, mut settled: Settled, form: EffectiveStrictness, notes: Vec<DowngradeReason>) -> Definition {
        let is_strict = form == EffectiveStrictness::Strict;
        let is_counted = is_strict && self.rules.budget != Budget::UNLIMITED;
        let cost = if is_counted { cost(&settled.schema) } else { Cost::default() };
        let inverse = Inverse::from_settled(&mut settled).map(Arc::new);
        let parts = Parts { declaration: self.declaration, input: settled.schema, is_strict };
        let json = (self.rules.wrap)(parts);
        Definition::new(Rendered { name: self.declaration.name.clone(), json, form, notes, inverse, cost })
    }
}
