//! A tool that a search may find, and the words by which it is found.

use std::collections::HashSet;
use std::sync::Arc;

use super::index::Index;
use crate::context::Scope;
use crate::shape::{Kind, Part, Ref, Rule, Text, for_each_part};
use crate::tool::{Now, Tool};

/// The maximum number of shapes of one tool whose words are compared. Further shapes are ignored.
const MOST_SHAPES: usize = 1_000;

// The weights of words, by the place where they stand.
const NAME: f64 = 3.0;
const DESCRIPTION: f64 = 1.0;
const CONTAINER: f64 = 1.0;
const PARAMETER: f64 = 0.5;
const VALUE: f64 = 0.5;
const PARAMETER_DESCRIPTION: f64 = 0.3;

/// A tool that a search may find.
pub(crate) struct SearchedMember {
    /// The advertised name.
    pub(crate) name: Text,
    pub(crate) tool: Arc<dyn Tool>,
    /// The names and descriptions of the containers that show the tool.
    pub(crate) containers: String,
}

/// A tool as a session currently offers it.
pub(super) struct Available<'m> {
    pub(super) member: &'m SearchedMember,
    /// The parts that depend on the state of the session, if any do.
    now: Option<Now>,
}

impl<'m> Available<'m> {
    /// Returns the tool as the state makes it available; `None` if it is not available.
    pub(super) fn from_member(member: &'m SearchedMember, scope: &Scope) -> Option<Self> {
        let spec = member.tool.spec();
        let now = spec.is_conditional().then(|| spec.now(scope, None));
        let is_available = now.as_ref().is_none_or(|now| now.is_available);
        is_available.then_some(Self { member, now })
    }

    /// Returns the names by which a query may name the tool.
    pub(super) fn names(&self) -> impl Iterator<Item = &Text> {
        let spec = self.member.tool.spec();
        [&self.member.name, &spec.name].into_iter().chain(spec.other_names())
    }

    /// Returns the description that the model would read.
    pub(super) fn description(&self) -> &Text {
        let described = self.now.as_ref().and_then(|now| now.description.as_ref());
        described.unwrap_or_else(|| &self.member.tool.spec().description)
    }

    fn input(&self) -> &Ref {
        let narrowed = self.now.as_ref().and_then(|now| now.input.as_ref());
        narrowed.unwrap_or_else(|| &self.member.tool.spec().input)
    }

    /// Adds the words of the tool to an index.
    pub(super) fn add_to(&self, index: &mut Index) {
        let mut texts = Vec::new();
        for_each_text(self.input(), |text, weight| texts.push((text.clone(), weight)));
        let SearchedMember { name, containers, .. } = self.member;
        let own = [(name.as_str(), NAME), (self.description().as_str(), DESCRIPTION), (containers, CONTAINER)];
        let parameters = texts.iter().map(|(text, weight)| (text.as_str(), *weight));
        index.add(own.into_iter().chain(parameters));
    }
}

/// Calls `each` with the names, descriptions and allowed values of the parameters, as far as the model would see them.
fn for_each_text(input: &Ref, mut each: impl FnMut(&Text, f64)) {
    let (mut open, mut seen) = (vec![input.clone()], HashSet::new());
    for _ in 0..MOST_SHAPES {
        let Some(edge) = open.pop() else { return };
        let shape = edge.shape();
        if shape.identity.is_some_and(|identity| !seen.insert(identity)) {
            continue;
        }
        each(&shape.doc, PARAMETER_DESCRIPTION);
        for_each_value(&shape.rules, &mut each);
        if let Kind::Union(union) = &shape.kind {
            for variant in union.variants.iter().filter(|variant| !variant.hidden) {
                each(&variant.name, VALUE);
                each(&variant.doc, PARAMETER_DESCRIPTION);
            }
        }
        for_each_part(&shape, |part, edge| match part {
            Part::Field(field) if field.hidden => {}
            Part::Payload(variant) if variant.hidden => {}
            part => {
                if let Part::Field(field) = part {
                    each(&field.name, PARAMETER);
                    each(&field.doc, PARAMETER_DESCRIPTION);
                    for_each_value(&field.rules, &mut each);
                }
                open.push(edge.clone());
            }
        });
    }
}

fn for_each_value(rules: &[Rule], each: &mut impl FnMut(&Text, f64)) {
    for rule in rules {
        match rule {
            Rule::Values(values) => values.iter().for_each(|value| each(value, VALUE)),
            Rule::Inner(rules) => for_each_value(rules, each),
            _ => {}
        }
    }
}
