//! What the state of a session says of a tool: whether it is there, and which names its parameters take.
//!
//! In: `available_if` and `enum_from`, and the state. Out: [`Now`], whose input is the one that is described and checked until the state is
//! looked at again. What always holds: a name that the parameter itself would refuse is not offered; a tool whose state is missing, or
//! which has no name left for a parameter that it needs, is not there.

use std::collections::HashSet;

use super::{EnumFrom, ToolSpec};
use crate::caught::caught;
use crate::check::check;
use crate::context::Scope;
use crate::json::{Json, Node};
use crate::shape::{Field, Kind, List, Object, Ref, Shape, Tagging, Text, Union, Unknown, Variant, unit_variant};

/// Shapes that are looked through to find the text: `Option<Vec<Box<String>>>` is three.
const DEEPEST: usize = 16;

/// What the state says of a tool at one time.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    pub(crate) is_available: bool,
    /// The arguments, where the state narrows them.
    pub(crate) input: Option<Ref>,
    /// What `input` was made from, to know whether it is still the same.
    names: Vec<Vec<Text>>,
}

impl PartialEq for Now {
    fn eq(&self, other: &Self) -> bool {
        self.is_available == other.is_available && self.names == other.names
    }
}

impl ToolSpec {
    /// Whether the state has a say.
    pub(crate) fn is_conditional(&self) -> bool {
        self.available_if.is_some() || !self.enum_from.is_empty()
    }

    /// What the state says now. With what it said before at hand, nothing is built anew that is still the same.
    pub(crate) fn now(&self, scope: &Scope, before: Option<&Now>) -> Now {
        let absent = || Now { is_available: false, input: None, names: Vec::new() };
        if self.available_if.as_ref().is_some_and(|condition| !condition.ask(scope).unwrap_or_default()) {
            return absent();
        }
        let mut names = Vec::with_capacity(self.enum_from.len());
        for EnumFrom { names: asked, .. } in &self.enum_from {
            let Some(mut asked) = asked.ask(scope) else { return absent() };
            let mut seen = HashSet::new();
            asked.retain(|name| seen.insert(name.clone()));
            names.push(asked);
        }
        match before {
            Some(before) if before.is_available && before.names == names => before.clone(),
            _ if names.is_empty() => Now { is_available: true, input: None, names },
            // A rule of the user's own is asked, and may panic.
            _ => match caught(|| narrowed(&self.input.shape(), &self.enum_from, &names)).unwrap_or_default() {
                Some(shape) => Now { is_available: true, input: Some(Ref::Shared(shape.into())), names },
                None => Now { names, ..absent() },
            },
        }
    }

    /// The first parameter that cannot take its names from the state: there is none of that name, or it takes no text.
    pub(crate) fn without_choice(&self) -> Option<&Text> {
        let shape = self.input.shape();
        let takes_text = |name: &Text| match &shape.kind {
            Kind::Object(object) => {
                let field = object.fields.iter().find(|field| field.name == *name && !field.flatten);
                field.is_some_and(|field| with_names(&field.shape, &[], 0).is_some())
            }
            _ => false,
        };
        self.enum_from.iter().map(|choice| &choice.field).find(|&field| !takes_text(field))
    }
}

/// The arguments with their names; `None` where a parameter is needed and there is no name for it.
fn narrowed(shape: &Shape, choices: &[EnumFrom], names: &[Vec<Text>]) -> Option<Shape> {
    let Kind::Object(object) = &shape.kind else { return None };
    let mut fields = Vec::with_capacity(object.fields.len());
    for field in &object.fields {
        let Some(index) = choices.iter().position(|choice| choice.field == field.name) else {
            fields.push(field.clone());
            continue;
        };
        let (edge, is_text) = (&field.shape, !takes_items(&field.shape));
        let names: Vec<Text> = names[index].iter().filter(|name| !is_text || accepts(field, name)).cloned().collect();
        if names.is_empty() {
            if field.required {
                return None;
            }
            // What nobody can give is not asked for.
            continue;
        }
        let shape = Ref::Shared(with_names(edge, &names, 0)?.into());
        // A default fills the place all the same, but is not offered where the model could not give it.
        let literal = |literal: &Option<Text>| literal.clone().filter(|literal| is_accepted(&shape, literal));
        let (default, example) = (literal(&field.default), literal(&field.example));
        // Of a single text, the names that are left satisfy its rules.
        let rules = if is_text { List::EMPTY } else { field.rules.clone() };
        fields.push(Field { shape, rules, default, example, ..field.clone() });
    }
    let kind = Kind::Object(Object { fields: fields.into(), unknown: object.unknown });
    Some(Shape { identity: None, kind, ..shape.clone() })
}

/// Whether a field takes this text as it is.
fn accepts(field: &Field, name: &Text) -> bool {
    let value = Shape { rules: field.rules.clone(), ..Shape::of(Kind::Alias(field.shape.clone())) };
    check(&value, &Json::new(Node::String(name.as_str().into()))).is_empty()
}

fn is_accepted(edge: &Ref, literal: &str) -> bool {
    Json::parse(literal).is_ok_and(|json| check(&edge.shape(), &json).is_empty())
}

fn takes_items(edge: &Ref) -> bool {
    let mut edge = edge.clone();
    for _ in 0..DEEPEST {
        let next = match &edge.shape().kind {
            Kind::Array(_) => return true,
            Kind::Nullable(inner) | Kind::Alias(inner) => inner.clone(),
            _ => return false,
        };
        edge = next;
    }
    false
}

/// The shape of a text with the names that it may be; of a list, with those that its items may be.
fn with_names(edge: &Ref, names: &[Text], depth: usize) -> Option<Shape> {
    let shape = edge.shape();
    if depth == DEEPEST {
        return None;
    }
    let inside = |inner: &Ref| Some(Ref::Shared(with_names(inner, names, depth + 1)?.into()));
    let kind = match &shape.kind {
        Kind::String => {
            let variants: Vec<Variant> = names.iter().cloned().map(unit_variant).collect();
            let union = Union { tagging: Tagging::External, variants: variants.into(), unknown: Unknown::Refused };
            return Some(Shape { doc: shape.doc.clone(), ..Shape::of(Kind::Union(union)) });
        }
        Kind::Nullable(inner) => Kind::Nullable(inside(inner)?),
        Kind::Array(inner) => Kind::Array(inside(inner)?),
        Kind::Alias(inner) => Kind::Alias(inside(inner)?),
        _ => return None,
    };
    Some(Shape { doc: shape.doc.clone(), rules: shape.rules.clone(), ..Shape::of(kind) })
}
