//! The lints that generated code may break.

use proc_macro2::TokenStream;
use quote::quote;

/// Returns the attribute for each outermost generated item.
///
/// Generated items may be unused, use deprecated parameters, repeat private types of the user's module, and write every path in full. The
/// list contains no lint groups, because an `allow` of a group does not compile in a crate that forbids one lint of the group. It does not
/// contain `missing_docs` either, so public generated items are documented.
pub(crate) fn allow() -> TokenStream {
    quote! {
        #[allow(
            dead_code,
            deprecated,
            private_bounds,
            private_interfaces,
            unreachable_patterns,
            unused_imports,
            unused_qualifications,
            clippy::arbitrary_source_item_ordering,
            clippy::exhaustive_structs,
            clippy::missing_errors_doc,
            clippy::needless_update,
            clippy::same_name_method
        )]
    }
}
