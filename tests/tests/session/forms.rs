//! The four forms of arguments: text, bytes, a value, a map. The same JSON in another form gets the same answer after the same repairs; a
//! string value is read as the text that it contains; empty arguments in every form are `{}`.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tests::cases;
use tool_runtime::Arguments;
use tool_runtime::{Toolbox, tool};

/// Says what it was given.
#[tool]
fn echo(
    /// A text.
    text: Option<String>,
    /// A number.
    n: Option<u8>,
    /// Numbers by name.
    by_name: Option<BTreeMap<String, i64>>,
    /// Anything.
    any: Option<Value>,
) -> String {
    format!("{text:?} {n:?} {by_name:?} {any:?}")
}

/// Takes one.
#[tool]
fn one(
    /// A text.
    text: String,
) -> String {
    text
}

/// Takes none.
#[tool]
fn nothing() -> &'static str {
    "nothing"
}

/// Returns the answer of a call in a new session, and its repairs.
fn answer(toolbox: &Toolbox, tool: &str, arguments: Arguments<'_>) -> (String, Vec<String>) {
    let outcome = pollster::block_on(toolbox.session().call("call", tool, arguments));
    let repairs = outcome.repairs().iter().map(|repair| format!("{} {}", repair.path, repair.rule.name())).collect();
    (outcome.to_text().into_owned(), repairs)
}

fn toolbox() -> Toolbox {
    let builder = Toolbox::builder().tool(EchoTool).tool(OneTool).tool(NothingTool);
    builder.build().expect("the names differ")
}

/// Generates JSON values, often similar to the arguments of the tools, sometimes as JSON in a string.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..400).prop_map(Value::from),
        (-2.5_f64..9.0).prop_map(|number| json!(number)),
        "[a5 \"\\\\é]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop_oneof!["text", "n", "by_name", "any", "Text", "byName", "arguments", "[a\"é]{0,2}"];
        prop_oneof![
            4 => proptest::collection::btree_map(key, inner.clone(), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
            1 => proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            1 => inner.prop_map(|value| value.to_string().into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(90)) })]

    #[test]
    fn arguments_get_the_same_answer_in_every_form(value in value()) {
        let toolbox = toolbox();
        // A string value is read as the text that it contains.
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        for tool in ["echo", "one", "nothing"] {
            let of_text = answer(&toolbox, tool, text.as_str().into());
            prop_assert_eq!(&answer(&toolbox, tool, text.clone().into()), &of_text, "owned {}", text);
            prop_assert_eq!(&answer(&toolbox, tool, text.as_bytes().into()), &of_text, "bytes {}", text);
            prop_assert_eq!(&answer(&toolbox, tool, text.clone().into_bytes().into()), &of_text, "owned bytes {}", text);
            prop_assert_eq!(&answer(&toolbox, tool, (&value).into()), &of_text, "a value {}", text);
            prop_assert_eq!(&answer(&toolbox, tool, value.clone().into()), &of_text, "an owned value {}", text);
            if let Value::Object(map) = &value {
                prop_assert_eq!(&answer(&toolbox, tool, map.into()), &of_text, "a map {}", text);
                prop_assert_eq!(&answer(&toolbox, tool, map.clone().into()), &of_text, "an owned map {}", text);
            }
        }
    }
}

#[test]
fn empty_arguments_are_an_empty_object() {
    let toolbox = toolbox();
    for tool in ["echo", "one", "nothing"] {
        let empty = answer(&toolbox, tool, "{}".into());
        for text in ["", " ", "\t\r\n", "null", " null\n", "{ }"] {
            assert_eq!(answer(&toolbox, tool, text.into()), empty, "{tool} {text:?}");
            assert_eq!(answer(&toolbox, tool, text.as_bytes().into()), empty, "{tool} {text:?} as bytes");
            assert_eq!(answer(&toolbox, tool, json!(text).into()), empty, "{tool} {text:?} as a value");
        }
        assert_eq!(answer(&toolbox, tool, Value::Null.into()), empty, "{tool} null");
        assert_eq!(answer(&toolbox, tool, Map::new().into()), empty, "{tool} an empty map");
    }
}

#[test]
fn arguments_that_are_not_an_object_are_rejected() {
    let toolbox = toolbox();
    for tool in ["echo", "one", "nothing"] {
        for text in ["[[]]", "[1, 2]", "[{\"text\": \"a\"}]", "5", "true"] {
            let (said, repairs) = answer(&toolbox, tool, text.into());
            assert!(said.contains("the arguments must be an object") && repairs.is_empty(), "{tool} {text}: {said}");
        }
    }
    // A tool with a parameter that may be a list.
    let (said, _) = answer(&toolbox, "echo", "[]".into());
    assert!(said.contains("the arguments must be an object"), "{said}");
    assert_eq!(answer(&toolbox, "nothing", "[]".into()).1, ["$ bracket"]);
}

#[test]
fn json_in_a_string_is_parsed_at_the_top_and_where_no_string_is_allowed() {
    let toolbox = toolbox();
    let twice =
        json!(json!({"text": "{\"a\": 1}", "n": "5", "by_name": "{\"a\": 1}", "any": "{}"}).to_string()).to_string();
    let (said, repairs) = answer(&toolbox, "echo", twice.into());
    assert_eq!(said, "Some(\"{\\\"a\\\": 1}\") Some(5) Some({\"a\": 1}) Some(String(\"{}\"))");
    assert_eq!(repairs, ["$ stringified", "n text", "by_name stringified"]);
}
