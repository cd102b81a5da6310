//! The lints that generated code may break.

use proc_macro2::TokenStream;
use quote::quote;

/// Returns the `allow` attribute that each outermost generated item gets.
///
/// Generated items may be unused, use deprecated parameters, repeat private types of the user's module, and write every path in full. The
/// list contains no lint groups, because an `allow` of a group does not compile in a crate that forbids one lint of the group.
/// `missing_docs` is not in the list, so public generated items have documentation.
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
