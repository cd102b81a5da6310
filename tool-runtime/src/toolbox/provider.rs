//! The tools in the form that a provider accepts: [`Provider`].
//!
//! In: the catalog, a dialect, and the requested forms. Out: each tool rendered once, for all sessions. Invariant: a
//! tool that a provider refuses, or that cannot be strict, does not affect the other tools, unless the host requires
//! the strict form for it.

use std::sync::{Arc, OnceLock};

use tool_schema::dialect::{Dialect, Inverse, Note, Rendition, Strictness, ToolForm};

use super::Problem;
use super::catalog::Catalog;
use super::item::Item;
use crate::hash::hash;
use crate::private::dialect::shown_input;
use crate::shape::{Ref, Text};
use crate::tool::portable_name;

/// The forms that the host has requested for its tools.
#[derive(Default)]
pub(super) struct Wishes {
    pub(super) dialect: Option<Dialect>,
    pub(super) strictness: Option<Strictness>,
    /// The requested forms, each with the advertised name of a tool. If a name occurs several times, the last form counts.
    pub(super) of: Vec<(String, Strictness)>,
    /// The advertised names of the tools that become strict before others.
    pub(super) first: Vec<String>,
}

/// The tools of a toolbox in the form that a provider accepts.
pub(crate) struct Provider {
    pub(crate) dialect: Dialect,
    /// The forms of each tool, in the order of the catalog.
    tools: Vec<Forms>,
}

/// The forms of one tool.
pub(crate) struct Forms {
    strictness: Strictness,
    /// The rank of the tool. Tools with lower ranks become strict first.
    rank: usize,
    /// The requested form, or the closest form that the dialect supports.
    wanted: Arc<Advertisement>,
    /// The plain form, for requests that have no room for another strict tool; computed on first use.
    plain: OnceLock<Arc<Advertisement>>,
}

/// A tool in the form in which it is advertised.
pub(crate) struct Advertisement {
    pub(crate) rendition: Rendition,
    /// The input that the tool accepts.
    input: Ref,
    /// The input that the model sees; computed on first use.
    shown: OnceLock<Ref>,
    /// The fingerprint of the definition; computed on first use.
    fingerprint: OnceLock<u64>,
}

impl Advertisement {
    fn new(rendition: Rendition, input: &Ref) -> Arc<Self> {
        Arc::new(Self { rendition, input: input.clone(), shown: OnceLock::new(), fingerprint: OnceLock::new() })
    }

    pub(crate) const fn inverse(&self) -> Option<&Arc<Inverse>> {
        self.rendition.inverse()
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
        *self
            .fingerprint
            .get_or_init(|| self.rendition.definition().map_or(0, |definition| hash(definition.to_string().as_bytes())))
    }

    /// Returns a copy of this plain form with a note, which says why the request has no room for the strict form.
    fn demoted(&self, note: Note) -> Arc<Self> {
        Self::new(self.rendition.clone().with_note(note), &self.input)
    }
}

impl Provider {
    /// Renders the tools, and marks those whose calls may have to be converted back.
    pub(super) fn of(wishes: Wishes, catalog: &mut Catalog, problems: &mut Vec<Problem>) -> Option<Self> {
        let Wishes { dialect, strictness, of, first } = wishes;
        let asked = dialect?;
        let dialect = asked.strict().unwrap_or(asked);
        let strictness = strictness.unwrap_or(if asked.is_strict() { Strictness::Auto } else { Strictness::Plain });
        let named = of.iter().map(|(name, _)| name).chain(&first);
        let is_no_tool = |name: &&String| !matches!(catalog.find(name), Some(Item::Tool(_)));
        problems.extend(named.filter(is_no_tool).map(|name| Problem::NoSuchTool { name: name.clone() }));
        let wish = |name: &Text| {
            let own = of.iter().rev().find(|(tool, _)| name == tool.as_str());
            let strictness = own.map_or(strictness, |(_, own)| *own);
            let rank = match first.iter().position(|tool| name == tool.as_str()) {
                _ if strictness == Strictness::Strict => 0,
                Some(position) => position + 1,
                None => first.len() + 1,
            };
            (strictness, rank)
        };
        let wishes: Vec<_> = catalog.tools.iter().map(|entry| wish(&entry.name)).collect();
        rename(catalog, dialect, problems);
        let mut tools = Vec::with_capacity(wishes.len());
        for (entry, (strictness, rank)) in catalog.tools.iter_mut().zip(wishes) {
            let spec = entry.tool.spec();
            let rendition = spec.rendition_as(&entry.name, &spec.description, &spec.input, dialect, strictness);
            entry.is_rewritten = rendition.inverse().is_some();
            let wanted = Advertisement::new(rendition, &spec.input);
            tools.push(Forms { strictness, rank, wanted, plain: OnceLock::new() });
        }
        let provider = Self { dialect, tools };
        provider.check_demands(asked, catalog, problems);
        provider.check_number(asked, catalog, problems);
        Some(provider)
    }

    /// Reports tools that have to be strict but are not. To apply the limits of a request, the tools that are visible from the beginning
    /// are used.
    fn check_demands(&self, asked: Dialect, catalog: &Catalog, problems: &mut Vec<Problem>) {
        let refused =
            |forms: &Forms| forms.strictness == Strictness::Strict && forms.wanted.rendition.form() != ToolForm::Strict;
        let mut problem = |tool: usize, reasons: &[Note]| {
            let reason = |note: &Note| note.words().strip_prefix("not strict: ").unwrap_or(note.words()).to_owned();
            let (tool, dialect) = (catalog.tools[tool].name.to_string(), asked.name().to_owned());
            problems.push(Problem::NotStrict { tool, dialect, reasons: reasons.iter().map(reason).collect() });
        };
        for (tool, forms) in self.tools.iter().enumerate().filter(|(_, forms)| refused(forms)) {
            problem(tool, forms.wanted.rendition.notes());
        }
        let visible: Vec<usize> = (0..self.tools.len()).filter(|&tool| catalog.tools[tool].always).collect();
        let wanted: Vec<_> = visible.iter().map(|&tool| Arc::clone(&self.tools[tool].wanted)).collect();
        for (tool, note) in visible.iter().zip(self.demotions(&visible, &wanted)) {
            if let Some(note) = note.filter(|_| self.tools[*tool].strictness == Strictness::Strict) {
                problem(*tool, &[note]);
            }
        }
    }

    /// Reports too many tools for one request. A tool that depends on the state does not count, because it may be hidden, and neither does
    /// one that is left out of the definitions.
    fn check_number(&self, asked: Dialect, catalog: &Catalog, problems: &mut Vec<Problem>) {
        let is_sent = |item: &&Item| match item {
            Item::Container(_) | Item::CallTool => true,
            Item::Tool(tool) => {
                let is_omitted = self.tools[*tool].wanted.rendition.form() == ToolForm::Omitted;
                catalog.tools[*tool].conditional.is_none() && !is_omitted
            }
        };
        let count = catalog.roots.iter().filter(is_sent).count();
        if let Some(most) = asked.most_tools().filter(|most| count > *most) {
            problems.push(Problem::TooManyTools { count, dialect: asked.name().to_owned(), most });
        }
    }

    /// Returns the tools of one request in the form in which they are advertised, with the current description and input of tools that
    /// depend on the state.
    pub(crate) fn advertise(
        &self,
        catalog: &Catalog,
        tools: &[(usize, Option<(Text, Ref)>)],
    ) -> Vec<Arc<Advertisement>> {
        let render = |tool: usize, description: &Text, input: &Ref, strictness: Strictness| {
            let (name, spec) = (&catalog.tools[tool].name, catalog.tools[tool].tool.spec());
            Advertisement::new(spec.rendition_as(name, description, input, self.dialect, strictness), input)
        };
        let wanted = |(tool, narrowed): &(usize, Option<(Text, Ref)>)| match narrowed {
            Some((description, input)) => render(*tool, description, input, self.tools[*tool].strictness),
            None => Arc::clone(&self.tools[*tool].wanted),
        };
        let mut wanted: Vec<_> = tools.iter().map(wanted).collect();
        let positions: Vec<usize> = tools.iter().map(|(tool, _)| *tool).collect();
        for (index, note) in self.demotions(&positions, &wanted).into_iter().enumerate() {
            let (Some(note), (tool, narrowed)) = (note, &tools[index]) else { continue };
            let spec = catalog.tools[*tool].tool.spec();
            wanted[index] = if let Some((description, input)) = narrowed {
                render(*tool, description, input, Strictness::Plain).demoted(note)
            } else {
                let plain = || render(*tool, &spec.description, &spec.input, Strictness::Plain);
                self.tools[*tool].plain.get_or_init(plain).demoted(note)
            };
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
        let (name, spec, forms) = (&catalog.tools[tool].name, catalog.tools[tool].tool.spec(), &self.tools[tool]);
        let render = |description: &Text, input: &Ref, strictness: Strictness| {
            Advertisement::new(spec.rendition_as(name, description, input, self.dialect, strictness), input)
        };
        if let Some((description, input)) = narrowed {
            return [forms.strictness, Strictness::Plain].map(|strictness| render(&description, &input, strictness));
        }
        let plain = || render(&spec.description, &spec.input, Strictness::Plain);
        [Arc::clone(&forms.wanted), Arc::clone(forms.plain.get_or_init(plain))]
    }

    /// Returns, for each tool, the reason why the request has no room for its strict form; `None` if there is room.
    fn demotions(&self, tools: &[usize], wanted: &[Arc<Advertisement>]) -> Vec<Option<Note>> {
        let mut order: Vec<usize> = (0..tools.len()).collect();
        order.sort_by_key(|&index| self.tools[tools[index]].rank);
        let found = self.dialect.demotions(order.iter().map(|&index| &wanted[index].rendition));
        let mut notes: Vec<Option<Note>> = vec![None; tools.len()];
        for (index, note) in order.into_iter().zip(found) {
            notes[index] = note;
        }
        notes
    }
}

/// Replaces names that the provider refuses by portable names.
fn rename(catalog: &mut Catalog, dialect: Dialect, problems: &mut Vec<Problem>) {
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
            problems.push(Problem::PortableNamesMeet { name: portable.to_string(), first, second });
            continue;
        }
        catalog.rename(item, &name, portable);
    }
}
