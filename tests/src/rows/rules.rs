//! Rules: each with every kind of value that it applies to.

#![allow(dead_code)] // The decoded values are not read.

use std::collections::{BTreeMap, BTreeSet};

use super::define;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    Lengths => {
        #[tool(ignore_unknown, undocumented)]
        struct Lengths {
            #[tool(length(min = 1, max = 4))] a: String,
            #[tool(length(min = 2))] b: Vec<u8>,
            #[tool(length(max = 2))] c: Option<BTreeMap<String, u8>>,
            #[tool(length(equal = 3))] d: Option<String>,
        }
    }
    Integers => {
        #[tool(ignore_unknown, undocumented)]
        struct Integers {
            #[tool(range(min = 1, max = 14))] a: u8,
            #[tool(range(exclusive_min = -5, exclusive_max = 5))] b: i32,
            #[tool(range(min = 3))] c: Option<u64>,
        }
    }
    Floats => {
        #[tool(ignore_unknown, undocumented)]
        struct Floats {
            #[tool(range(min = 0.0, max = 1.0))] a: f64,
            #[tool(range(exclusive_min = 0, exclusive_max = 2.5))] b: f32,
            #[tool(range(max = -1.5))] c: Option<f64>,
        }
    }
    Multiples => {
        #[tool(ignore_unknown, undocumented)]
        struct Multiples {
            #[tool(multiple_of = 5)] a: i32,
            #[tool(multiple_of = 0.5)] b: f64,
            #[tool(multiple_of = 3, range(min = 1, max = 20))] c: Option<u8>,
        }
    }
    Patterns => {
        #[tool(ignore_unknown, undocumented)]
        struct Patterns {
            #[tool(pattern = "^[a-z]+$", example = "abc")] a: String,
            #[tool(pattern = r"\d")] b: String,
            #[tool(pattern = r"^\w+-\d+$", length(max = 5), example = "AB-12")] c: Option<String>,
        }
    }
    Boundaries => {
        #[tool(ignore_unknown, undocumented)]
        struct Boundaries {
            #[tool(pattern = r"\bab\b", example = "ab")] a: String,
            #[tool(pattern = r"^a\B", example = "ab")] b: String,
        }
    }
    DateTimes => {
        #[tool(ignore_unknown, undocumented)]
        struct DateTimes { #[tool(format = "date-time")] a: String, #[tool(format = "date")] b: String }
    }
    Times => {
        #[tool(ignore_unknown, undocumented)]
        struct Times { #[tool(format = "time")] a: String, #[tool(format = "duration")] b: String }
    }
    Names => {
        #[tool(ignore_unknown, undocumented)]
        struct Names { #[tool(format = "email")] a: String, #[tool(format = "hostname")] b: String }
    }
    Addresses => {
        #[tool(ignore_unknown, undocumented)]
        struct Addresses { #[tool(format = "ipv4")] a: String, #[tool(format = "ipv6")] b: String }
    }
    References => {
        #[tool(ignore_unknown, undocumented)]
        struct References { #[tool(format = "uri")] a: String, #[tool(format = "uri-reference")] b: String }
    }
    Identifiers => {
        #[tool(ignore_unknown, undocumented)]
        struct Identifiers { #[tool(format = "uuid")] a: String, #[tool(format = "json-pointer")] b: String }
    }
    Unique => {
        #[tool(ignore_unknown, undocumented)]
        struct Unique { #[tool(unique_items)] a: Vec<u8>, #[tool(unique_items, length(min = 1, max = 3))] b: Option<Vec<String>> }
    }
    Inner => {
        #[tool(ignore_unknown, undocumented)]
        struct Inner {
            #[tool(inner(range(min = 1, max = 3)))] a: Vec<u8>,
            #[tool(length(max = 3), inner(length(min = 1, max = 2), pattern = "^[a-c]*$"))] b: Vec<String>,
            #[tool(inner(multiple_of = 2))] c: Option<BTreeMap<String, i16>>,
            #[tool(inner(inner(range(max = 1.5))))] d: Option<Vec<Vec<f64>>>,
            #[tool(inner(unique_items, inner(format = "date")))] e: Option<Vec<BTreeSet<String>>>,
        }
    }
    RuledNewtype => { struct RuledNewtype(#[tool(range(min = 10, max = 20))] u8); }
    RuledTuple => { struct RuledTuple(#[tool(length(min = 1))] String, #[tool(range(max = 0.5))] f32); }
    RuledTransparent => { #[serde(transparent)] struct RuledTransparent(#[tool(length(max = 2))] Vec<u8>); }
    RuledThrough => {
        #[tool(ignore_unknown, undocumented)]
        struct RuledThrough {
            #[tool(range(max = 15))] a: RuledNewtypeAlias,
            b: Vec<RuledNewtype>,
            c: Option<Box<RuledTransparent>>,
            d: BTreeMap<String, Integers>,
        }
    }
    RuledVariants => {
        #[tool(ignore_unknown, undocumented)]
        enum RuledVariants {
            Struct { #[tool(range(min = 1))] a: u8 },
            Newtype(#[tool(length(max = 1))] String),
            Pair(#[tool(range(max = 1))] u8, bool),
        }
    }
    RuledInternal => {
        #[serde(tag = "kind")]
        #[tool(ignore_unknown, undocumented)]
        enum RuledInternal { Struct { #[tool(range(min = 1))] a: u8 }, Wrapped(Integers) }
    }
    RuledAdjacent => {
        #[serde(tag = "kind", content = "content")]
        #[tool(ignore_unknown, undocumented)]
        enum RuledAdjacent { Struct { #[tool(range(min = 1))] a: u8 }, Newtype(#[tool(length(max = 1))] String) }
    }
    RuledFlatten => { #[tool(undocumented)] struct RuledFlatten { z: u8, #[serde(flatten)] rest: Integers } }
}

type RuledNewtypeAlias = u8;
