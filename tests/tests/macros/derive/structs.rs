//! Structs: serde's attributes, settings of fields, documentation and generics.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use tool_runtime::ToolInput;
use tool_schema::shape::Kind;

use crate::macros::derive::{expect, expect_sure};

#[test]
fn fields_have_their_serde_names() {
    #[derive(Deserialize, ToolInput)]
    #[serde(rename_all = "camelCase", rename = "Hotel")]
    #[tool(ignore_unknown, undocumented)]
    struct Named {
        first_name: String,
        #[serde(rename(deserialize = "nick", serialize = "other"), alias = "short", alias = "brief")]
        second_name: u8,
        r#type: bool,
    }
    expect::<Named>(
        "Hotel {firstName: string, nick|brief|short: integer, type: boolean}",
        &[r#"{"firstName":"a","nick":1,"type":true}"#, r#"{"firstName":"a","short":1,"type":true}"#],
        &[r#"{"first_name":"a","nick":1,"type":true}"#, r#"{"firstName":"a","other":1,"type":true}"#],
    );
}

#[test]
fn a_field_with_any_default_is_optional() {
    fn seven() -> u8 {
        7
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Defaults {
        #[serde(default)]
        by_trait: u8,
        #[serde(default = "seven")]
        #[tool(default = 7, example = 9)]
        by_path: u8,
        by_type: Option<u8>,
        by_boxed_type: Box<Option<u8>>,
        required: u8,
    }
    expect::<Defaults>(
        "Defaults {by_trait?: integer, by_path?: integer = 7 ~ 9, by_type?: integer?, by_boxed_type?: = integer?, required: integer}",
        &[r#"{"required":1}"#, r#"{"required":1,"by_type":null,"by_boxed_type":null}"#],
        &["{}", r#"{"required":1,"by_trait":null}"#],
    );

    #[derive(Default, Deserialize, ToolInput)]
    #[serde(default)]
    #[tool(ignore_unknown, undocumented)]
    struct Whole {
        a: u8,
        b: String,
    }
    expect::<Whole>("Whole {a?: integer, b?: string}", &["{}", r#"{"a":1}"#], &[r#"{"a":"1"}"#]);
}

#[test]
fn skipped_fields_are_not_in_the_schema() {
    #[derive(Deserialize, ToolInput)]
    #[serde(deny_unknown_fields)]
    #[tool(undocumented)]
    struct Skipping {
        a: u8,
        #[serde(skip)]
        b: PhantomData<u8>,
        #[serde(skip_deserializing)]
        c: String,
        #[serde(skip_serializing)]
        d: u8,
    }
    expect::<Skipping>(
        "Skipping {a: integer, d: integer!}",
        &[r#"{"a":1,"d":2}"#],
        &[r#"{"a":1,"d":2,"c":""}"#, r#"{"a":1}"#],
    );
}

#[test]
fn flattened_keys_belong_to_the_outer_object() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Bed {
        width: u8,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(undocumented)]
    struct Room {
        number: u16,
        #[serde(flatten)]
        bed: Bed,
        #[serde(flatten)]
        others: BTreeMap<String, String>,
    }
    expect::<Room>(
        "Room {number: integer, flatten bed: Bed {width: integer}, flatten others: {*: string}}",
        &[r#"{"number":1,"width":2}"#, r#"{"number":1,"width":2,"x":"y"}"#],
        &[r#"{"number":1}"#, r#"{"number":1,"width":2,"x":3}"#],
    );
}

#[test]
fn a_transparent_struct_has_the_shape_of_its_field() {
    #[derive(Deserialize, ToolInput)]
    #[serde(transparent)]
    struct Age {
        #[tool(range(max = 99))]
        years: Option<u8>,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Guest {
        age: Age,
    }
    expect::<Guest>(
        "Guest {age?: Age = integer? [range ..99]}",
        &["{}", r#"{"age":null}"#, r#"{"age":99}"#],
        &[r#"{"age":100}"#, r#"{"age":{"years":1}}"#],
    );
}

#[test]
fn tuple_structs_and_unit_structs_are_derived_like_in_serde() {
    #[derive(Deserialize, ToolInput)]
    struct Tuple(u8, #[serde(skip)] PhantomData<u8>, String);
    expect::<Tuple>("Tuple (integer, string)", &[r#"[1,"a"]"#], &["[1]", r#"[1,"a",2]"#]);
    #[derive(Deserialize, ToolInput)]
    struct Unit;
    expect::<Unit>("Unit null", &["null"], &["{}", "[]"]);
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    struct Nothing {}
    expect::<Nothing>("Nothing {}", &["{}", r#"{"a":1}"#], &["null"]);
}

mod seconds {
    use super::{Deserialize, Deserializer, Duration};

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }
}

#[test]
fn the_type_in_tool_as_describes_a_field_with_a_custom_decoder() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Stay {
        #[serde(with = "seconds")]
        #[tool(as = u64)]
        length: Duration,
        #[serde(deserialize_with = "seconds::deserialize", default)]
        #[tool(as = u64, range(max = 60))]
        pause: Duration,
    }
    expect::<Stay>(
        "Stay {length: integer, pause?: integer [range ..60]}",
        &[r#"{"length":1}"#, r#"{"length":1,"pause":60}"#],
        &[r#"{"length":"1"}"#, r#"{"length":1,"pause":61}"#],
    );
}

#[test]
fn a_converted_type_has_the_shape_of_its_source() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Celsius {
        #[tool(range(min = -273.15))]
        degrees: f64,
    }
    #[derive(Deserialize, ToolInput)]
    #[serde(from = "Celsius")]
    struct Kelvin(f64);
    impl From<Celsius> for Kelvin {
        fn from(celsius: Celsius) -> Self {
            Self(celsius.degrees + 273.15)
        }
    }
    expect::<Kelvin>(
        "Kelvin = Celsius {degrees: number [range -273.15..]}",
        &[r#"{"degrees":0}"#],
        &[r#"{"degrees":-300}"#, "1"],
    );
    let kelvin: Kelvin = serde_json::from_str(r#"{"degrees":0}"#).unwrap();
    assert!((kelvin.0 - 273.15).abs() < f64::EPSILON);
    assert!(!kelvin.guard(), "only the complete check knows the rules of the source");
    let decoded = tool_schema::decode::decode::<Kelvin>(&r#"{"degrees":0}"#.into());
    assert!(decoded.is_ok(), "and it decides: {:?}", decoded.err());
    assert!(tool_schema::decode::decode::<Kelvin>(&r#"{"degrees":-300}"#.into()).is_err());

    #[derive(Deserialize, ToolInput)]
    #[serde(try_from = "Option<u8>")]
    struct Even(Option<u8>);
    impl TryFrom<Option<u8>> for Even {
        type Error = &'static str;
        fn try_from(value: Option<u8>) -> Result<Self, Self::Error> {
            if value.is_none_or(|value| value % 2 == 0) { Ok(Self(value)) } else { Err("odd") }
        }
    }
    assert!(Even::OPTIONAL && Even(None).guard() && Even(None).0.is_none());
}

#[test]
fn a_foreign_type_is_described_by_schemars() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Foreign {
        #[allow(dead_code)]
        a: u8,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Holder {
        #[tool(schemars)]
        foreign: Foreign,
    }
    let Kind::Object(object) = &Holder::SHAPE.kind else { panic!("a struct is an object") };
    let Kind::Foreign(schema) = &object.fields[0].shape.shape().kind else { panic!("schemars describes it") };
    assert_eq!(schema().as_value()["properties"]["a"]["type"], "integer");
    expect_sure::<Holder>(&[r#"{"foreign":{"a":1}}"#]);
}

#[test]
fn attributes_of_fields_are_in_the_shape() {
    const DESCRIPTION: &str = "From a constant.";
    /// A guest.
    ///
    /// Of ours.
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    #[allow(deprecated)]
    struct Guest {
        /// First line,
        /// second line.
        ///
        /// - a list
        ///   of one
        ///
        #[tool(sensitive, example = {"a": [-1, 2.5, null, true, "é\n"]})]
        secret: serde_json::Value,
        #[deprecated]
        #[tool(description = DESCRIPTION)]
        old: Option<u8>,
        #[tool(description = "A literal.", deprecated)]
        older: Option<u8>,
        #[tool(hidden)]
        internal: Option<u8>,
        #[tool(undocumented)]
        silent: u8,
    }
    expect::<Guest>(
        "Guest {sensitive secret: any ~ {\"a\":[-1,2.5,null,true,\"é\\n\"]}, deprecated old?: integer?, deprecated older?: integer?, \
         hidden internal?: integer?, silent: integer}",
        &[r#"{"secret":1,"silent":2}"#],
        &[],
    );
    assert_eq!(Guest::SHAPE.doc, "A guest.\n\nOf ours.");
    let Kind::Object(object) = &Guest::SHAPE.kind else { panic!("a struct is an object") };
    let docs: Vec<&str> = object.fields.iter().map(|field| field.doc.as_str()).collect();
    assert_eq!(docs, ["First line,\nsecond line.\n\n- a list\n  of one", "From a constant.", "A literal.", "", ""]);
}

trait Family {
    type Member;
}

struct Bytes;

impl Family for Bytes {
    type Member = u8;
}

#[test]
fn generic_types_are_described_for_each_argument() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    struct Page<T, const N: usize = 2> {
        #[tool(length(max = 2))]
        items: Vec<T>,
        next: Option<Box<Page<T, N>>>,
    }
    expect::<Page<u8>>(
        "Page {items: [integer] [length 0..2], next?: = Page?}",
        &[r#"{"items":[1,2],"next":{"items":[]}}"#],
        &[r#"{"items":[1,2,3]}"#, r#"{"items":[],"next":{"items":[1,2,3]}}"#],
    );
    assert_ne!(Page::<u8>::SHAPE.identity, Page::<u16>::SHAPE.identity);

    #[derive(Deserialize, ToolInput)]
    #[serde(bound(deserialize = "F::Member: Deserialize<'de>"))]
    #[tool(ignore_unknown, undocumented)]
    struct Associated<F: Family + Send + 'static>
    where
        F::Member: Send,
    {
        member: F::Member,
        #[serde(skip)]
        family: PhantomData<F>,
    }
    expect::<Associated<Bytes>>("Associated {member: integer}", &[r#"{"member":1}"#], &[r#"{"member":300}"#]);
}
