//! The lints that generated code may break.

use proc_macro2::TokenStream;
use quote::quote;

/// Returns the attribute that stands on each outermost generated item.
///
/// Generated items may stay unused, read deprecated parameters, repeat private types of the place where they stand, and write every path in
/// full. `missing_docs` is not in the list: crates forbid it, so generated items that others can see are documented.
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
            unused_variables,
            clippy::all,
            clippy::nursery,
            clippy::pedantic,
            clippy::restriction
        )]
    }
}
