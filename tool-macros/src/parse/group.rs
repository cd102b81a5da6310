//! What a `macro_rules!` hands on as `$ty:ty` or `$text:expr`: the same tokens in a group without delimiters, which means nothing here.

use syn::{Expr, Type};

/// The type inside such groups.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    let mut ty = ty;
    while let Type::Group(group) = ty {
        ty = &group.elem;
    }
    ty
}

/// The expression inside such groups.
pub(super) fn ungrouped_expression(expression: Expr) -> Expr {
    let mut expression = expression;
    while let Expr::Group(group) = expression {
        expression = *group.expr;
    }
    expression
}
