//! Rejects each `Option<Option<T>>` that would lose `null`.
//!
//! An absent key and `null` are two values of such a type only if the key is decoded by [`FUNCTION`], or belongs to a parameter. Everywhere
//! else, `null` is decoded as the outer `None`, and `Some(None)` never occurs.

use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Path, PathArguments, Type};

use super::lifetime::show;
use crate::errors::Errors;
use crate::ungroup::ungrouped;

/// The function of the runtime that decodes `null` as `Some(None)`. The module of the same name in `serde_with` does the same.
const FUNCTION: &str = "double_option";

/// Returns `true` if a path names [`FUNCTION`], or a function in a module of this name.
pub(super) fn is_double_option(function: &Path) -> bool {
    function.segments.iter().any(|segment| segment.ident == FUNCTION)
}

/// Returns `true` if a type is written as an `Option` of an `Option`.
pub(super) fn is_double(ty: &Type) -> bool {
    option(ty).and_then(option).is_some()
}

/// Notes an error for a field whose `null` would be lost. `runtime` is the path of the runtime.
pub(super) fn reject_double(ty: &Type, runtime: &Path, errors: &mut Errors) {
    if is_double(ty) {
        let (attribute, single) = (attribute(runtime), single(ty));
        errors.on(
            ty,
            format!("serde decodes `null` and an absent key as the same `None`: add `{attribute}`, which decodes `null` as `Some(None)`, or write `{single}`"),
        );
    }
    reject_inner(ty, errors);
}

/// Returns the attribute that a field needs.
pub(super) fn attribute(runtime: &Path) -> String {
    let runtime = show(runtime);
    format!("#[serde(default, deserialize_with = \"{}::{FUNCTION}\")]", runtime.trim_start_matches("::"))
}

/// Notes an error for each `Option<Option<T>>` inside a type, and for a third `Option`.
pub(super) fn reject_inner(ty: &Type, errors: &mut Errors) {
    match option(ty) {
        Some(inner) => reject_all(inner, errors),
        None => reject_all(ty, errors),
    }
}

/// Notes an error for each `Option<Option<T>>` in a type, at any depth.
pub(super) fn reject_all(ty: &Type, errors: &mut Errors) {
    for double in doubles(ty) {
        let single = single(&double);
        errors.on(
            double,
            format!("`null` is decoded as the outer `None` here, so `Some(None)` never occurs: write `{single}`"),
        );
    }
}

/// Notes an error for each `Option<Option<T>>` in the type of a result.
pub(super) fn reject_result(ty: &Type, errors: &mut Errors) {
    for double in doubles(ty) {
        let single = single(&double);
        errors.on(
            double,
            format!(
                "the model reads `null` for `None` and for `Some(None)`: return `{single}`, or an enum that names both cases"
            ),
        );
    }
}

/// Returns the outermost types that are written as an `Option` of an `Option`.
fn doubles(ty: &Type) -> Vec<Type> {
    struct Outermost(Vec<Type>);

    impl VisitMut for Outermost {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            if is_double(ty) {
                self.0.push(ty.clone());
            } else {
                visit_mut::visit_type_mut(self, ty);
            }
        }
    }

    let mut outermost = Outermost(Vec::new());
    outermost.visit_type_mut(&mut ty.clone());
    outermost.0
}

/// Returns the text of a type with one `Option` in place of several.
fn single(ty: &Type) -> String {
    let mut single = ty;
    while let Some(inner) = option(single).filter(|inner| option(inner).is_some()) {
        single = inner;
    }
    show(single)
}

/// Returns the type inside an `Option`.
fn option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ungrouped(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}
