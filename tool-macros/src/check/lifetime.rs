//! Rejects borrowed types, because arguments are decoded into values that outlive the text of the call. The error names the owned type.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Generics, Lifetime, Type, parse_quote};

use crate::ungroup::ungrouped;

/// Returns the owned form of the type, or `None` if the type borrows nothing.
pub(crate) fn owned(ty: &Type) -> Option<Type> {
    let mut owned = ty.clone();
    let mut visitor = Owned { changed: false };
    visitor.visit_type_mut(&mut owned);
    visitor.changed.then_some(owned)
}

/// Returns the error text for a borrowed type.
pub(crate) fn message(ty: &Type, owned: &Type) -> String {
    format!("arguments are decoded into owned values: write `{}` instead of `{}`", show(owned), show(ty))
}

struct Owned {
    changed: bool,
}

impl VisitMut for Owned {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Reference(reference) = ty {
            self.changed = true;
            // These names only improve the suggestion: every reference is rejected.
            *ty = match ungrouped(&reference.elem) {
                Type::Path(path) if path.path.is_ident("str") => parse_quote!(String),
                Type::Path(path) if path.path.is_ident("Path") => parse_quote!(PathBuf),
                Type::Slice(slice) => {
                    let item = &slice.elem;
                    parse_quote!(Vec<#item>)
                }
                other => other.clone(),
            };
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        match argument {
            GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" => {
                self.changed = true;
                *lifetime = Lifetime::new("'static", Span::call_site());
            }
            other => visit_mut::visit_generic_argument_mut(self, other),
        }
    }
}

/// Returns the type with `'_` in place of the function's lifetimes, whose names are unknown outside of the function.
pub(crate) fn anonymous(ty: &Type, generics: &Generics) -> Type {
    struct Anonymous<'g>(&'g Generics);

    impl VisitMut for Anonymous<'_> {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if self.0.lifetimes().any(|declared| declared.lifetime.ident == lifetime.ident) {
                *lifetime = Lifetime::new("'_", lifetime.span());
            }
        }
    }

    let mut ty = ty.clone();
    Anonymous(generics).visit_type_mut(&mut ty);
    ty
}

/// Formats a type as people write it: `Vec<&'a str>`, not `Vec < & 'a str >`.
pub(crate) fn show(ty: &(impl ToTokens + ?Sized)) -> String {
    let mut text = String::new();
    write(ty.to_token_stream(), &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    for tree in tokens {
        let word = tree.to_string();
        let needs_space = word.starts_with(|first: char| first.is_alphanumeric() || first == '_')
            && text.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        if needs_space || text.ends_with([',', ';']) {
            text.push(' ');
        }
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
            }
            _ => text.push_str(&word),
        }
    }
}
