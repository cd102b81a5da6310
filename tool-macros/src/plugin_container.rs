//! `#[plugin_container]`: parse → check → emit.
//!
//! In comes an inherent `impl` block, out goes the same block without what only we understand, then the container or every mistake at
//! once and a stand-in for the container.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Item, ItemImpl, Type};

use crate::errors::Errors;
use crate::group::ungrouped;
use crate::parse::{RawContainer, settings};
use crate::{check, emit};

/// Expands the attribute.
pub(crate) fn expand(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2::<ItemImpl>(item.clone()) {
        Ok(block) => container(arguments, block),
        Err(error) => {
            let error = refuse(item).unwrap_or(error).into_compile_error();
            quote!(#item #error)
        }
    }
}

fn container(arguments: &TokenStream, mut block: ItemImpl) -> TokenStream {
    let mut errors = Errors::default();
    let raw = RawContainer::parse(&[settings(arguments)], &mut block, &mut errors);
    let runtime = raw.attributes.runtime.clone().unwrap_or_else(check::default_runtime);
    let owner = match ungrouped(&block.self_ty) {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default(),
        _ => String::new(),
    };
    let used = raw.marker.as_ref().map(emit::used);
    let members: Vec<_> =
        raw.members.iter().map(|member| (check::type_name(member, &owner), member.visibility.clone())).collect();
    let checked = check::container(&block, raw, &mut errors);
    match (errors.finish(), checked) {
        (Ok(()), Some(container)) => {
            let generated = emit::container(&container);
            quote!(#block #generated)
        }
        (result, checked) => {
            let errors = result.err().map(syn::Error::into_compile_error);
            // One that borrows cannot be a container, whatever stands in for it.
            let lasting = checked.filter(|container| container.generics.lifetimes().next().is_none());
            let stand_in = lasting
                .map(|container| emit::container_stand_in(&container.ty, &container.generics, &members, &runtime));
            quote!(#block #errors #used #stand_in)
        }
    }
}

/// The error for what is no block, where it is something that we know better.
fn refuse(item: &TokenStream) -> Option<syn::Error> {
    let ident = match syn::parse2::<Item>(item.clone()).ok()? {
        Item::Struct(item) => item.ident,
        Item::Enum(item) => item.ident,
        _ => {
            return Some(syn::Error::new_spanned(
                item,
                "`#[plugin_container]` is for an `impl` block: write it above `impl Name { … }`",
            ));
        }
    };
    let message = format!(
        "`#[plugin_container]` is for an `impl` block: write it above `impl {ident} {{ … }}`, where the methods are"
    );
    Some(syn::Error::new_spanned(ident, message))
}
