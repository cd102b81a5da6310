//! The definitions of the visible tools, and the forms in which a session has advertised them.
//!
//! In: the visible tools, a dialect. Out: each tool as the provider accepts it, with the reasons for its form. The tools are rendered on
//! first use and kept until the visible tools change. Invariants: a call is converted back from the latest rewritten form in which its tool
//! was advertised. A container is defined as a tool without parameters, because it is called without arguments.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tool_schema::dialect::{Definition, Definitions, Dialect, Strictness};

use super::conditional_tools::ConditionalTools;
use crate::container::ContainerSpec;
use crate::feedback::description_with_members;
use crate::private::dialect::AS_WRITTEN;
use crate::schema::{Hints, ToolDeclaration};
use crate::shape::{Kind, Object, Shape, SharedSlice, Text, UnknownKeys};
use crate::tool::Wanted;
use crate::toolbox::{Advertisement, CALL_TOOL, Catalog, Item, RenderedTools};

/// The arguments of a container: an empty object.
pub(super) static NOTHING: Shape =
    Shape::new(Kind::Object(Object { fields: SharedSlice::EMPTY, unknown: UnknownKeys::Rejected }));

/// The definitions that a session has advertised.
#[derive(Default)]
pub(super) struct AdvertisedDefinitions {
    /// The definitions of the visible tools in each requested dialect.
    now: Vec<Advertised>,
    /// The latest rewritten form in which each tool was advertised, keyed by the position of the tool.
    rewritten: HashMap<usize, Arc<Advertisement>>,
    /// If the definitions are fixed, the descriptions of the advertised containers, by name. They stay the same if another toolbox has other
    /// members, because answers to expansions and searches show these.
    described: HashMap<Text, Text>,
}

/// The definitions of the visible tools in one dialect.
struct Advertised {
    definitions: Arc<Definitions>,
    /// The tools in a rewritten form.
    rewritten: Vec<(usize, Arc<Advertisement>)>,
}

impl AdvertisedDefinitions {
    /// Drops the definitions, because the visible tools have changed.
    pub(super) fn change(&mut self) {
        self.now.clear();
    }

    /// Drops the definitions in all dialects but some.
    pub(super) fn change_unless(&mut self, is_kept: impl Fn(Dialect) -> bool) {
        self.now.retain(|known| is_kept(known.definitions.dialect()));
    }

    /// Returns the latest rewritten form in which a tool was advertised; `None` if there is none.
    pub(super) fn rewritten(&self, tool: usize) -> Option<Arc<Advertisement>> {
        self.rewritten.get(&tool).cloned()
    }

    /// Takes over the forms of the tools that stay in a session; `now` finds their new positions.
    pub(super) fn follow(&mut self, before: &Self, now: impl Fn(usize) -> Option<usize>) {
        let kept = before.rewritten.iter().filter_map(|(tool, shown)| Some((now(*tool)?, Arc::clone(shown))));
        self.rewritten.extend(kept);
        self.described.clone_from(&before.described);
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
        provider: &RenderedTools,
        catalog: &Catalog,
        seen: &ConditionalTools,
        is_fixed: bool,
        has_search: bool,
        visible: impl FnOnce() -> (Vec<Item>, Vec<Item>),
    ) -> Arc<Definitions> {
        let known = self.now.iter().position(|known| known.definitions.dialect() == provider.dialect);
        let position = known.unwrap_or_else(|| {
            let (mut items, deferred) = visible();
            let shown = items.len();
            items.extend(deferred);
            if is_fixed {
                self.describe(catalog, seen, &items);
            }
            let mut new = Advertised::render(provider, catalog, seen, &items, shown, &self.described);
            if has_search {
                new.definitions = Arc::new(with_search(catalog, &new.definitions));
            }
            self.now.push(new);
            self.now.len() - 1
        });
        let Advertised { definitions, rewritten } = &self.now[position];
        self.rewritten.extend(rewritten.iter().map(|(tool, form)| (*tool, Arc::clone(form))));
        Arc::clone(definitions)
    }

    /// Renders the items that an answer loads.
    pub(super) fn load(
        &mut self,
        provider: &RenderedTools,
        catalog: &Catalog,
        seen: &ConditionalTools,
        items: &[Item],
        are_deferred: bool,
    ) -> Arc<Definitions> {
        self.describe(catalog, seen, items);
        let shown = if are_deferred { 0 } else { items.len() };
        let loaded = Advertised::render(provider, catalog, seen, items, shown, &self.described);
        self.rewritten.extend(loaded.rewritten);
        loaded.definitions
    }

    /// Returns the remembered descriptions that differ from those that the catalog would give, by the names of the containers.
    pub(super) fn other_descriptions(&self, catalog: &Catalog, seen: &ConditionalTools) -> BTreeMap<String, String> {
        let differs = |(name, described): &(&Text, &Text)| {
            let container = catalog.find_container(name);
            container.is_some_and(|container| description(catalog, container, seen) != ***described)
        };
        let others = self.described.iter().filter(differs);
        others.map(|(name, described)| (name.to_string(), described.to_string())).collect()
    }

    /// Takes over descriptions that were saved.
    pub(super) fn describe_as(&mut self, saved: &BTreeMap<String, String>) {
        let saved = saved.iter().map(|(name, described)| (name.clone().into(), described.clone().into()));
        self.described.extend(saved);
    }

    /// Remembers the descriptions of containers that were not advertised before.
    fn describe(&mut self, catalog: &Catalog, seen: &ConditionalTools, items: &[Item]) {
        for &item in items {
            if let Item::Container(container) = item {
                let name = catalog.containers[container].spec.name.clone();
                self.described.entry(name).or_insert_with(|| description(catalog, container, seen));
            }
        }
    }
}

/// Returns the description of a container, with the names of its members.
fn description(catalog: &Catalog, container: usize, seen: &ConditionalTools) -> Text {
    let members = seen.members(catalog, container).into_iter().map(Text::as_str);
    description_with_members(&catalog.containers[container].spec.description, members).into()
}

impl Advertised {
    fn render(
        provider: &RenderedTools,
        catalog: &Catalog,
        seen: &ConditionalTools,
        items: &[Item],
        shown: usize,
        described: &HashMap<Text, Text>,
    ) -> Self {
        let tools: Vec<_> = items
            .iter()
            .filter_map(
                |&item| if let Item::Tool(tool) = item { Some((tool, seen.narrowed(catalog, tool))) } else { None },
            )
            .collect();
        let forms = provider.advertise(catalog, &tools);
        let mut own = forms.iter();
        let mut define = |&item: &Item| match item {
            Item::Tool(_) => own.next().map(|form| form.definition.clone()),
            Item::Container(container) => {
                let spec = &catalog.containers[container].spec;
                let known = described.get(&spec.name).cloned();
                let description = known.unwrap_or_else(|| description(catalog, container, seen));
                Some(define_container(spec, &description, provider.dialect))
            }
            Item::CallTool => Some(define(catalog, item, seen, provider.dialect)),
        };
        let all = items.iter().enumerate();
        let definitions = all.filter_map(|(place, item)| {
            let definition = define(item)?;
            Some(if place < shown { definition } else { definition.deferred() })
        });
        let definitions = Arc::new(Definitions::new(provider.dialect, definitions));
        let forms = tools.iter().map(|(tool, _)| *tool).zip(forms);
        Self { definitions, rewritten: forms.filter(|(_, form)| form.inverse().is_some()).collect() }
    }
}

/// Returns the definitions with the search of the toolbox as a search of the provider.
fn with_search(catalog: &Catalog, definitions: &Definitions) -> Definitions {
    let is_search = |tool: &Definition| catalog.find_tool(tool.name()).is_some_and(|entry| entry.is_search);
    let tools = definitions.all().iter().cloned();
    let tools = tools.map(|tool| if is_search(&tool) { tool.into_tool_search() } else { tool });
    Definitions::new(definitions.dialect(), tools)
}

/// Renders an item plain, as if it were the only one of a request.
pub(super) fn define(catalog: &Catalog, item: Item, seen: &ConditionalTools, dialect: Dialect) -> Definition {
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
            define_container(spec, &description(catalog, container, seen), dialect)
        }
    }
}

fn define_container(spec: &ContainerSpec, description: &Text, dialect: Dialect) -> Definition {
    let name = &spec.name;
    let declaration = ToolDeclaration { name, description, input: &NOTHING, output: None, hints: Hints::default() };
    spec.display_metadata.shown_in(dialect.render_as(&declaration, None, Strictness::Plain), dialect)
}

/// Returns the definitions of members in the answer to an expansion. The members are then called through `call_tool`, in their own form.
pub(super) fn define_members(
    catalog: &Catalog,
    members: impl Iterator<Item = Item>,
    seen: &ConditionalTools,
) -> Definitions {
    Definitions::new(AS_WRITTEN, members.map(|member| define(catalog, member, seen, AS_WRITTEN)))
}
