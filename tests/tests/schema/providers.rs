//! The schema for a provider accepts every value that decoding and our own schema accept, for every type of the agreement tests.

use std::cell::Cell;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tests::generate::{Choices, numbers, valid};
use tests::rows::rows;
use tool_runtime::Format;
use tool_schema::schema::{Declaration, Hints};
use tool_schema::shape::{Shape, Text};

use crate::schema::{schema, validator};

const FORMATS: [(Format, &str); 5] = [
    (Format::OpenAi, "/function/parameters"),
    (Format::OpenAiResponses, "/parameters"),
    (Format::Anthropic, "/input_schema"),
    (Format::Gemini, "/parametersJsonSchema"),
    (Format::Mcp, "/inputSchema"),
];

fn shown(shape: &'static Shape, (format, pointer): (Format, &str)) -> serde_json::Value {
    let declaration = Declaration {
        name: &Text::new("find"),
        description: &Text::new("Finds it."),
        input: shape,
        output: None,
        hints: Hints::default(),
    };
    declaration.definition(format).to_value().pointer(pointer).expect("the schema is there").clone()
}

#[test]
fn the_schema_for_a_provider_accepts_every_accepted_value() {
    let (judged, mut differences) = (Cell::new(0), Vec::new());
    for row in rows() {
        let own = validator(&schema(row.shape));
        let shown = FORMATS.map(|format| (format.0, validator(&shown(row.shape, format))));
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
                let refused: Vec<_> =
                    shown.iter().filter(|(_, schema)| !schema.is_valid(&value)).map(|(format, _)| *format).collect();
                proptest::prop_assert!(refused.is_empty(), "{}: {refused:?} refuse {text}", row.name);
                Ok(())
            },
        );
        differences.extend(outcome.err().map(|error| format!("{}: {error}", row.name)));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let judged = judged.get();
    assert!(judged > 1_000, "only {judged} values were checked");
}
