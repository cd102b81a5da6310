//! Tools under the strictest lints, and with other meanings for every name that generated code could rely on.

#![deny(warnings, missing_docs, unsafe_code, unused_qualifications, unreachable_pub, clippy::pedantic)]
// If a crate forbids one lint of a group, generated code that allows the group does not compile.
#![forbid(unused_must_use, clippy::unwrap_used, clippy::indexing_slicing, clippy::wildcard_imports)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::unused_async,
    clippy::unused_self,
    reason = "a model dictates signatures"
)]

use tool_runtime::{CallContext, Toolbox, TypedTool, tool};

/// Two tools in one module with the same parameter, next to shadowed names of std and of the framework.
pub mod shadowed {
    #![allow(dead_code)]

    use ::tool_runtime::{ToolInput, plugin_container, tool};

    /// Not the one of std.
    pub struct Option;
    /// Not the one of std.
    pub struct Vec;
    /// Not the one of std.
    pub struct Result;
    /// Not the one of std.
    pub struct String;
    /// Not the one of std.
    pub struct Box;
    /// Not the one of std.
    pub trait Send {}
    /// Not the one of std.
    pub trait Into {}
    /// Not a crate.
    pub mod std {}
    /// Not a crate.
    pub mod core {}
    /// Not a crate.
    pub mod serde {}
    /// Not a crate.
    pub mod tool_runtime {}
    /// Not that of the framework.
    pub struct Args;
    /// Not that of the framework.
    pub struct Tool;
    /// Not a local of generated code.
    pub const ARGUMENTS: u8 = 1;

    /// A room.
    #[derive(::serde::Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    pub struct Room {
        /// Kind of room.
        #[tool(length(min = 1, max = 9), pattern = "^[a-z]+$", example = "suite")]
        pub r#type: ::std::string::String,
        /// Numbers of its beds.
        #[deprecated]
        #[tool(inner(multiple_of = 2, range(max = 98)), unique_items)]
        pub item: ::std::vec::Vec<u8>,
        /// Guests.
        #[serde(default)]
        #[tool(custom = value)]
        pub value: ::std::string::String,
    }

    /// One of several.
    #[derive(::serde::Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
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

    fn value(value: &str) -> ::std::result::Result<(), ::tool_runtime::CustomRuleError> {
        if value.len() < 9 { ::std::result::Result::Ok(()) } else { ::std::result::Result::Err("must be short".into()) }
    }

    /// Waits.
    #[must_use]
    #[tool]
    pub fn wait(
        /// How long.
        seconds: u8,
    ) -> u8 {
        seconds
    }

    /// Waits less.
    ///
    /// # Errors
    ///
    /// Never.
    #[tool(output_schema)]
    pub async fn pause(
        /// How long.
        #[tool(default = 1, range(min = 1, max = 9), example = 2)]
        seconds: u8,
        /// For whom.
        #[tool(length(min = 1), pattern = "^a")]
        name: ::std::string::String,
        /// Number of repetitions.
        times: ::std::option::Option<u8>,
        #[tool(context)] cx: &::tool_runtime::CallContext,
        #[tool(state)] state: &u64,
    ) -> ::std::result::Result<::std::string::String, ::std::string::String> {
        let _ = (seconds, times, cx, state);
        ::std::result::Result::Ok(name)
    }

    /// A container.
    pub struct Member;

    /// Members.
    #[plugin_container]
    impl Member {
        /// Waits.
        #[tool]
        fn wait(
            &self,
            /// How long.
            seconds: u8,
        ) -> u8 {
            seconds
        }

        /// Waits less.
        #[tool]
        pub async fn pause(
            /// How long.
            seconds: u8,
        ) {
            let _ = seconds;
        }
    }
}

/// Functions with the names of locals, traits and crates in generated code.
pub mod names {
    use tool_runtime::tool;

    macro_rules! tools {
        ($($name:ident),+) => {$(
            /// A tool.
            #[tool]
            pub fn $name(
                /// A parameter.
                $name: u8,
                /// A keyword.
                r#type: u8,
            ) -> u8 {
                $name + r#type
            }
        )+};
    }

    tools!(
        char,
        serde_json,
        args,
        arguments,
        cx,
        container,
        run,
        decode,
        call,
        spec,
        value,
        wire,
        deserializer,
        json,
        core,
        r#fn
    );
}

/// A function with the name of its module.
mod forecast {
    /// Tells the weather.
    #[tool_runtime::tool]
    pub fn forecast() {}
}
pub use forecast::{ForecastTool, forecast};

/// Private types, deprecated functions, and functions that are not compiled.
pub mod private {
    use serde::Deserialize;
    use tool_runtime::{ToolInput, tool};

    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    struct Private {
        /// A value.
        value: u8,
    }

    /// Uses a private type.
    #[tool]
    fn of_private(
        /// A private type.
        private: Private,
    ) -> u8 {
        private.value
    }

    /// Is old.
    #[deprecated]
    #[tool]
    pub fn old() {}

    /// Is not there.
    #[cfg(any())]
    #[tool]
    pub fn absent() -> Nothing {}

    /// Is not there either.
    #[tool]
    #[cfg(any())]
    pub fn absent_too() -> Nothing {}

    /// Is mutable.
    #[tool]
    #[must_use]
    pub fn mutable(
        /// Grows.
        mut value: u8,
    ) -> u8 {
        value += 1;
        value
    }
}

/// A macro of another module with its own path to the runtime.
pub mod exported {
    #[doc(hidden)]
    pub use ::tool_runtime as runtime;

    macro_rules! waiting {
        ($name:ident, $ty:ty) => {
            /// Waits.
            #[tool_runtime::tool(crate = $crate::macros::hygiene::exported::runtime)]
            pub fn $name(
                /// How long.
                #[tool(range(min = 1))]
                seconds: $ty,
            ) {
                let _ = seconds;
            }
        };
    }
    pub(crate) use waiting;
}

exported::waiting!(wait_briefly, u8);
exported::waiting!(wait_long, u64);

#[test]
fn a_tool_inside_a_function_is_a_tool() -> Result<(), Box<dyn std::error::Error>> {
    struct Local;

    /// Lives in a function.
    #[tool]
    fn local(
        /// A value.
        value: u8,
        #[tool(state)] _state: &Local,
    ) -> u8 {
        value
    }

    let arguments = LocalTool::decode(r#"{"value": 7}"#)?;
    assert_eq!(arguments.value, 7);
    let toolbox = Toolbox::builder().tool(LocalTool).state(Local).tool(WaitBrieflyTool).tool(WaitLongTool).build();
    assert!(toolbox.is_ok());
    Ok(())
}

#[test]
fn functions_may_have_names_that_generated_code_uses() -> Result<(), Box<dyn std::error::Error>> {
    use names::{ArgumentsTool, CharTool, CxTool, FnTool};

    assert_eq!(CharTool::SPEC.name, "char");
    assert_eq!(FnTool::SPEC.name, "fn");
    let arguments = CxTool::decode(r#"{"cx": 1, "type": 2}"#)?;
    let answer = CxTool::run(arguments, &CallContext::for_test()).map_err(|error| format!("{error:?}"))?;
    assert_eq!(answer.as_str(), "3");
    assert!(ArgumentsTool::decode(r#"{"arguments": 1}"#).is_err());
    Ok(())
}
