//! The attributes of serde and `#[tool(…)]` on a field of a struct.

#![allow(dead_code)] // The decoded values are not read.
#![allow(clippy::option_option)] // Serde supports it.

use super::define;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    Renamed => {
        #[tool(ignore_unknown, undocumented)]
        struct Renamed { #[serde(rename = "first name")] a: u8, #[serde(rename(deserialize = "B"))] b: Option<u8> }
    }
    Aliased => {
        #[tool(ignore_unknown, undocumented)]
        struct Aliased { #[serde(alias = "path", alias = "file-path")] file: String, #[serde(alias = "n")] count: Option<u8> }
    }
    AliasedClosed => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct AliasedClosed { #[serde(rename = "file", alias = "path")] a: u8, #[serde(alias = "n")] b: Option<u8> }
    }
    Defaulted => {
        #[tool(ignore_unknown, undocumented)]
        struct Defaulted {
            #[serde(default)] a: u8,
            #[serde(default = "seven")] #[tool(default = 7)] b: u8,
            #[serde(default)] c: Option<u8>,
            d: bool,
        }
    }
    Skipped => {
        #[tool(ignore_unknown, undocumented)]
        struct Skipped { a: u8, #[serde(skip)] b: u8, #[serde(skip_deserializing)] c: u8, #[serde(skip_serializing)] d: u8 }
    }
    SkippedClosed => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct SkippedClosed { a: u8, #[serde(skip)] b: u8 }
    }
    Hidden => {
        #[tool(ignore_unknown, undocumented)]
        struct Hidden { a: u8, #[tool(hidden)] b: Option<u8> }
    }
    HiddenClosed => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct HiddenClosed { a: u8, #[tool(hidden)] b: Option<u8> }
    }
    Marked => {
        #[tool(ignore_unknown, undocumented)]
        struct Marked { #[tool(sensitive)] a: String, #[tool(deprecated)] b: Option<u8>, #[tool(example = 3)] c: u8 }
    }
    Absent => {
        #[tool(ignore_unknown, undocumented)]
        struct Absent {
            a: Option<u8>,
            b: Box<Option<u8>>,
            c: super::structs::TransparentTuple,
            d: super::structs::NewtypeOption,
            e: (),
            #[serde(default, deserialize_with = "tool_runtime::double_option")]
            f: Option<Option<u8>>,
        }
    }
}

fn seven() -> u8 {
    7
}
