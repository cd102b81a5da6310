//! The bounds of a generated impl: like serde, it requires `T: ToolInput` for each type parameter that appears in the JSON.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, Type, TypePath, WherePredicate, parse_quote};

/// Returns the generics of the impl. `wire` are the types whose `ToolInput` impls the generated impl uses; `stated` replaces the inferred
/// bounds.
pub(crate) fn generics<'t>(
    generics: &Generics,
    stated: Option<Vec<WherePredicate>>,
    wire: impl IntoIterator<Item = &'t Type>,
) -> Generics {
    let mut bounded = generics.clone();
    for parameter in bounded.type_params_mut() {
        parameter.default = None;
    }
    if bounded.params.is_empty() {
        return bounded;
    }
    let parameters: HashSet<Ident> = bounded.type_params().map(|parameter| parameter.ident.clone()).collect();
    let predicates = &mut bounded.make_where_clause().predicates;
    // serde's impl decides under which bounds a generic type can be decoded. Bounds that are repeated here could differ from serde's.
    predicates.push(parse_quote!(Self: __tool::serde::de::DeserializeOwned + ::core::marker::Send + 'static));
    if let Some(stated) = stated {
        predicates.extend(stated);
        return bounded;
    }
    let mut used = Used::default();
    for ty in wire {
        used.collect(ty.to_token_stream(), &parameters);
    }
    for ty in used.types {
        predicates.push(parse_quote!(#ty: __tool::ToolInput));
    }
    bounded
}

/// The type parameters, and the associated types of type parameters, that occur in some tokens.
#[derive(Default)]
struct Used {
    types: Vec<TypePath>,
    seen: HashSet<String>,
}

impl Used {
    fn collect(&mut self, tokens: TokenStream, parameters: &HashSet<Ident>) {
        let mut trees = tokens.into_iter().peekable();
        let mut after_path_separator = false;
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Group(group) => self.collect(group.stream(), parameters),
                TokenTree::Ident(ident) if parameters.contains(&ident) && !after_path_separator => {
                    let mut path = ident.to_token_stream();
                    while matches!(trees.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':') {
                        path.extend(trees.next());
                        path.extend(trees.next());
                        path.extend(trees.next_if(|tree| matches!(tree, TokenTree::Ident(_))));
                    }
                    if self.seen.insert(path.to_string())
                        && let Ok(path) = syn::parse2(path)
                    {
                        self.types.push(path);
                    }
                    after_path_separator = false;
                }
                other => after_path_separator = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == ':'),
            }
        }
    }
}
