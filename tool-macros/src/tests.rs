//! Tests that call the stages as plain functions: parsed values, error messages, and the paths in the expansion.

mod expansions;
mod page;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser as _;
use syn::{Attribute, parse_quote};

use crate::check::default_runtime;
use crate::model::{Doc, Literal};
use crate::parse::{Attributes, Place, attributes};

/// Expands the derive of `tool-runtime`.
fn expand(item: TokenStream) -> TokenStream {
    crate::derive::expand(item, default_runtime())
}

/// Returns the messages of all `compile_error!`s in an expansion, in order.
fn errors(item: TokenStream) -> Vec<String> {
    fn collect(tokens: TokenStream, found: &mut Vec<String>) {
        let mut after_error = false;
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => after_error = ident == "compile_error",
                TokenTree::Group(group) if after_error => {
                    found.extend(syn::parse2::<syn::LitStr>(group.stream()).map(|message| message.value()));
                    after_error = false;
                }
                TokenTree::Group(group) => collect(group.stream(), found),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(expand(item), &mut found);
    found
}

fn literal(tokens: TokenStream) -> syn::Result<Literal> {
    crate::parse::literal.parse2(tokens)
}

#[test]
fn a_literal_keeps_its_json() {
    for (tokens, json) in [
        (quote!(null), "null"),
        (quote!(-1), "-1"),
        (quote!(1_000), "1000"),
        (quote!(0x10), "16"),
        (quote!(2.50), "2.5"),
        (quote!(1e3), "1000.0"),
        (quote!(340282366920938463463374607431768211455), "340282366920938463463374607431768211455"),
        (quote!("a\"\\\n\u{1}é"), r#""a\"\\\n\u0001é""#),
        (quote!([1, [true], "x",]), r#"[1,[true],"x"]"#),
        (quote!({"b": 1, "a": {}}), r#"{"b":1,"a":{}}"#),
    ] {
        assert_eq!(literal(tokens).map(|literal| literal.to_string()).ok().as_deref(), Some(json));
    }
}

#[test]
fn values_that_json_does_not_have_are_rejected() {
    let deep = (0..40).fold(quote!(1), |inner, _| quote!([#inner]));
    for (tokens, message) in [
        (quote!(1u8), "write `1` instead of `1u8`"),
        (quote!('c'), "write a JSON value"),
        (quote!(nil), "write a JSON value"),
        (quote!(u8::MAX), "write a JSON value"),
        (quote!(Priority::Low), "write the name of the variant in JSON: `\"Low\"`"),
        (quote!(1e999), "JSON has no infinite numbers"),
        (quote!({"a": 1, "a": 2}), "already given"),
        (deep, "at most 32 levels deep"),
    ] {
        let error = literal(tokens).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(message), "{error:?} should say {message:?}");
    }
}

fn field(attribute: Attribute, place: Place) -> (Attributes, Vec<String>) {
    let mut errors = crate::errors::Errors::default();
    let found = attributes(std::slice::from_ref(&attribute), std::slice::from_ref(&attribute), place, &mut errors);
    let messages = errors.finish().err().into_iter().flatten().map(|error| error.to_string()).collect();
    (found, messages)
}

#[test]
fn every_mistake_is_reported() {
    let attribute =
        parse_quote!(#[tool(wibble = 1 + 2, length(mix = 1, max = "x"), pattern, sensitive, example = 'c', hidden)]);
    let (found, messages) = field(attribute, Place::Field);
    assert!(found.sensitive.is_some() && found.hidden.is_some() && found.rules.is_empty());
    assert_eq!(messages.len(), 5, "{messages:?}");
}

#[test]
fn a_parameter_accepts_the_serde_keys_of_a_field() {
    let attribute: Attribute = parse_quote!(#[tool(rename = "a", alias = "b", default_fn = path::to, state)]);
    let (found, messages) = field(attribute.clone(), Place::Parameter);
    assert!(messages.is_empty() && found.rename.is_some() && found.default_fn.is_some() && found.state.is_some());
    assert_eq!(found.aliases.len(), 1);
    let (_, messages) = field(attribute, Place::Field);
    assert!(messages[0].contains(r#"#[serde(rename = "…")]"#) && messages[3].contains("it belongs on a parameter"));
}

#[test]
fn documentation_is_joined_and_trimmed() {
    let lines: Vec<Attribute> = vec![
        parse_quote!(#[doc = " First."]),
        parse_quote!(#[doc = ""]),
        parse_quote!(#[doc = "   - indented  "]),
        parse_quote!(#[doc = ""]),
    ];
    let mut errors = crate::errors::Errors::default();
    let found = attributes(&lines, &lines, Place::Field, &mut errors);
    assert!(errors.finish().is_ok());
    assert!(matches!(found.doc, Doc::Text(text) if text == "First.\n\n  - indented"));
}

#[test]
fn mistakes_in_serde_attributes_are_left_to_serde() {
    let item = quote!(
        struct Room {
            /// Beds.
            #[serde(renam = "x")]
            beds: u8,
        }
    );
    assert!(errors(item.clone()).is_empty());
    let expansion = expand(item).to_string();
    assert!(expansion.contains("Deserialize") && expansion.contains("ToolInput"), "a stand-in for both");
}

#[test]
fn the_owned_type_is_named() {
    for (ty, owned) in [
        (quote!(&'a str), "String"),
        (quote!(Option<&'a [u8]>), "Option<Vec<u8>>"),
        (quote!(Vec<Cow<'a, str>>), "Vec<Cow<'static, str>>"),
    ] {
        let messages = errors(quote!(struct Room<'a>(#ty);));
        assert!(matches!(&messages[..], [message] if message.contains(&format!("write `{owned}`"))), "{messages:?}");
    }
}

#[test]
fn the_expansion_is_one_const() {
    let expansion = expand(quote!(
        /// A room.
        #[tool(ignore_unknown)]
        struct Room<T> {
            /// Guests.
            #[tool(inner(pattern = "^a$"), example = ["a"])]
            guests: Vec<T>,
        }
    ));
    let file: syn::File = syn::parse2(expansion).unwrap();
    assert!(matches!(&file.items[..], [syn::Item::Const(item)] if item.ident == "_"));
}

#[test]
fn only_the_renamed_runtime_is_named() {
    let derived = expand(quote!(
        /// A room.
        #[tool(crate = ::renamed, ignore_unknown)]
        struct Room {
            /// Guests.
            #[tool(inner(pattern = "^a$"), example = ["a"], custom = polite)]
            guests: Vec<String>,
        }
    ));
    let item = quote!(
        async fn wait(
            /// Seconds to wait.
            #[tool(default = 1, range(min = 1))]
            seconds: u8,
        ) -> Result<u8, String> {
            Ok(seconds)
        }
    );
    let tool = crate::tool::expand(&quote!(crate = ::renamed, undocumented, output_schema), &item);
    let block = quote!(
        impl Math {
            /// Adds one.
            #[tool]
            fn add(&self) {}
        }
    );
    let container = crate::plugin_container::expand(&quote!(crate = ::renamed, undocumented), &block);
    for expansion in [derived, tool, container] {
        let expansion = expansion.to_string();
        assert!(expansion.contains(":: renamed") && !expansion.contains("compile_error"), "{expansion}");
        assert!(!expansion.contains("tool_runtime"), "{expansion}");
    }
}

#[test]
fn the_derive_of_tool_schema_names_no_other_crate() {
    let item = quote!(
        /// A place to sleep.
        #[derive(Deserialize)]
        struct Room {
            /// Number of beds.
            #[tool(range(min = 1, max = 4), example = 2)]
            beds: u8,
        }
    );
    let expansion = crate::derive::expand(item, parse_quote!(::tool_schema)).to_string();
    assert!(expansion.contains(":: tool_schema") && !expansion.contains("tool_runtime"), "{expansion}");
}
