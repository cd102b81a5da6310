//! The parameters of a tool: what the model fills in, the state, the context.
//!
//! In come parameters with their attributes, out go those without a mistake, in the order in which the function takes them.

use std::collections::HashSet;
use std::iter;

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Generics, LitStr, Member, Pat, Type};

use super::field::{Facts, Standing, field};
use super::lifetime::{anonymous, show};
use super::rule::refuse_settings;
use super::signature::impl_trait;
use crate::errors::Errors;
use crate::group::ungrouped;
use crate::model::{Absent, Argument, Parameter};
use crate::parse::{Attributes, RawParameter};

/// Whether the model fills the parameter in.
pub(super) fn is_argument(raw: &RawParameter) -> bool {
    raw.attributes.state.is_none() && raw.attributes.context.is_none()
}

/// Checks every parameter; `generics` are those of the function, `undocumented` is what the tool says of all of them.
pub(super) fn parameters(
    raw: Vec<RawParameter>,
    generics: &Generics,
    undocumented: bool,
    errors: &mut Errors,
) -> Vec<Parameter> {
    let mut names = HashSet::new();
    let mut checked = Vec::with_capacity(raw.len());
    for RawParameter { attributes, pattern, ty } in raw {
        if attributes.state.is_some() || attributes.context.is_some() {
            checked.extend(borrowed(&attributes, &anonymous(&ty, generics), errors));
        } else if let Some(ident) = named(&pattern, &ty, errors) {
            distinct(&attributes, &ident, &mut names, errors);
            checked.push(Parameter::Argument(argument(attributes, ident, ty, undocumented, errors)));
        }
    }
    checked
}

/// State or context: a shared reference, and nothing that a model would read.
fn borrowed(attributes: &Attributes, ty: &Type, errors: &mut Errors) -> Option<Parameter> {
    if let (Some(_), Some(context)) = (attributes.state, attributes.context) {
        errors.at(context, "a parameter cannot be both the state and the context: remove `state` or `context`");
    }
    unseen(attributes, errors);
    match ungrouped(ty) {
        Type::Reference(reference) if reference.mutability.is_none() => Some(if attributes.state.is_some() {
            Parameter::State((*reference.elem).clone())
        } else {
            Parameter::Context((*reference.elem).clone())
        }),
        Type::Reference(reference) => {
            let shared = show(&reference.elem);
            errors.on(ty, format!("concurrent calls share this value: write `&{shared}`, and keep mutable data in a `Mutex` or an atomic"));
            None
        }
        _ => {
            let shared = show(ty);
            errors.on(ty, format!("state and context are borrowed for the time of the call: write `&{shared}`"));
            None
        }
    }
}

/// The name of a parameter, which is what the model calls it.
fn named(pattern: &Pat, ty: &Type, errors: &mut Errors) -> Option<Ident> {
    match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => Some(pattern.ident.clone()),
        Pat::Wild(_) => {
            errors.on(
                pattern,
                format!("a model fills parameters in by name: write a name, such as `_value: {}`", show(ty)),
            );
            None
        }
        _ => {
            let (ty, pattern_text) = (show(ty), show(pattern));
            errors.on(
                pattern,
                format!("a model fills parameters in by name: write `value: {ty}` and begin the body with `let {pattern_text} = value;`"),
            );
            None
        }
    }
}

/// What is said of a value that no model fills in has no effect.
fn unseen(attributes: &Attributes, errors: &mut Errors) {
    let settings = [
        (attributes.rules.first().map(|rule| rule.key.span()), "rules"),
        (attributes.default.as_ref().map(|(span, _)| *span), "default"),
        (attributes.default_fn.as_ref().map(|(span, _)| *span), "default_fn"),
        (attributes.enum_from.as_ref().map(|(span, _)| *span), "enum_from"),
        (attributes.example.as_ref().map(|example| example.span), "example"),
        (attributes.rename.as_ref().map(LitStr::span), "rename"),
        (attributes.aliases.first().map(LitStr::span), "alias"),
        (attributes.sensitive, "sensitive"),
        (attributes.deprecated, "deprecated"),
        (attributes.hidden, "hidden"),
        (attributes.settings.repair.map(|(span, _)| span), "repair"),
        (attributes.undocumented, "undocumented"),
        (attributes.schemars, "schemars"),
    ];
    refuse_settings(settings, errors, |key| format!("the model never sees state or context: remove `{key}`"));
}

/// Notes an error on every key of the parameter that another parameter has.
fn distinct(attributes: &Attributes, ident: &Ident, names: &mut HashSet<String>, errors: &mut Errors) {
    let own = match &attributes.rename {
        Some(rename) => (rename.value(), rename.span()),
        None => (ident.unraw().to_string(), ident.span()),
    };
    for (name, span) in iter::once(own).chain(attributes.aliases.iter().map(|alias| (alias.value(), alias.span()))) {
        if names.contains(&name) {
            errors.at(
                span,
                format!(
                    "{name:?} already names a parameter: give this one another key, with `#[tool(rename = \"…\")]`"
                ),
            );
        } else {
            names.insert(name);
        }
    }
}

fn argument(attributes: Attributes, ident: Ident, ty: Type, undocumented: bool, errors: &mut Errors) -> Argument {
    if let Some(found) = impl_trait(&ty) {
        errors.on(&found, format!("a model sees one schema: write a concrete type instead of `{}`", show(&found)));
    }
    let absent = match (&attributes.default, &attributes.default_fn) {
        (Some(_), Some((span, _))) => {
            errors.at(*span, "`default` and `default_fn` both set the default: remove one of the two");
            Absent::Literal
        }
        (Some(_), None) => Absent::Literal,
        (None, Some((_, path))) => Absent::Function(path.clone()),
        (None, None) => Absent::OfType,
    };
    if let (Some((span, _)), Some(_)) = (&attributes.enum_from, attributes.schemars) {
        errors.at(*span, "`schemars` provides the schema of this type, and `enum_from` cannot change it: remove `enum_from` or `schemars`");
    }
    let enum_from = attributes.enum_from.as_ref().map(|(_, path)| path.clone());
    let facts = Facts {
        member: Member::Named(ident.clone()),
        ty,
        name: attributes.rename.as_ref().map_or_else(|| ident.unraw().to_string(), LitStr::value),
        aliases: attributes.aliases.iter().map(LitStr::value).collect(),
        has_default: !matches!(absent, Absent::OfType),
        is_none_by_default: false,
        standing: Standing::UnderKey,
        must_be_documented: !undocumented,
        decoded_by: None,
        span: ident.span(),
    };
    Argument { ident, field: field(attributes, facts, errors), absent, enum_from }
}
