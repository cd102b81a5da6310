//! Tools for which `null` is another value than an absent key, in each strict dialect.
//!
//! A dialect that requires all keys sends `null` for an absent one, so its arguments cannot be converted back, and the tool stays plain. In
//! the other dialects, a key may be absent.

#![allow(clippy::option_option)] // The outer one is absent, the inner one null.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tests::providers::DIALECTS;
use tool_runtime::{ToolInput, Toolbox, TypedTool, tool};
use tool_schema::dialect::{Dialect, EffectiveStrictness};

use super::typed::rendered;
use crate::dialects::{dialect, restored};

/// The strict dialects that require all keys.
const REQUIRES_ALL: [&str; 3] = ["openai-strict", "openai-responses-strict", "vllm-strict"];
/// The strict dialects in which a key may be absent.
const REQUIRES_SOME: [&str; 2] = ["anthropic-strict", "bedrock-strict"];

/// A type without `ToolInput`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Day(String);

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Field {
    #[serde(default, deserialize_with = "tool_runtime::double_option")]
    due: Option<Option<u8>>,
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(tag = "do", deny_unknown_fields)]
#[tool(undocumented)]
enum Branches {
    First {
        due: Option<u8>,
    },
    Second {
        #[serde(default, deserialize_with = "tool_runtime::double_option")]
        due: Option<Option<u8>>,
    },
}

/// Takes a parameter.
#[tool(undocumented)]
fn parameter(due: Option<Option<u8>>) -> String {
    format!("{due:?}")
}

/// Takes a parameter that `schemars` describes.
#[tool(undocumented)]
fn foreign(#[tool(schemars)] due: Option<Option<Day>>) -> String {
    format!("{:?}", due.map(|due| due.map(|day| day.0)))
}

/// Takes a parameter with a field.
#[tool(undocumented)]
fn nested(change: Field) -> String {
    format!("{:?}", change.due)
}

/// Takes a parameter with a variant.
#[tool(undocumented)]
fn branch(step: Branches) -> String {
    match step {
        Branches::First { due } => format!("{due:?}"),
        Branches::Second { due } => format!("{due:?}"),
    }
}

/// Takes an optional parameter, whose `null` has no meaning of its own.
#[tool(undocumented)]
fn optional(#[tool(schemars)] due: Option<Day>) -> String {
    format!("{:?}", due.map(|day| day.0))
}

fn forms(name: &str) -> [(EffectiveStrictness, String); 4] {
    fn form<T: ToolInput>(name: &str) -> (EffectiveStrictness, String) {
        let rendition = rendered::<T>(name);
        let notes: Vec<String> = rendition.notes().iter().map(|note| note.reason().to_owned()).collect();
        (rendition.strictness(), notes.concat())
    }
    [
        form::<<ParameterTool as TypedTool>::Args>(name),
        form::<<ForeignTool as TypedTool>::Args>(name),
        form::<<NestedTool as TypedTool>::Args>(name),
        form::<<BranchTool as TypedTool>::Args>(name),
    ]
}

#[test]
fn every_strict_dialect_is_tested() {
    let strict = DIALECTS.iter().filter(|name| name.ends_with("-strict"));
    let tested = [&REQUIRES_ALL[..], &REQUIRES_SOME[..]].concat();
    assert!(strict.clone().all(|name| tested.contains(name)) && strict.count() == tested.len());
}

#[test]
fn a_dialect_that_sends_null_for_an_absent_key_stays_plain() {
    for name in REQUIRES_ALL {
        for (form, notes) in forms(name) {
            assert_eq!(form, EffectiveStrictness::Plain, "{name}");
            assert!(notes.contains("is optional and may be `null`"), "{name}: {notes}");
        }
    }
}

#[test]
fn a_dialect_with_absent_keys_stays_strict() {
    for name in REQUIRES_SOME {
        for (form, notes) in forms(name) {
            assert_eq!(form, EffectiveStrictness::Strict, "{name}: {notes}");
        }
    }
}

#[test]
fn an_optional_foreign_parameter_stays_strict() {
    for name in [&REQUIRES_ALL[..], &REQUIRES_SOME[..]].concat() {
        let rendition = rendered::<<OptionalTool as TypedTool>::Args>(name);
        assert_eq!(rendition.strictness(), EffectiveStrictness::Strict, "{name}: {:?}", rendition.notes());
        let own = restored(&rendition, &json!({"due": null})).expect("it comes back");
        assert!(serde_json::from_value::<<OptionalTool as TypedTool>::Args>(own).is_ok_and(|args| args.due.is_none()));
    }
}

#[test]
fn every_dialect_passes_the_three_cases_to_the_tool() {
    #[expect(clippy::type_complexity, reason = "one row for each case")]
    let cases: [(&str, fn(Value) -> Value, [Value; 2]); 4] = [
        ("parameter", |due| due, [json!(3), json!("Some(Some(3))")]),
        ("foreign", |due| due, [json!("a"), json!("Some(Some(\"a\"))")]),
        ("nested", |change| json!({"change": change}), [json!(3), json!("Some(Some(3))")]),
        (
            "branch",
            |mut step| {
                step["do"] = json!("Second");
                json!({"step": step})
            },
            [json!(3), json!("Some(Some(3))")],
        ),
    ];
    for name in DIALECTS {
        let dialect: Dialect = dialect(name);
        let builder = Toolbox::builder().no_throttle().for_provider(dialect);
        let builder = builder.tool(ParameterTool).tool(ForeignTool).tool(NestedTool).tool(BranchTool);
        let session = builder.build().expect("it is valid").session();
        for (tool, around, [value, said]) in &cases {
            let call = |due: Value| {
                let arguments = around(due).to_string();
                pollster::block_on(session.call("call_1", tool, arguments)).to_text().into_owned()
            };
            let said = said.as_str().unwrap_or_default();
            let answers = [call(json!({})), call(json!({"due": null})), call(json!({"due": value}))];
            assert_eq!(answers, ["None", "Some(None)", said], "{tool} under {name}");
        }
    }
}
