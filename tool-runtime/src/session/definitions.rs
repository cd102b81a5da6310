//! Renders the visible tools as definitions for a provider.
//!
//! In: the visible tools and containers. Out: their definitions, rendered on first use and kept until the visible tools
//! change. Invariant: a container is defined as a tool without parameters, because it is called without arguments.

use std::sync::Arc;

use super::Advertised;
use crate::feedback::container_description;
use crate::schema::{Declaration, Definition, Definitions, Format, Hints};
use crate::shape::{Kind, List, Object, Shape, Text, Unknown};

/// The arguments of a container: an empty object.
pub(super) static NOTHING: Shape = Shape::of(Kind::Object(Object { fields: List::EMPTY, unknown: Unknown::Refused }));

/// The definitions that were already rendered, keyed by format.
#[derive(Default)]
pub(super) struct Rendered(Vec<(Format, Arc<Definitions>)>);

impl Rendered {
    pub(super) fn get_or_render<I: Iterator<Item = Advertised>>(
        &mut self,
        format: Format,
        visible: impl FnOnce() -> I,
    ) -> Arc<Definitions> {
        if let Some((_, definitions)) = self.0.iter().find(|(rendered, _)| *rendered == format) {
            return Arc::clone(definitions);
        }
        let definitions: Arc<Definitions> = Arc::new(visible().map(|advertised| define(&advertised, format)).collect());
        self.0.push((format, Arc::clone(&definitions)));
        definitions
    }
}

pub(super) fn define(advertised: &Advertised, format: Format) -> Definition {
    match advertised {
        Advertised::Tool { name, spec, description, input, .. } => spec.definition_as(name, description, input, format),
        Advertised::Container { spec, functions } => {
            let description = &Text::from(container_description(&spec.description, functions.iter().map(Text::as_str)));
            let declaration =
                Declaration { name: &spec.name, description, input: &NOTHING, output: None, hints: Hints::default() };
            spec.presentation.shown_in(declaration.definition(format), format)
        }
    }
}
