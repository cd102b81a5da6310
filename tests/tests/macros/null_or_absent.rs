//! `Option<Option<T>>`: an absent key is `None`, and `null` is `Some(None)`.

#![allow(clippy::option_option)] // The outer one is absent, the inner one null.
#![allow(unused_qualifications)] // The macros see a type as it is written.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tests::private::check::accepts;
use tool_runtime::container::ExpansionSettings;
use tool_runtime::{RepairPolicy, ToolInput, Toolbox, TypedTool, plugin_container, tool};
use tool_schema::json::Json;
use tool_schema::schema::schema_text;

/// A date, which does not derive `ToolInput`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Day(String);

type Due = Option<Option<u8>>;

type Days = Option<Option<Vec<Day>>>;

/// Serde accepts an absent key and `null`.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(transparent)]
struct Wrapped(Option<u8>);

/// Changes a task.
#[tool(undocumented)]
#[allow(clippy::too_many_arguments)]
fn change(
    #[tool(range(min = 1))] id: u32,
    plain: Option<Option<u8>>,
    alias: Due,
    std: std::option::Option<core::option::Option<u8>>,
    boxed: Option<Box<Option<u8>>>,
    wrapped: Option<Wrapped>,
    text: Option<Option<String>>,
    list: Option<Option<Vec<Option<u8>>>>,
    #[tool(schemars)] day: Option<Option<Day>>,
    #[tool(schemars)] days: Days,
    #[tool(schemars)] held: Option<Box<Option<Day>>>,
    #[tool(range(max = 9))] ruled: Option<Option<u8>>,
    #[tool(default = null)] cleared: Option<Option<u8>>,
    #[tool(default = 5)] five: Option<Option<u8>>,
    #[tool(rename = "type", alias = "kind")] kind: Option<Option<bool>>,
) -> Vec<&'static str> {
    assert!(id > 0);
    let boxed = boxed.map(|inner| *inner);
    let wrapped = wrapped.map(|inner| inner.0);
    vec![
        said(plain),
        said(alias),
        said(std),
        said(boxed),
        said(wrapped),
        said(text),
        said(list),
        said(day.map(|day| day.map(|day| day.0))),
        said(days),
        said(held.map(|held| *held)),
        said(ruled),
        said(cleared),
        said(five),
        said(kind),
    ]
}

const KEYS: [&str; 14] = [
    "plain", "alias", "std", "boxed", "wrapped", "text", "list", "day", "days", "held", "ruled", "cleared", "five",
    "type",
];

fn said<T>(value: Option<Option<T>>) -> &'static str {
    match value {
        None => "absent",
        Some(None) => "null",
        Some(Some(_)) => "value",
    }
}

fn value(key: &str) -> Value {
    match key {
        "text" | "day" | "held" => json!("a"),
        "days" => json!(["a", "b"]),
        "list" => json!([null, 1]),
        "type" => json!(true),
        _ => json!(2),
    }
}

fn answers(policy: RepairPolicy, arguments: String) -> String {
    let session =
        Toolbox::builder().no_throttle().repair(policy).tool(ChangeTool).build().expect("it is valid").session();
    pollster::block_on(session.call("call_1", "change", arguments)).to_text().into_owned()
}

/// Each key is absent, `null`, or a value.
fn cases() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0_u8..3, KEYS.len())
}

proptest! {
    #[test]
    fn every_path_tells_null_from_an_absent_key(cases in cases()) {
        let mut members = serde_json::Map::new();
        let mut expected = Vec::new();
        for (key, case) in KEYS.iter().zip(&cases) {
            let sent = match case {
                0 => None,
                1 => Some(Value::Null),
                _ => Some(value(key)),
            };
            expected.push(match (sent.as_ref(), *key) {
                (None, "cleared") | (Some(Value::Null), _) => "null",
                (None, key) if key != "five" => "absent",
                _ => "value",
            });
            members.extend(sent.map(|sent| ((*key).to_owned(), sent)));
        }
        let expected = serde_json::to_string(&expected).expect("it is JSON");
        // The second spelling is repaired, the third is repaired in another way, and the fourth is not JSON before its repair.
        members.insert("id".to_owned(), json!(1));
        let typed = Value::Object(members.clone()).to_string();
        members.insert("id".to_owned(), json!("1"));
        let repaired = Value::Object(members.clone()).to_string();
        let lenient = typed.replace('"', "'");
        let nested = Value::Object([("arguments".to_owned(), Value::String(typed.clone()))].into_iter().collect()).to_string();
        prop_assert_eq!(answers(RepairPolicy::Strict, typed.clone()), expected.clone());
        for text in [typed.clone(), repaired, lenient, nested] {
            for policy in [RepairPolicy::Lossless, RepairPolicy::Assisted] {
                let answer = answers(policy, text.clone());
                prop_assert!(answer == expected || text.starts_with("{\"arguments\""), "{}: {} instead of {}", text, answer, expected);
            }
        }
        let shape = <<ChangeTool as TypedTool>::Args as ToolInput>::SHAPE;
        prop_assert!(accepts(shape, &Json::parse(&typed).expect("it is JSON")));
        let schema: Value = serde_json::from_str(&schema_text(shape)).expect("it is JSON");
        let sent: Value = serde_json::from_str(&typed).expect("it is JSON");
        prop_assert!(jsonschema::draft202012::new(&schema).expect("it is a schema").is_valid(&sent));
    }
}

#[test]
fn the_schema_allows_null_and_requires_nothing() {
    let shape = <<ChangeTool as TypedTool>::Args as ToolInput>::SHAPE;
    let schema: Value = serde_json::from_str(&schema_text(shape)).expect("it is JSON");
    assert_eq!(schema["required"], json!(["id"]));
    for key in ["plain", "alias", "std", "boxed", "wrapped", "ruled"] {
        assert_eq!(schema["properties"][key]["type"], json!(["integer", "null"]), "{key}: {schema}");
    }
}

#[test]
fn an_empty_text_is_neither_absent_nor_null() {
    for policy in [RepairPolicy::Lossless, RepairPolicy::Assisted] {
        let answer = answers(policy, r#"{"id": 1, "plain": ""}"#.to_owned());
        assert!(answer.contains("plain must be"), "{answer}");
    }
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Change {
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    ours: Option<Option<u8>>,
    #[serde(default, deserialize_with = "some")]
    #[tool(as = Option<u8>)]
    own: Option<Option<u8>>,
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    alias: Due,
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    #[tool(schemars)]
    day: Option<Option<Day>>,
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    #[tool(range(max = 9))]
    ruled: Option<Option<u8>>,
    #[serde(default, alias = "kind", rename = "type", deserialize_with = "tool_runtime::double_option")]
    kind: Option<Option<bool>>,
}

fn some<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(tag = "do")]
#[tool(ignore_unknown, undocumented)]
enum Step {
    Move {
        #[serde(default, deserialize_with = "tool_runtime::double_option")]
        to: Option<Option<u8>>,
    },
}

impl Change {
    fn said(self) -> Vec<&'static str> {
        let day = self.day.map(|day| day.map(|day| day.0));
        vec![said(self.ours), said(self.own), said(self.alias), said(day), said(self.ruled), said(self.kind)]
    }
}

/// Applies changes.
#[tool(undocumented)]
fn apply(n: u8, change: Change, step: Step) -> Vec<&'static str> {
    let Step::Move { to } = step;
    assert!(n == 1);
    [change.said(), vec![said(to)]].concat()
}

#[test]
fn a_field_with_the_attribute_tells_null_from_an_absent_key() {
    let session = Toolbox::builder().no_throttle().tool(ApplyTool).build().expect("it is valid").session();
    let call = |arguments: Value| {
        pollster::block_on(session.call("call_1", "apply", arguments.to_string())).to_text().into_owned()
    };
    let null = json!({"ours": null, "own": null, "alias": null, "day": null, "ruled": null, "type": null});
    let value = json!({"ours": 1, "own": 1, "alias": 1, "day": "1", "ruled": 1, "type": true});
    for n in [json!(1), json!("1")] {
        let said = |change: &Value, to: Value| call(json!({"n": n, "change": change, "step": to}));
        assert_eq!(said(&json!({}), json!({"do": "Move"})), json!(vec!["absent"; 7]).to_string());
        assert_eq!(said(&null, json!({"to": null, "do": "Move"})), json!(vec!["null"; 7]).to_string());
        assert_eq!(said(&value, json!({"to": 3, "do": "Move"})), json!(vec!["value"; 7]).to_string());
    }
    let schema: Value = serde_json::from_str(&schema_text(Change::SHAPE)).expect("it is JSON");
    assert!(schema.get("required").is_none(), "{schema}");
    for key in ["ours", "own", "alias", "ruled"] {
        assert_eq!(schema["properties"][key]["type"], json!(["integer", "null"]), "{key}");
    }
}

/// A type that the compiler knows only at its use.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Held<T> {
    #[serde(default)]
    value: Option<T>,
}

/// A type that is `null` in itself.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Holder {
    wrapped: Option<Wrapped>,
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    told: Option<Option<u8>>,
    list: Option<Vec<Option<u8>>>,
}

/// Loses what is cleared.
#[tool(undocumented)]
fn lose(held: Held<Option<u8>>, single: Held<u8>, holder: Holder) {
    let Holder { wrapped, told, list } = holder;
    drop((held.value, single.value, wrapped, told, list));
}

#[test]
fn a_field_that_the_compiler_cannot_see_through_is_reported_by_build() {
    let error = Toolbox::builder().tool(LoseTool).build().expect_err("two fields lose null").to_string();
    assert!(error.contains("`held.value` is an `Option` of an `Option`"), "{error}");
    assert!(error.contains("`holder.wrapped` is an `Option` of an `Option`"), "{error}");
    assert_eq!(error.matches("is an `Option` of").count(), 2, "{error}");
}

struct Tasks;

/// Tasks.
#[plugin_container]
impl Tasks {
    /// Renames.
    #[tool(undocumented)]
    fn rename(&self, name: Option<Option<String>>) -> &'static str {
        said(name)
    }
}

#[test]
fn a_member_of_a_container_tells_null_from_an_absent_key() {
    let session = Toolbox::builder()
        .container(Tasks)
        .expansion(ExpansionSettings::new().collapse_above(20))
        .build()
        .expect("it is valid")
        .session();
    let call = |arguments: &str| {
        pollster::block_on(session.call("call_1", "rename", arguments.to_owned())).to_text().into_owned()
    };
    assert_eq!([call("{}"), call(r#"{"name": null}"#), call(r#"{"name": "a"}"#)], ["absent", "null", "value"]);
}
