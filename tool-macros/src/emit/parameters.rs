//! Emits the code for a tool's arguments: a public struct that tests can use, and the decoding, description and guard of this struct.
//!
//! Invariant: only the impl of `__tool::Parameter` requires the type of a parameter to be a `ToolInput`. Everything else is generic over
//! that trait, so a type that is not a `ToolInput` causes one error, at the type. The code for rules contains the tokens of the user's
//! type, so that errors about a rule are reported at the type too.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::at;
use super::decode::{deserialize, names};
use super::field::{computed_default, extras, is_no_option};
use super::literal::{doc, literal};
use super::parameter::{Parameter, Scope, of_types, parameters};
use super::rule::{conjunction, matchers, of_rules, rules};
use super::satisfiable::satisfiable;
use super::shape::unknown;
use crate::model::{Argument, Doc, Field, Tool};

/// Emits the items for the arguments of a tool:
///
/// ```ignore
/// pub struct __Args { pub location: String, … }                     // the user's view
/// struct __In;                                                      // private, because the types of the parameters may be private
/// impl __tool::Parameter<0> for __In { type Type = String; … }      // the types, with their rules: the one place that can fail
/// impl __tool::Parameters for __In { … }                            // their keys, for a decoder that is the same for all tools
/// impl Deserialize for __Args { … }                                 // from the decoded values, with defaults
/// impl ToolInput for __Args { … }
/// const _: () = __tool::verify_parameter::<__In, 0>(…);             // for each default and example
/// ```
pub(super) fn arguments(tool: &Tool, scope: &Scope) -> TokenStream {
    let parameters: Vec<Parameter<'_>> = parameters(tool).collect();
    let structure = structure(&parameters, scope);
    if let [parameter] = &*parameters
        && parameter.argument.is_flat
    {
        let flattened = flattened(parameter.argument, scope);
        return quote!(#structure #flattened);
    }
    let types = types(&parameters, scope);
    let impls = parameters.iter().map(|parameter| parameter.implementation(scope));
    let names = names(tool, &parameters, scope);
    let deserialize = deserialize(tool, &parameters, scope);
    let input = input(tool, &parameters, scope);
    let verifications: TokenStream =
        parameters.iter().filter(|_| !scope.is_generic()).map(Parameter::verifications).collect();
    let matchers = matchers(parameters.iter().flat_map(|parameter| &parameter.argument.field.rules));
    quote!(#structure #types #(#impls)* #names #deserialize #input #matchers #verifications)
}

impl Parameter<'_> {
    fn implementation(&self, scope: &Scope) -> TokenStream {
        let (as_trait, field) = (self.as_trait(), &self.argument.field);
        let ty = &field.ty;
        let rules = (!field.rules.is_empty()).then(|| {
            let rules = rules(&field.rules, &ty.to_token_stream());
            // The value is called `__value`, so that its name does not clash with the name of a user's function.
            let conditions: Vec<_> = of_rules(&field.rules, &ty.to_token_stream(), &quote!(__value)).collect();
            let conditions = conjunction(&conditions);
            quote! {
                const RULES: &'static [__tool::Rule] = &[#rules];
                fn follows(__value: &#ty) -> bool {
                    #conditions
                }
            }
        });
        let foreign = (!self.is_described()).then(|| foreign(field));
        let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
        quote! {
            impl #impl_generics #as_trait for __In #type_generics #where_clause {
                type Type = #ty;
                #foreign
                #rules
            }
        }
    }

    /// Emits the description of the parameter, as a field of the shape.
    fn field(&self, types: &TokenStream) -> TokenStream {
        let (function, index) = (self.name("parameter", "foreign_parameter"), &self.index);
        let field = &self.argument.field;
        let (name, doc) = (&field.name, doc(&field.doc).unwrap_or_else(|| quote!("")));
        let init = quote!(__tool::#function::<#types, #index>(#name, #doc));
        let mut settings = extras(field);
        settings.extend(field.has_default.then(|| quote!(required: false)));
        settings.extend(computed_default(field));
        if settings.is_empty() {
            quote!(#init.field())
        } else {
            quote!(__tool::FieldInit { #(#settings,)* ..#init }.field())
        }
    }

    /// Emits the condition of a value, or nothing if it always holds.
    fn guard(&self, types: &TokenStream) -> Option<TokenStream> {
        let (ident, index, as_trait) = (&self.argument.ident, &self.index, self.as_trait());
        if self.is_described() {
            Some(quote!(__tool::accepts::<#types, #index>(&self.#ident)))
        } else {
            (!self.argument.field.rules.is_empty()).then(|| quote!(<#types as #as_trait>::follows(&self.#ident)))
        }
    }

    /// Emits one `const` for each literal and rule, so that the compiler reports all errors.
    fn verifications(&self) -> TokenStream {
        let (field, index, as_trait) = (&self.argument.field, &self.index, self.as_trait());
        let constant = |name: &str| {
            let name = format_ident!("{name}");
            quote!(<__In as #as_trait>::#name)
        };
        let (shape, required) = (constant("SHAPE"), constant("REQUIRED"));
        // A default of a type that only `schemars` describes is checked by `build()`.
        let literals = field.default.iter().chain(&field.example).filter(|_| self.is_described()).map(|value| {
            let tokens = literal(value);
            let span = Span::call_site().located_at(value.span);
            quote_spanned!(span=> const _: () = __tool::verify_parameter::<__In, #index>(&#tokens);)
        });
        let takes_names = self
            .argument
            .enum_from
            .as_ref()
            .map(|_| quote_spanned!(at(&field.ty)=> const _: () = __tool::takes_names(#shape);));
        let hidden = field.hidden.filter(|_| !field.has_default).map(|span| {
            let span = Span::call_site().located_at(span);
            quote_spanned!(span=> const _: () = __tool::hidden(#required);)
        });
        let absent = self
            .argument
            .available_if
            .as_ref()
            .filter(|_| !field.has_default)
            .map(|_| quote_spanned!(at(&field.ty)=> const _: () = __tool::may_be_absent(#required);));
        let header = self.argument.header.as_ref().map(|_| {
            let rules = constant("RULES");
            quote_spanned!(at(&field.ty)=> const _: () = __tool::assert_fits_http_header(#shape, #rules);)
        });
        let satisfiable = satisfiable(&field.rules, &shape, &field.ty.to_token_stream());
        literals.chain(satisfiable).chain(header).chain(takes_names).chain(hidden).chain(absent).collect()
    }
}

/// Emits the settings of a parameter that `schemars` describes, which depend on its type.
fn foreign(field: &Field) -> TokenStream {
    let (ty, required) = (&field.ty, is_no_option(&field.ty));
    quote_spanned! {at(ty)=>
        const REQUIRED: bool = #required;
        const DISTINCT_NULL: bool = {
            use __tool::Otherwise as _;
            __tool::IsDoubleOption::<#ty>::VALUE
        };
        fn from_sent<'de, D: __tool::serde::Deserializer<'de>>(deserializer: D) -> __tool::Result<Self::Type, D::Error> {
            use __tool::SentOtherwise as _;
            __tool::Sent::<#ty>::decode(deserializer)
        }
    }
}

/// Emits the type that implements the traits of the parameters, or nothing if there are no parameters.
fn types(parameters: &[Parameter<'_>], scope: &Scope) -> Option<TokenStream> {
    let (impl_generics, _, where_clause) = scope.generics.split_for_impl();
    let marker = scope.is_generic().then(|| {
        let marker = scope.marker();
        quote!((#marker))
    });
    (!parameters.is_empty()).then(|| quote!(struct __In #impl_generics #marker #where_clause;))
}

/// Emits the struct that users see, as `<GetWeatherTool as TypedTool>::Args`.
fn structure(parameters: &[Parameter<'_>], scope: &Scope) -> TokenStream {
    let fields = parameters.iter().map(|Parameter { argument, .. }| {
        let (ident, ty) = (&argument.ident, &argument.field.ty);
        let doc = match &argument.field.doc {
            Doc::Text(text) => Some(quote!(#[doc = #text])),
            // rustc does not accept the path of a `const` in a `#[doc]` attribute.
            Doc::Expression(_) | Doc::None => None,
        };
        quote!(#doc pub #ident: #ty)
    });
    let (impl_generics, _, where_clause) = scope.generics.split_for_impl();
    // The generic parameters of a container need not occur in the types of the member's parameters.
    let marker = scope.is_generic().then(|| {
        let marker = scope.marker();
        quote!(#[doc(hidden)] pub __container: #marker,)
    });
    quote! {
        pub struct __Args #impl_generics #where_clause {
            #(#fields,)*
            #marker
        }
    }
}

/// Emits the decoding, the description and the guard of arguments that are one value of the user's type.
fn flattened(argument: &Argument, scope: &Scope) -> TokenStream {
    let (ident, ty) = (&argument.ident, &argument.field.ty);
    let input = quote_spanned!(at(ty)=> <#ty as __tool::ToolInput>);
    let is_struct =
        (!scope.is_generic()).then(|| quote_spanned!(at(ty)=> const _: () = __tool::is_struct(#input::SHAPE);));
    let marker = scope.is_generic().then(|| quote!(__container: ::core::marker::PhantomData,));
    let with_lifetime = scope.with_lifetime();
    let (impl_generics_de, ..) = with_lifetime.split_for_impl();
    let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics_de __tool::serde::Deserialize<'de> for __Args #type_generics #where_clause {
            fn deserialize<D: __tool::serde::Deserializer<'de>>(deserializer: D) -> __tool::Result<Self, D::Error> {
                match <#ty as __tool::serde::Deserialize>::deserialize(deserializer) {
                    __tool::Ok(#ident) => __tool::Ok(Self { #ident, #marker }),
                    __tool::Err(error) => __tool::Err(error),
                }
            }
        }

        #[automatically_derived]
        impl #impl_generics __tool::ToolInput for __Args #type_generics #where_clause {
            const SHAPE: &'static __tool::Shape = #input::SHAPE;

            fn guard(&self) -> bool {
                #input::guard(&self.#ident)
            }
        }

        #is_struct
    }
}

/// Emits the description and the rules.
fn input(tool: &Tool, parameters: &[Parameter<'_>], scope: &Scope) -> TokenStream {
    let types = of_types(scope);
    let fields = parameters.iter().map(|parameter| parameter.field(&types));
    let unknown = unknown(tool.is_closed());
    let guard = conjunction(&parameters.iter().filter_map(|parameter| parameter.guard(&types)).collect::<Vec<_>>());
    let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __tool::ToolInput for __Args #type_generics #where_clause {
            const SHAPE: &'static __tool::Shape = &__tool::parameters(const { &[#(#fields),*] }, #unknown);

            fn guard(&self) -> bool {
                #guard
            }
        }
    }
}

/// Emits the settings that describe the model's parameters and the host's parameters separately. Emits nothing if the tool has no host
/// parameters.
pub(super) fn host(tool: &Tool, scope: &Scope) -> Option<TokenStream> {
    if !tool.arguments().any(|argument| argument.is_host) {
        return None;
    }
    let types = of_types(scope);
    let shape = |of_host: bool| {
        let fields = parameters(tool).filter(|parameter| parameter.argument.is_host == of_host);
        let fields: Vec<TokenStream> = fields.map(|parameter| parameter.field(&types)).collect();
        let unknown = unknown(true);
        quote!(const { &__tool::parameters(const { &[#(#fields),*] }, #unknown) })
    };
    let (input, host) = (shape(false), shape(true));
    Some(quote!(input: #input, host: __tool::Some(#host),))
}

/// Emits the function with which `build()` decodes the literals that the compiler could not check, or nothing if there are no such
/// literals.
pub(super) fn verify(tool: &Tool, scope: &Scope) -> Option<TokenStream> {
    let types = of_types(scope);
    let checks: Vec<TokenStream> = parameters(tool)
        .flat_map(|parameter| {
            let Parameter { argument, index } = &parameter;
            let (function, name) = (parameter.name("accept", "accept_foreign"), &argument.field.name);
            let literals = [("default", &argument.field.default), ("example", &argument.field.example)];
            let check = |(what, value): (&str, &Option<crate::model::Literal>)| {
                let json = value.as_ref()?.to_string();
                Some(quote!(__tool::#function::<#types, #index>(#name, #what, #json)))
            };
            literals.into_iter().filter_map(check).collect::<Vec<_>>()
        })
        .collect();
    let (last, before) = checks.split_last()?;
    Some(if before.is_empty() { quote!(|| #last) } else { quote!(|| { #(#before?;)* #last }) })
}
