//! Parses the `impl` block of a container, and removes our own attributes from it.
//!
//! In all generated code, `Self` is replaced by the type of the block, because the generated items are outside of the block, where `Self`
//! has another meaning.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser as _;
use syn::{Attribute, GenericArgument, ImplItem, ItemImpl, Path, PathArguments, Type};

use super::attributes::Attributes;
use super::cfg::{may_hold, reject_conditional};
use super::item_kind::Place;
use super::lookup::attributes;
use super::mark::{is_ours, take_settings};
use super::signature::{RawTool, strip};
use crate::errors::Errors;
use crate::ungroup::ungrouped;

/// A parsed block with its settings.
pub(crate) struct RawContainer {
    pub(crate) attributes: Attributes,
    pub(crate) members: Vec<RawTool>,
    /// The path of the first `#[tool]`. The generated code mentions it, so that the import of the attribute, which is removed, does not seem
    /// unused.
    pub(crate) marker: Option<Path>,
}

impl RawContainer {
    /// Parses a block, and removes our own attributes from it.
    pub(crate) fn parse(settings: &[Attribute], block: &mut ItemImpl, errors: &mut Errors) -> Self {
        let attributes = attributes(settings, &block.attrs, Place::Block, errors);
        let runtime = attributes.runtime.as_ref().map(|(_, path)| path);
        let written_out = written_out(&block.self_ty);
        let (mut members, mut marker) = (Vec::new(), None);
        for item in &mut block.items {
            let ImplItem::Fn(method) = item else { continue };
            let is_ours = |path: &Path| is_ours(path, runtime);
            for attribute in method.attrs.extract_if(.., |attribute| may_hold(attribute, is_ours)) {
                errors.on(
                    attribute,
                    "`#[plugin_container]` reads its methods before `cfg_attr` is expanded: write `#[cfg(…)]` and `#[tool]` on the method",
                );
            }
            if let Some(taken) = take_settings(&mut method.attrs, runtime) {
                reject_conditional(&method.attrs, errors);
                marker.get_or_insert(taken.path);
                // If rustc would reject the tokens, they stay as they are, so that rustc reports the error.
                let settings: Vec<Attribute> = taken
                    .settings
                    .iter()
                    .flat_map(|attribute| {
                        Attribute::parse_outer.parse2(replaced(attribute, &written_out)).unwrap_or_default()
                    })
                    .collect();
                let mut signature =
                    syn::parse2(replaced(&method.sig, &written_out)).unwrap_or_else(|_| method.sig.clone());
                members.push(RawTool::parse(&settings, &method.attrs, &method.vis, &mut signature, errors));
                strip(&mut method.sig);
            }
        }
        Self { attributes, members, marker }
    }
}

/// Returns the type of the block in a form that is valid in types and expressions: `Store::<T>`.
pub(crate) fn written_out(ty: &Type) -> TokenStream {
    let mut ty = ungrouped(ty).clone();
    if let Type::Path(path) = &mut ty {
        for segment in &mut path.path.segments {
            if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments
                && arguments.args.iter().all(|argument| !matches!(argument, GenericArgument::Constraint(_)))
            {
                arguments.colon2_token = Some(syn::Token![::](arguments.lt_token.span));
            }
        }
    }
    quote!(#ty)
}

/// Replaces each `Self` with a type that has the location of the `Self`.
fn replaced(tokens: &impl ToTokens, ty: &TokenStream) -> TokenStream {
    replace(tokens.to_token_stream(), ty)
}

fn replace(tokens: TokenStream, ty: &TokenStream) -> TokenStream {
    let replace_tree = |tree| match tree {
        TokenTree::Ident(ident) if ident == "Self" => moved(ty.clone(), ident.span()),
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace(group.stream(), ty));
            replaced.set_span(group.span());
            TokenTree::Group(replaced).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(replace_tree).collect::<Vec<TokenStream>>().into_iter().collect()
}

/// Returns the tokens with another location and unchanged hygiene.
fn moved(tokens: TokenStream, place: proc_macro2::Span) -> TokenStream {
    let move_tree = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            tree = TokenTree::Group(Group::new(group.delimiter(), moved(group.stream(), place)));
        }
        tree.set_span(tree.span().located_at(place));
        tree
    };
    tokens.into_iter().map(move_tree).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_is_replaced_everywhere() -> syn::Result<()> {
        let ty: Type = syn::parse_str("Store<T>")?;
        let signature = quote!(fn put(&self, #[tool(custom = Self::judge)] value: Option<Self>) -> Vec<Self>);
        let expected =
            quote!(fn put(&self, #[tool(custom = Store::<T>::judge)] value: Option<Store::<T> >) -> Vec<Store::<T> >);
        assert_eq!(replaced(&signature, &written_out(&ty)).to_string(), expected.to_string());
        Ok(())
    }
}
