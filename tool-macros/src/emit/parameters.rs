//! The arguments of a tool: a public struct that a test can read, and how it is decoded, described and guarded.
//!
//! What always holds: a parameter's type is required to be a `ToolInput` in one place only, the impl of `__Parameters`. Everything else
//! is generic over that trait, so that a type which is none gives one error, under the type. Rules name the types themselves, because
//! their own errors belong there too.

use std::iter;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse_quote;

use super::at;
use super::field::field;
use super::guard::{of_field, of_rules};
use super::literal::literal;
use super::rule::{conjunction, matchers, rules};
use super::satisfiable::satisfiable;
use super::scope::Scope;
use super::shape::unknown;
use crate::model::{Absent, Argument, Description, Doc, Literal, Tool};

/// ```ignore
/// trait __Parameters { type P0: __tool::ToolInput; … }       // the bounds
/// impl __Parameters for __Args { type P0 = String; … }       // the types: the one place that can fail
/// #[derive(Deserialize)] struct __Wire<P0, …> { p0: P0, … }  // serde's view
/// pub struct __Args { pub location: String, … }              // the user's view
/// impl Deserialize for __Args { … }                          // from one to the other, with defaults
/// impl ToolInput for __Args { … }
/// const _: () = __tool::verify(…);                           // for each default and example
/// ```
pub(super) fn arguments(tool: &Tool, scope: &Scope) -> TokenStream {
    let arguments: Vec<&Argument> = tool.arguments().collect();
    let bounds = bounds(&arguments);
    let wire = wire(tool, &arguments);
    let structure = structure(&arguments, scope);
    let deserialize = deserialize(&arguments, scope);
    let input = input(tool, &arguments, scope);
    let verifications: TokenStream =
        arguments.iter().filter(|_| !scope.is_generic()).flat_map(|argument| verifications(argument)).collect();
    let matchers = matchers(arguments.iter().flat_map(|argument| &argument.field.rules));
    quote!(#bounds #wire #structure #deserialize #input #matchers #verifications)
}

fn parameter(index: usize) -> Ident {
    format_ident!("P{index}")
}

fn place(index: usize) -> Ident {
    format_ident!("p{index}")
}

/// What a parameter's type must be.
fn bound(argument: &Argument) -> TokenStream {
    if is_described(argument) {
        quote!(__tool::ToolInput)
    } else {
        quote!(__tool::serde::de::DeserializeOwned + __tool::schemars::JsonSchema + ::core::marker::Send + 'static)
    }
}

/// Whether the type describes itself; `schemars` describes the others.
fn is_described(argument: &Argument) -> bool {
    matches!(argument.field.description, Description::Parameter(_))
}

/// The trait, with everything that needs nothing but its bounds.
fn bounds(arguments: &[&Argument]) -> TokenStream {
    let items = arguments.iter().enumerate().map(|(index, argument)| {
        let (ty, bound) = (parameter(index), bound(argument));
        let described = is_described(argument).then(|| {
            let (shape, required) = (format_ident!("SHAPE_{index}"), format_ident!("REQUIRED_{index}"));
            quote! {
                const #shape: &'static __tool::Shape = <Self::#ty as __tool::ToolInput>::SHAPE;
                const #required: bool = !<Self::#ty as __tool::ToolInput>::OPTIONAL;
            }
        });
        let literal = has_literal(argument).then(|| {
            let name = format_ident!("literal_{index}");
            let literal = if is_described(argument) { quote!(literal) } else { quote!(foreign_literal) };
            quote! {
                fn #name(json: &str) -> ::core::result::Result<Self::#ty, __tool::std::string::String> {
                    __tool::#literal::<Self::#ty>(json)
                }
            }
        });
        quote!(type #ty: #bound; #described #literal)
    });
    let types: Vec<Ident> = (0..arguments.len()).map(parameter).collect();
    let described: Vec<usize> = (0..arguments.len()).filter(|index| is_described(arguments[*index])).collect();
    let (places, guarded): (Vec<Ident>, Vec<Ident>) =
        described.iter().map(|index| (place(*index), parameter(*index))).unzip();
    let guards: Vec<_> = places.iter().map(|place| quote!(__tool::ToolInput::guard(#place))).collect();
    let guards = conjunction(&guards);
    quote! {
        trait __Parameters {
            #(#items)*

            fn wire<'de, D: __tool::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<__Wire<#(Self::#types),*>, D::Error> {
                __tool::serde::Deserialize::deserialize(deserializer)
            }

            fn guard_types(#(#places: &Self::#guarded),*) -> bool {
                #guards
            }
        }
    }
}

fn has_literal(argument: &Argument) -> bool {
    argument.field.default.is_some() || argument.field.example.is_some()
}

/// What serde decodes: every parameter under its key, one with a default as an `Option` that only an absent key leaves empty.
fn wire(tool: &Tool, arguments: &[&Argument]) -> TokenStream {
    let types: Vec<Ident> = (0..arguments.len()).map(parameter).collect();
    let bound = arguments
        .iter()
        .zip(&types)
        .map(|(argument, ty)| match argument.field.description {
            Description::Schemars { .. } => format!("{ty}: __tool::serde::de::DeserializeOwned"),
            _ => format!("{ty}: __tool::ToolInput"),
        })
        .collect::<Vec<_>>()
        .join(", ");
    let fields = arguments.iter().enumerate().map(|(index, argument)| {
        let (place, ty) = (place(index), parameter(index));
        let (name, aliases) = (&argument.field.name, &argument.field.aliases);
        match argument.absent {
            Absent::OfType => quote!(#[serde(rename = #name #(, alias = #aliases)*)] #place: #ty),
            Absent::Literal | Absent::Function(_) => quote! {
                #[serde(rename = #name #(, alias = #aliases)*, default, deserialize_with = "__tool::present")]
                #place: ::core::option::Option<#ty>
            },
        }
    });
    let closed = tool.is_closed().then(|| quote!(, deny_unknown_fields));
    let name = &tool.name;
    quote! {
        #[derive(__tool::serde::Deserialize)]
        #[serde(crate = "__tool::serde", rename = #name, bound(deserialize = #bound) #closed)]
        struct __Wire<#(#types),*> {
            #(#fields,)*
        }
    }
}

/// What the user sees, as `<GetWeatherTool as TypedTool>::Args`, and the types that `__Parameters` asks for.
fn structure(arguments: &[&Argument], scope: &Scope) -> TokenStream {
    let fields = arguments.iter().map(|argument| {
        let (ident, ty) = (&argument.ident, &argument.field.ty);
        let doc = match &argument.field.doc {
            Doc::Text(text) => Some(quote!(#[doc = #text])),
            // rustc takes no path there.
            Doc::Expression(_) | Doc::None => None,
        };
        quote!(#doc pub #ident: #ty)
    });
    let types = arguments.iter().enumerate().map(|(index, argument)| {
        let (name, ty) = (parameter(index), &argument.field.ty);
        quote!(type #name = #ty;)
    });
    let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
    // The parameters of a generic container need not occur in those of a member.
    let marker = scope.is_generic().then(|| {
        let marker = scope.marker();
        quote!(#[doc(hidden)] pub __container: #marker,)
    });
    quote! {
        pub struct __Args #impl_generics #where_clause {
            #(#fields,)*
            #marker
        }
        #[automatically_derived]
        impl #impl_generics __Parameters for __Args #type_generics #where_clause {
            #(#types)*
        }
    }
}

/// From serde's view to the user's.
fn deserialize(arguments: &[&Argument], scope: &Scope) -> TokenStream {
    let fields = arguments.iter().enumerate().map(|(index, argument)| {
        let (ident, place) = (&argument.ident, place(index));
        let absent = match &argument.absent {
            Absent::OfType => return quote!(#ident: wire.#place),
            Absent::Literal => {
                let (name, json) =
                    (format_ident!("literal_{index}"), argument.field.default.as_ref().map(ToString::to_string));
                quote!(<Self as __Parameters>::#name(#json).map_err(__tool::serde::de::Error::custom)?)
            }
            Absent::Function(path) => quote_spanned!(at(path)=> #path()),
        };
        quote!(#ident: match wire.#place {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => #absent,
        })
    });
    let mut generics = scope.generics.clone();
    generics.params.insert(0, parse_quote!('de));
    let (impl_generics, ..) = generics.split_for_impl();
    let (_, type_generics, where_clause) = scope.generics.split_for_impl();
    let marker = scope.is_generic().then(|| quote!(__container: ::core::marker::PhantomData,));
    quote! {
        #[automatically_derived]
        impl #impl_generics __tool::serde::Deserialize<'de> for __Args #type_generics #where_clause {
            fn deserialize<D: __tool::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                let wire = <Self as __Parameters>::wire(deserializer)?;
                ::core::result::Result::Ok(Self { #(#fields,)* #marker })
            }
        }
    }
}

/// The description and the rules.
fn input(tool: &Tool, arguments: &[&Argument], scope: &Scope) -> TokenStream {
    let fields = arguments.iter().map(|argument| field(&argument.field));
    let unknown = unknown(tool.is_closed());
    let described = arguments.iter().filter(|argument| is_described(argument)).map(|argument| &argument.ident);
    let types = quote!(<Self as __Parameters>::guard_types(#(&self.#described),*));
    let rules = arguments.iter().flat_map(|argument| {
        let ident = &argument.ident;
        of_field(&argument.field, &quote!(&self.#ident))
    });
    let guard = conjunction(&iter::once(types).chain(rules).collect::<Vec<_>>());
    let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __tool::ToolInput for __Args #type_generics #where_clause {
            const SHAPE: &'static __tool::Shape =
                &__tool::ShapeInit::DEFAULT.shape(__tool::object(const { &[#(#fields),*] }, #unknown));

            fn guard(&self) -> bool {
                #guard
            }
        }
    }
}

/// One `const` for each literal and rule, so that the compiler reports every one of them.
fn verifications(argument: &Argument) -> TokenStream {
    let ty = argument.field.ty.to_token_stream();
    let Description::Parameter(index) = argument.field.description else { return TokenStream::new() };
    let shape = format_ident!("SHAPE_{index}");
    let verification = |value: &Literal| {
        let (tokens, rules) = (literal(value), rules(&argument.field.rules, &ty));
        let span = Span::call_site().located_at(value.span);
        quote_spanned!(span=> const _: () = __tool::verify(&#tokens, <__Args as __Parameters>::#shape, const { &[#rules] });)
    };
    let takes_names = argument.enum_from.as_ref().map(
        |_| quote_spanned!(at(&argument.field.ty)=> const _: () = __tool::takes_names(<__Args as __Parameters>::#shape);),
    );
    let hidden = argument.field.hidden.filter(|_| !argument.field.has_default).map(|span| {
        let required = format_ident!("REQUIRED_{index}");
        let span = Span::call_site().located_at(span);
        quote_spanned!(span=> const _: () = __tool::hidden(<__Args as __Parameters>::#required);)
    });
    let satisfiable = satisfiable(&argument.field.rules, &quote!(<__Args as __Parameters>::#shape), &ty);
    let literals = argument.field.default.iter().chain(&argument.field.example).map(verification);
    literals.chain(satisfiable).chain(takes_names).chain(hidden).collect()
}

/// The function that decodes what the compiler could not judge, for `build()`; none where there is nothing to judge.
pub(super) fn verify(tool: &Tool, scope: &Scope) -> Option<TokenStream> {
    let arguments: Vec<(usize, &Argument)> =
        tool.arguments().enumerate().filter(|(_, argument)| has_literal(argument)).collect();
    if arguments.is_empty() {
        return None;
    }
    let (_, type_generics, _) = scope.generics.split_for_impl();
    let turbofish = type_generics.as_turbofish().to_token_stream();
    let turbofish = &turbofish;
    let checks = arguments.iter().flat_map(|(index, argument)| {
        let (ty, decode) = (&argument.field.ty, format_ident!("literal_{index}"));
        let name = &argument.field.name;
        let conditions: Vec<_> = of_rules(&argument.field.rules, &ty.to_token_stream(), &quote!(value)).collect();
        let guard = conjunction(&conditions);
        let literals = [("default", &argument.field.default), ("example", &argument.field.example)];
        literals.into_iter().filter_map(move |(what, value)| {
            let json = value.as_ref()?.to_string();
            Some(quote! {
                __tool::accept(#name, #what, #json, <__Args #turbofish as __Parameters>::#decode(#json), |value: &#ty| #guard)?;
            })
        })
    });
    Some(quote!(|| { #(#checks)* ::core::result::Result::Ok(()) }))
}
