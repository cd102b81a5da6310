//! Typed tools whose schema does not express everything: ignored keys, and the difference between absent and `null`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tests::providers::rejections;
use tool_runtime::ToolInput;
use tool_schema::dialect::{Definition, EffectiveStrictness};
use tool_schema::schema::{Hints, ToolDeclaration};
use tool_schema::shape::Text;

use crate::dialects::{dialect, restored};

pub(super) fn rendered<T: ToolInput>(name: &str) -> Definition {
    let declaration = ToolDeclaration {
        name: &Text::from_static("do_it"),
        description: &Text::from_static("Does it."),
        input: T::SHAPE,
        output: None,
        hints: Hints::default(),
    };
    let rendition = dialect(name).render(&declaration, None);
    let definition = (!rendition.omits_tool()).then(|| rendition.to_value());
    assert_eq!(rejections(name, definition.as_slice()), Vec::<String>::new());
    assert!(definition.is_some_and(|definition| !definition.to_string().contains("x-absent")));
    rendition
}

/// Returns the value that a type decodes from the arguments of a model.
fn read<T: ToolInput>(rendition: &Definition, sent: &Value) -> T {
    let own = restored(rendition, sent).expect("it comes back");
    serde_json::from_value(own).expect("it is accepted")
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Optional {
    name: Option<String>,
    #[serde(default)]
    nick: Option<String>,
    nested: Option<Box<Optional>>,
    #[serde(default)]
    count: u8,
}

#[test]
fn absent_and_null_are_the_same_option() {
    let rendition = rendered::<Optional>("openai-strict");
    assert_eq!(rendition.strictness(), EffectiveStrictness::Strict, "{:?}", rendition.notes());
    let none = json!({"name": null, "nick": null, "nested": null, "count": null});
    let sent = json!({"name": "a", "nick": null, "nested": none, "count": 3});
    let nothing = || Optional { name: None, nick: None, nested: None, count: 0 };
    let expected = Optional { name: Some("a".to_owned()), nested: Some(Box::new(nothing())), count: 3, ..nothing() };
    assert_eq!(read::<Optional>(&rendition, &sent), expected);
    assert_eq!(read::<Optional>(&rendition, &none), nothing());
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Computed {
    #[serde(default = "three")]
    count: Option<u8>,
}

#[allow(clippy::unnecessary_wraps)]
fn three() -> Option<u8> {
    Some(3)
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(default)]
#[tool(ignore_unknown, undocumented)]
struct OfContainer {
    count: Option<u8>,
}

impl Default for OfContainer {
    fn default() -> Self {
        Self { count: three() }
    }
}

#[test]
fn an_option_with_its_own_default_is_not_strict_if_null_would_mean_absent() {
    for rendition in [rendered::<Computed>("openai-strict"), rendered::<OfContainer>("openai-strict")] {
        assert_eq!(rendition.strictness(), EffectiveStrictness::Plain);
        let notes: Vec<_> = rendition.notes().iter().map(ToString::to_string).collect();
        assert_eq!(notes, ["not strict: count: is optional and may be `null`, which would be the same"]);
    }
    // If optional properties stay optional, absent and `null` differ.
    let rendition = rendered::<Computed>("anthropic-strict");
    assert_eq!(rendition.strictness(), EffectiveStrictness::Strict);
    assert_eq!(read::<Computed>(&rendition, &json!({})), Computed { count: Some(3) });
    assert_eq!(read::<Computed>(&rendition, &json!({"count": null})), Computed { count: None });
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Closed {
    name: String,
    tags: BTreeMap<String, Vec<Optional>>,
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[tool(undocumented)]
struct Open {
    name: String,
    #[serde(flatten)]
    others: BTreeMap<String, String>,
}

#[test]
fn an_object_is_closed_if_its_type_ignores_other_keys() {
    let rendition = rendered::<Closed>("openai-strict");
    assert_eq!(rendition.strictness(), EffectiveStrictness::Strict, "{:?}", rendition.notes());
    let item = json!({"name": null, "nick": "n", "nested": null, "count": null});
    let closed: Closed = read(&rendition, &json!({"name": "a", "tags": [{"key": "k", "value": [item]}]}));
    assert_eq!(closed.tags["k"][0].nick.as_deref(), Some("n"));
    for name in ["openai-strict", "anthropic-strict"] {
        assert_eq!(rendered::<Open>(name).strictness(), EffectiveStrictness::Plain);
    }
}

#[test]
fn x_absent_is_null_has_no_effect_in_an_external_schema() {
    let schema = r#"{"type":"object","properties":{"a":{"type":["string","null"],"x-absent-is-null":true}},"additionalProperties":false}"#;
    let rendition = crate::dialects::render(dialect("openai-strict"), "do_it", &crate::dialects::json(schema));
    assert_eq!(rendition.strictness(), EffectiveStrictness::Plain);
}
