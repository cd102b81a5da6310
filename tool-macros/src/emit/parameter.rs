//! A parameter of a tool, the names of the items that the runtime provides for it, and the [`Scope`] of these items.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Generics, Type, parse_quote};

use crate::model::{Argument, Description, Owner, Tool};

/// The generics of the items around one tool, and the type of its container. The items of a container's member repeat the generics of the
/// container's block.
pub(super) struct Scope {
    /// The generics of the container; empty for a free function.
    pub(super) generics: Generics,
    pub(super) container: Option<Type>,
}

impl Scope {
    pub(super) fn of(owner: Option<&Owner>) -> Self {
        Self {
            generics: owner.map(|owner| owner.generics.clone()).unwrap_or_default(),
            container: owner.map(|owner| owner.ty.clone()),
        }
    }

    pub(super) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// Returns the generics with the lifetime `'de` of a decoder.
    pub(super) fn with_lifetime(&self) -> Generics {
        let mut generics = self.generics.clone();
        generics.params.insert(0, parse_quote!('de));
        generics
    }

    /// Emits a type that uses every generic parameter and contains no value.
    pub(super) fn marker(&self) -> TokenStream {
        let container = &self.container;
        quote!(::core::marker::PhantomData<fn() -> #container>)
    }
}

/// A parameter with its index.
pub(super) struct Parameter<'t> {
    pub(super) argument: &'t Argument,
    pub(super) index: Literal,
}

pub(super) fn parameters(tool: &Tool) -> impl Iterator<Item = Parameter<'_>> {
    let index = Literal::usize_unsuffixed;
    tool.arguments().enumerate().map(move |(number, argument)| Parameter { argument, index: index(number) })
}

impl Parameter<'_> {
    /// Returns `true` if the type describes itself; `schemars` describes all other types.
    pub(super) fn is_described(&self) -> bool {
        matches!(self.argument.field.description, Description::Own)
    }

    /// Returns the first name for a type that describes itself, and the second for a type that `schemars` describes.
    pub(super) fn name(&self, described: &str, foreign: &str) -> Ident {
        format_ident!("{}", if self.is_described() { described } else { foreign })
    }

    /// Emits the trait of the parameter.
    pub(super) fn as_trait(&self) -> TokenStream {
        let (name, index) = (self.name("Parameter", "ForeignParameter"), &self.index);
        quote!(__tool::#name<#index>)
    }
}

/// Emits the type for which the traits of the parameters are implemented, with its generics.
pub(super) fn of_types(scope: &Scope) -> TokenStream {
    let (_, type_generics, _) = scope.generics.split_for_impl();
    quote!(__In #type_generics)
}
