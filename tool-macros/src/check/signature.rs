//! Rejects signatures that a model cannot call. Each error says what to write instead.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, ReceiverKind, ReturnType, Safety, Signature, Type};

use super::lifetime::show;
use crate::errors::Errors;
use crate::parse::written_out;

/// Rejects what neither a free function nor a method may have in its signature.
pub(super) fn reject(signature: &Signature, errors: &mut Errors) {
    if let Some(constness) = &signature.constness {
        errors.on(constness, "a tool runs when a model calls it, never while the program compiles: remove `const`");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.on(
            token,
            "a model cannot uphold the safety contract of an `unsafe` function: remove `unsafe`, and check the contract in the function",
        );
    }
    if let Some(abi) = &signature.abi {
        errors.on(abi, "a tool uses the calling convention of Rust: remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.on(variadic, "a model fills in named parameters: write `items: Vec<T>` instead of `...`");
    }
    for parameter in &signature.generics.params {
        if let GenericParam::Type(_) | GenericParam::Const(_) = parameter {
            let ident = match parameter {
                GenericParam::Type(parameter) => &parameter.ident,
                GenericParam::Const(parameter) => &parameter.ident,
                GenericParam::Lifetime(parameter) => &parameter.lifetime.ident,
            };
            errors.on(
                ident,
                format!("a model sees one schema: write a concrete type instead of the parameter `{ident}`"),
            );
        }
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && let Type::Never(never) = &**ty
    {
        errors.on(never, "a model waits for an answer, and this function never gives one: write the type of the answer instead of `!`");
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && let Some(found) = find_type(ty, |ty| matches!(ty, Type::ImplTrait(_)))
    {
        errors.on(
            &found,
            format!(
                "the result needs a concrete type: write the type instead of `{}`, or `async fn` if it is a future",
                show(ty)
            ),
        );
    }
}

/// Rejects a receiver or a `Self` outside of a container; returns `true` if there was one.
pub(crate) fn reject_method(signature: &Signature, errors: &mut Errors) -> bool {
    if let Some(receiver) = signature.receiver() {
        errors.on(
            receiver,
            "a method can be a tool only in a container: write `#[plugin_container]` above its `impl` block, and keep `#[tool]` here",
        );
        return true;
    }
    let found = find_self(signature.to_token_stream());
    if let Some(found) = found {
        errors.at(
            found,
            "`#[tool]` alone adds items that an `impl` block cannot contain: write `#[plugin_container]` above the `impl` block, and keep `#[tool]` here",
        );
    }
    found.is_some()
}

/// Rejects every receiver except `&self`, and rejects `Self` in the signature, where the type must be written out. Returns `true` if there
/// is a receiver.
pub(super) fn receiver(signature: &Signature, container: &Type, errors: &mut Errors) -> bool {
    let Some(receiver) = signature.receiver() else { return false };
    match &receiver.kind {
        ReceiverKind::Reference(_, _, None) => {}
        ReceiverKind::Reference(_, _, Some(_)) => errors.on(
            receiver,
            "tools run concurrently, so a tool cannot borrow its container mutably: write `&self`, and keep mutable data in a `Mutex` or an atomic",
        ),
        ReceiverKind::Typed(_, ty) if matches!(&**ty, Type::Reference(reference) if reference.mutability.is_none() && show(&reference.elem) == show(&written_out(container))) => {}
        _ => errors.on(receiver, "a model may call a tool more than once, so a tool cannot consume its container: write `&self`"),
    }
    true
}

/// Returns the first type in a type, or the type itself, that is meant.
pub(super) fn find_type(ty: &Type, is_meant: impl Fn(&Type) -> bool) -> Option<Type> {
    struct Find<F>(Option<Type>, F);
    impl<F: Fn(&Type) -> bool> VisitMut for Find<F> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            self.0 = self.0.take().or_else(|| (self.1)(ty).then(|| ty.clone()));
            visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut find = Find(None, is_meant);
    find.visit_type_mut(&mut ty.clone());
    find.0
}

/// Returns the span of the first `Self`.
fn find_self(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) if ident == "Self" => Some(ident.span()),
        TokenTree::Group(group) => find_self(group.stream()),
        _ => None,
    })
}
