//! Emits the types and keys of a tool's arguments, which the generic decoder of the runtime uses.
//!
//! serde's derive would generate ten functions for each tool, all of which rustc would have to check.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::at;
use super::parameter::{Parameter, Scope, of_types};
use crate::model::{Absent, Tool};

/// Emits the types and the keys. Emits nothing for a tool without parameters, because the runtime has a type for such tools.
pub(super) fn names(tool: &Tool, parameters: &[Parameter<'_>], scope: &Scope) -> Option<TokenStream> {
    let leaves: Vec<TokenStream> = parameters
        .iter()
        .map(|parameter| {
            let leaf = match parameter.argument.absent {
                Absent::OfType => parameter.name("Required", "ForeignRequired"),
                Absent::Literal | Absent::Function(_) => parameter.name("Defaulted", "ForeignDefaulted"),
            };
            let index = &parameter.index;
            quote!(__tool::#leaf<Self, #index>)
        })
        .collect();
    let tree = pairs(&leaves);
    let keys = parameters.iter().map(|parameter| &parameter.argument.field.name);
    let aliases: Vec<TokenStream> = parameters
        .iter()
        .flat_map(|Parameter { argument, index }| {
            argument.field.aliases.iter().map(move |alias| quote!((#alias, #index)))
        })
        .collect();
    let aliases = (!aliases.is_empty()).then(|| {
        quote!(
            const ALIASES: &'static [(&'static str, usize)] = &[#(#aliases),*];
        )
    });
    let open = (!tool.is_closed()).then(|| {
        quote!(
            const CLOSED: bool = false;
        )
    });
    let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
    (!parameters.is_empty()).then(|| {
        quote! {
            impl #impl_generics __tool::Parameters for __In #type_generics #where_clause {
                type Tree = #tree;
                const NAMES: &'static [&'static str] = &[#(#keys),*];
                #aliases
                #open
            }
        }
    })
}

/// Emits a list as nested pairs, so that its depth is logarithmic in its length.
fn pairs(list: &[TokenStream]) -> TokenStream {
    match list {
        [] => quote!(()),
        [one] => one.clone(),
        _ => {
            let (left, right) = list.split_at(list.len().div_ceil(2));
            let (left, right) = (pairs(left), pairs(right));
            quote!((#left, #right))
        }
    }
}

/// Emits the conversion from the decoded values to the struct that users see.
pub(super) fn deserialize(tool: &Tool, parameters: &[Parameter<'_>], scope: &Scope) -> TokenStream {
    let types = of_types(scope);
    let values: Vec<Ident> =
        (0..parameters.len()).map(|index| format_ident!("value_{index}", span = Span::mixed_site())).collect();
    let fields = parameters.iter().zip(&values).map(|(parameter, value)| {
        let (argument, index) = (parameter.argument, &parameter.index);
        let ident = &argument.ident;
        let value = match &argument.absent {
            Absent::OfType => value.to_token_stream(),
            Absent::Literal => {
                let json = argument.field.default.as_ref().map(ToString::to_string);
                let function = parameter.name("or_default", "or_foreign_default");
                quote!(__tool::#function::<#types, _, #index>(#value, #json)?)
            }
            Absent::Function(path) => {
                let absent = quote_spanned!(at(path)=> #path());
                quote!(match #value {
                    __tool::Some(value) => value,
                    __tool::None => #absent,
                })
            }
        };
        quote!(#ident: #value)
    });
    let generics = scope.with_lifetime();
    let (impl_generics, ..) = generics.split_for_impl();
    let (_, type_generics, where_clause) = scope.generics.split_for_impl();
    let marker = scope.is_generic().then(|| quote!(__container: ::core::marker::PhantomData,));
    let closed = tool.is_closed();
    let decoded = if parameters.is_empty() { quote!(__tool::NoParameters<#closed>) } else { types.clone() };
    let values = pairs(&values.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
    quote! {
        #[automatically_derived]
        impl #impl_generics __tool::serde::Deserialize<'de> for __Args #type_generics #where_clause {
            fn deserialize<D: __tool::serde::Deserializer<'de>>(deserializer: D) -> __tool::Result<Self, D::Error> {
                match __tool::decode_parameters::<#decoded, D>(deserializer) {
                    __tool::Ok(#values) => __tool::Ok(Self { #(#fields,)* #marker }),
                    __tool::Err(error) => __tool::Err(error),
                }
            }
        }
    }
}
