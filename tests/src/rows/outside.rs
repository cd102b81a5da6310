//! Types that the agreement excludes, because custom code decides which values are valid. They are rows so that their attributes are
//! expanded.

#![allow(dead_code)] // The decoded values are not read.
#![allow(clippy::trivially_copy_pass_by_ref)] // A rule takes a reference, whatever the type.

use tool_runtime::CustomRuleError;

use super::define;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    Custom => { #[tool(ignore_unknown, undocumented)] struct Custom { #[tool(custom = even)] a: u8, #[tool(inner(custom = even))] b: Vec<u8> } }
    CustomContainer => { #[tool(ignore_unknown, custom = ordered, undocumented)] struct CustomContainer { a: u8, b: u8 } }
    Repaired => { #[tool(ignore_unknown, undocumented)] struct Repaired { #[tool(repair = "assisted")] a: u8, b: u8 } }
    From => { #[serde(from = "u8")] struct From(bool); }
    TryFrom => { #[serde(try_from = "u8")] struct TryFrom(bool); }
    FromOption => { #[serde(from = "Option<u8>")] struct FromOption(bool); }
    Foreign => { #[tool(ignore_unknown, undocumented)] struct Foreign { #[tool(schemars)] a: std::num::Wrapping<u8>, b: u8 } }
    With => {
        #[tool(ignore_unknown, undocumented)]
        struct With {
            #[serde(deserialize_with = "trimmed")] #[tool(as = String)] a: String,
            #[serde(deserialize_with = "trimmed")] #[tool(schemars)] b: String,
        }
    }
}

fn even(value: &u8) -> Result<(), CustomRuleError> {
    if value.is_multiple_of(2) { Ok(()) } else { Err("must be even".into()) }
}

fn ordered(value: &CustomContainer) -> Result<(), CustomRuleError> {
    if value.a <= value.b { Ok(()) } else { Err("must be in order".into()) }
}

fn trimmed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(|text: String| text.trim().to_owned())
}

impl std::convert::From<u8> for From {
    fn from(value: u8) -> Self {
        Self(value > 0)
    }
}

impl std::convert::From<Option<u8>> for FromOption {
    fn from(value: Option<u8>) -> Self {
        Self(value.is_some())
    }
}

impl std::convert::TryFrom<u8> for TryFrom {
    type Error = &'static str;

    fn try_from(value: u8) -> Result<Self, Self::Error> {
        if value < 2 { Ok(Self(value == 1)) } else { Err("neither 0 nor 1") }
    }
}
