//! Combinations of two features of serde: a tag on a struct, enums inside enums, keys that are enums and newtypes, nested flattened types.

#![allow(dead_code)] // The decoded values are not read.

use std::collections::{BTreeMap, HashMap};

use super::define;
use super::structs::Named;

define! {
    #[derive(serde::Deserialize, tool_runtime::ToolInput, schemars::JsonSchema)]
    OddNames => {
        #[tool(ignore_unknown, undocumented)]
        struct OddNames { #[serde(rename = "")] a: u8, #[serde(rename = "a/b~c\"\\\n é")] b: Option<u8>, #[serde(rename = "$ref")] c: Option<u8> }
    }
    OddTags => {
        #[serde(tag = "")]
        #[tool(ignore_unknown, undocumented)]
        enum OddTags { #[serde(rename = "")] A { x: u8 }, #[serde(rename = "é\"")] B }
    }
    KeysLikeTags => {
        #[serde(tag = "t", content = "c")]
        #[tool(ignore_unknown, undocumented)]
        enum KeysLikeTags { A { t: u8, c: Option<u8> }, B(KeyLikeContent) }
    }
    KeyLikeContent => { #[tool(ignore_unknown, undocumented)] struct KeyLikeContent { c: u8 } }
    NewtypesExternal => {
        enum NewtypesExternal { A(BTreeMap<String, u8>), B(Option<Named>), C(Vec<u8>), D(()), E(Box<NewtypesExternal>), F((u8, u8)) }
    }
    NewtypesInternal => {
        #[serde(tag = "kind")]
        enum NewtypesInternal { A(serde_json::Map<String, serde_json::Value>), B(InInternal), C(InExternal), D(InUntagged), E(InAdjacent) }
    }
    InInternal => { #[serde(tag = "u")] #[tool(ignore_unknown, undocumented)] enum InInternal { X { a: u8 }, Y } }
    InExternal => { #[tool(ignore_unknown, undocumented)] enum InExternal { X { a: u8 }, Y, Z(u8), W(u8, u8) } }
    InUntagged => { #[serde(untagged)] #[tool(ignore_unknown, undocumented)] enum InUntagged { X { a: u8 }, Y { b: u8 } } }
    InAdjacent => { #[serde(tag = "v", content = "w")] #[tool(ignore_unknown, undocumented)] enum InAdjacent { X { a: u8 }, Y, Z(u8) } }
    ClosedNewtypes => {
        #[serde(tag = "t", deny_unknown_fields)]
        #[tool(undocumented)]
        enum ClosedNewtypes { A(Named), B { x: u8 }, C(ClosedInside) }
    }
    ClosedInside => { #[serde(deny_unknown_fields)] #[tool(undocumented)] struct ClosedInside { n: u8 } }
    Fallbacks => {
        #[serde(tag = "t")]
        #[tool(ignore_unknown, undocumented)]
        enum Fallbacks { A { x: u8 }, #[serde(untagged)] B(String), #[serde(untagged)] C(BTreeMap<String, bool>) }
    }
    Skips => {
        #[serde(tag = "t", content = "c")]
        #[tool(ignore_unknown)]
        enum Skips { A(u8, #[serde(skip)] u8), B(#[serde(skip)] u8, #[serde(skip)] u8), C { #[serde(skip)] x: u8 }, D(), E {} }
    }
    TaggedStruct => { #[serde(tag = "type")] #[tool(ignore_unknown, undocumented)] struct TaggedStruct { x: u8 } }
    TaggedClosedStruct => {
        #[serde(tag = "type", deny_unknown_fields)]
        #[tool(undocumented)]
        struct TaggedClosedStruct { x: u8 }
    }
    FlattensOther => { #[tool(undocumented)] struct FlattensOther { z: u8, #[serde(flatten)] other: super::enums::OtherInternal } }
    FlattensOptionalEnum => { #[tool(undocumented)] struct FlattensOptionalEnum { z: u8, #[serde(flatten)] inner: Option<InInternal> } }
    FlattensOptionalMap => {
        #[tool(undocumented)]
        struct FlattensOptionalMap { z: u8, #[serde(flatten)] rest: Option<BTreeMap<String, u8>> }
    }
    FlattensTwoEnums => {
        #[tool(undocumented)]
        struct FlattensTwoEnums { #[serde(flatten)] one: InInternal, #[serde(flatten)] other: Letter }
    }
    Letter => { enum Letter { P(u8), Q(bool) } }
    FlattensStructAndMap => {
        #[tool(undocumented)]
        struct FlattensStructAndMap { z: u8, #[serde(flatten)] rest: BTreeMap<String, serde_json::Value>, #[serde(flatten)] named: Named }
    }
    FlattensTwice => { #[tool(undocumented)] struct FlattensTwice { z: u8, #[serde(flatten)] middle: Middle } }
    Middle => { #[tool(undocumented)] struct Middle { y: u8, #[serde(flatten)] inner: InInternal } }
    FlattensKeys => { #[tool(undocumented)] struct FlattensKeys { z: Option<u8>, #[serde(flatten)] rest: BTreeMap<Key, u8> } }
    Keys => {
        #[serde(deny_unknown_fields)]
        #[tool(undocumented)]
        struct Keys { z: BTreeMap<Key, Option<u8>>, y: HashMap<char, Vec<u8>> }
    }
    Key => {
        #[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[serde(rename_all = "lowercase")]
        pub(super) enum Key { A, #[serde(alias = "bee")] B, #[serde(skip)] C }
    }
    OtherKeys => { #[tool(ignore_unknown, undocumented)] struct OtherKeys { z: BTreeMap<OtherKey, u8> } }
    OtherKey => { #[derive(PartialEq, Eq, PartialOrd, Ord)] enum OtherKey { A, #[serde(other)] B } }
    HiddenKeys => { #[tool(ignore_unknown, undocumented)] struct HiddenKeys { z: BTreeMap<HiddenKey, u8> } }
    HiddenKey => { #[derive(PartialEq, Eq, PartialOrd, Ord)] enum HiddenKey { A, #[tool(hidden)] B } }
    NewtypeKeys => {
        #[tool(ignore_unknown, undocumented)]
        struct NewtypeKeys { z: BTreeMap<Word, u8>, y: BTreeMap<Number, bool>, x: Option<BTreeMap<Wrapped, u8>> }
    }
    Word => { #[derive(PartialEq, Eq, PartialOrd, Ord)] struct Word(String); }
    Number => { #[derive(PartialEq, Eq, PartialOrd, Ord)] #[serde(transparent)] #[tool(undocumented)] struct Number { value: i8 } }
    Wrapped => { #[derive(PartialEq, Eq, PartialOrd, Ord)] struct Wrapped(Key); }
    Recursive => {
        enum Recursive { Num(i8), Add(Box<(Recursive, Recursive)>), Map(BTreeMap<Key, Recursive>), Opt(Box<Option<Recursive>>) }
    }
    Knotted<Knot<u8>> => { #[tool(ignore_unknown, undocumented)] struct Knotted<T> { v: T, m: Vec<Knotted<T>>, o: HashMap<String, Knotted<T>> } }
    Knot<u8> => { #[tool(ignore_unknown, undocumented)] struct Knot<T> { v: Option<Box<Knotted<T>>>, w: T } }
}
