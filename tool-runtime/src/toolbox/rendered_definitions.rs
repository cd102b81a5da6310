//! The tools in the forms that providers accept: [`RenderedTools`] for one dialect, [`RenderedDialects`] for all that sessions ask for.
//!
//! In: the catalog, a dialect, and the requested forms. Out: each tool rendered once, for all sessions. Invariant: a
//! tool that a provider rejects, or that cannot be strict, does not affect the other tools, unless the host requires
//! the strict form for it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tool_schema::dialect::{Definition, Dialect, DowngradeReason, EffectiveStrictness, Inverse, Strictness};

use super::RegistrationError;
use super::catalog::Catalog;
use super::item::Item;
use crate::fast_hash::hash;
use crate::private::dialect::shown_input;
use crate::shape::{Ref, Text};
use crate::tool::{Wanted, portable_name};

/// The dialect and the forms that the host has requested for its tools.
#[derive(Default)]
pub(super) struct ToolPreferences {
    /// The dialect; `None` if the host has chosen none.
    pub(super) dialect: Option<Dialect>,
    pub(super) strictness: Option<Strictness>,
    /// The requested forms, each with the advertised name of a tool. If a name occurs several times, the last form counts.
    pub(super) of: Vec<(String, Strictness)>,
    /// The advertised names of the tools that become strict before others.
    pub(super) first: Vec<String>,
    /// `true` if `null` means the same as an absent key for all tools.
    pub(super) null_is_absent: bool,
    /// The advertised names of further tools for which this is true.
    pub(super) tool_null_is_absent: Vec<String>,
}

/// The tools of a toolbox in every dialect that a session has asked for.
pub(crate) struct RenderedDialects {
    chosen: Option<Dialect>,
    strictness: Option<Strictness>,
    /// The wishes for each tool, in the order of the catalog.
    tools: Vec<ToolPreference>,
    known: Mutex<Vec<Arc<RenderedTools>>>,
}

/// The wishes of the host for one tool.
struct ToolPreference {
    strictness: Option<Strictness>,
    /// The position among the tools that become strict before others.
    position: usize,
    null_is_absent: bool,
}

/// The tools of a toolbox in one dialect.
pub(crate) struct RenderedTools {
    pub(crate) dialect: Dialect,
    /// The forms of each tool, in the order of the catalog.
    tools: Vec<Forms>,
}

/// The forms of one tool.
struct Forms {
    strictness: Strictness,
    null_is_absent: bool,
    /// The rank of the tool. Tools with lower ranks become strict first.
    rank: usize,
    /// The requested form, or the closest form that the dialect supports; computed on first use.
    wanted: OnceLock<Arc<Advertisement>>,
    /// The plain form, for requests that have no room for another strict tool; computed on first use.
    plain: OnceLock<Arc<Advertisement>>,
}

/// A tool in the form in which it is advertised.
pub(crate) struct Advertisement {
    pub(crate) dialect: Dialect,
    pub(crate) definition: Definition,
    /// The input that the tool accepts.
    input: Ref,
    /// The input that the model sees; computed on first use.
    shown: OnceLock<Ref>,
    /// The fingerprint of the definition; computed on first use.
    fingerprint: OnceLock<u64>,
}

impl Advertisement {
    pub(crate) fn inverse(&self) -> Option<&Arc<Inverse>> {
        self.definition.inverse()
    }

    /// Returns the input that the model sees.
    pub(crate) fn shown_input(&self) -> &Ref {
        self.shown.get_or_init(|| match self.inverse() {
            Some(inverse) => shown_input(inverse, &self.input),
            None => self.input.clone(),
        })
    }

    /// Returns a hash of the definition, by which a saved session recognizes the form.
    pub(crate) fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| match self.definition.strictness() {
            EffectiveStrictness::Omitted => 0,
            EffectiveStrictness::Strict | EffectiveStrictness::Plain => hash(self.definition.to_string().as_bytes()),
        })
    }

    /// Returns a copy of this plain form with a note, which says why the request has no room for the strict form.
    fn demoted(&self, note: DowngradeReason) -> Arc<Self> {
        Arc::new(Self {
            dialect: self.dialect,
            definition: self.definition.clone().with_note(note),
            input: self.input.clone(),
            shown: OnceLock::new(),
            fingerprint: OnceLock::new(),
        })
    }
}

impl RenderedDialects {
    /// Checks the wishes of the host, and gives tools whose names the chosen provider rejects portable names.
    pub(super) fn new(
        preferences: ToolPreferences,
        catalog: &mut Catalog,
        errors: &mut Vec<RegistrationError>,
    ) -> Self {
        let ToolPreferences { dialect: chosen, strictness, of, first, null_is_absent, tool_null_is_absent } =
            preferences;
        let named = of.iter().map(|(name, _)| name).chain(&first).chain(&tool_null_is_absent);
        let is_no_tool = |name: &&String| !matches!(catalog.find(name), Some(Item::Tool(_)));
        errors.extend(named.filter(is_no_tool).map(|name| RegistrationError::NoSuchTool { name: name.clone() }));
        let preference = |name: &Text| ToolPreference {
            strictness: of.iter().rev().find(|(tool, _)| name == tool.as_str()).map(|(_, own)| *own),
            position: first.iter().position(|tool| name == tool.as_str()).unwrap_or(first.len()),
            null_is_absent: null_is_absent || tool_null_is_absent.iter().any(|tool| name == tool.as_str()),
        };
        let tools = catalog.tools.iter().map(|entry| preference(&entry.name)).collect();
        if let Some(dialect) = chosen {
            rename(catalog, dialect, errors);
        }
        let providers = Self { chosen, strictness, tools, known: Mutex::default() };
        let provider = providers.get(chosen.unwrap_or(Dialect::OPENAI));
        provider.check_demands(catalog, errors);
        if chosen.is_some() {
            provider.check_number(catalog, errors);
        }
        providers
    }

    /// Returns the dialect that the host has chosen.
    pub(crate) const fn chosen(&self) -> Option<Dialect> {
        self.chosen
    }

    /// Returns the tools in a dialect.
    pub(crate) fn get(&self, dialect: Dialect) -> Arc<RenderedTools> {
        // No code of a tool or host runs under the lock, and the list is consistent between two statements.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(provider) = known.iter().find(|provider| provider.dialect == dialect) {
            return Arc::clone(provider);
        }
        let default = if dialect.is_strict() { Strictness::Auto } else { Strictness::Plain };
        let forms = |preference: &ToolPreference| {
            let strictness = preference.strictness.or(self.strictness).unwrap_or(default);
            let rank = if strictness == Strictness::Strict { 0 } else { preference.position + 1 };
            let null_is_absent = preference.null_is_absent;
            Forms { strictness, null_is_absent, rank, wanted: OnceLock::new(), plain: OnceLock::new() }
        };
        let provider = Arc::new(RenderedTools { dialect, tools: self.tools.iter().map(forms).collect() });
        known.push(Arc::clone(&provider));
        provider
    }
}

impl RenderedTools {
    /// Renders a tool with this description and input.
    fn render(
        &self,
        catalog: &Catalog,
        tool: usize,
        narrowed: Option<&(Text, Ref)>,
        strictness: Strictness,
    ) -> Arc<Advertisement> {
        let entry = &catalog.tools[tool];
        let spec = entry.tool.spec();
        let (description, input) =
            narrowed.map_or((&spec.description, &spec.input), |(description, input)| (description, input));
        let wanted = Wanted { dialect: self.dialect, strictness, null_is_absent: self.tools[tool].null_is_absent };
        let definition = spec.definition_as(&entry.name, description, input, &wanted);
        if definition.inverse().is_some() {
            entry.set_rewritten();
        }
        Arc::new(Advertisement {
            dialect: self.dialect,
            definition,
            input: input.clone(),
            shown: OnceLock::new(),
            fingerprint: OnceLock::new(),
        })
    }

    /// Returns the requested form of a tool, or the closest form that the dialect supports.
    fn wanted(&self, catalog: &Catalog, tool: usize, narrowed: Option<&(Text, Ref)>) -> Arc<Advertisement> {
        let forms = &self.tools[tool];
        let render = || self.render(catalog, tool, narrowed, forms.strictness);
        if narrowed.is_some() { render() } else { Arc::clone(forms.wanted.get_or_init(render)) }
    }

    /// Returns the plain form of a tool.
    fn plain(&self, catalog: &Catalog, tool: usize, narrowed: Option<&(Text, Ref)>) -> Arc<Advertisement> {
        let render = || self.render(catalog, tool, narrowed, Strictness::Plain);
        if narrowed.is_some() { render() } else { Arc::clone(self.tools[tool].plain.get_or_init(render)) }
    }

    /// Reports tools that have to be strict but are not. To apply the limits of a request, the tools that are visible from the beginning
    /// are used.
    fn check_demands(&self, catalog: &Catalog, errors: &mut Vec<RegistrationError>) {
        let must_be_strict = |tool: usize| self.tools[tool].strictness == Strictness::Strict;
        if !(0..self.tools.len()).any(must_be_strict) {
            return;
        }
        let mut error = |tool: usize, reasons: &[DowngradeReason]| {
            let reason =
                |note: &DowngradeReason| note.reason().strip_prefix("not strict: ").unwrap_or(note.reason()).to_owned();
            let (tool, dialect) = (catalog.tools[tool].name.to_string(), self.dialect.name().to_owned());
            errors.push(RegistrationError::NotStrict { tool, dialect, reasons: reasons.iter().map(reason).collect() });
        };
        for tool in (0..self.tools.len()).filter(|&tool| must_be_strict(tool)) {
            let wanted = self.wanted(catalog, tool, None);
            if wanted.definition.strictness() != EffectiveStrictness::Strict {
                error(tool, wanted.definition.notes());
            }
        }
        let visible: Vec<usize> = (0..self.tools.len()).filter(|&tool| catalog.tools[tool].always).collect();
        let wanted: Vec<_> = visible.iter().map(|&tool| self.wanted(catalog, tool, None)).collect();
        for (tool, note) in visible.iter().zip(self.request_limit_downgrades(&visible, &wanted)) {
            if let Some(note) = note.filter(|_| must_be_strict(*tool)) {
                error(*tool, &[note]);
            }
        }
    }

    /// Reports too many tools for one request. A tool that depends on the state does not count, because it may be hidden, and neither does
    /// one that is left out of the definitions.
    fn check_number(&self, catalog: &Catalog, errors: &mut Vec<RegistrationError>) {
        let Some(most) = self.dialect.max_tools().filter(|most| catalog.roots.len() > *most) else { return };
        let is_sent = |item: &&Item| match **item {
            Item::Container(_) | Item::CallTool => true,
            Item::Tool(tool) => {
                catalog.tools[tool].conditional.is_none() && !self.wanted(catalog, tool, None).definition.omits_tool()
            }
        };
        let count = catalog.roots.iter().filter(is_sent).count();
        if count > most {
            errors.push(RegistrationError::TooManyTools { count, dialect: self.dialect.name().to_owned(), max: most });
        }
    }

    /// Returns the tools of one request in the form in which they are advertised, with the current description and input of tools that
    /// depend on the state.
    pub(crate) fn advertise(
        &self,
        catalog: &Catalog,
        tools: &[(usize, Option<(Text, Ref)>)],
    ) -> Vec<Arc<Advertisement>> {
        let wanted = tools.iter().map(|(tool, narrowed)| self.wanted(catalog, *tool, narrowed.as_ref()));
        let mut wanted: Vec<_> = wanted.collect();
        let positions: Vec<usize> = tools.iter().map(|(tool, _)| *tool).collect();
        for (index, note) in self.request_limit_downgrades(&positions, &wanted).into_iter().enumerate() {
            let (Some(note), (tool, narrowed)) = (note, &tools[index]) else { continue };
            wanted[index] = self.plain(catalog, *tool, narrowed.as_ref()).demoted(note);
        }
        wanted
    }

    /// Returns the two forms in which a tool may have been advertised. `narrowed` contains the current description and input of a tool that
    /// depends on the state.
    pub(crate) fn forms(
        &self,
        catalog: &Catalog,
        tool: usize,
        narrowed: Option<(Text, Ref)>,
    ) -> [Arc<Advertisement>; 2] {
        [self.wanted(catalog, tool, narrowed.as_ref()), self.plain(catalog, tool, narrowed.as_ref())]
    }

    /// Returns, for each tool, the reason why the request has no room for its strict form; `None` if there is room.
    fn request_limit_downgrades(&self, tools: &[usize], wanted: &[Arc<Advertisement>]) -> Vec<Option<DowngradeReason>> {
        let mut order: Vec<usize> = (0..tools.len()).collect();
        order.sort_by_key(|&index| self.tools[tools[index]].rank);
        let found = self.dialect.request_limit_downgrades(order.iter().map(|&index| &wanted[index].definition));
        let mut notes: Vec<Option<DowngradeReason>> = vec![None; tools.len()];
        for (index, note) in order.into_iter().zip(found) {
            notes[index] = note;
        }
        notes
    }
}

/// Replaces names that the provider rejects by portable names.
fn rename(catalog: &mut Catalog, dialect: Dialect, errors: &mut Vec<RegistrationError>) {
    let containers = (0..catalog.containers.len()).map(Item::Container);
    let items: Vec<Item> = containers.chain((0..catalog.tools.len()).map(Item::Tool)).collect();
    for item in items {
        let name = catalog.name(item).clone();
        let portable: Text = portable_name(&name).into_owned().into();
        if dialect.accepts_name(&name) || portable == name {
            continue;
        }
        if let Some(other) = catalog.find(&portable) {
            let (first, second) = (catalog.name(other).to_string(), name.to_string());
            errors.push(RegistrationError::PortableNameConflict { name: portable.to_string(), first, second });
            continue;
        }
        catalog.rename(item, &name, portable);
    }
}
