//! Failures without variants, and with a field whose name is a keyword.
#![deny(warnings)]
#![no_implicit_prelude]

use ::tool_runtime::ToolFailure;

#[derive(::std::fmt::Debug, ToolFailure)]
enum Empty {}

impl ::std::fmt::Display for Empty {
    fn fmt(&self, _: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match *self {}
    }
}

impl ::std::error::Error for Empty {}

#[derive(::std::fmt::Debug, ToolFailure)]
#[tool(timeout, retry_after = r#await)]
struct Slow {
    r#await: ::std::option::Option<::std::time::Duration>,
}

impl ::std::fmt::Display for Slow {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str("slow")
    }
}

impl ::std::error::Error for Slow {}

#[::std::prelude::v1::test]
fn a_field_may_have_the_name_of_a_keyword() {
    let slow = Slow { r#await: ::std::option::Option::None };
    ::std::assert_eq!(slow.treatment(), ::tool_runtime::failure::Treatment::timeout());
}
