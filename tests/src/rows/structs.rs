//! Structs: named, tuple, newtype and unit, nested, generic and recursive, with serde's container attributes.

#![allow(dead_code)] // The decoded values are not read.

use std::collections::BTreeMap;

use super::define;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    Named => {
        #[tool(ignore_unknown, undocumented)]
        pub(super) struct Named { a: u8, b: String, c: Option<bool> }
    }
    Documented => {
        /// A place on a map.
        #[tool(ignore_unknown)] struct Documented {
            /// Degrees north.
            latitude: f64,
            #[tool(description = "Degrees east.")]
            longitude: f64,
            #[tool(undocumented)]
            altitude: Option<f32>,
        }
    }
    Closed => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        pub(super) struct Closed { a: u8, b: Option<String> }
    }
    AllOptional => {
        #[tool(ignore_unknown, undocumented)]
        struct AllOptional { a: Option<u8>, b: Option<Vec<u8>> }
    }
    Empty => { #[tool(ignore_unknown)] struct Empty {} }
    EmptyClosed => { #[serde(deny_unknown_fields)] struct EmptyClosed {} }
    Unit => { struct Unit; }
    Newtype => { pub(super) struct Newtype(u8); }
    NewtypeOption => { pub(super) struct NewtypeOption(Option<u8>); }
    NewtypeStruct => { struct NewtypeStruct(Named); }
    Tuple => { struct Tuple(u8, String); }
    TupleNested => { struct TupleNested(Named, Option<u8>, (bool, u8)); }
    EmptyTuple => { struct EmptyTuple(); }
    SkippedInTuple => { struct SkippedInTuple(u8, #[serde(skip)] u8, bool); }
    Transparent => { #[serde(transparent)] #[tool(undocumented)] pub(super) struct Transparent { inner: Vec<u8> } }
    TransparentTuple => { #[serde(transparent)] pub(super) struct TransparentTuple(Option<u8>); }
    TransparentSkip => {
        #[serde(transparent)]
        #[tool(undocumented)]
        struct TransparentSkip { inner: BTreeMap<String, bool>, #[serde(skip)] cache: u8 }
    }
    RenamedContainer => { #[serde(rename = "Place")] #[tool(ignore_unknown, undocumented)] struct RenamedContainer { a: u8 } }
    CamelCase => {
        #[serde(rename_all = "camelCase")]
        #[tool(ignore_unknown, undocumented)]
        struct CamelCase { first_name: String, r#type: u8, #[serde(rename = "Last")] last_name: Option<String> }
    }
    KebabCase => { #[serde(rename_all = "kebab-case")] #[tool(ignore_unknown, undocumented)] struct KebabCase { first_name: u8 } }
    Screaming => {
        #[serde(rename_all(deserialize = "SCREAMING_SNAKE_CASE"))]
        #[tool(ignore_unknown, undocumented)]
        struct Screaming { first_name: u8, b: Option<u8> }
    }
    PascalCase => { #[serde(rename_all = "PascalCase")] #[tool(ignore_unknown, undocumented)] struct PascalCase { first_name: u8 } }
    ContainerDefault => {
        #[derive(Default)]
        #[serde(default)]
        #[tool(ignore_unknown, undocumented)]
        struct ContainerDefault { a: u8, b: String }
    }
    ContainerDefaultPath => {
        #[serde(default = "fallback", deny_unknown_fields)]
        #[tool(undocumented)]
        struct ContainerDefaultPath { a: u8, b: bool }
    }
    Nested => {
        #[tool(ignore_unknown, undocumented)]
        struct Nested { one: Named, many: Vec<Closed>, by_name: BTreeMap<String, Named>, maybe: Option<Closed> }
    }
    Generic<u8, Named> => {
        #[tool(ignore_unknown, undocumented)]
        struct Generic<T, U> { first: T, second: Option<U> }
    }
    GenericOption<Option<u8>> => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct GenericOption<T> { value: T }
    }
    Bounded<u8> => {
        #[serde(bound(deserialize = "T: serde::de::DeserializeOwned"))]
        #[tool(ignore_unknown, bound = "T: tool_runtime::ToolInput", undocumented)]
        struct Bounded<T> { value: T }
    }
    Absolute => { #[serde(crate = "::serde")] #[tool(ignore_unknown, crate = ::tool_runtime, undocumented)] struct Absolute { a: u8 } }
    Recursive => {
        #[tool(ignore_unknown, undocumented)]
        struct Recursive { value: u8, children: Vec<Recursive>, next: Option<Box<Recursive>> }
    }
    Even => { #[tool(ignore_unknown, undocumented)] struct Even { a: u8, odd: Option<Box<Odd>> } }
    Odd => { #[tool(ignore_unknown, undocumented)] struct Odd { b: bool, even: Vec<Even> } }
    GenericRecursive<bool> => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct GenericRecursive<T> { value: T, next: BTreeMap<String, GenericRecursive<T>> }
    }
}

fn fallback() -> ContainerDefaultPath {
    ContainerDefaultPath { a: 1, b: true }
}
