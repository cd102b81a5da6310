//! Expands under every lint that users turn on, without a prelude, beside names that shadow std's, from inside a `macro_rules!`.
#![no_implicit_prelude]
#![deny(warnings, missing_docs, unsafe_code, unused_qualifications, unreachable_pub, clippy::pedantic)]

extern crate std;
extern crate tool_runtime as renamed;

use ::std::{concat, stringify};

/// A value named like std's.
#[derive(::serde::Deserialize, renamed::ToolInput)]
#[tool(crate = crate::macros::strict_surroundings::renamed)]
pub struct Option(pub u8);

/// A name of std's.
pub struct Some;

/// A name of std's.
pub trait Send {}

/// A name of std's.
pub mod core {}

macro_rules! room {
    ($name:ident, $item:ident: $type:ty, $most:literal) => {
        #[doc = concat!("The ", stringify!($name), ".")]
        #[derive(::serde::Deserialize, renamed::ToolInput)]
        #[tool(ignore_unknown, crate = $crate::macros::strict_surroundings::renamed)]
        pub struct $name {
            /// Type of room.
            #[tool(length(min = 1, max = $most), pattern = "^[a-z]+$", example = "suite")]
            pub r#type: ::std::string::String,
            /// Numbers.
            #[deprecated]
            #[tool(inner(multiple_of = 2, range(max = $most)), unique_items)]
            pub $item: $type,
            /// Other value.
            #[tool(custom = small)]
            pub value: Option,
        }
    };
}

room!(Room, item: ::std::vec::Vec<u8>, 9);

fn small(value: &Option) -> ::std::result::Result<(), renamed::CustomRuleError> {
    if value.0 < 9 {
        ::std::result::Result::Ok(())
    } else {
        ::std::result::Result::Err(::std::convert::Into::into("must be below nine"))
    }
}

/// One of several.
#[derive(::serde::Deserialize, renamed::ToolInput)]
#[tool(ignore_unknown, crate = crate::macros::strict_surroundings::renamed)]
pub enum Either<T> {
    /// A value.
    Left(T),
    /// A number.
    Right {
        /// At least one.
        #[tool(range(min = 1))]
        item: u8,
    },
}

#[::std::prelude::v1::test]
fn the_expansion_needs_no_name_of_its_surroundings() {
    /// Inside a function.
    #[derive(::serde::Deserialize, renamed::ToolInput)]
    #[tool(crate = ::tool_runtime)]
    struct Inside(#[tool(range(max = 3))] u8);
    ::std::assert!(!<Inside as renamed::ToolInput>::guard(&Inside(4)));
}
