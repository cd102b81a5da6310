//! Emits the type that represents a tool: its description, and the code that turns a call into a call of the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericArgument, Path, PathArguments, Type};

use super::lints::allow;
use super::literal::{asks, doc, measured};
use super::parameter::Scope;
use super::parameters::{arguments, host, verify};
use super::{at, private};
use crate::model::{Argument, Parameter, Tool};
use crate::ungroup::ungrouped;

/// Emits the items of a tool:
///
/// ```ignore
/// pub struct GetWeatherTool;
/// const _: () = {
///     use ::tool_runtime::__private as __tool;
///     …                                      // the arguments, see `parameters`
///     impl __tool::TypedTool for GetWeatherTool { type Args = __Args; const SPEC: … }
///     impl GetWeatherTool { pub fn decode(…) …  pub async fn run(…) … }
///     impl __tool::Tool for GetWeatherTool { … }  // `__tool::invoke` decodes, then `run`
/// };
/// ```
pub(crate) fn tool(tool: &Tool, runtime: &Path) -> TokenStream {
    let structure = structure(tool);
    let items = items(tool);
    let ident = &tool.ident;
    let run = invocation(tool, &quote!(arguments, cx));
    let ignores_context = ignores_context(tool).then(|| {
        quote! {
            fn ignores_context(&self) -> bool {
                true
            }
        }
    });
    let call = quote! {
        #[automatically_derived]
        impl __tool::Tool for #ident {
            fn spec(&self) -> &__tool::ToolSpec {
                <Self as __tool::TypedTool>::SPEC
            }

            fn call<'a>(&'a self, arguments: __tool::Arguments<'a>, cx: &'a __tool::CallContext) -> __tool::AnswerOrFuture<'a> {
                let run = |arguments| #run;
                __tool::invoke::<Self>(&arguments, cx, run)
            }

            #ignores_context
        }
    };
    let wrapped = wrapped(runtime, &tool.conditions, &quote!(#items #call));
    quote!(#structure #wrapped)
}

/// Returns `true` if the function is done when it returns, and takes neither the context nor a state.
fn ignores_context(tool: &Tool) -> bool {
    !tool.is_async && !tool.parameters.iter().any(asks_context)
}

/// Returns `true` for a parameter whose value comes from the context.
const fn asks_context(parameter: &Parameter) -> bool {
    matches!(parameter, Parameter::State(_) | Parameter::Context(_))
}

/// Puts the items that only the tool itself uses into a block beside the function.
pub(super) fn wrapped(runtime: &Path, conditions: &[TokenStream], items: &TokenStream) -> TokenStream {
    let (allow, private) = (allow(), private(runtime));
    quote! {
        #(#conditions)*
        #allow
        const _: () = {
            use #private::{self as __tool, ways::*};
            #items
        };
    }
}

/// Emits the type itself. The type of a generic container's member repeats the generic parameters of the container and is never
/// constructed.
pub(super) fn structure(tool: &Tool) -> TokenStream {
    let scope = Scope::of(tool.owner.as_ref());
    let Tool { ident, visibility, name, conditions, .. } = tool;
    let doc = format!("The tool `{name}`: how it is registered, described and tested.");
    let (impl_generics, _, where_clause) = scope.generics.split_for_impl();
    let allow = allow();
    if scope.is_generic() {
        let marker = scope.marker();
        quote! {
            #(#conditions)*
            #[doc = #doc]
            #allow
            #visibility struct #ident #impl_generics (#marker) #where_clause;
        }
    } else {
        quote! {
            #(#conditions)*
            #[doc = #doc]
            #allow
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            #visibility struct #ident;
        }
    }
}

/// Emits the typed items: the arguments, the description, `decode` and `run`.
pub(super) fn items(tool: &Tool) -> TokenStream {
    let scope = Scope::of(tool.owner.as_ref());
    let arguments = arguments(tool, &scope);
    let spec = spec(tool, &scope);
    let run = run(tool);
    let measured = (!scope.is_generic()).then(|| measured(&tool.doc)).flatten();
    let streaks = super::throttle::streaks(&tool.throttle);
    // A static would be shared by all instances of a generic container, whose arguments differ.
    let care = if scope.is_generic() {
        quote!(__tool::None)
    } else {
        quote! {
            static CARE: __tool::CareCell = __tool::CareCell::new();
            __tool::Some(&CARE)
        }
    };
    let Tool { ident, visibility, .. } = tool;
    let (impl_generics, type_generics, where_clause) = scope.generics.split_for_impl();
    quote! {
        #measured
        #streaks
        #arguments

        #[automatically_derived]
        impl #impl_generics __tool::TypedTool for #ident #type_generics #where_clause {
            type Args = __Args #type_generics;
            const SPEC: &'static __tool::ToolSpec = &#spec;
            fn care() -> __tool::Option<&'static __tool::CareCell> {
                #care
            }
        }

        impl #impl_generics #ident #type_generics #where_clause {
            /// Decodes arguments as a call would, without running anything; fails with every issue of the arguments.
            #visibility fn decode<'a, A: __tool::Into<__tool::Arguments<'a>>>(arguments: A) -> __tool::Result<<Self as __tool::TypedTool>::Args, __tool::ValidationError> {
                <Self as __tool::TypedTool>::decode(arguments)
            }

            #run
        }
    }
}

fn spec(tool: &Tool, scope: &Scope) -> TokenStream {
    let name = &tool.name;
    let description = doc(&tool.doc).unwrap_or_else(|| quote!(""));
    let settings = super::settings::settings(&tool.settings);
    let state: Vec<_> = tool.state().map(|ty| quote_spanned!(at(ty)=> __tool::RequiredState::of::<#ty>())).collect();
    let state = (!state.is_empty()).then(|| quote!(state: const { &[#(#state),*] },));
    let output = tool.settings.output_schema.map(|_| {
        let (output, span) = (&tool.output, parts(&tool.output).0);
        let schema = quote_spanned!(span=> __tool::Output::<#output>(::core::marker::PhantomData).schema());
        quote!(output: __tool::Some(|| #schema),)
    });
    let verify = verify(tool, scope).map(|verify| quote!(verify: __tool::Some(#verify),));
    let of_state =
        [("available_if", &tool.settings.available_if), ("description_from", &tool.settings.description_from)];
    let of_state: TokenStream = of_state
        .into_iter()
        .filter_map(|(setting, path)| {
            let (setting, asks) = (format_ident!("{setting}"), asks(path.as_ref()?, "ask"));
            Some(quote!(#setting: __tool::Some(#asks),))
        })
        .collect();
    let throttle = super::throttle::throttle(&tool.throttle);
    let of_parameters: TokenStream = [
        of_parameters(tool, "enum_from", "names", |argument| argument.enum_from.as_ref()),
        of_parameters(tool, "parameter_available_if", "ask", |argument| argument.available_if.as_ref()),
        of_parameters(tool, "parameter_description_from", "ask", |argument| argument.description_from.as_ref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let host = host(tool, scope);
    let of_every_tool = quote!(__tool::ToolInit::new::<Self>(#name, #description));
    let aliases = &tool.aliases;
    let aliases = (!aliases.is_empty()).then(|| quote!(aliases: const { &[#(__tool::Text::Static(#aliases)),*] },));
    let presentation = super::settings::presentation_of_tool(tool, scope);
    let set: TokenStream =
        [aliases, host, settings, presentation, state, output, verify, Some(of_state), Some(of_parameters), throttle]
            .into_iter()
            .flatten()
            .collect();
    if set.is_empty() {
        quote!(#of_every_tool.spec())
    } else {
        quote!(__tool::ToolInit { #set ..#of_every_tool }.spec())
    }
}

/// Emits the functions that one setting, such as `enum_from`, gives for parameters, or nothing if there are none.
fn of_parameters(
    tool: &Tool,
    setting: &str,
    ask: &str,
    path: impl Fn(&Argument) -> Option<&Path>,
) -> Option<TokenStream> {
    let said: Vec<TokenStream> = tool
        .arguments()
        .filter_map(|argument| {
            let (name, asks) = (&argument.field.name, asks(path(argument)?, ask));
            Some(quote!(__tool::of_parameter(#name, #asks)))
        })
        .collect();
    let setting = format_ident!("{setting}");
    (!said.is_empty()).then(|| quote!(#setting: const { &[#(#said),*] },))
}

/// Emits `run`, which calls the function with decoded arguments and encodes the result. The local names of `run` are hygienic, because the
/// function may use the same names.
fn run(tool: &Tool) -> TokenStream {
    let local = |name: &str, place: Span| Ident::new(name, Span::mixed_site().located_at(place));
    let here = Span::mixed_site();
    // An unused parameter starts with an underscore, so that no lint has to be allowed.
    let parameter = |name: &str, is_used: bool| local(&format!("{}{name}", if is_used { "" } else { "_" }), here);
    let cx = parameter("cx", tool.parameters.iter().any(asks_context));
    let arguments = parameter("arguments", tool.arguments().next().is_some());
    let container = parameter("container", tool.owner.as_ref().is_some_and(|owner| owner.has_receiver));
    let values = tool.parameters.iter().map(|parameter| match parameter {
        Parameter::Argument(argument) => {
            let ident = &argument.ident;
            quote!(#arguments.#ident)
        }
        Parameter::State(ty) => {
            let cx = local("cx", at(ty));
            quote_spanned!(at(ty)=> #cx.state::<#ty>()?)
        }
        Parameter::Context(ty) => local("cx", at(ty)).to_token_stream(),
    });
    let (function, visibility) = (&tool.function, &tool.visibility);
    let (receiver, call) = match &tool.owner {
        None => (None, quote!(#function(#(#values),*))),
        Some(owner) => {
            let ty = &owner.ty;
            let receiver = owner.has_receiver.then(|| quote!(#container,));
            (Some(quote!(#container: &#ty,)), quote!(<#ty>::#function(#receiver #(#values),*)))
        }
    };
    let awaited = tool.is_async.then(|| quote!(.await));
    let asyncness = tool.is_async.then(|| quote!(async));
    // An error of rustc points at a whole expression. The expressions for the value and for the error therefore have different locations.
    let (value, error) = parts(&tool.output);
    let (returned, failing, succeeding) = (local("returned", here), local("returned", error), local("returned", value));
    let result = quote_spanned!(error=> #failing.result()?);
    let answer = quote_spanned!(value=> #succeeding.answer());
    quote! {
        /// Runs the function on decoded arguments, as a session would; fails as the function does, or without its state.
        #visibility #asyncness fn run(
            #receiver
            #arguments: <Self as __tool::TypedTool>::Args,
            #cx: &__tool::CallContext,
        ) -> __tool::Answer {
            let #returned = __tool::Returned(#call #awaited);
            let #returned = (&#returned).way().convert(#returned);
            let #returned = #result;
            #answer
        }
    }
}

/// Emits the invocation: a direct call, or a future whose errors point at the name of the function.
pub(super) fn invocation(tool: &Tool, arguments: &TokenStream) -> TokenStream {
    if tool.is_async {
        quote_spanned!(at(&tool.function)=> __tool::pending(Self::run(#arguments)))
    } else {
        quote!(__tool::ready(Self::run(#arguments)))
    }
}

/// Returns the spans for compile errors about the function's value and about its error. The name `Result` in the return type affects only
/// these spans.
fn parts(output: &Type) -> (Span, Span) {
    if let Type::Path(path) = ungrouped(output)
        && let Some(last) = path.path.segments.last()
        && last.ident == "Result"
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
    {
        let mut types = arguments.args.iter().filter(|argument| matches!(argument, GenericArgument::Type(_))).map(at);
        let value = types.next().unwrap_or_else(|| at(output));
        return (value, types.next().unwrap_or_else(|| at(output)));
    }
    (at(output), at(output))
}
