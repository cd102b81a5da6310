//! Checks a container: its `impl` block, its members, and that the names of the members are unique.
//!
//! If the block cannot be a container at all, the result has no [`Container`].

use std::collections::HashMap;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{ItemImpl, Type};

use super::lifetime::show;
use super::tool::{default_runtime, method, name, presentation};
use crate::errors::Errors;
use crate::model::{Container, Doc, Owner, Tool};
use crate::parse::RawContainer;
use crate::ungroup::ungrouped;

/// Checks a block.
pub(crate) fn container(block: &ItemImpl, raw: RawContainer, errors: &mut Errors) -> Option<Container> {
    let ident = type_ident(block, errors)?;
    let RawContainer { attributes, members, marker } = raw;
    let instructions = attributes.instructions.unwrap_or_default();
    let system_prompt = attributes.system_prompt.unwrap_or_default();
    let (name, _) = name(attributes.name.as_ref(), ident, None, errors);
    match (&attributes.doc, attributes.undocumented) {
        (Doc::None, None) => errors.at(
            block.self_ty.span(),
            format!(
                "`{ident}` has no description for the model: write `/// …` above the `impl` block, \
                 `#[plugin_container(description = \"…\")]`, or `#[plugin_container(undocumented)]`"
            ),
        ),
        (Doc::Text(_) | Doc::Expression(_), Some(span)) => {
            errors.at(span, "`undocumented` has no effect together with a description: remove it");
        }
        _ => {}
    }
    if members.is_empty() {
        errors.on(
            &block.self_ty,
            "a container needs at least one tool: write `#[tool]` above each method that a model may call",
        );
    }
    one_of(&instructions, attributes.instructions_from.as_ref(), "instructions", errors);
    one_of(&system_prompt, attributes.system_prompt_from.as_ref(), "system_prompt", errors);
    let owner = Owner { ty: (*block.self_ty).clone(), generics: block.generics.clone(), has_receiver: false };
    let prefix = ident.unraw().to_string();
    let members: Vec<Tool> =
        members.into_iter().map(|raw| method(raw, &owner, &prefix, attributes.rename_all, errors)).collect();
    distinct(&members, errors);
    let presentation = presentation(attributes.title, attributes.icons, attributes.meta, errors);
    Some(Container {
        ty: owner.ty,
        generics: owner.generics,
        runtime: attributes.runtime.map_or_else(default_runtime, |(_, path)| path),
        name,
        doc: attributes.doc,
        instructions,
        instructions_from: attributes.instructions_from.map(|(_, path)| path),
        system_prompt,
        system_prompt_from: attributes.system_prompt_from.map(|(_, path)| path),
        presentation,
        members,
        marker,
    })
}

/// Notes an error if a text is given both as a constant and as a function.
fn one_of(fixed: &Doc, computed: Option<&(Span, syn::Path)>, key: &str, errors: &mut Errors) {
    if let (Doc::Text(_) | Doc::Expression(_), Some((span, _))) = (fixed, computed) {
        errors.at(*span, format!("`{key}` and `{key}_from` both set the text: remove one of the two"));
    }
}

/// Returns the name of the type that the block belongs to, or notes an error if the block cannot be a container.
fn type_ident<'b>(block: &'b ItemImpl, errors: &mut Errors) -> Option<&'b Ident> {
    let ty = &block.self_ty;
    if let Some((path, _)) = &block.trait_ {
        errors.on(
            path,
            format!("a container is not the implementation of a trait: move its tools to `impl {} {{ … }}`", show(ty)),
        );
    }
    for lifetime in block.generics.lifetimes() {
        let message = format!(
            "a container lives as long as its toolbox and cannot borrow for `{0}`: own the data, or write `'static` instead of `{0}`",
            lifetime.lifetime
        );
        errors.on(&lifetime.lifetime, message);
    }
    match ungrouped(ty) {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().map(|last| &last.ident),
        _ => {
            errors.on(ty, "a container is a struct or enum of yours: write the name of one");
            None
        }
    }
}

/// Notes an error on both members if two of them have the same name.
fn distinct(members: &[Tool], errors: &mut Errors) {
    let mut owners: HashMap<&str, Vec<&Tool>> = HashMap::new();
    for member in members {
        owners.entry(&member.name).or_default().push(member);
    }
    for member in members {
        let same = &owners[member.name.as_str()];
        if let Some(other) = same.iter().find(|other| other.function != member.function).filter(|_| same.len() > 1) {
            errors.at(
                member.name_span,
                format!(
                    "two tools are named {:?}: rename this one or `{}` with `#[tool(name = \"…\")]`",
                    member.name, other.function
                ),
            );
        }
    }
}
