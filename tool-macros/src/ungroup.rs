//! Removes the invisible groups in which a `macro_rules!` macro passes fragments such as `$ty:ty` and `$text:expr`.

use syn::{Expr, Type};

/// Returns the type without invisible groups around it.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    let mut ty = ty;
    while let Type::Group(group) = ty {
        ty = &group.elem;
    }
    ty
}

/// Returns the expression without invisible groups around it.
pub(crate) fn ungrouped_expression(expression: Expr) -> Expr {
    let mut expression = expression;
    while let Expr::Group(group) = expression {
        expression = *group.expr;
    }
    expression
}
