//! Combinations of rules with enum representations, maps with enum keys, sets of structs, and nested wrappers.

#![allow(dead_code)] // The decoded values are not read.
#![allow(clippy::vec_box)] // A rule applies through the box.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::define;
use super::meetings::Key;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    RulesInAdjacent => {
        #[serde(tag = "t", content = "c")]
        #[tool(ignore_unknown, undocumented)]
        enum RulesInAdjacent {
            X { #[tool(range(min = 3, max = 9))] a: u8 },
            Y(#[tool(length(min = 1, max = 3))] Vec<u8>),
            Z(#[tool(range(exclusive_max = 9))] u8, String),
        }
    }
    RulesInInternal => {
        #[serde(tag = "t", rename_all = "kebab-case", rename_all_fields = "SCREAMING_SNAKE_CASE")]
        #[tool(ignore_unknown, undocumented)]
        enum RulesInInternal {
            XyZ { #[tool(range(min = 3, max = 9))] a_b: u8, #[serde(default)] #[tool(length(max = 2))] c_d: String },
            #[serde(alias = "yy")]
            YyY { #[serde(flatten)] inner: Multiples, q: Option<bool> },
        }
    }
    Multiples => {
        #[tool(ignore_unknown, undocumented)]
        struct Multiples { #[tool(range(min = 3, exclusive_max = 9.5))] f: f64, #[tool(multiple_of = 3)] g: i64 }
    }
    RulesInUntagged => {
        #[serde(untagged, deny_unknown_fields)]
        #[tool(undocumented)]
        enum RulesInUntagged {
            A { #[tool(range(min = 3, max = 9))] a: u8 },
            B { #[tool(length(max = 2))] b: String },
            C(#[tool(length(min = 1, max = 2))] Vec<u8>),
            D(#[tool(range(min = 3, max = 9))] u8),
        }
    }
    RulesOfSets => {
        #[tool(ignore_unknown, undocumented)]
        struct RulesOfSets {
            a: HashSet<Key>,
            b: BTreeSet<Point>,
            #[tool(length(max = 2), inner(range(max = 20)))] c: BTreeSet<i32>,
            #[tool(unique_items)] d: Vec<Option<Key>>,
        }
    }
    Point => { #[derive(PartialEq, Eq, PartialOrd, Ord)] #[tool(ignore_unknown, undocumented)] struct Point { x: u8, y: Option<i8> } }
    UniqueStructs => {
        #[tool(ignore_unknown, undocumented)]
        struct UniqueStructs { #[tool(unique_items)] a: Vec<Spot>, #[tool(unique_items)] b: Vec<serde_json::Value> }
    }
    Spot => { #[derive(PartialEq, Eq, Hash)] #[tool(ignore_unknown, undocumented)] struct Spot { x: u8, y: Option<i8> } }
    RulesThroughHolders => {
        #[tool(ignore_unknown, undocumented)]
        struct RulesThroughHolders {
            #[tool(range(min = 3, exclusive_max = 30))] a: Box<Option<Box<u8>>>,
            #[tool(inner(inner(range(min = -4))))] b: Option<BTreeMap<String, Option<Vec<Box<i16>>>>>,
            #[tool(length(min = 1))] c: Cow<'static, str>,
            #[tool(inner(length(max = 2), inner(range(max = 9))))] d: [Vec<u8>; 2],
        }
    }
    RulesOfKeys => {
        #[tool(ignore_unknown, undocumented)]
        struct RulesOfKeys { #[tool(length(max = 2))] a: BTreeMap<ShortKey, u8> }
    }
    ShortKey => { #[derive(PartialEq, Eq, PartialOrd, Ord)] struct ShortKey(#[tool(length(min = 1, max = 3))] String); }
}
