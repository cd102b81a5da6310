//! Expands `#[tool]`: parse → check → emit.
//!
//! The output begins with the function without our own attributes. It continues with the tool, or on mistakes with all errors and a
//! stand-in for the tool.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, TraitItemFn};

use crate::errors::Errors;
use crate::parse::{Function, Place, RawTool, runtime, settings, take_settings};
use crate::{check, emit};

/// Expands the attribute.
pub(crate) fn expand(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2::<Function>(item.clone()) {
        Ok(function) => tool(arguments, function),
        Err(error) => {
            let error = reject(item).unwrap_or(error).into_compile_error();
            quote!(#item #error)
        }
    }
}

fn tool(arguments: &TokenStream, mut function: Function) -> TokenStream {
    let mut errors = Errors::default();
    let mut all = vec![settings(arguments)];
    let runtime = runtime(&all, Place::Function);
    all.extend(take_settings(&mut function.attributes, runtime.as_ref()).into_iter().flat_map(|taken| taken.settings));
    let Function { attributes, visibility, signature, .. } = &mut function;
    let raw = RawTool::parse(&all, attributes, visibility, signature, &mut errors);
    if check::reject_method(&raw.signature, &mut errors) {
        // A method gets no stand-in, because no items can be emitted beside it.
        let errors = compile_errors(errors);
        return quote!(#function #errors);
    }
    let runtime = raw.attributes.runtime.as_ref().map_or_else(check::default_runtime, |(_, path)| path.clone());
    let (ident, visibility) = (check::type_name(&raw, ""), raw.visibility.clone());
    let tool = check::function(raw, &mut errors);
    let generated = match errors.finish() {
        Ok(()) => emit::tool(&tool, &runtime),
        Err(error) => {
            let stand_in = emit::tool_stand_in(&ident, &visibility, tool.is_async, &runtime);
            let error = error.into_compile_error();
            quote!(#error #stand_in)
        }
    };
    quote!(#function #generated)
}

fn compile_errors(errors: Errors) -> TokenStream {
    errors.finish().err().map(syn::Error::into_compile_error).unwrap_or_default()
}

/// Returns a more specific error for an item that is not a function, if there is one.
fn reject(item: &TokenStream) -> Option<syn::Error> {
    // A function of a trait has no body to run.
    if let Ok(function) = syn::parse2::<TraitItemFn>(item.clone()) {
        return Some(syn::Error::new_spanned(function.sig.ident, OF_BODIES));
    }
    let (tokens, message) = match syn::parse2::<Item>(item.clone()).ok()? {
        Item::Struct(item) => (item.ident.into_token_stream(), OF_TYPES),
        Item::Enum(item) => (item.ident.into_token_stream(), OF_TYPES),
        Item::Union(item) => (item.ident.into_token_stream(), OF_TYPES),
        Item::Impl(item) => (
            item.impl_token.into_token_stream(),
            "`#[tool]` is for functions: put `#[plugin_container]` on the `impl` block, and `#[tool]` on each method that a model may call",
        ),
        Item::Mod(item) => (
            item.ident.into_token_stream(),
            "`#[tool]` is for functions: put it on each function of the module that a model may call",
        ),
        Item::Trait(item) => (
            item.ident.into_token_stream(),
            "`#[tool]` is for functions: put `#[plugin_container]` on an `impl` block of a type",
        ),
        _ => (item.clone(), "`#[tool]` is for functions: put it on each function that a model may call"),
    };
    Some(syn::Error::new_spanned(tokens, message))
}

const OF_BODIES: &str = "a tool needs a body: put `#[tool]` on the function itself, or on a method of an `impl` block with `#[plugin_container]`";
const OF_TYPES: &str = "`#[tool]` is for functions: put `#[derive(serde::Deserialize, tool_runtime::ToolInput)]` on a type that a model \
                        fills in, and `#[tool(…)]` below it";

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(arguments: &TokenStream, item: &TokenStream) -> syn::Result<syn::File> {
        syn::parse2(expand(arguments, item))
    }

    fn errors(file: &syn::File) -> usize {
        file.items.iter().filter(|item| matches!(item, Item::Macro(item) if item.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error"))).count()
    }

    #[test]
    fn a_function_is_emitted_unchanged() -> syn::Result<()> {
        // The placeholders `§0` to `§5` stand for our own attributes, which are removed. All other tokens are emitted unchanged.
        let ours = [
            "#[tool(default = 1)]",
            "/// Seconds to wait.\n",
            "#[tool_runtime::tool(read_only)]",
            "#[tool_macros::tool]",
            "#[tool]",
            "#[::rt::tool]",
        ];
        for written in [
            "#[inline] #[rmcp::tool(name = \"wait\")] pub(crate) async fn wait(§0 #[allow(unused)] mut seconds: u8,) {}",
            "#[must_use] §2 fn wait<'a>(§1 §0 a: Vec<Option<&'a str>>, (b, c): (u8, u8)) -> impl Future<Output = u8> + 'a where Self: Sized { async { a >> b } }",
            "#[cfg(feature = \"a\")] §3 §4 unsafe extern \"C\" fn wait(§0 a: [u8; { 1 + 1 }], ...) -> ! { #![allow(dead_code)] loop { yeet 1..=2; } }",
            "const fn wait(self: &Self, r#type: u8) -> Result<(), Box<dyn Error + Send>> { match a { 1 | 2 => (), _ => {}, } }",
            "/// Waits.\n §5 #[other::path::tool] #[tokio::tool] fn wait(§1 r#fn: fn(u8) -> u8, _: (), &b: &u8) where u8: Copy, {}",
        ] {
            let mark = |index: usize| format!("§{index}");
            let item = (0..ours.len()).fold(written.to_owned(), |text, index| text.replace(&mark(index), ours[index]));
            let kept = (0..ours.len()).fold(written.to_owned(), |text, index| text.replace(&mark(index), ""));
            let (item, kept): (TokenStream, TokenStream) = (syn::parse_str(&item)?, syn::parse_str(&kept)?);
            let text = |tokens: &TokenStream| tokens.to_string().replace([' ', '\n'], "");
            let expansion = text(&expand(&quote!(crate = ::rt), &item));
            assert!(expansion.starts_with(&text(&kept)), "{}\n\n{expansion}", text(&kept));
        }
        Ok(())
    }

    #[test]
    fn the_function_comes_first_and_keeps_foreign_attributes() -> syn::Result<()> {
        let item = quote! {
            #[inline]
            #[tool(read_only)]
            pub(crate) async fn wait(
                /// Seconds to wait.
                #[tool(default = 1)]
                #[allow(unused)]
                mut seconds: u8,
            ) {}
        };
        let file = expanded(&quote!(description = "Waits."), &item)?;
        assert_eq!(errors(&file), 0);
        let Some(Item::Fn(function)) = file.items.first() else { panic!("the function comes first") };
        let kept: syn::ItemFn = syn::parse_quote! {
            #[inline]
            pub(crate) async fn wait(#[allow(unused)] mut seconds: u8,) {}
        };
        assert_eq!(function, &kept);
        assert!(matches!(&file.items[1], Item::Struct(item) if item.ident == "WaitTool"));
        assert_eq!(file.items.len(), 3, "the function, the type, and one block for the rest");
        Ok(())
    }

    #[test]
    fn every_mistake_is_reported_and_a_stand_in_is_emitted() -> syn::Result<()> {
        let item = quote! {
            unsafe fn wait(
                #[tool(lenght(min = 1))] (a, b): (u8, u8),
                seconds: &u8,
            ) {}
        };
        let file = expanded(&quote!(readonly, name = "a b"), &item)?;
        // The errors: two keys, the name, `unsafe`, the description, the pattern, and the type and the description of `seconds`.
        assert_eq!(errors(&file), 8);
        assert!(file.items.iter().any(|item| matches!(item, Item::Struct(item) if item.ident == "WaitTool")));
        Ok(())
    }

    #[test]
    fn no_items_are_emitted_beside_a_method() -> syn::Result<()> {
        for item in [
            quote!(
                fn a(&self) {}
            ),
            quote!(
                fn a() -> Self {}
            ),
        ] {
            let file: syn::ItemImpl = syn::parse2({
                let expanded = expand(&quote!(undocumented), &item);
                quote!(impl X { #expanded })
            })?;
            assert_eq!(file.items.len(), 2, "the method and the error");
        }
        Ok(())
    }
}
