//! [`Rendition`]: one tool in a dialect, with the reasons for its form.

use std::sync::Arc;

use super::arrays;
use super::document::Document;
use super::inverse::Inverse;
use super::limits::{Cost, cost, exceeded};
use super::note::Note;
use super::rewrite::{Rewriter, Settled};
use super::root::Root;
use super::rules::{Budget, Form, Parts, Rules};
use super::subschemas::edit_each;
use crate::json::Json;
use crate::schema::{Declaration, Definition};

/// The form in which a tool is advertised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolForm {
    /// The provider constrains the model's output to the schema.
    Strict,
    /// The provider shows the schema to the model, and constrains nothing.
    Plain,
    /// The tool is left out, because the provider would refuse a request with it.
    Omitted,
}

impl ToolForm {
    /// Returns the name by which the command line selects this form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Plain => "plain",
            Self::Omitted => "omitted",
        }
    }
}

/// A tool as rendered in a dialect by `Dialect::render` or `Dialect::render_all`.
///
/// ```
/// use tool_schema::dialect::{Dialect, ToolForm};
/// use tool_schema::schema::{Declaration, Hints};
/// use tool_schema::shape::{Shape, Text};
///
/// let (name, description) = (Text::new("say hello"), Text::EMPTY);
/// let declaration = Declaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
/// let rendition = Dialect::named("openai").ok_or("a dialect")?.render(&declaration, None);
/// assert_eq!(rendition.form(), ToolForm::Omitted);
/// assert_eq!(rendition.notes()[0].words(), "the name is refused: 1 to 64 of letters, digits, `_` and `-`");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rendition {
    form: ToolForm,
    definition: Option<Definition>,
    notes: Vec<Note>,
    inverse: Option<Arc<Inverse>>,
    cost: Cost,
}

impl Rendition {
    /// Returns the form in which the tool is advertised.
    pub const fn form(&self) -> ToolForm {
        self.form
    }

    /// Returns the definition as the provider's API accepts it; `None` if the tool is omitted.
    pub const fn definition(&self) -> Option<&Definition> {
        self.definition.as_ref()
    }

    /// Returns the reasons for the form of the tool: constraints that a stricter form cannot express, or keywords that
    /// the provider refuses.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the conversion of the model's arguments to the form that the tool accepts; `None` if the two forms are the same.
    pub const fn inverse(&self) -> Option<&Arc<Inverse>> {
        self.inverse.as_ref()
    }

    /// Adds a reason before the others.
    #[must_use]
    pub fn with_note(mut self, note: Note) -> Self {
        self.notes.insert(0, note);
        self
    }

    /// Adds members at the end of the definition.
    pub(crate) fn extended(mut self, members: impl IntoIterator<Item = (&'static str, Json<'static>)>) -> Self {
        self.definition = self.definition.map(|definition| definition.extended(members));
        self
    }

    /// Adds `x-mcp-header` to parameters of the definition. `headers` has pairs of a parameter and the name of its header.
    pub(crate) fn with_headers<'h>(mut self, headers: impl IntoIterator<Item = (&'h str, &'h str)>) -> Self {
        self.definition = self.definition.map(|definition| definition.with_headers(headers));
        self
    }

    pub(super) const fn cost(&self) -> Cost {
        self.cost
    }

    fn omitted(notes: Vec<Note>) -> Self {
        Self { form: ToolForm::Omitted, definition: None, notes, inverse: None, cost: Cost::default() }
    }
}

/// A tool to render.
pub(super) struct Rendering<'a> {
    rules: &'static Rules,
    declaration: &'a Declaration<'a>,
    schema: Option<&'a Json<'static>>,
}

impl<'a> Rendering<'a> {
    pub(super) const fn new(
        rules: &'static Rules,
        declaration: &'a Declaration<'a>,
        schema: Option<&'a Json<'static>>,
    ) -> Self {
        Self { rules, declaration, schema }
    }

    /// Renders the tool in the strict form, if the dialect has one that can express its schema, or else in the plain
    /// form.
    pub(super) fn best(&self) -> Rendition {
        let strict = self.rules.strict.filter(|_| self.rules.names.accepts(self.declaration.name));
        let Some(strict) = strict else { return self.plain(Vec::new()) };
        match self.written(strict) {
            Ok(settled) => self.rendition(settled, ToolForm::Strict, Vec::new()),
            Err(reasons) => self.plain(reasons.into_iter().map(Note::not_strict).collect()),
        }
    }

    /// Renders the tool in the plain form, with notes that give the reasons.
    pub(super) fn plain(&self, mut notes: Vec<Note>) -> Rendition {
        match self.written(self.rules.plain) {
            Ok(settled) => self.rendition(settled, ToolForm::Plain, notes),
            Err(reasons) => {
                notes.extend(reasons);
                Rendition::omitted(notes)
            }
        }
    }

    fn written(&self, form: &Form) -> Result<Settled, Vec<Note>> {
        if !self.rules.names.accepts(self.declaration.name) {
            let words = format!("the name is refused: {}", self.rules.names);
            return Err(vec![Note::of_tool(words)]);
        }
        let mut root = Root::of(self.declaration, self.schema, form);
        arrays::prepare(&mut root.schema, form.arrays);
        if let Some(mut begin) = form.begin {
            edit_each(&mut root.schema, &mut begin);
        }
        if form.changes_only_keys() && !root.has_other_keys(form) {
            return Ok(Settled { schema: root.schema, plans: None, reasons: Vec::new() });
        }
        let document = Document::new(&root.schema);
        let rewriter = || Rewriter::new(form, &document, &root);
        let mut settled = rewriter().settle(&root.schema);
        if !settled.reasons.is_empty() && form.keys.is_some() && !form.needs_types {
            // Providers check only the top-level keys of the arguments.
            settled = rewriter().without_renames_below().settle(&root.schema);
        }
        settled.reasons.extend(exceeded(&settled.schema, &form.limits));
        if settled.reasons.is_empty() { Ok(settled) } else { Err(settled.reasons) }
    }

    fn rendition(&self, mut settled: Settled, form: ToolForm, notes: Vec<Note>) -> Rendition {
        let is_strict = form == ToolForm::Strict;
        let is_counted = is_strict && self.rules.budget != Budget::UNLIMITED;
        let cost = if is_counted { cost(&settled.schema) } else { Cost::default() };
        let inverse = Inverse::of(&mut settled).map(Arc::new);
        let parts = Parts { declaration: self.declaration, input: settled.schema, is_strict };
        let definition = Some(Definition::of((self.rules.wrap)(parts)));
        Rendition { form, definition, notes, inverse, cost }
    }
}
