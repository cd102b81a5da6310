//! Flattened fields: structs, options, maps, and enums in every representation.

#![allow(dead_code)] // The decoded values are not read.

use std::collections::BTreeMap;

use super::define;
use super::structs::{Closed, Named};

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    External => { #[tool(ignore_unknown, undocumented)] enum External { Point { x: u8 }, Wrapped(u8), Unit } }
    Internal => { #[serde(tag = "kind")] #[tool(ignore_unknown, undocumented)] enum Internal { Point { x: u8 }, Wrapped(Named), Unit } }
    Adjacent => {
        #[serde(tag = "kind", content = "content")]
        #[tool(ignore_unknown, undocumented)]
        enum Adjacent { Point { x: u8 }, Wrapped(u8), Unit }
    }
    Untagged => { #[serde(untagged)] #[tool(ignore_unknown, undocumented)] enum Untagged { Point { x: u8 }, Line { y: u8, w: Option<bool> } } }
    OfStruct => { #[tool(undocumented)] struct OfStruct { z: u8, #[serde(flatten)] rest: Named } }
    OfClosedStruct => { #[tool(undocumented)] struct OfClosedStruct { z: u8, #[serde(flatten)] rest: Closed } }
    InClosed => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct InClosed { z: u8, #[serde(flatten)] rest: Named }
    }
    OfBox => { #[tool(undocumented)] struct OfBox { z: u8, #[serde(flatten)] rest: Box<Named> } }
    OfTwo => { #[tool(undocumented)] struct OfTwo { #[serde(flatten)] first: Named, #[serde(flatten)] second: Point } }
    Point => { #[tool(ignore_unknown, undocumented)] struct Point { x: f32, #[serde(alias = "why")] y: f32 } }
    OfOption => { #[tool(undocumented)] struct OfOption { z: u8, #[serde(flatten)] rest: Option<Point> } }
    OfOptionalWidths => { #[tool(undocumented)] struct OfOptionalWidths { z: u8, #[serde(flatten)] rest: Option<Named> } }
    OfMap => { #[tool(undocumented)] struct OfMap { z: u8, #[serde(flatten)] rest: BTreeMap<String, u8> } }
    OfAny => { #[tool(undocumented)] struct OfAny { z: u8, #[serde(flatten)] rest: serde_json::Map<String, serde_json::Value> } }
    OfExternal => { #[tool(undocumented)] struct OfExternal { z: u8, #[serde(flatten)] rest: External } }
    OfInternal => { #[tool(undocumented)] struct OfInternal { z: u8, #[serde(flatten)] rest: Internal } }
    OfAdjacent => { #[tool(undocumented)] struct OfAdjacent { z: u8, #[serde(flatten)] rest: Adjacent } }
    OfUntagged => { #[tool(undocumented)] struct OfUntagged { z: u8, #[serde(flatten)] rest: Untagged } }
    InVariant => {
        #[serde(tag = "kind")]
        #[tool(undocumented)]
        enum InVariant { A { z: u8, #[serde(flatten)] rest: Point }, B }
    }
    OfFlattened => { #[tool(undocumented)] struct OfFlattened { q: bool, #[serde(flatten)] rest: OfStruct } }
}
