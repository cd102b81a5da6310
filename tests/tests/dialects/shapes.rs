//! Typed tools: every row of the agreement, with generated values.

use serde_json::Value;
use tests::cases;
use tests::dialects::forward::{In, sent};
use tests::generate::{Choices, numbers, valid};
use tests::providers::rejections;
use tests::rows::{Row, rows};
use tool_schema::dialect::{Definition, Dialect, EffectiveStrictness};
use tool_schema::json::Json;
use tool_schema::schema::{Hints, ToolDeclaration, schema_text};
use tool_schema::shape::Text;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::dialects::{dialect, restored};

/// Types that accept keys without a schema: aliases and hidden fields. A model never sends them, because they are not in the definition.
const UNSHOWN: [&str; 3] = ["Aliased", "Hidden", "OfOption"];

const JUDGED: [&str; 5] = ["openai-strict", "anthropic", "anthropic-strict", "gemini", "gemini-schema"];

fn declared<R>(row: &Row, with: impl FnOnce(&ToolDeclaration<'_>) -> R) -> R {
    with(&ToolDeclaration {
        name: &Text::from_static("find"),
        description: &Text::from_static("Finds it."),
        input: row.shape,
        output: None,
        hints: Hints::default(),
    })
}

/// Returns the issues of one row in one dialect, and the number of tested values.
fn faults(row: &Row, name: &str, rendition: &Definition) -> (Vec<String>, usize) {
    let mut faults = Vec::new();
    let mut judged = 0;
    let Some(definition) = (!rendition.omits_tool()).then(|| rendition.to_value()) else {
        return (
            if rendition.notes().is_empty() { vec![format!("{name}: {}: no reason", row.name)] } else { faults },
            0,
        );
    };
    for words in rejections(name, std::slice::from_ref(&definition)) {
        faults.push(format!("{name}: {}: {words}", row.name));
    }
    let plain: Value = serde_json::from_str(&schema_text(row.shape)).expect("a schema is JSON");
    let Some(shown) = crate::dialects::shown(name, &definition) else { return (faults, 0) };
    let validator = jsonschema::options().build(&shown).expect("a shown schema compiles");
    let session = crate::dialects::session::echoing(dialect(name), row.shape, None);
    let mut runner = TestRunner::new_with_rng(
        Config { failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    for _ in 0..cases(3) {
        let drawn = numbers().new_tree(&mut runner).expect("numbers can be drawn").current();
        let text = valid(row.shape, &mut Choices::new(&drawn)).tree.to_string();
        let Ok(mut own) = serde_json::from_str::<Value>(&text) else { continue };
        without_ignored(&mut own);
        if !own.is_object() || !(row.typed)(&own.to_string()) || !In::root(&plain).accepts(&own) {
            continue;
        }
        judged += 1;
        match sent(In::root(&plain), In::root(&shown), &own) {
            Err(reason) => faults.push(format!("{name}: {}: {own} cannot be expressed: {reason}", row.name)),
            Ok(sent) => {
                if !validator.is_valid(&sent) {
                    faults.push(format!("{name}: {}: {sent}, sent for {own}, is rejected by {shown}", row.name));
                }
                let back = restored(rendition, &sent);
                // The typed values are compared: an `Option` decodes `null` like an absent key.
                let same = |back: &Value| *back == own || without_null(back) == without_null(&own);
                if !back.as_ref().is_ok_and(same) {
                    faults.push(format!("{name}: {}: {own} comes back from {sent} as {back:?}", row.name));
                }
                let got = crate::dialects::session::got(&session, &sent);
                if !got.as_ref().is_ok_and(same) {
                    faults.push(format!("{name}: {}: a session runs {got:?} for {sent}, sent for {own}", row.name));
                }
            }
        }
    }
    (faults, judged)
}

/// Returns the value without `null` members. An option with its own default, which this would hide, is tested in `typed`.
fn without_null(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            Value::Object(members.map(|(key, value)| (key.clone(), without_null(value))).collect())
        }
        Value::Array(items) => items.iter().map(without_null).collect(),
        _ => value.clone(),
    }
}

/// Removes the keys that the generator adds if a type ignores unknown keys.
fn without_ignored(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("zz_ignored");
            members.values_mut().for_each(without_ignored);
        }
        Value::Array(items) => items.iter_mut().for_each(without_ignored),
        _ => {}
    }
}

#[test]
fn every_value_of_a_typed_tool_is_restored() {
    let (mut all, mut judged, mut strict) = (Vec::new(), 0, 0);
    for row in rows().into_iter().filter(|row| !UNSHOWN.contains(&row.name)) {
        for name in JUDGED {
            let rendition = declared(&row, |declaration| dialect(name).render(declaration, None));
            strict += usize::from(rendition.strictness() == EffectiveStrictness::Strict);
            let (faults, values) = faults(&row, name, &rendition);
            all.extend(faults);
            judged += values;
        }
    }
    let number = all.len();
    all.truncate(20);
    assert!(all.is_empty(), "{number} faults:\n{}", all.join("\n"));
    assert!(judged > 450 && strict > 40, "only {judged} values were tested, {strict} forms are strict");
}

#[test]
fn mcp_receives_the_schema_of_the_tool() {
    let mut same = 0;
    for row in rows() {
        let own = schema_text(row.shape);
        if own.starts_with(r#"{"type":"object","properties":"#) {
            let definition = declared(&row, |declaration| Dialect::MCP.render(declaration, None));
            let schema = definition.as_json().get("inputSchema").map(Json::to_text);
            assert_eq!(schema.as_ref(), Some(&own), "{}", row.name);
            same += 1;
        }
    }
    assert!(same > 25, "only {same} definitions were compared");
}
