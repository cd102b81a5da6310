//! Optional parameters and fields that only `schemars` describes: every part agrees that their keys may be absent.

#![allow(unused_qualifications)] // The macros see a type as it is written.

use std::option::Option as Maybe;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tests::private::check::accepts;
use tool_runtime::{ToolInput, Toolbox, TypedTool, tool};
use tool_schema::json::Json;
use tool_schema::schema::schema_text;
use tool_schema::shape::Shape;

/// A place, which does not derive `ToolInput`.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Address {
    city: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Page<T> {
    of: T,
}

/// May be absent, although it is not written as an `Option`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
#[allow(dead_code)]
struct Wrapped(Option<Address>);

/// Must be sent: serde does not accept an absent key for a newtype.
#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Newtype(Option<Address>);

type Alias = Option<Address>;
type Aliased<T> = Option<Page<T>>;

/// Sends.
#[tool(undocumented)]
#[allow(clippy::too_many_arguments, clippy::many_single_char_names, clippy::boxed_local)]
fn send(
    #[tool(schemars)] a: Option<Address>,
    #[tool(schemars)] b: Alias,
    #[tool(schemars)] c: std::option::Option<Address>,
    #[tool(schemars)] d: Maybe<Address>,
    #[tool(schemars)] e: Option<Box<Address>>,
    #[tool(schemars)] f: Box<Option<Address>>,
    #[tool(schemars)] g: Option<Page<Option<Address>>>,
    #[tool(schemars)] h: Aliased<Vec<Address>>,
    #[tool(schemars)] i: Wrapped,
    #[tool(schemars, default = null)] j: Option<Address>,
    #[tool(schemars, default = {"city": "Rome"})] k: Address,
    #[tool(schemars)] newtype: Newtype,
    #[tool(schemars)] required: Address,
    n: u8,
) -> String {
    let given = [a.is_some(), b.is_some(), c.is_some(), d.is_some(), e.is_some(), f.is_some(), g.is_some()];
    let more = [h.is_some(), i.0.is_some(), j.is_some(), k.city == "Rome", newtype.0.is_some()];
    format!("{given:?} {more:?} {} {n}", required.city)
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented, bound = "T: serde::de::DeserializeOwned + JsonSchema + Send + 'static")]
#[allow(dead_code)]
struct Fields<T> {
    #[tool(schemars)]
    a: Option<Address>,
    #[tool(schemars)]
    b: Alias,
    #[tool(schemars)]
    c: std::option::Option<Address>,
    #[tool(schemars)]
    d: Maybe<Address>,
    #[tool(schemars)]
    e: Option<Box<Address>>,
    #[tool(schemars)]
    f: Box<Option<Address>>,
    #[tool(schemars)]
    g: Option<Page<Option<Address>>>,
    #[tool(schemars)]
    h: Aliased<Vec<Address>>,
    #[tool(schemars)]
    i: Wrapped,
    #[serde(default)]
    #[tool(schemars)]
    j: Option<Address>,
    #[tool(schemars, hidden)]
    k: Option<Address>,
    #[tool(schemars)]
    generic: T,
    #[tool(schemars)]
    newtype: Newtype,
    #[tool(schemars)]
    required: Address,
    n: u8,
}

const OPTIONAL: [&str; 11] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
const REQUIRED: [&str; 3] = ["newtype", "required", "n"];

fn required(shape: &Shape) -> Vec<String> {
    let schema: Value = serde_json::from_str(&schema_text(shape)).expect("a schema is JSON");
    serde_json::from_value(schema["required"].clone()).expect("a list of keys")
}

#[test]
fn only_keys_that_serde_requires_are_required() {
    assert_eq!(required(<<SendTool as TypedTool>::Args as ToolInput>::SHAPE), REQUIRED);
    assert_eq!(required(Fields::<Option<Address>>::SHAPE), REQUIRED);
    assert_eq!(required(Fields::<Address>::SHAPE), ["generic", "newtype", "required", "n"]);
}

#[test]
fn a_repair_does_not_change_which_keys_are_required() {
    let session = Toolbox::builder().tool(SendTool).build().expect("it is valid").session();
    let call = |arguments: Value| pollster::block_on(session.call("call_1", "send", arguments.to_string()));
    let text = |n: Value| call(json!({"newtype": null, "required": {"city": "Oslo"}, "n": n})).to_text().into_owned();
    assert_eq!(text(json!("1")), text(json!(1)));
    assert!(text(json!(1)).contains("Oslo 1"), "{}", text(json!(1)));
    let rejected = text(json!(300));
    assert!(rejected.contains("n must be at most 255") && !rejected.contains("required;"), "{rejected}");
}

/// Arguments with a subset of the keys, each with `null`, a value, or something else.
fn arguments() -> impl Strategy<Value = Value> {
    let key = prop::sample::select([&OPTIONAL[..], &REQUIRED[..], &["generic"]].concat());
    let value = prop::sample::select(vec![
        Value::Null,
        json!({"city": "Oslo"}),
        json!({"of": null}),
        json!({"of": [{"city": "Oslo"}]}),
        json!({"of": {"city": 1}}),
        json!(1),
        json!("1"),
    ]);
    let some = prop::collection::btree_map(key, value, 0..6);
    (some, any::<bool>()).prop_map(|(some, is_whole)| {
        let mut members = serde_json::Map::new();
        if is_whole {
            members.insert("newtype".to_owned(), Value::Null);
            members.insert("required".to_owned(), json!({"city": "Bern"}));
            members.insert("n".to_owned(), json!(1));
        }
        members.extend(some.into_iter().map(|(key, value)| (key.to_owned(), value)));
        Value::Object(members)
    })
}

fn verdicts<T: ToolInput>(text: &str) -> Result<[bool; 2], String> {
    let typed = serde_json::from_str::<T>(text).is_ok_and(|value| value.guard());
    let json = Json::parse(text).map_err(|error| error.to_string())?;
    let schema: Value = serde_json::from_str(&schema_text(T::SHAPE)).map_err(|error| error.to_string())?;
    let validator = jsonschema::draft202012::new(&schema).map_err(|error| error.to_string())?;
    let sent: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if accepts(T::SHAPE, &json) != typed {
        return Err(format!("the checker says {}, the typed path {typed}: {text}", !typed));
    }
    Ok([typed, validator.is_valid(&sent)])
}

proptest! {
    #[test]
    fn the_typed_path_the_checker_and_the_schema_agree(sent in arguments()) {
        let text = sent.to_string();
        // A hidden field is not part of the schema.
        let is_hidden = sent.get("k").is_some();
        for verdicts in [
            verdicts::<<SendTool as TypedTool>::Args>(&text),
            verdicts::<Fields<Option<Address>>>(&text),
            verdicts::<Fields<Address>>(&text),
        ] {
            match verdicts {
                Ok([typed, schema]) => prop_assert!(typed == schema || is_hidden, "{text}: typed {typed}, schema {schema}"),
                Err(fault) => prop_assert!(false, "{fault}"),
            }
        }
    }
}

trait Area: Send {
    fn area(&self) -> u32;
}

struct Square(u32);

impl Area for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

impl schemars::JsonSchema for dyn Area {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Area".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "integer"})
    }
}

impl<'de> serde::Deserialize<'de> for Box<dyn Area> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(|side| Box::new(Square(side)) as Self)
    }
}

/// Measures.
#[tool]
fn measure(
    /// Side of a square.
    #[tool(schemars)]
    shape: Box<dyn Area>,
) -> u32 {
    shape.area()
}

#[test]
fn a_trait_object_with_a_schema_of_schemars_is_an_argument() {
    let session = Toolbox::builder().tool(MeasureTool).build().expect("one tool").session();
    assert_eq!(pollster::block_on(session.call("call_1", "measure", r#"{"shape": 3}"#)).to_text(), "9");
}
