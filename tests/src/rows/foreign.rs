//! Fields whose types only `schemars` describes.

#![allow(dead_code)] // The decoded values are not read.
#![allow(clippy::option_option)] // The outer one is absent, the inner one null.

use schemars::JsonSchema;
use serde::Deserialize;

use super::define;

/// A type that may be absent, although it is not written as an `Option`.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Wrapped(Option<bool>);

/// A type that accepts `null`, but no absent key.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Newtype(Option<bool>);

type Alias = Option<String>;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    ForeignOptions => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct ForeignOptions { #[tool(schemars)] a: Option<bool>, b: u8 }
    }
    ForeignAliases => {
        #[tool(ignore_unknown, undocumented)]
        struct ForeignAliases { #[tool(schemars)] a: Alias, #[tool(schemars, hidden)] b: Option<Box<bool>> }
    }
    ForeignBoxes => {
        #[tool(ignore_unknown, undocumented)]
        struct ForeignBoxes { #[tool(schemars)] a: Box<Option<bool>>, #[tool(schemars)] b: Wrapped }
    }
    ForeignNewtype => {
        #[tool(ignore_unknown, undocumented)]
        struct ForeignNewtype { #[tool(schemars)] a: Newtype }
    }
    ForeignDefaults => {
        #[tool(ignore_unknown, undocumented)]
        struct ForeignDefaults {
            #[serde(default)] #[tool(schemars)] a: Option<bool>,
            #[serde(default)] #[tool(schemars)] b: bool,
        }
    }
    ForeignDouble => {
        #[tool(ignore_unknown, undocumented)]
        struct ForeignDouble {
            #[serde(default, deserialize_with = "tool_runtime::double_option")] #[tool(schemars)] a: Option<Option<bool>>,
        }
    }
    ForeignGeneric<Option<bool>> => {
        #[tool(ignore_unknown, undocumented, bound = "T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static")]
        struct ForeignGeneric<T> { #[tool(schemars)] a: T }
    }
    ForeignVariants => {
        #[serde(tag = "kind")]
        #[tool(ignore_unknown, undocumented)]
        enum ForeignVariants { A { #[tool(schemars)] a: Option<bool> }, B { #[tool(schemars)] b: bool } }
    }
}
