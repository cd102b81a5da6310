//! The definitions of the visible tools, and the forms in which a session has advertised them.
//!
//! In: the visible tools, a dialect. Out: each tool as the provider accepts it, with the reasons for its form. The tools are rendered on
//! first use and kept until the visible tools change. Invariants: a call is converted back from the latest rewritten form in which its tool
//! was advertised. A container is defined as a tool without parameters, because it is called without arguments.

use std::collections::HashMap;
use std::sync::Arc;

use tool_schema::dialect::{Definition, Definitions, Dialect, Strictness};

use super::seen::Seen;
use crate::feedback::container_description;
use crate::private::dialect::AS_WRITTEN;
use crate::schema::{Declaration, Hints};
use crate::shape::{Kind, List, Object, Shape, Text, Unknown};
use crate::tool::Wanted;
use crate::toolbox::{Advertisement, CALL_TOOL, Catalog, Item, Provider};

/// The arguments of a container: an empty object.
pub(super) static NOTHING: Shape = Shape::of(Kind::Object(Object { fields: List::EMPTY, unknown: Unknown::Refused }));

/// The definitions that a session has advertised.
#[derive(Default)]
pub(super) struct Shown {
    /// The definitions of the visible tools in each requested dialect.
    now: Vec<Advertised>,
    /// The latest rewritten form in which each tool was advertised, keyed by the position of the tool.
    rewritten: HashMap<usize, Arc<Advertisement>>,
}

/// The definitions of the visible tools in one dialect.
struct Advertised {
    definitions: Arc<Definitions>,
    /// The tools in a rewritten form.
    rewritten: Vec<(usize, Arc<Advertisement>)>,
}

impl Shown {
    /// Drops the definitions, because the visible tools have changed.
    pub(super) fn change(&mut self) {
        self.now.clear();
    }

    /// Returns the latest rewritten form in which a tool was advertised; `None` if there is none.
    pub(super) fn rewritten(&self, tool: usize) -> Option<Arc<Advertisement>> {
        self.rewritten.get(&tool).cloned()
    }

    /// Takes over the forms of the tools that stay in a session; `now` finds their new positions.
    pub(super) fn follow(&mut self, before: &Self, now: impl Fn(usize) -> Option<usize>) {
        let kept = before.rewritten.iter().filter_map(|(tool, shown)| Some((now(*tool)?, Arc::clone(shown))));
        self.rewritten.extend(kept);
    }

    /// Returns each tool that was advertised in a rewritten form, with this form.
    pub(super) fn forms(&self) -> impl Iterator<Item = (usize, &Advertisement)> {
        self.rewritten.iter().map(|(tool, form)| (*tool, &**form))
    }

    /// Adds the form in which a tool was advertised.
    pub(super) fn add(&mut self, tool: usize, form: Arc<Advertisement>) {
        if form.inverse().is_some() {
            self.rewritten.insert(tool, form);
        }
    }

    pub(super) fn get_or_render(
        &mut self,
        provider: &Provider,
        catalog: &Catalog,
        seen: &Seen,
        visible: impl FnOnce() -> Vec<Item>,
    ) -> Arc<Definitions> {
        let known = self.now.iter().position(|known| known.definitions.dialect() == provider.dialect);
        let position = known.unwrap_or_else(|| {
            self.now.push(Advertised::render(provider, catalog, seen, &visible()));
            self.now.len() - 1
        });
        let Advertised { definitions, rewritten } = &self.now[position];
        self.rewritten.extend(rewritten.iter().map(|(tool, form)| (*tool, Arc::clone(form))));
        Arc::clone(definitions)
    }
}

impl Advertised {
    fn render(provider: &Provider, catalog: &Catalog, seen: &Seen, items: &[Item]) -> Self {
        let tools: Vec<_> = items
            .iter()
            .filter_map(
                |&item| if let Item::Tool(tool) = item { Some((tool, seen.narrowed(catalog, tool))) } else { None },
            )
            .collect();
        let forms = provider.advertise(catalog, &tools);
        let mut own = forms.iter();
        let define = |&item: &Item| match item {
            Item::Tool(_) => own.next().map(|form| form.definition.clone()),
            Item::CallTool | Item::Container(_) => Some(define(catalog, item, seen, provider.dialect)),
        };
        let definitions = Arc::new(Definitions::new(provider.dialect, items.iter().filter_map(define)));
        let forms = tools.iter().map(|(tool, _)| *tool).zip(forms);
        Self { definitions, rewritten: forms.filter(|(_, form)| form.inverse().is_some()).collect() }
    }
}

/// Renders an item plain, as if it were the only one of a request.
pub(super) fn define(catalog: &Catalog, item: Item, seen: &Seen, dialect: Dialect) -> Definition {
    match item {
        Item::Tool(tool) => {
            let entry = &catalog.tools[tool];
            let (description, input) = (seen.description(entry), seen.input(entry));
            entry.tool.spec().definition_as(&entry.name, description, input, &Wanted::plain(dialect))
        }
        Item::CallTool => {
            let (name, description, input) = (&CALL_TOOL.name, &CALL_TOOL.description, &CALL_TOOL.input);
            CALL_TOOL.definition_as(name, description, input, &Wanted::plain(dialect))
        }
        Item::Container(container) => {
            let spec = &catalog.containers[container].spec;
            let functions = seen.functions(catalog, container).into_iter().map(Text::as_str);
            let (name, description) = (&spec.name, &Text::from(container_description(&spec.description, functions)));
            let declaration = Declaration { name, description, input: &NOTHING, output: None, hints: Hints::default() };
            spec.presentation.shown_in(dialect.render_as(&declaration, None, Strictness::Plain), dialect)
        }
    }
}

/// Returns the definitions of members in the answer to an expansion. The members are then called through `call_tool`, in their own form.
pub(super) fn define_members(catalog: &Catalog, members: impl Iterator<Item = Item>, seen: &Seen) -> Definitions {
    Definitions::new(AS_WRITTEN, members.map(|member| define(catalog, member, seen, AS_WRITTEN)))
}
