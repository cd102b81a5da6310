//! Emits the settings of a tool, and its data for people and programs (title, icons, `_meta`, headers), as constants of the runtime.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::literal::{option, policy};
use super::parameter::{Scope, of_types, parameters};
use crate::model::{Constant, Presentation, Retry, Settings, Tool};

/// Emits `settings: __tool::ToolSettings { … }` with the settings that are given, or nothing if there are none.
pub(super) fn settings(settings: &Settings) -> Option<TokenStream> {
    let set: Vec<TokenStream> = settings
        .constants()
        .map(|(name, value)| {
            let (name, value) = (format_ident!("{name}"), constant(&value));
            quote!(#name: #value,)
        })
        .collect();
    (!set.is_empty()).then(|| quote!(settings: __tool::ToolSettings { #(#set)* ..__tool::ToolSettings::NONE },))
}

fn constant(value: &Constant) -> TokenStream {
    match value {
        Constant::Flag => quote!(true),
        Constant::Optional(flag) => option(Some(quote!(#flag))),
        Constant::Policy(value) => policy(*value),
        Constant::Milliseconds(limit) => option(Some(milliseconds(*limit))),
        Constant::Retry(retry) => option(Some(self::retry(*retry))),
        Constant::Annotations(hints) => {
            let hints = hints.iter().map(|(name, hint)| {
                let (name, hint) = (format_ident!("{name}"), option(Some(quote!(#hint))));
                quote!(#name: #hint,)
            });
            quote!(__tool::Annotations { #(#hints)* ..__tool::Annotations::NONE })
        }
    }
}

fn milliseconds(milliseconds: u64) -> TokenStream {
    quote!(__tool::core::time::Duration::from_millis(#milliseconds))
}

/// Emits the settings for retries. The runtime has a default for each number that is not given.
fn retry(retry: Retry) -> TokenStream {
    let Retry { attempts, first_ms, factor, cap_ms } = retry;
    let first = first_ms.map(milliseconds).map(|first| quote!(first: #first,));
    let factor = factor.map(|factor| quote!(factor: #factor,));
    let cap = cap_ms.map(milliseconds).map(|cap| quote!(cap: #cap,));
    quote!(__tool::Retry { attempts: #attempts, #first #factor #cap ..__tool::Retry::DEFAULT })
}

/// Emits the presentation of a tool, with the HTTP headers of its parameters. For a member of a generic container, the emitted code also
/// checks the types of these parameters; for other tools, a separate `const` does.
pub(super) fn presentation_of_tool(tool: &Tool, scope: &Scope) -> Option<TokenStream> {
    let types = of_types(scope);
    let headers: Vec<TokenStream> = parameters(tool)
        .filter_map(|parameter| {
            let (argument, index) = (parameter.argument, &parameter.index);
            let (header, name) = (argument.header.as_ref()?, &argument.field.name);
            let span = Span::call_site().located_at(header.span());
            Some(if scope.is_generic() {
                quote_spanned!(span=> __tool::header::<#types, #index>(#name, #header))
            } else {
                quote!((__tool::Text::Static(#name), __tool::Text::Static(#header)))
            })
        })
        .collect();
    let headers = (!headers.is_empty()).then(|| quote!(headers: const { &[#(#headers),*] },));
    presentation(&tool.presentation, headers)
}

/// Emits `presentation: __tool::Shown { … },` with the given parts, or nothing if there are none.
pub(super) fn presentation(presentation: &Presentation, headers: Option<TokenStream>) -> Option<TokenStream> {
    let Presentation { title, icons, meta } = presentation;
    let title = title.as_ref().map(|title| quote!(title: __tool::Some(#title),));
    let icons = (!icons.is_empty()).then(|| quote!(icons: const { &[#(__tool::icon(#icons)),*] },));
    let meta = meta.as_ref().map(|meta| quote!(meta: __tool::Some(#meta),));
    let set: TokenStream = [title, icons, meta, headers].into_iter().flatten().collect();
    (!set.is_empty()).then(|| quote!(presentation: __tool::Shown { #set ..__tool::Shown::DEFAULT },))
}
