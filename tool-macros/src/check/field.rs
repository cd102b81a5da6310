//! Checks one field or parameter: its settings must fit each other and the [`Facts`], which come from serde or from the signature of the
//! tool.

use proc_macro2::Span;
use syn::{Member, Path, Type};

use super::lifetime;
use super::literal;
use super::option;
use super::rule::{reject, reject_settings, rules};
use crate::errors::Errors;
use crate::model::{Description, Doc, Field};
use crate::parse::Attributes;

/// Facts about a field or parameter that do not come from `#[tool(…)]`.
pub(crate) struct Facts<'r> {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// The key in the JSON.
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    /// `true` if an absent key has a default other than the one that the type itself provides.
    pub(crate) has_default: bool,
    /// `true` if the default is `None`.
    pub(crate) is_none_by_default: bool,
    pub(crate) standing: Standing,
    /// `true` if missing documentation is an error.
    pub(crate) must_be_documented: bool,
    pub(crate) decoder: Decoder<'r>,
    /// The span of errors about the field as a whole.
    pub(crate) span: Span,
}

/// The code that decodes the value.
#[derive(Clone, Copy)]
pub(crate) enum Decoder<'r> {
    /// The decoder of parameters.
    Parameter,
    /// The derive of serde. `runtime` is the path of the runtime, for errors.
    Serde { runtime: &'r Path },
    /// A function that decodes `null` as `Some(None)`, at this span.
    DoubleOption(Span),
    /// The user's function at this span, `#[serde(with = …)]`.
    Function(Span),
}

/// The position of the value in the JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The value has a key of its own.
    UnderKey,
    /// The value has no key: it is an item at a fixed position, or the whole JSON value.
    WithoutKey,
    /// The value is an object whose keys are part of the surrounding object.
    Flattened,
}

/// Checks a field or parameter.
pub(crate) fn field(mut attributes: Attributes, facts: Facts<'_>, errors: &mut Errors) -> Field {
    if let Some(owned) = lifetime::owned(&facts.ty) {
        errors.on(&facts.ty, lifetime::message(&facts.ty, &owned));
    }
    documented(&attributes, &facts, errors);
    let flatten = facts.standing == Standing::Flattened;
    if facts.standing != Standing::UnderKey {
        without_key(&attributes, flatten, errors);
    }
    defaults(&attributes, &facts, errors);
    let rules = rules(std::mem::take(&mut attributes.rules), errors);
    if flatten {
        reject(&rules, errors, |key| {
            let place = if key == "custom" { "the type of the field" } else { "the fields of its type" };
            Some(format!("the keys of a flattened field are in the object around it: put `{key}` on {place}"))
        });
    }
    for literal in attributes.default.iter().map(|(_, literal)| literal).chain(&attributes.example) {
        literal::check(literal, &rules, errors);
    }
    let description = description(&mut attributes, &facts, errors);
    let distinct_null = distinct_null(&facts, errors);
    reject(&rules, errors, |key| match (&description, key) {
        (Description::As(_), "custom") => Some(
            "`custom` cannot be combined with `as`: return the error from the function that decodes the value"
                .to_owned(),
        ),
        (Description::Schemars { .. }, rule) if rule != "custom" => Some(format!(
            "`schemars` provides the rules of this type: remove `{rule}`, or derive `ToolInput` for the type"
        )),
        _ => None,
    });
    Field {
        member: facts.member,
        ty: facts.ty,
        description,
        name: facts.name,
        aliases: facts.aliases,
        doc: attributes.doc,
        rules,
        has_default: facts.has_default,
        is_none_by_default: facts.is_none_by_default,
        distinct_null,
        default: attributes.default.map(|(_, literal)| literal),
        example: attributes.example,
        flatten,
        sensitive: attributes.sensitive.is_some(),
        deprecated: attributes.deprecated.is_some() || attributes.deprecated_in_rust,
        hidden: attributes.hidden,
        repair: attributes.settings.repair.map(|(_, policy)| policy),
    }
}

/// Notes an error if the required documentation of a field is missing, or if `undocumented` has no effect.
fn documented(attributes: &Attributes, facts: &Facts<'_>, errors: &mut Errors) {
    let silent = matches!(attributes.doc, Doc::None);
    let shown = attributes.hidden.is_none();
    match attributes.undocumented {
        None if silent && shown && facts.must_be_documented => errors.at(
            facts.span,
            format!(
                "`{}` has no documentation for the model: write `/// …` above it, or `#[tool(undocumented)]`",
                facts.name
            ),
        ),
        Some(span) if !silent => {
            errors.at(span, "`undocumented` has no effect on an item with documentation: remove it");
        }
        Some(span) if facts.standing != Standing::UnderKey || !shown => {
            errors.at(span, "`undocumented` has no effect where no documentation is required: remove it");
        }
        _ => {}
    }
}

/// Notes an error for each setting that describes a key, on a field that has no key.
fn without_key(attributes: &Attributes, flatten: bool, errors: &mut Errors) {
    let settings = [
        (attributes.default.as_ref().map(|(span, _)| *span), "default"),
        (attributes.example.as_ref().map(|example| example.span), "example"),
        (attributes.sensitive, "sensitive"),
        (attributes.hidden, "hidden"),
        (attributes.deprecated, "deprecated"),
        (attributes.settings.repair.map(|(span, _)| span), "repair"),
    ];
    reject_settings(settings, errors, |key| {
        if flatten {
            format!("a flattened field has no key of its own: put `{key}` on the fields of its type")
        } else {
            format!("a value without a key of its own cannot have `{key}`: put it on the field that holds this type")
        }
    });
}

/// Notes an error if the schema would show a default that serde does not apply.
fn defaults(attributes: &Attributes, facts: &Facts<'_>, errors: &mut Errors) {
    if let Some((span, _)) = &attributes.default
        && facts.standing == Standing::UnderKey
        && !facts.has_default
    {
        errors.at(
            *span,
            format!(
                "`default` only tells the model about this value, and serde has to supply it: add `#[serde(default = \"path\")]` with a function that returns it, \
                 or `#[serde(default)]` if it is the `Default` value of `{}`",
                lifetime::show(&facts.ty)
            ),
        );
    }
}

/// Returns `true` if `null` is another value than an absent key. Notes an error if the type has two values, but only one would occur.
fn distinct_null(facts: &Facts<'_>, errors: &mut Errors) -> bool {
    match facts.decoder {
        Decoder::Function(_) => return option::is_double(&facts.ty),
        Decoder::DoubleOption(span) if facts.standing != Standing::UnderKey => {
            errors.at(
                span,
                "a value without a key of its own cannot be absent: remove this function, and write one `Option`",
            );
        }
        Decoder::DoubleOption(span) if !facts.has_default => {
            errors.at(span, "an absent key is an error without a default: add `default` before `deserialize_with`");
        }
        Decoder::Parameter | Decoder::DoubleOption(_) => option::reject_inner(&facts.ty, errors),
        Decoder::Serde { runtime } if facts.standing == Standing::UnderKey => {
            option::reject_double(&facts.ty, runtime, errors);
        }
        Decoder::Serde { .. } => option::reject_all(&facts.ty, errors),
    }
    match facts.decoder {
        Decoder::Parameter => option::is_double(&facts.ty),
        Decoder::DoubleOption(_) => true,
        Decoder::Serde { .. } | Decoder::Function(_) => false,
    }
}

fn description(attributes: &mut Attributes, facts: &Facts<'_>, errors: &mut Errors) -> Description {
    let decoded_by = match facts.decoder {
        Decoder::Function(span) => Some(span),
        Decoder::Parameter | Decoder::Serde { .. } | Decoder::DoubleOption(_) => None,
    };
    match (attributes.wire_type.take(), attributes.schemars, decoded_by) {
        (Some((span, _)), Some(_), _) => {
            errors.at(span, "`as` and `schemars` both describe the value: remove one of the two");
            Description::Schemars { decodes: false }
        }
        (Some((span, _)), None, None) => {
            errors.at(span, "`as` has an effect only together with serde's `with` or `deserialize_with`: add one of them, or change the type of the field");
            Description::Own
        }
        (Some((_, ty)), None, Some(_)) => Description::As(Box::new(ty)),
        (None, None, Some(span)) => {
            errors.at(
                span,
                "a function decodes this value, so its schema is not known: name a type with the same JSON in `#[tool(as = Type)]`, \
                 for example `#[tool(as = String)]`",
            );
            Description::Schemars { decodes: false }
        }
        (None, Some(_), decoded_by) => Description::Schemars { decodes: decoded_by.is_none() },
        (None, None, None) => Description::Own,
    }
}
