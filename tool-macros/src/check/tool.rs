//! Checks a function that becomes a tool: its signature, names and settings.
//!
//! Mistakes are noted in `Errors`, and values that depend on them are left out.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{LitStr, Path, ReturnType, Type, parse_quote};

use super::lifetime::anonymous;
use super::option;
use super::parameter::{OfTool, is_argument, parameters};
use super::signature::{receiver, reject};
use super::throttle::throttle;
use crate::errors::Errors;
use crate::model::{Casing, Doc, Literal, Owner, Presentation, Settings, Tool, Value, pascal};
use crate::parse::{RawParameter, RawTool};

/// Returns the name of the type that represents the tool. `owner` is the name of the tool's container, or empty.
pub(crate) fn type_name(raw: &RawTool, owner: &str) -> Ident {
    let function = &raw.signature.ident;
    raw.attributes.type_name.clone().unwrap_or_else(|| {
        let name = format!("{owner}{}Tool", pascal(&function.unraw().to_string()));
        // The generated name has the location of the function, with the hygiene of the macro.
        Ident::new(&name, Span::call_site().located_at(function.span()))
    })
}

/// Returns the default path of the runtime.
pub(crate) fn default_runtime() -> Path {
    parse_quote!(::tool_runtime)
}

/// Checks a free function.
pub(crate) fn function(raw: RawTool, errors: &mut Errors) -> Tool {
    let ident = type_name(&raw, "");
    tool(raw, ident, None, None, errors)
}

/// Checks a method of a container.
pub(super) fn method(
    raw: RawTool,
    owner: &Owner,
    owner_name: &str,
    casing: Option<Casing>,
    errors: &mut Errors,
) -> Tool {
    if let Some((span, _)) = &raw.attributes.runtime {
        errors.at(*span, "a container and its members use the same `crate`: write `#[plugin_container(crate = …)]`");
    }
    let owner = Owner { has_receiver: receiver(&raw.signature, &owner.ty, errors), ..owner.clone() };
    let ident = type_name(&raw, owner_name);
    tool(raw, ident, Some(owner), casing, errors)
}

fn tool(raw: RawTool, ident: Ident, owner: Option<Owner>, casing: Option<Casing>, errors: &mut Errors) -> Tool {
    reject(&raw.signature, errors);
    let RawTool { attributes, visibility, signature, parameters: raw, conditions } = raw;
    let (name, name_span) = name(attributes.name.as_ref(), &signature.ident, casing, errors);
    let aliases = aliases(attributes.other_names, &name, errors);
    let presentation = presentation(attributes.title, attributes.icons, attributes.meta, errors);
    documented(&attributes.doc, attributes.undocumented, &raw, &signature.ident, errors);
    if let (Some(span), Some(_)) = (attributes.settings.blocking, signature.asyncness) {
        errors.at(span, "`blocking` is for functions that block their thread: remove it, or remove `async`");
    }
    running(&attributes.settings, signature.asyncness.is_some(), errors);
    let of_tool = OfTool {
        undocumented: attributes.undocumented.is_some(),
        is_closed: attributes.settings.ignore_unknown.is_none(),
    };
    let output: Type = match signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => {
            option::reject_result(&ty, errors);
            anonymous(&ty, &signature.generics)
        }
    };
    Tool {
        ident,
        visibility,
        function: signature.ident,
        owner,
        is_async: signature.asyncness.is_some(),
        parameters: parameters(raw, &signature.generics, of_tool, errors),
        output,
        name,
        aliases,
        name_span,
        doc: attributes.doc,
        settings: attributes.settings,
        presentation,
        throttle: throttle(attributes.throttle, errors),
        conditions,
    }
}

/// Rejects a time limit that cannot be enforced, and `retry` without `idempotent`.
fn running(settings: &Settings, is_async: bool, errors: &mut Errors) {
    if let (Some((span, _)), None, false) = (settings.time_limit, settings.blocking, is_async) {
        errors.at(
            span,
            "a sync function runs on the calling thread and cannot be stopped there: write `async fn`, add `blocking`, or remove `timeout_ms`",
        );
    }
    if let (Some((span, _)), None | Some(false)) = (settings.retry, settings.idempotent) {
        errors.at(span, "only an idempotent tool can be retried: add `idempotent`, or remove `retry`");
    }
}

/// Returns the name that the model calls, with its span.
pub(super) fn name(
    stated: Option<&LitStr>,
    ident: &Ident,
    casing: Option<Casing>,
    errors: &mut Errors,
) -> (String, Span) {
    let own = || {
        let own = ident.unraw().to_string();
        (casing.map_or_else(|| own.clone(), |casing| casing.apply(&own)), ident.span())
    };
    let (name, span) = stated.map_or_else(own, |stated| (stated.value(), stated.span()));
    if !is_name(&name) {
        let instead = stated.and_then(|_| respelt(&name)).map_or_else(
            || "write another with `name = \"…\"`".to_owned(),
            |respelt| format!("write `name = {respelt:?}`"),
        );
        errors.at(
            span,
            format!(
                "no provider accepts {name:?} as a name: a name begins with a letter or `_`, continues with letters, digits, `_` and `-`, and has at \
                 most 64 characters; {instead}"
            ),
        );
    }
    (name, span)
}

/// Returns the data of a tool or a container for people and programs: title, icons, `_meta`.
pub(super) fn presentation(
    title: Option<LitStr>,
    icons: Option<Vec<LitStr>>,
    meta: Option<Literal>,
    errors: &mut Errors,
) -> Presentation {
    let icons = icons.unwrap_or_default();
    for icon in &icons {
        if !["https://", "http://", "data:"].iter().any(|scheme| icon.value().starts_with(scheme)) {
            errors.at(icon.span(), "an icon has an address: write `https://…` or `data:image/png;base64,…`");
        }
    }
    if let Some(Literal { value, span }) = &meta
        && !matches!(value, Value::Object(_))
    {
        errors.at(*span, "`meta` is an object: write `meta = {\"com.example/tier\": 2}`");
    }
    Presentation {
        title: title.map(|title| title.value()),
        icons: icons.iter().map(LitStr::value).collect(),
        meta: meta.map(|meta| meta.to_string()),
    }
}

/// Returns the aliases. Notes an error if one is repeated or equals the name.
fn aliases(stated: Option<Vec<LitStr>>, name: &str, errors: &mut Errors) -> Vec<String> {
    let mut aliases = Vec::new();
    for stated in stated.into_iter().flatten() {
        let alias = stated.value();
        if alias.is_empty() {
            errors.at(stated.span(), "an alias cannot be empty: write a name, or remove it");
        } else if alias == name {
            errors.at(stated.span(), format!("`{alias}` is the name of the tool itself: remove the alias"));
        } else if aliases.contains(&alias) {
            errors.at(stated.span(), format!("`{alias}` was already given: remove one of the two"));
        } else {
            aliases.push(alias);
        }
    }
    aliases
}

/// Returns the words of a text joined with underscores, if the result is a valid name.
fn respelt(name: &str) -> Option<String> {
    let respelt = name.split_whitespace().collect::<Vec<_>>().join("_");
    is_name(&respelt).then_some(respelt)
}

/// Returns `true` for a name that matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
fn is_name(name: &str) -> bool {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    begins && name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Notes an error if a description is missing and there is no `undocumented`, or if everything is described and there is `undocumented`.
fn documented(
    doc: &Doc,
    undocumented: Option<Span>,
    parameters: &[RawParameter],
    function: &Ident,
    errors: &mut Errors,
) {
    let silent = matches!(doc, Doc::None);
    match undocumented {
        None if silent => errors.at(
            function.span(),
            format!(
                "`{function}` has no description for the model: write `/// …` above it, `#[tool(description = \"…\")]`, or \
                 `#[tool(undocumented)]`"
            ),
        ),
        Some(span) if !silent && !parameters.iter().any(|raw| is_argument(raw) && matches!(raw.attributes.doc, Doc::None)) => {
            errors.at(span, "`undocumented` has no effect if everything is documented: remove it");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_valid_if_every_provider_accepts_it() {
        for name in ["a", "_", "get_weather", "get-weather", "A9", &"x".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "9a", "-a", "a b", "a.b", "ä", "a/b", &"x".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
