//! The context of a tool's items. For a member of a container, it contains the generics of the container's block, which the items repeat.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Type};

use crate::model::Owner;

/// The generics of the items around one tool, and the type of its container.
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

    /// Emits a type that uses every generic parameter and contains no value.
    pub(super) fn marker(&self) -> TokenStream {
        let container = &self.container;
        quote!(::core::marker::PhantomData<fn() -> #container>)
    }
}
