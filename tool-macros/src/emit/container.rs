//! Emits a container: its description, and its members as functions that a session can call.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Generics, Type};

use super::literal::{asks, doc, measured, option};
use super::parameter::Scope;
use super::tool::{invocation, items, structure, wrapped};
use crate::model::{Container, Tool};

/// Emits the items of a container:
///
/// ```ignore
/// pub struct MathAddTool;                    // one for each member
/// const _: () = {
///     use ::tool_runtime::__private as __tool;
///     const _: () = { … };                   // one for each member, see `tool`
///     impl __tool::PluginContainer for Math { const SPEC: … const MEMBERS: … }
/// };
/// ```
pub(crate) fn container(container: &Container) -> TokenStream {
    let Container { ty, generics, runtime, name, members, .. } = container;
    let structures = members.iter().map(structure);
    let description = doc(&container.doc).map(|text| quote!(description: #text,));
    let instructions = option(doc(&container.instructions));
    let system_prompt = option(doc(&container.system_prompt));
    let computed =
        [("instructions_from", &container.instructions_from), ("system_prompt_from", &container.system_prompt_from)];
    let computed = computed.into_iter().filter_map(|(key, path)| {
        let (key, asks) = (format_ident!("{key}"), asks(path.as_ref()?, "ask"));
        Some(quote!(#key: __tool::Some(#asks),))
    });
    let presentation = super::settings::presentation(&container.presentation, None);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let turbofish = type_generics.as_turbofish();
    let entries = members.iter().map(|member| {
        let Tool { ident, conditions, .. } = member;
        quote!(#(#conditions)* __tool::Member::new(<#ident #turbofish as __tool::TypedTool>::SPEC, <#ident #turbofish as __tool::CallMember<Self>>::call))
    });
    let items = members.iter().map(|member| self::member(member, ty, generics));
    let scope = Scope { generics: generics.clone(), container: Some(ty.clone()) };
    let texts = [&container.doc, &container.instructions, &container.system_prompt];
    let measured = texts.into_iter().filter(|_| !scope.is_generic()).filter_map(measured);
    let marker = container.marker.iter();
    let wrapped = wrapped(
        runtime,
        &[],
        &quote! {
            #(use #marker as _;)*
            #(#measured)*
            #(#items)*

            #[automatically_derived]
            impl #impl_generics __tool::PluginContainer for #ty #where_clause {
                const SPEC: &'static __tool::ContainerSpec = &__tool::ContainerInit {
                    name: #name,
                    #description
                    instructions: #instructions,
                    system_prompt: #system_prompt,
                    #(#computed)*
                    #presentation
                    ..__tool::ContainerInit::DEFAULT
                }.spec();
                const MEMBERS: &'static [__tool::Member<Self>] = const { &[#(#entries),*] };
            }
        },
    );
    quote!(#(#structures)* #wrapped)
}

/// Emits the items around one member in a separate block, because the items of all members have the same names.
fn member(member: &Tool, ty: &Type, generics: &Generics) -> TokenStream {
    let Tool { ident, conditions, .. } = member;
    let items = items(member);
    let run = invocation(member, &quote!(container, arguments, cx));
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #(#conditions)*
        const _: () = {
            #items

            #[automatically_derived]
            impl #impl_generics __tool::CallMember<#ty> for #ident #type_generics #where_clause {
                fn call<'a>(
                    container: &'a #ty,
                    arguments: __tool::Arguments<'a>,
                    cx: &'a __tool::CallContext,
                ) -> __tool::AnswerOrFuture<'a> {
                    let run = |arguments| #run;
                    __tool::invoke::<Self>(&arguments, cx, run)
                }
            }
        };
    }
}
