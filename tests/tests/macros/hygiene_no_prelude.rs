//! Tools in a crate without the prelude of std.

#![no_implicit_prelude]
#![allow(missing_docs)]

use ::tool_runtime::{ToolInput, plugin_container, tool};

#[::core::prelude::v1::derive(::serde::Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    One,
    Two,
}

/// Waits.
#[tool(output_schema, read_only)]
async fn wait(
    /// Number of seconds.
    #[tool(default = 1, range(min = 1), example = 2)]
    seconds: u8,
    /// For whom.
    #[tool(length(min = 1), pattern = "^a", alias = "whom")]
    name: ::std::string::String,
    /// Number of repetitions.
    times: ::std::option::Option<u8>,
    /// Which.
    #[tool(default = "one")]
    unit: Unit,
    #[tool(context)] cx: &::tool_runtime::CallContext,
    #[tool(state)] state: &u64,
) -> ::std::result::Result<u8, ::std::string::String> {
    let _ = (name, times, cx, state);
    match unit {
        Unit::One => ::std::result::Result::Ok(seconds),
        Unit::Two => ::std::result::Result::Err(::std::convert::From::from("two")),
    }
}

struct Store<T>(T);

/// Values.
#[plugin_container]
impl<T: ToolInput + ::std::marker::Sync + ::std::clone::Clone + ::serde::Serialize> Store<T> {
    /// Shows.
    #[tool]
    async fn show(
        &self,
        /// Any value.
        #[tool(schemars)]
        _value: ::std::vec::Vec<u8>,
    ) -> T {
        ::std::clone::Clone::clone(&self.0)
    }
}

#[::core::prelude::v1::test]
fn tools_need_no_prelude() {
    let toolbox = ::tool_runtime::Toolbox::builder().tool(WaitTool).state(1_u64).container(Store(7_u8)).build();
    ::std::assert!(toolbox.is_ok());
}
