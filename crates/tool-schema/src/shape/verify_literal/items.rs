//! A loop over the items of an array and the values of an object.

/// Returns the first result of an expression for an item or value of a literal that is not `None`.
macro_rules! each {
    ($item:ident in $literal:expr => $result:expr) => {
        match $literal {
            Literal::Array(items) => first!($item in *items => $result),
            Literal::Object(members) => first!(member in *members => { let $item = &member.1; $result }),
            _ => None,
        }
    };
}

pub(super) use each;
