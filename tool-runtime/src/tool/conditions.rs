//! The parts of a tool that may depend on the state: its availability, its parameters with their allowed values, and the descriptions.
//!
//! [`Now`] contains the values that were computed from the state, and the input that follows from them. Definitions and checks use this
//! input until the values are computed again.
//!
//! Invariants: a value that the parameter itself would reject is not offered; a tool is unavailable if no allowed value remains for a
//! required parameter, or if the state that decides about the tool or lists these values is missing; a hidden parameter does not appear in
//! the input.

use std::collections::HashSet;

use super::{ParameterPropertyFromState, PropertyFromState, RequiredState, ToolSpec};
use crate::bounded::DESCRIPTION;
use crate::catch_panic::catch_panic;
use crate::check::check;
use crate::context::Scope;
use crate::json::{Json, Node};
use crate::shape::{
    Field, Kind, Object, Ref, Shape, SharedSlice, Tagging, Text, Union, UnknownKeys, Variant, unit_variant,
};

/// The maximum number of shapes around the text of a parameter; `Option<Vec<Box<String>>>` has three.
const DEEPEST: usize = 16;

/// The parts of a tool that were computed from the state, at one time.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    pub(crate) is_available: bool,
    /// The description, if the state provides one.
    pub(crate) description: Option<Text>,
    /// The shape of the arguments, if the state changes it.
    pub(crate) input: Option<Ref>,
    /// The answers about the parameters from which `input` was made, to detect changes.
    parameters: Parameters,
}

/// The values that were computed for parameters. Each list has the order of the corresponding list in [`ToolSpec`].
#[derive(Clone, Debug, Default, PartialEq)]
struct Parameters {
    is_there: Vec<bool>,
    names: Vec<Vec<Text>>,
    descriptions: Vec<Option<Text>>,
}

impl PartialEq for Now {
    fn eq(&self, other: &Self) -> bool {
        let parts = |now: &Self| (now.is_available, now.description.clone());
        parts(self) == parts(other) && self.parameters == other.parameters
    }
}

impl ToolSpec {
    /// Returns `true` if any part of the tool depends on the state.
    pub(crate) fn is_conditional(&self) -> bool {
        self.available_if.is_some() || self.description_from.is_some() || self.is_narrowed()
    }

    /// Returns `true` if the arguments depend on the state.
    pub(crate) fn is_narrowed(&self) -> bool {
        let Self { enum_from, parameter_available_if, parameter_description_from, .. } = self;
        !enum_from.is_empty() || !parameter_available_if.is_empty() || !parameter_description_from.is_empty()
    }

    /// Computes the parts from the state. Reuses the previous shape if the answers about the parameters are the same as before.
    pub(crate) fn now(&self, scope: &Scope, before: Option<&Now>) -> Now {
        let absent = || Now { is_available: false, description: None, input: None, parameters: Parameters::default() };
        if self.available_if.as_ref().is_some_and(|condition| !condition.ask(scope).unwrap_or_default()) {
            return absent();
        }
        let Some(parameters) = self.parameters(scope) else { return absent() };
        let description = self.description_from.as_ref().and_then(|from| from.ask(scope)).map(described);
        let now = |input| Now { is_available: true, description, input, parameters: parameters.clone() };
        match before {
            Some(before) if before.is_available && before.parameters == parameters => now(before.input.clone()),
            _ if parameters.is_unchanged() => now(None),
            // This runs validation rules of the user, which may panic.
            _ => match catch_panic(|| self.narrowed(&parameters)).unwrap_or_default() {
                Some(shape) => now(Some(Ref::Shared(shape.into()))),
                None => Now { parameters, ..absent() },
            },
        }
    }

    /// Computes the values for the parameters. Returns `None` if the allowed values of a parameter are unknown.
    fn parameters(&self, scope: &Scope) -> Option<Parameters> {
        // A parameter is hidden if its condition panics. It is shown if the state that the condition needs is missing.
        let holds = |ParameterPropertyFromState { from_state, .. }: &ParameterPropertyFromState<bool>| {
            !from_state.has_state(scope) || from_state.ask(scope).unwrap_or_default()
        };
        let is_there: Vec<bool> = self.parameter_available_if.iter().map(holds).collect();
        let is_hidden = |parameter: &Text| {
            let mut conditions = self.parameter_available_if.iter().zip(&is_there);
            conditions.any(|(condition, is_there)| condition.parameter == *parameter && !is_there)
        };
        let mut names = Vec::with_capacity(self.enum_from.len());
        for ParameterPropertyFromState { parameter, from_state } in &self.enum_from {
            let mut asked = if is_hidden(parameter) { Vec::new() } else { from_state.ask(scope)? };
            let mut seen = HashSet::new();
            asked.retain(|name| seen.insert(name.clone()));
            names.push(asked);
        }
        let descriptions = self.parameter_description_from.iter();
        let descriptions = descriptions.map(|from| from.from_state.ask(scope).map(described)).collect();
        Some(Parameters { is_there, names, descriptions })
    }

    /// Returns the states that the functions need.
    pub(crate) fn states(&self) -> impl Iterator<Item = RequiredState> {
        fn keys<T>(list: &SharedSlice<ParameterPropertyFromState<T>>) -> impl Iterator<Item = RequiredState> {
            list.iter().map(|of| of.from_state.state())
        }
        let of_tool = [
            self.available_if.as_ref().map(PropertyFromState::state),
            self.description_from.as_ref().map(PropertyFromState::state),
        ];
        let of_parameters = keys(&self.enum_from).chain(keys(&self.parameter_available_if));
        of_tool.into_iter().flatten().chain(of_parameters).chain(keys(&self.parameter_description_from))
    }

    /// Returns the first parameter of `enum_from` that cannot take its values from the state, because the parameter does not exist or is
    /// not a text.
    pub(crate) fn enum_from_without_strings(&self) -> Option<&Text> {
        let takes_text = |name: &Text| {
            self.with_parameter(name, |field, _| with_names(&field.shape, &[], 0).is_some()).unwrap_or_default()
        };
        self.enum_from.iter().map(|choice| &choice.parameter).find(|&field| !takes_text(field))
    }

    /// Returns each parameter that the state should hide or describe according to the spec, but cannot, with the reason.
    pub(crate) fn unsupported_conditions(&self) -> impl Iterator<Item = (&Text, &'static str)> {
        let hidden =
            self.parameter_available_if.iter().filter_map(|ParameterPropertyFromState { parameter, .. }| {
                let fault = self.with_parameter(parameter, |field, unknown| match (field.is_required(), unknown) {
                    (true, _) => Some("which is required: give it a default, or make it an `Option`"),
                    (false, UnknownKeys::Ignored) => {
                        Some("a parameter of a tool that ignores unknown parameters: let the tool reject them")
                    }
                    (false, UnknownKeys::Rejected) => None,
                });
                Some((parameter, fault.unwrap_or(Some(NO_PARAMETER))?))
            });
        let described =
            self.parameter_description_from.iter().filter_map(|ParameterPropertyFromState { parameter, .. }| {
                let is_known = self.with_parameter(parameter, |_, _| ()).is_some();
                (!is_known).then_some((parameter, NO_PARAMETER))
            });
        hidden.chain(described)
    }

    /// Calls a function with the parameter of this name and with the shape's rule for unknown keys. Returns `None` if there is no such
    /// parameter, or if the model sees a declared schema instead of the shape.
    fn with_parameter<T>(&self, name: &Text, look: impl FnOnce(&Field, UnknownKeys) -> T) -> Option<T> {
        match &self.input.shape().kind {
            Kind::Object(object) if self.declared_schema.is_none() => {
                let field = object.fields.iter().find(|field| field.name == *name && !field.flatten)?;
                Some(look(field, object.unknown))
            }
            _ => None,
        }
    }

    /// Returns the input as changed by the state, or `None` if no allowed value remains for a required parameter.
    fn narrowed(&self, parameters: &Parameters) -> Option<Shape> {
        let shape = self.input.shape();
        let Kind::Object(object) = &shape.kind else { return None };
        let is_hidden = property_of(&self.parameter_available_if, &parameters.is_there);
        let names = property_of(&self.enum_from, &parameters.names);
        let description = property_of(&self.parameter_description_from, &parameters.descriptions);
        let mut fields = Vec::with_capacity(object.fields.len());
        for field in &object.fields {
            if is_hidden(field) == Some(&false) {
                continue;
            }
            let mut field = field.clone();
            if let Some(names) = names(&field) {
                match with_choice(&field, names) {
                    Some(narrowed) => field = narrowed,
                    // Without an allowed value, a required parameter cannot be sent; with `ignore_unknown`, the tool would get a value that
                    // no schema shows. So the tool is unavailable.
                    None if field.is_required() || object.unknown == UnknownKeys::Ignored => return None,
                    // The parameter is left out, because no value of it could be sent.
                    None => continue,
                }
            }
            if let Some(Some(description)) = description(&field) {
                field.doc = description.clone();
            }
            fields.push(field);
        }
        let kind = Kind::Object(Object { fields: fields.into(), unknown: object.unknown });
        Some(Shape { identity: None, kind, ..Shape::clone(&shape) })
    }
}

const NO_PARAMETER: &str = "which is not a parameter that the model sees";

impl Parameters {
    fn is_unchanged(&self) -> bool {
        let Self { is_there, names, descriptions } = self;
        names.is_empty() && is_there.iter().all(|&is_there| is_there) && descriptions.iter().all(Option::is_none)
    }
}

/// Returns a function that looks up the answer about a field.
fn property_of<'s, T, U>(
    parameters: &'s SharedSlice<ParameterPropertyFromState<T>>,
    property_of: &'s [U],
) -> impl Fn(&Field) -> Option<&'s U> {
    move |field| {
        let index = parameters.iter().position(|of| of.parameter == field.name && !field.flatten)?;
        property_of.get(index)
    }
}

/// Truncates a description made at run time to the length that the macros allow for a fixed one.
fn described(text: String) -> Text {
    let text = text.trim();
    match text.char_indices().nth(DESCRIPTION - 1) {
        Some((last, character)) if last + character.len_utf8() < text.len() => format!("{}…", &text[..last]).into(),
        _ => text.to_owned().into(),
    }
}

/// Returns the parameter with only these allowed values, or `None` if it accepts none of them.
fn with_choice(field: &Field, names: &[Text]) -> Option<Field> {
    let (edge, is_text) = (&field.shape, !takes_items(&field.shape));
    let names: Vec<Text> = names.iter().filter(|name| !is_text || accepts(field, name)).cloned().collect();
    if names.is_empty() {
        return None;
    }
    let shape = Ref::Shared(with_names(edge, &names, 0)?.into());
    // A default that the model could not send stays in effect, but is not shown.
    let literal = |literal: &Option<Text>| literal.clone().filter(|literal| is_accepted(&shape, literal));
    let (default, example) = (literal(&field.default), literal(&field.example));
    // The names that remain for a text already satisfy its rules.
    let rules = if is_text { SharedSlice::EMPTY } else { field.rules.clone() };
    Some(Field { shape, rules, default, example, ..field.clone() })
}

/// Returns `true` if a field accepts this text unchanged.
fn accepts(field: &Field, name: &Text) -> bool {
    let value = Shape { rules: field.rules.clone(), ..Shape::new(Kind::Alias(field.shape.clone())) };
    check(&value, &Json::from_node(Node::String(name.as_str().into()))).is_empty()
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

/// Returns the shape of a text that is one of these names, or of a list of such texts.
fn with_names(edge: &Ref, names: &[Text], depth: usize) -> Option<Shape> {
    let shape = edge.shape();
    if depth == DEEPEST {
        return None;
    }
    let inside = |inner: &Ref| Some(Ref::Shared(with_names(inner, names, depth + 1)?.into()));
    let kind = match &shape.kind {
        Kind::String => {
            let variants: Vec<Variant> = names.iter().cloned().map(unit_variant).collect();
            let union = Union { tagging: Tagging::External, variants: variants.into(), unknown: UnknownKeys::Rejected };
            return Some(Shape { doc: shape.doc.clone(), ..Shape::new(Kind::Union(union)) });
        }
        Kind::Nullable(inner) => Kind::Nullable(inside(inner)?),
        Kind::Array(inner) => Kind::Array(inside(inner)?),
        Kind::Alias(inner) => Kind::Alias(inside(inner)?),
        _ => return None,
    };
    Some(Shape { doc: shape.doc.clone(), rules: shape.rules.clone(), ..Shape::new(kind) })
}
