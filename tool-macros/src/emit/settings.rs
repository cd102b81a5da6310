//! Emits the settings of a tool as a constant of the runtime.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::literal::{option, policy};
use crate::model::{Constant, Retry, Settings};

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
