//! Emits the impl of `ToolFailure` for an error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Path};

use super::{allow, at, private};
use crate::model::Case;

/// Emits the impl of an error, whose method is a `match` with one arm for each case. Without cases, the error has mistakes or cannot occur.
///
/// ```text
/// const _: () = {
///     impl __tool::ToolFailure for BookError {
///         fn treatment(&self) -> __tool::Treatment {
///             match self {
///                 Self::Full { .. } => __tool::Treatment::replan().field("seats"),
///                 Self::Busy { wait: __pause, .. } => __tool::Treatment::unavailable().retry_after(*__pause),
///             }
///         }
///     }
/// };
/// ```
pub(crate) fn failure(item: &DeriveInput, cases: &[Case], runtime: &Path) -> TokenStream {
    let arms = cases.iter().map(arm);
    let treatment = if cases.is_empty() { quote!(match *self {}) } else { quote!(match self { #(#arms)* }) };
    implementation(item, &treatment, runtime)
}

/// Emits an impl for an error that has mistakes, so that only these mistakes are reported.
pub(crate) fn failure_stand_in(item: &DeriveInput, runtime: &Path) -> TokenStream {
    implementation(item, &quote!(__tool::Treatment::replan()), runtime)
}

fn implementation(item: &DeriveInput, treatment: &TokenStream, runtime: &Path) -> TokenStream {
    let ident = &item.ident;
    let (impl_generics, generics, where_clause) = item.generics.split_for_impl();
    let (allow, private) = (allow(), private(runtime));
    quote_spanned! {at(ident)=>
        #allow
        const _: () = {
            use #private as __tool;
            #[automatically_derived]
            impl #impl_generics __tool::ToolFailure for #ident #generics #where_clause {
                fn treatment(&self) -> __tool::Treatment {
                    #treatment
                }
            }
        };
    }
}

fn arm(case: &Case) -> TokenStream {
    let Case { variant, kind, argument, pause } = case;
    let path = variant.as_ref().map_or_else(|| quote!(Self), |variant| quote!(Self::#variant));
    let Some(kind) = kind else {
        return quote!(#path { .. } => __tool::Treatment::replan(),);
    };
    let constructor = constructor(kind);
    let field = argument.as_ref().map(|field| quote!(.field(#field)));
    let Some(pause) = pause else {
        return quote!(#path { .. } => __tool::Treatment::#constructor()#field,);
    };
    let value = format_ident!("__pause", span = Span::mixed_site().located_at(at(pause)));
    let after = quote_spanned!(value.span()=> .retry_after(*#value));
    quote!(#path { #pause: #value, .. } => __tool::Treatment::#constructor()#field #after,)
}

/// Returns the constructor of `Treatment` for a key such as `retry`, with the span of the key.
fn constructor(kind: &Ident) -> Ident {
    match kind.to_string().as_str() {
        "rejected" => Ident::new("replan", kind.span()),
        "retry" => Ident::new("correct_call", kind.span()),
        _ => kind.clone(),
    }
}
