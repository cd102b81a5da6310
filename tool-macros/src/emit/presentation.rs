//! Emits the presentation of a tool or a container to people.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Presentation;

/// Emits `presentation: __tool::Shown { … },` with the given parts, or nothing if there are none.
pub(super) fn presentation(presentation: &Presentation) -> Option<TokenStream> {
    let Presentation { title, icons, meta } = presentation;
    let title = title.as_ref().map(|title| quote!(title: __tool::Some(#title),));
    let icons = (!icons.is_empty()).then(|| quote!(icons: const { &[#(__tool::icon(#icons)),*] },));
    let meta = meta.as_ref().map(|meta| quote!(meta: __tool::Some(#meta),));
    let set: TokenStream = [title, icons, meta].into_iter().flatten().collect();
    (!set.is_empty()).then(|| quote!(presentation: __tool::Shown { #set ..__tool::Shown::DEFAULT },))
}
