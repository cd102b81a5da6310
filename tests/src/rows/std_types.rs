//! Types of std: as the input itself, and as required and optional fields.

#![allow(dead_code)] // The decoded values are not read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::input::{Milliseconds, Seconds};

use super::Row;

/// A type as a field, beside another field, so that the object is never empty.
#[derive(Deserialize, ToolInput, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Held<T> {
    value: T,
    other: Option<u8>,
}

/// One of several words.
#[derive(Deserialize, ToolInput, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Left,
    Right,
}

macro_rules! held {
    ($($type:ty),+ ; $($own:ty),+ $(,)?) => {
        pub(super) const ROWS: &[Row] = &[
            $(Row::of::<Held<$type>>(stringify!(Held<$type>), ""),)+
            $(Row::without_schemars::<Held<$own>>(stringify!(Held<$own>), ""),)+
        ];
    };
}

held! {
    bool, char, String, (), u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64,
    Option<u8>, Option<()>, Option<Vec<Option<u8>>>, Box<u8>, Box<Option<u8>>, Cow<'static, str>,
    Vec<u8>, Vec<Vec<bool>>, VecDeque<String>, Vec<Option<u8>>, Box<[u8]>, [u8; 3], [Option<bool>; 1],
    BTreeSet<u8>, HashSet<String>, BTreeSet<Vec<bool>>,
    (u8,), (u8, String), (Option<u8>, (bool, f32), [u8; 2]),
    BTreeMap<String, u8>, HashMap<String, Vec<u8>>, BTreeMap<u8, bool>, BTreeMap<i32, bool>, BTreeMap<i8, bool>, BTreeMap<u16, u8>, BTreeMap<u64, bool>,
    BTreeMap<i64, u8>, BTreeMap<char, u8>,
    IpAddr, Ipv4Addr, Ipv6Addr, PathBuf, serde_json::Value, serde_json::Map<String, serde_json::Value>, Side;
    Seconds, Milliseconds
}
