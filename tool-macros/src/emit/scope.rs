//! Where the items around one tool stand: beside a free function, or beside the block of a container, whose parameters they repeat.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Type};

use crate::model::Owner;

/// The generics of the items around one tool, and the type whose method it is.
pub(super) struct Scope {
    /// Those of the container; none around a free function.
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

    /// A type that uses every parameter and holds nothing.
    pub(super) fn marker(&self) -> TokenStream {
        let container = &self.container;
        quote!(::core::marker::PhantomData<fn() -> #container>)
    }
}
