//! The schema for a provider accepts every value that decoding and our own schema accept, for every type of the agreement tests.

use std::cell::Cell;

use jsonschema::Validator;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tests::generate::{Choices, numbers, valid};
use tests::rows::rows;
use tool_runtime::Dialect;
use tool_schema::dialect::Definition;
use tool_schema::json::Json;
use tool_schema::schema::{Hints, ToolDeclaration};
use tool_schema::shape::{Shape, Text};

use crate::schema::{schema, validator};

const DIALECTS: [(Dialect, &str); 5] = [
    (Dialect::OPENAI, "/function/parameters"),
    (Dialect::OPENAI_RESPONSES, "/parameters"),
    (Dialect::ANTHROPIC, "/input_schema"),
    (Dialect::GEMINI, "/parametersJsonSchema"),
    (Dialect::MCP, "/inputSchema"),
];

fn define(shape: &'static Shape, dialect: Dialect) -> Definition {
    let declaration = ToolDeclaration {
        name: &Text::from_static("find"),
        description: &Text::from_static("Finds it."),
        input: shape,
        output: None,
        hints: Hints::default(),
    };
    dialect.render(&declaration, None)
}

#[test]
fn the_schema_for_a_provider_accepts_every_accepted_value() {
    let (judged, mut differences) = (Cell::new(0), Vec::new());
    for row in rows() {
        let own = validator(&schema(row.shape));
        let shown = DIALECTS.map(|(dialect, pointer)| {
            let definition = define(row.shape, dialect);
            let schema = definition.to_value().pointer(pointer).cloned();
            (dialect, validator(&schema.unwrap_or_else(|| panic!("{dialect}: {:?}", definition.notes()))), definition)
        });
        let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(
            &numbers(),
            |numbers| {
                let text = valid(row.shape, &mut Choices::new(&numbers)).tree.to_string();
                let Ok(value) = serde_json::from_str(&text) else { return Ok(()) };
                // Arguments are always objects.
                if !text.starts_with('{') || !(row.typed)(&text) || !own.is_valid(&value) {
                    return Ok(());
                }
                judged.set(judged.get() + 1);
                // The value as a model sends it under the dialect.
                let sent = |definition: &Definition| match definition.inverse() {
                    Some(inverse) => inverse.show(Json::parse(&text).expect("the value is JSON")).to_value(),
                    None => value.clone(),
                };
                let is_rejected =
                    |(_, schema, definition): &&(Dialect, Validator, Definition)| !schema.is_valid(&sent(definition));
                let rejected: Vec<_> = shown.iter().filter(is_rejected).map(|(dialect, ..)| *dialect).collect();
                proptest::prop_assert!(rejected.is_empty(), "{}: {rejected:?} reject {text}", row.name);
                Ok(())
            },
        );
        differences.extend(outcome.err().map(|error| format!("{}: {error}", row.name)));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let judged = judged.get();
    assert!(judged > 1_000, "only {judged} values were checked");
}
