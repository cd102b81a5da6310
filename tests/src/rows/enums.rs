//! Enums: every attribute in every representation.

#![allow(dead_code)] // The decoded values are not read.

use super::define;
use super::structs::{Named, NewtypeOption};

/// Defines each enum four times, once for each representation of serde.
macro_rules! represented {
    (
        $([$external:ident $internal:ident $adjacent:ident $untagged:ident] => $([$($attribute:tt)*])* { $($body:tt)* })*
        and $($others:tt)*
    ) => {
        define! {
            #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
            $(
                $external => { $(#[$($attribute)*])* enum $external { $($body)* } }
                $internal => { #[serde(tag = "kind")] $(#[$($attribute)*])* enum $internal { $($body)* } }
                $adjacent => {
                    #[serde(tag = "kind", content = "content")]
                    $(#[$($attribute)*])*
                    enum $adjacent { $($body)* }
                }
                $untagged => { #[serde(untagged)] $(#[$($attribute)*])* enum $untagged { $($body)* } }
            )*
            $($others)*
        }
    };
}

represented! {
    [PlainExternal PlainInternal PlainAdjacent PlainUntagged] => [tool(ignore_unknown, undocumented)] {
        Unit,
        Struct { x: u8, y: Option<String> },
        Wrapped(Named),
    }
    [RenamedExternal RenamedInternal RenamedAdjacent RenamedUntagged] =>
        [serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
        [tool(ignore_unknown, undocumented)]
    {
        #[serde(rename = "the unit")]
        UnitOne,
        #[serde(rename_all = "kebab-case")]
        StructTwo { first_field: u8, #[serde(rename = "X")] second_field: bool },
        #[serde(alias = "three", alias = "3")]
        StructThree { last_field: u8 },
        #[serde(skip)]
        StructFour { never: u8 },
    }
    [FieldsExternal FieldsInternal FieldsAdjacent FieldsUntagged] => [tool(ignore_unknown, undocumented)] {
        First { #[serde(alias = "aa")] a: u8, #[serde(default)] b: u8, #[serde(default = "seven")] c: u8, #[serde(skip)] d: u8 },
        Second { z: bool, #[serde(flatten)] rest: Named },
    }
    [ClosedExternal ClosedInternal ClosedAdjacent ClosedUntagged] =>
        [serde(deny_unknown_fields)]
        [tool(undocumented)]
    {
        Unit,
        Struct { x: u8, y: Option<u8> },
        Wrapped(Named),
    }
    and
    Letters => { enum Letters { A, #[serde(rename = "b")] B, #[serde(alias = "c")] C } }
    TuplesExternal => { enum TuplesExternal { One(u8), Two(u8, String), Maybe(Option<u8>), Empty(), Nothing(()) } }
    TuplesAdjacent => {
        #[serde(tag = "t", content = "c")]
        #[tool(ignore_unknown)]
        enum TuplesAdjacent { One(u8), Two(u8, String), Maybe(Option<u8>), Wrapped(NewtypeOption), Nothing(()) }
    }
    TuplesUntagged => { #[serde(untagged)] enum TuplesUntagged { One(u8), Two(u8, String), Text(String), Many(Vec<bool>) } }
    MapInternal => {
        #[serde(tag = "kind")]
        enum MapInternal { Map(std::collections::BTreeMap<String, u8>), Unit(()), Boxed(Box<Named>) }
    }
    OtherExternal => { #[tool(ignore_unknown, undocumented)] enum OtherExternal { Known, Point { x: u8 }, #[serde(other)] Rest } }
    OtherInternal => {
        #[serde(tag = "kind")]
        #[tool(ignore_unknown, undocumented)]
        pub(super) enum OtherInternal { Known, Point { x: u8 }, #[serde(other)] Rest }
    }
    OtherAdjacent => {
        #[serde(tag = "kind", content = "content")]
        #[tool(ignore_unknown, undocumented)]
        enum OtherAdjacent { Known, Point { x: u8 }, #[serde(other)] Rest }
    }
    MixedExternal => {
        #[tool(ignore_unknown, undocumented)]
        enum MixedExternal { A, B { x: u8 }, #[serde(untagged)] Number(u8), #[serde(untagged)] Pair { l: u8, r: u8 } }
    }
    MixedInternal => {
        #[serde(tag = "kind")]
        #[tool(ignore_unknown, undocumented)]
        enum MixedInternal { A, B { x: u8 }, #[serde(untagged)] Pair { l: u8, r: u8 } }
    }
    MixedAdjacent => {
        #[serde(tag = "kind", content = "content")]
        #[tool(ignore_unknown, undocumented)]
        enum MixedAdjacent { A, B { x: u8 }, #[serde(untagged)] Number(u8) }
    }
    HiddenVariant => { enum HiddenVariant { A, #[tool(hidden)] B, #[tool(deprecated)] C } }
    Tree => { #[tool(ignore_unknown, undocumented)] enum Tree { Leaf(u8), Branch { left: Box<Tree>, right: Box<Tree> }, Many(Vec<Tree>) } }
    TreeInternal => {
        #[serde(tag = "kind")]
        #[tool(ignore_unknown, undocumented)]
        enum TreeInternal { Leaf { value: i8 }, Branch { left: Box<TreeInternal>, right: Box<TreeInternal> } }
    }
    TreeUntagged => {
        #[serde(untagged)]
        #[tool(ignore_unknown, undocumented)]
        enum TreeUntagged { Leaf(u8), Branch { left: Box<TreeUntagged>, right: Box<TreeUntagged> }, Not { not: Box<TreeUntagged> } }
    }
    GenericEnum<bool> => { enum GenericEnum<T> { One(T), Many(Vec<T>) } }
    Holder => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct Holder { letter: Letters, plain: Option<PlainInternal>, many: Vec<TuplesAdjacent> }
    }
}

fn seven() -> u8 {
    7
}
