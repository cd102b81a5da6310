//! Emits stand-ins for tools and containers that have mistakes. A stand-in has every item that other code may name, but no behaviour.
//!
//! Invariant: a stand-in compiles wherever the original item compiles, so that only the item's own errors are reported.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Generics, Path, Type, Visibility};

use super::lints::allow;
use super::private;

/// Emits a stand-in for a tool that has mistakes, so that code using the tool still compiles.
pub(crate) fn tool_stand_in(ident: &Ident, visibility: &Visibility, is_async: bool, runtime: &Path) -> TokenStream {
    let (allow, asyncness) = (allow(), is_async.then(|| quote!(async)));
    let private = private(runtime);
    quote! {
        /// A tool with mistakes.
        #allow
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility struct #ident;
        #allow
        const _: () = {
            use #private as __tool;
            impl __tool::TypedTool for #ident {
                type Args = ();
                const SPEC: &'static __tool::ToolSpec = &__tool::ToolInit::DEFAULT.spec();
                fn care() -> __tool::Option<&'static __tool::CareCell> {
                    __tool::None
                }
            }
            impl #ident {
                /// Decodes arguments.
                #visibility fn decode<'a, A: ::core::convert::Into<__tool::Arguments<'a>>>(arguments: A) -> ::core::result::Result<(), __tool::ValidationError> {
                    <Self as __tool::TypedTool>::decode(arguments)
                }
                /// Runs the function.
                #visibility #asyncness fn run((): (), _: &__tool::CallContext) -> __tool::Answer {
                    ::core::result::Result::Ok(__tool::Payload::Done)
                }
            }
            impl __tool::Tool for #ident {
                fn spec(&self) -> &__tool::ToolSpec {
                    <Self as __tool::TypedTool>::SPEC
                }
                fn call<'a>(&'a self, _: __tool::Arguments<'a>, _: &'a __tool::CallContext) -> __tool::AnswerOrFuture<'a> {
                    __tool::AnswerOrFuture::Ready(::core::result::Result::Ok(__tool::Payload::Done))
                }
            }
        };
    }
}

/// Emits a stand-in for a container that has mistakes.
pub(crate) fn container_stand_in(
    ty: &Type,
    generics: &Generics,
    members: &[(Ident, Visibility)],
    runtime: &Path,
) -> TokenStream {
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (allow, private) = (allow(), private(runtime));
    let structures = members.iter().map(|(ident, visibility)| {
        quote! {
            /// A tool of a container with mistakes.
            #allow
            #visibility struct #ident;
        }
    });
    quote! {
        #(#structures)*
        #allow
        const _: () = {
            use #private as __tool;
            impl #impl_generics __tool::PluginContainer for #ty #where_clause {
                const SPEC: &'static __tool::ContainerSpec = &__tool::ContainerInit::DEFAULT.spec();
                const MEMBERS: &'static [__tool::Member<Self>] = &[];
            }
        };
    }
}

/// Emits a use of the path by which `#[tool]` was called. The attribute is removed from the methods, so its import would otherwise seem
/// unused.
pub(crate) fn used(marker: &Path) -> TokenStream {
    let allow = allow();
    quote! {
        #allow
        const _: () = {
            use #marker as _;
        };
    }
}
