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

fn main() {
    let slow = Slow { r#await: ::std::option::Option::None };
    ::std::assert_eq!(slow.treatment(), ::tool_runtime::failure::Treatment::timeout());
}
