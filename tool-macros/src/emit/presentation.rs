//! Emits the data of a tool or a container for people and programs: title, icons, `_meta`, headers.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::parameter::{of_types, parameters};
use super::scope::Scope;
use crate::model::{Presentation, Tool};

/// Emits `presentation: __tool::Shown { … },` with the given parts, or nothing if there are none.
pub(super) fn presentation(presentation: &Presentation) -> Option<TokenStream> {
    shown(presentation, None)
}

/// Emits the presentation of a tool, with the HTTP headers of its parameters. For a member of a generic container, the emitted code also
/// checks the types of these parameters; for other tools, a separate `const` does.
pub(super) fn of_tool(tool: &Tool, scope: &Scope) -> Option<TokenStream> {
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
    shown(&tool.presentation, headers)
}

fn shown(presentation: &Presentation, headers: Option<TokenStream>) -> Option<TokenStream> {
    let Presentation { title, icons, meta } = presentation;
    let title = title.as_ref().map(|title| quote!(title: __tool::Some(#title),));
    let icons = (!icons.is_empty()).then(|| quote!(icons: const { &[#(__tool::icon(#icons)),*] },));
    let meta = meta.as_ref().map(|meta| quote!(meta: __tool::Some(#meta),));
    let set: TokenStream = [title, icons, meta, headers].into_iter().flatten().collect();
    (!set.is_empty()).then(|| quote!(presentation: __tool::Shown { #set ..__tool::Shown::DEFAULT },))
}
