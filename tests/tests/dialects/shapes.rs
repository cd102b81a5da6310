//! Typed tools: every row of the agreement, with generated values.

use serde_json::Value;
use tests::cases;
use tests::dialects::forward::{In, sent};
use tests::generate::{Choices, numbers, valid};
use tests::providers::refusals;
use tests::rows::{Row, rows};
use tool_schema::dialect::{Rendition, ToolForm};
use tool_schema::schema::{Declaration, Definition, Format, Hints, schema_text};
use tool_schema::shape::Text;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::dialects::{dialect, restored};

/// Types that accept keys without a schema: aliases and hidden fields. A model never sends them, because they are not in the definition.
const UNSHOWN: [&str; 3] = ["Aliased", "Hidden", "OfOption"];

const JUDGED: [&str; 5] = ["openai-strict", "anthropic", "anthropic-strict", "gemini", "gemini-schema"];

fn declared<R>(row: &Row, with: impl FnOnce(&Declaration<'_>) -> R) -> R {
    with(&Declaration {
        name: &Text::new("find"),
        description: &Text::new("Finds it."),
        input: row.shape,
        output: None,
        hints: Hints::default(),
    })
}

/// Returns the faults of one row in one dialect, and the number of tested values.
fn faults(row: &Row, name: &str, rendition: &Rendition) -> (Vec<String>, usize) {
    let mut faults = Vec::new();
    let mut judged = 0;
    let Some(definition) = rendition.definition().map(Definition::to_value) else {
        return (
            if rendition.notes().is_empty() { vec![format!("{name}: {}: no reason", row.name)] } else { faults },
            0,
        );
    };
    for words in refusals(name, std::slice::from_ref(&definition)) {
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
                    faults.push(format!("{name}: {}: {sent}, sent for {own}, is refused by {shown}", row.name));
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
            strict += usize::from(rendition.form() == ToolForm::Strict);
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
fn a_rendition_without_an_inverse_equals_the_definition_without_a_dialect() {
    let pairs = [
        ("openai", Format::OpenAi),
        ("openai-responses", Format::OpenAiResponses),
        ("anthropic", Format::Anthropic),
        ("mcp", Format::Mcp),
    ];
    let mut same = 0;
    let is_object = |row: &Row| schema_text(row.shape).starts_with(r#"{"type":"object""#);
    for row in rows().into_iter().filter(is_object) {
        for (name, format) in pairs {
            declared(&row, |declaration| {
                let rendition = dialect(name).render(declaration, None);
                let plain = declaration.definition(format).to_string();
                // A dialect of `OpenAI` writes one schema for all items.
                let has_positions = plain.contains("prefixItems") || plain.contains(r#""items":false"#);
                if rendition.inverse().is_none() && !(name.starts_with("openai") && has_positions) {
                    let rendered = rendition.definition().map(ToString::to_string);
                    assert_eq!(rendered, Some(plain), "{name}: {}", row.name);
                    same += 1;
                }
            });
        }
    }
    assert!(same > 100, "only {same} definitions were compared");
}
