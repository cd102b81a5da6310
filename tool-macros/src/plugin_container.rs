//! Expands `#[plugin_container]`: parse → check → emit.
//!
//! The output begins with the `impl` block without our own attributes. It continues with the container, or on mistakes with all errors and
//! a stand-in for the container.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Item, ItemImpl, Type};

use crate::errors::Errors;
use crate::parse::{RawContainer, settings};
use crate::ungroup::ungrouped;
use crate::{check, emit};

/// Expands the attribute.
pub(crate) fn expand(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2::<ItemImpl>(item.clone()) {
        Ok(block) => container(arguments, block),
        Err(error) => {
            let error = reject(item).unwrap_or(error).into_compile_error();
            quote!(#item #error)
        }
    }
}

fn container(arguments: &TokenStream, mut block: ItemImpl) -> TokenStream {
    let mut errors = Errors::default();
    let raw = RawContainer::parse(&[settings(arguments)], &mut block, &mut errors);
    let runtime = raw.attributes.runtime.as_ref().map_or_else(check::default_runtime, |(_, path)| path.clone());
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
            // A container with lifetimes gets no stand-in: it is rejected wherever it is used.
            let lasting = checked.filter(|container| container.generics.lifetimes().next().is_none());
            let stand_in = lasting
                .map(|container| emit::container_stand_in(&container.ty, &container.generics, &members, &runtime));
            quote!(#block #errors #used #stand_in)
        }
    }
}

/// Returns a more specific error for an item that is not an `impl` block, if there is one.
fn reject(item: &TokenStream) -> Option<syn::Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn members(arguments: &TokenStream, block: &TokenStream) -> syn::Result<(TokenStream, usize)> {
        let expansion = expand(arguments, block);
        assert!(!expansion.to_string().contains("compile_error"), "{expansion}");
        let file: syn::File = syn::parse2(expansion)?;
        let [Item::Impl(block), rest @ ..] = &file.items[..] else { panic!("the block comes first") };
        let members = rest.iter().filter(|item| matches!(item, Item::Struct(_))).count();
        Ok((quote!(#block), members))
    }

    #[test]
    fn a_block_is_emitted_unchanged() -> syn::Result<()> {
        let block = quote! {
            /// Arithmetic.
            #[rmcp::tool_router]
            impl<T: Send> Math<T> {
                #![allow(dead_code)]
                const ONE: u8 = 1;

                /// Adds.
                #[rmcp::tool(name = "add")]
                #[inline]
                pub async fn add(&self, #[allow(unused)] mut a: u8,) -> Result<u8, Self> { Ok(a >> { Self::ONE }) }

                #[must_use]
                fn helper(mut self: Box<Self>) -> impl Sized {}
            }
        };
        let marked = block.to_string().replace("# [inline]", "# [inline] # [tool (read_only)]");
        let marked =
            marked.replace("# [allow (unused)]", "# [doc = \" First.\"] # [tool (default = 1)] # [allow (unused)]");
        let (emitted, members) = members(&TokenStream::new(), &syn::parse_str(&marked)?)?;
        assert_ne!(block.to_string(), marked);
        assert_eq!((emitted.to_string(), members), (block.to_string(), 1));
        Ok(())
    }

    #[test]
    fn only_our_tool_attribute_makes_a_member() -> syn::Result<()> {
        for (arguments, attribute, is_ours) in [
            ("", "tool", true),
            ("", "tool_runtime::tool", true),
            ("", "::tool_runtime::tool", true),
            ("", "tool_macros::tool", true),
            ("crate = ::rt", "rt::tool", true),
            ("crate = crate::inner::rt", "crate::inner::rt::tool", true),
            ("crate = ::rt", "tool", true),
            ("", "rt::tool", false),
            ("crate = ::rt", "inner::rt::tool", false),
            ("", "rmcp::tool", false),
            ("", "tool_runtime::other::tool", false),
            ("", "tool_runtime::tools", false),
        ] {
            let arguments = format!("{arguments}{}undocumented", if arguments.is_empty() { "" } else { "," });
            let block = format!(
                "impl Math {{ #[{attribute}] /** Adds. */ fn add() {{}} #[tool] /** Stays. */ fn stay() {{}} }}"
            );
            let (emitted, members) = members(&syn::parse_str(&arguments)?, &syn::parse_str(&block)?)?;
            let attribute: TokenStream = syn::parse_str(attribute)?;
            let is_left = emitted.to_string().contains(&quote!(#[#attribute]).to_string());
            assert_eq!((members, is_left), (if is_ours { 2 } else { 1 }, !is_ours), "{attribute} under {arguments}");
        }
        Ok(())
    }
}
