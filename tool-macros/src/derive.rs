//! Expands `#[derive(ToolInput)]`: parse → check → emit.
//!
//! On mistakes, it returns all errors and a stand-in for the impl. serde's derive reports mistakes in serde's attributes. In that case, it
//! emits no `Deserialize`, and this macro cannot check the type.

use proc_macro2::TokenStream;
use quote::format_ident;
use serde_derive_internals::ast::Container;
use serde_derive_internals::{Ctxt, Derive, replace_receiver};
use syn::{DeriveInput, Path};

use crate::errors::Errors;
use crate::parse::RawInput;
use crate::{check, emit};

/// Expands the derive. Generated code refers to the crate at the path `runtime`, unless the item has a `crate = ::path`.
pub(crate) fn expand(item: TokenStream, runtime: Path) -> TokenStream {
    syn::parse2(item).map_or_else(syn::Error::into_compile_error, |item| derive(item, runtime))
}

fn derive(mut item: DeriveInput, runtime: Path) -> TokenStream {
    // `Self` is replaced, because defaults and examples are verified outside of the impl, where `Self` has no meaning.
    replace_receiver(&mut item);
    let mut errors = Errors::default();
    let raw = RawInput::parse(&item, &mut errors);
    let runtime = raw.attributes.runtime.as_ref().map_or(runtime, |(_, path)| path.clone());
    let context = Ctxt::new();
    let serde = Container::from_ast(&context, &item, Derive::Deserialize, &format_ident!("__private"));
    let accepted = context.check().is_ok();
    let serde = serde.filter(|_| accepted);
    let without_serde = serde.is_none();
    let remote = serde.as_ref().is_some_and(|serde| serde.attrs.remote().is_some());
    let input = serde.map(|serde| check::input(&item, &serde, raw, runtime.clone(), &mut errors));
    match (errors.finish(), input) {
        (Ok(()), Some(input)) => emit::input(&input),
        (result, _) => {
            let mut tokens = result.err().map(syn::Error::into_compile_error).unwrap_or_default();
            // A type that borrows cannot be an argument, so a stand-in would not prevent further errors. A `remote` definition is never
            // decoded itself.
            if !check::borrows(&item) && !remote {
                tokens.extend(emit::fallback(&item.ident, &item.generics, &runtime, without_serde));
            }
            tokens
        }
    }
}
