//! The visible tools in the form of the toolbox's provider: [`Renditions`].
//!
//! In: the visible tools. Out: each tool as the provider accepts it, with the reasons for its form. The tools are rendered on first use and
//! kept until the visible tools change. Invariant: a call is converted back from the latest rewritten form in which its tool was
//! advertised.

use std::collections::HashMap;
use std::sync::Arc;

use tool_schema::dialect::{Dialect, Rendition, Strictness};

use super::Session;
use super::definitions::NOTHING;
use super::generation::Generation;
use super::seen::Seen;
use crate::feedback::container_description;
use crate::schema::{Declaration, Definitions, Hints};
use crate::shape::Text;
use crate::toolbox::{Advertisement, CALL_TOOL, Catalog, Entry, Item, Provider};

/// The tools and containers that the model can currently call, rendered for a provider by [`Session::renditions`].
///
/// ```
/// use tool_runtime::tool_schema::dialect::ToolForm;
/// use tool_runtime::toolbox::Dialect;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Stores any value.
/// #[tool]
/// fn store(
///     /// The value.
///     value: serde_json::Value,
/// ) -> String {
///     value.to_string()
/// }
///
/// let anthropic = Dialect::named("anthropic-strict").ok_or("a dialect")?;
/// let session = Toolbox::builder().tool(StoreTool).for_provider(anthropic).build()?.session();
/// let renditions = session.renditions().ok_or("a provider was chosen")?;
/// let store = renditions.get("store").ok_or("it is visible")?;
/// assert_eq!(store.form(), ToolForm::Plain);
/// assert_eq!(store.notes()[0].words(), "not strict: value: accepts any value");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Renditions {
    dialect: Dialect,
    tools: Vec<(Text, Rendition)>,
    definitions: Definitions,
}

impl Renditions {
    /// Returns the dialect.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the definitions for a request, in the order in which the model sees them. Tools that the provider would
    /// refuse are left out.
    pub const fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Returns the rendition of a tool or container, given by its advertised name.
    pub fn get(&self, name: &str) -> Option<&Rendition> {
        self.iter().find(|(own, _)| *own == name).map(|(_, rendition)| rendition)
    }

    /// Returns every visible tool and container with its rendition, including those that are left out of the definitions.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Rendition)> {
        self.tools.iter().map(|(name, rendition)| (name.as_str(), rendition))
    }
}

/// The definitions that a session has advertised for a provider.
#[derive(Default)]
pub(super) struct Shown {
    /// The renditions of the visible tools; `None` until they are requested.
    now: Option<Arc<Renditions>>,
    /// The latest rewritten form in which each tool was advertised, keyed by the position of the tool.
    rewritten: HashMap<usize, Arc<Advertisement>>,
}

impl Shown {
    /// Drops the renditions, because the visible tools have changed.
    pub(super) fn change(&mut self) {
        self.now = None;
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

    /// Returns each tool that was advertised in a rewritten form, with the fingerprint of the form.
    pub(super) fn fingerprints(&self) -> impl Iterator<Item = (usize, u64)> {
        self.rewritten.iter().map(|(tool, form)| (*tool, form.fingerprint()))
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
    ) -> Arc<Renditions> {
        if let Some(now) = &self.now {
            return Arc::clone(now);
        }
        let items = visible();
        let tools: Vec<_> = items
            .iter()
            .filter_map(
                |&item| if let Item::Tool(tool) = item { Some((tool, seen.narrowed(catalog, tool))) } else { None },
            )
            .collect();
        let advertised = provider.advertise(catalog, &tools);
        for ((tool, _), advertisement) in tools.iter().zip(&advertised) {
            self.add(*tool, Arc::clone(advertisement));
        }
        let mut advertised = advertised.into_iter();
        let rendition = |&item: &Item| {
            let rendition = match item {
                Item::Tool(_) => advertised.next()?.rendition.clone(),
                Item::CallTool => CALL_TOOL.rendition_as(
                    &CALL_TOOL.name,
                    &CALL_TOOL.description,
                    &CALL_TOOL.input,
                    provider.dialect,
                    Strictness::Plain,
                ),
                Item::Container(container) => container_as(catalog, container, seen, provider.dialect),
            };
            Some((catalog.name(item).clone(), rendition))
        };
        let tools: Vec<_> = items.iter().filter_map(rendition).collect();
        let definitions = tools.iter().filter_map(|(_, rendition)| rendition.definition().cloned()).collect();
        let now = Arc::new(Renditions { dialect: provider.dialect, tools, definitions });
        self.now = Some(Arc::clone(&now));
        now
    }
}

/// Renders a container as a tool without parameters.
fn container_as(catalog: &Catalog, container: usize, seen: &Seen, dialect: Dialect) -> Rendition {
    let spec = &catalog.containers[container].spec;
    let description =
        container_description(&spec.description, seen.functions(catalog, container).into_iter().map(Text::as_str));
    let (name, description) = (&spec.name, &Text::from(description));
    let declaration = Declaration { name, description, input: &NOTHING, output: None, hints: Hints::default() };
    spec.presentation.shown_as(dialect.render_as(&declaration, None, Strictness::Plain), dialect)
}

impl Session {
    /// Returns all tools and containers that the model can currently call, rendered for the provider that was [chosen for the
    /// toolbox](crate::toolbox::ToolboxBuilder::for_provider); `None` if no provider was chosen. They are rendered once and kept until the
    /// [`revision`](Self::revision) changes.
    ///
    /// The session remembers which tools it has advertised in a rewritten form. From then on, it converts the arguments of calls of these
    /// tools back. See [`Renditions`] for an example.
    pub fn renditions(&self) -> Option<Arc<Renditions>> {
        let current = self.current();
        let provider = current.toolbox.parts().provider.as_ref()?;
        current.visible.look(current.catalog(), &current.scope);
        Some(current.visible.renditions(current.catalog(), provider))
    }
}

impl Generation {
    /// Returns the form in which a tool was advertised, if its calls must be converted back.
    #[inline]
    pub(super) fn rewritten(&self, entry: &Entry) -> Option<Arc<Advertisement>> {
        if entry.is_rewritten { self.visible.rewritten(entry.position) } else { None }
    }
}
