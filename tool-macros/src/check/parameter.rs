//! Checks the parameters of a tool: the arguments that the model fills in, the state, and the context.
//!
//! Parameters with a mistake are left out. The others keep the order of the function.

use std::collections::HashSet;
use std::iter;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Generics, LitStr, Member, Pat, Path, Type};

use super::field::{Decoder, Facts, Standing, field};
use super::lifetime::{anonymous, show};
use super::rule::reject_settings;
use super::signature::find_type;
use crate::errors::Errors;
use crate::model::{Absent, Argument, Parameter};
use crate::parse::{Attributes, RawParameter};
use crate::ungroup::ungrouped;

/// Returns `true` if the model fills the parameter in.
pub(super) fn is_argument(raw: &RawParameter) -> bool {
    raw.attributes.state.is_none() && raw.attributes.context.is_none() && raw.attributes.host.is_none()
}

/// The settings of a tool that apply to all of its parameters.
#[derive(Clone, Copy)]
pub(super) struct OfTool {
    /// `true` if parameters need no documentation.
    pub(super) undocumented: bool,
    /// `true` if unknown parameters are rejected.
    pub(super) is_closed: bool,
}

/// Checks every parameter. `generics` are the generics of the function.
pub(super) fn parameters(
    raw: Vec<RawParameter>,
    generics: &Generics,
    of_tool: OfTool,
    errors: &mut Errors,
) -> Vec<Parameter> {
    let (mut names, mut headers) = (HashSet::new(), HashSet::new());
    let mut checked = Vec::with_capacity(raw.len());
    let (mut flat, mut arguments) = (None, 0);
    for RawParameter { attributes, pattern, ty } in raw {
        if attributes.state.is_some() || attributes.context.is_some() {
            checked.extend(borrowed(&attributes, &anonymous(&ty, generics), errors));
        } else if is_reference_to_context(&ty) {
            errors.on(&ty, "the context of a call is not an argument: write `#[tool(context)]` before the parameter");
        } else if let Some(ident) = named(&pattern, &ty, errors) {
            distinct(&attributes, &ident, &mut names, errors);
            header(&attributes, &mut headers, errors);
            if let Some(span) = attributes.flatten {
                flattened(span, &attributes, &ty, of_tool, errors);
                flat = Some((span, show(&ty)));
            }
            arguments += 1;
            checked.push(Parameter::Argument(argument(attributes, ident, ty, of_tool, errors)));
        }
    }
    if let (Some((span, ty)), 2..) = (flat, arguments) {
        errors.at(
            span,
            format!("`{ty}` is the whole input of the tool: make the other parameters its fields, or remove `flatten`"),
        );
    }
    checked
}

/// Notes an error for each setting that a flattened parameter cannot have, because the model sees the fields of its type instead.
fn flattened(flatten: Span, attributes: &Attributes, ty: &Type, of_tool: OfTool, errors: &mut Errors) {
    let settings = of_arguments(attributes).into_iter().chain([(attributes.host, "host")]);
    reject_settings(settings, errors, |key| {
        format!("the model sees the fields of `{}` in place of this parameter: remove `{key}`", show(ty))
    });
    if !of_tool.is_closed {
        errors.at(flatten, "the flattened type decides about unknown keys: remove `ignore_unknown` or `flatten`");
    }
}

/// Returns `true` for a reference to a type named `CallContext`, because such a parameter can only be the context of a call.
fn is_reference_to_context(ty: &Type) -> bool {
    let Type::Reference(reference) = ungrouped(ty) else { return false };
    matches!(ungrouped(&reference.elem), Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "CallContext"))
}

/// Checks a state or context parameter: it must be a shared reference without settings that describe an argument.
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

/// Returns the name of a parameter, which is also its key for the model.
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

/// Notes an error for each setting that describes an argument, if it is on a parameter that the model does not fill in.
fn unseen(attributes: &Attributes, errors: &mut Errors) {
    let settings =
        of_arguments(attributes).into_iter().chain([(attributes.flatten, "flatten"), (attributes.host, "host")]);
    reject_settings(settings, errors, |key| format!("the model never sees state or context: remove `{key}`"));
}

/// Returns the settings that describe an argument.
fn of_arguments(attributes: &Attributes) -> [(Option<Span>, &'static str); 16] {
    [
        (attributes.rules.first().map(|rule| rule.key.span()), "rules"),
        (attributes.default.as_ref().map(|(span, _)| *span), "default"),
        (attributes.default_fn.as_ref().map(|(span, _)| *span), "default_fn"),
        (attributes.enum_from.as_ref().map(|(span, _)| *span), "enum_from"),
        (attributes.shown_if.as_ref().map(|(span, _)| *span), "available_if"),
        (attributes.described_from.as_ref().map(|(span, _)| *span), "description_from"),
        (attributes.header.as_ref().map(LitStr::span), "mcp_header"),
        (attributes.example.as_ref().map(|example| example.span), "example"),
        (attributes.rename.as_ref().map(LitStr::span), "rename"),
        (attributes.aliases.first().map(LitStr::span), "alias"),
        (attributes.sensitive, "sensitive"),
        (attributes.deprecated, "deprecated"),
        (attributes.hidden, "hidden"),
        (attributes.settings.repair.map(|(span, _)| span), "repair"),
        (attributes.undocumented, "undocumented"),
        (attributes.schemars, "schemars"),
    ]
}

/// Notes an error on each key that another parameter already has.
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
                    "{name:?} is already a key of another parameter: write another key here, with `rename` or `aliases` of `#[tool(…)]`"
                ),
            );
        } else {
            names.insert(name);
        }
    }
}

/// Checks the name of an HTTP header, and rejects settings that do not fit a parameter with a header. For example, its value cannot be a
/// secret, because every program between the client and the server can see it.
fn header(attributes: &Attributes, headers: &mut HashSet<String>, errors: &mut Errors) {
    let Some(header) = &attributes.header else { return };
    let (name, span) = (header.value(), header.span());
    if name.is_empty() || !name.chars().all(is_token) {
        errors.at(
            span,
            "the name of a header has letters, digits and some of ``!#$%&'*+-.^_`|~``: write for example `mcp_header = \"Region\"`",
        );
    } else if !headers.insert(name.to_ascii_lowercase()) {
        errors.at(
            span,
            format!("another parameter has the header {name:?} (upper and lower case are the same in headers): write another name"),
        );
    }
    if let Some(secret) = attributes.sensitive {
        errors.at(secret, "a header is visible to every proxy: remove `sensitive` or `mcp_header`");
    }
    if let Some(hidden) = attributes.hidden {
        errors.at(
            hidden,
            "a client cannot send the header of a parameter that it does not see: remove `hidden` or `mcp_header`",
        );
    }
    if let Some(schemars) = attributes.schemars {
        errors.at(
            schemars,
            "a header needs a text, an integer or a boolean, and the type of a `schemars` parameter is not known: remove `schemars` or `mcp_header`",
        );
    }
}

/// Returns `true` for a character of a token in HTTP (RFC 9110, section 5.6.2).
fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}

fn argument(attributes: Attributes, ident: Ident, ty: Type, of_tool: OfTool, errors: &mut Errors) -> Argument {
    // `JsonSchema` can be implemented for `dyn Trait`.
    let is_open = |ty: &Type| attributes.schemars.is_none() && matches!(ty, Type::TraitObject(_));
    if let Some(found) = find_type(&ty, |ty| matches!(ty, Type::ImplTrait(_)) || is_open(ty)) {
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
    if let Some(span) = attributes.host {
        supplied(span, &attributes, of_tool, errors);
    } else if let Some((span, _)) = &attributes.shown_if {
        conditional(*span, of_tool, errors);
    }
    let path = |key: &Option<(Span, Path)>| key.as_ref().map(|(_, path)| path.clone());
    let enum_from = path(&attributes.enum_from);
    let (available_if, description_from) = (path(&attributes.shown_if), path(&attributes.described_from));
    let facts = Facts {
        member: Member::Named(ident.clone()),
        ty,
        name: attributes.rename.as_ref().map_or_else(|| ident.unraw().to_string(), LitStr::value),
        aliases: attributes.aliases.iter().map(LitStr::value).collect(),
        has_default: !matches!(absent, Absent::OfType),
        is_none_by_default: false,
        standing: Standing::UnderKey,
        must_be_documented: !of_tool.undocumented && attributes.host.is_none() && attributes.flatten.is_none(),
        decoder: Decoder::Parameter,
        span: ident.span(),
    };
    let (is_flat, is_host) = (attributes.flatten.is_some(), attributes.host.is_some());
    // If a parameter has another mistake, its header is dropped, so that there is only one error about the parameter.
    let header = attributes.header.clone().filter(|_| attributes.schemars.is_none());
    Argument {
        ident,
        field: field(attributes, facts, errors),
        absent,
        enum_from,
        is_flat,
        is_host,
        available_if,
        description_from,
        header,
    }
}

/// Notes an error for each setting that has no effect on a parameter of the host, which the model does not see.
fn supplied(host: Span, attributes: &Attributes, of_tool: OfTool, errors: &mut Errors) {
    let has_effect =
        |key: &str| matches!(key, "rules" | "default" | "default_fn" | "rename" | "sensitive" | "schemars");
    let settings = of_arguments(attributes).into_iter().filter(|(_, key)| !has_effect(key));
    reject_settings(settings, errors, |key| format!("the model never sees a value of the host: remove `{key}`"));
    if !of_tool.is_closed {
        errors.at(host, "a tool that ignores unknown parameters would let the model send this one: remove `ignore_unknown` or `host`");
    }
}

/// Notes an error if `available_if` is on a parameter that cannot be hidden. Generated code checks whether the parameter is required.
fn conditional(span: Span, of_tool: OfTool, errors: &mut Errors) {
    if !of_tool.is_closed {
        errors.at(
            span,
            "a tool that ignores unknown parameters would get this one even while it is hidden: remove `ignore_unknown` or `available_if`",
        );
    }
}
