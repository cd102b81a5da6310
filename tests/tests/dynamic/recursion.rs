//! Recursive unions: valid values of any depth are accepted, and what cannot be decided is reported as such.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_dynamic::InputSchema;

/// Returns a schema of expressions with one branch for each operator, and a number as a leaf. Overlapping branches only differ in a key that
/// comes last.
fn expressions(operators: usize, combination: &str, overlap: bool) -> Value {
    let branch = |index: usize| {
        let name = format!("op{index}");
        let operands = json!({"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}});
        let mut branch = json!({"type": "object", "properties": operands, "required": ["left", "right"]});
        if overlap {
            branch["required"] = json!(["left", "right", name]);
        } else {
            branch["properties"]["op"] = json!({"const": name});
            branch["required"] = json!(["op", "left", "right"]);
        }
        branch
    };
    let mut branches: Vec<Value> = (0..operators).map(branch).collect();
    branches.push(json!({"type": "number"}));
    json!({
        "type": "object",
        "properties": {"expression": {"$ref": "#/$defs/node"}},
        "required": ["expression"],
        "$defs": {"node": {combination: branches}},
    })
}

/// Returns an expression of a depth whose operators are all the last one, and whose innermost operand is `leaf`.
fn nested(depth: usize, operators: usize, overlap: bool, leaf: &Value) -> Value {
    let name = format!("op{}", operators - 1);
    let mut value = leaf.clone();
    for level in 0..depth {
        let (left, right) = if level % 2 == 0 { (value, json!(1)) } else { (json!(1), value) };
        value = json!({"left": left, "right": right});
        value[if overlap { &name } else { "op" }] = json!(name);
    }
    json!({"expression": value})
}

#[test]
fn valid_expressions_are_accepted_at_any_depth() {
    for operators in [1, 2, 4, 8, 40] {
        for (combination, overlap) in [("anyOf", false), ("anyOf", true), ("oneOf", false), ("oneOf", true)] {
            let schema = InputSchema::parse(expressions(operators, combination, overlap)).expect("it is a schema");
            for depth in [0, 1, 6, 10, 16, 40, 80, 120] {
                let text = nested(depth, operators, overlap, &json!(2)).to_string();
                let issues = schema.check(&text.as_str().into());
                assert!(issues.is_empty(), "{operators} {combination} {overlap} {depth}: {issues:?}");
            }
        }
    }
}

#[test]
fn valid_expressions_of_many_operands_are_accepted() {
    fn full(depth: usize) -> Value {
        if depth == 0 { json!(1) } else { json!({"op": "op3", "left": full(depth - 1), "right": full(depth - 1)}) }
    }
    let schema = InputSchema::parse(expressions(4, "anyOf", false)).expect("it is a schema");
    for depth in [6, 12] {
        assert!(schema.check(&json!({"expression": full(depth)}).into()).is_empty(), "{depth}");
    }
}

#[test]
fn a_wrong_leaf_is_an_issue_at_any_depth() {
    for (operators, overlap) in [(2, false), (4, true), (8, false)] {
        let schema = InputSchema::parse(expressions(operators, "anyOf", overlap)).expect("it is a schema");
        for depth in [1, 6, 16, 120] {
            let issues = schema.check(&nested(depth, operators, overlap, &json!("two")).into());
            assert!(
                !issues.is_empty() && issues.iter().all(|issue| issue.constraint.code() != "NOT_CHECKED"),
                "{depth}"
            );
        }
    }
}

/// A branch that is only excluded by its last keyword leads to the same items as the other one, as in the report
/// <https://github.com/networknt/json-schema-validator/issues/1276>.
#[test]
fn overlapping_lists_are_decided_at_any_depth() {
    let list = |keyword: &str, limit: u64| json!({"type": "array", "items": {"$ref": "#/$defs/n"}, keyword: limit});
    let union = json!({"anyOf": [list("minItems", 0), list("maxItems", 99)]});
    let schema = InputSchema::parse(json!({"properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": union}}))
        .expect("it is a schema");
    for depth in [1, 20, 60, 126] {
        let nested = |leaf: &str| format!("{{\"n\":{}{leaf}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(schema.check(&nested("").as_str().into()).is_empty(), "{depth}");
        let issues = schema.check(&nested("\"x\"").as_str().into());
        assert_eq!(issues.len(), 1, "{depth}: {issues:?}");
        assert_ne!(issues[0].constraint.code(), InputSchema::TOO_MANY_STEPS_CODE, "{depth}");
    }
}

/// Returns any expression, valid or not.
fn expression() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![8 => Just(json!(1)), 1 => Just(json!("1")), 1 => Just(json!({}))];
    leaf.prop_recursive(24, 60, 2, |inner| {
        (0..5_usize, inner.clone(), inner, 0..12_u8).prop_map(|(operator, left, right, change)| {
            let mut value =
                json!({"op": format!("op{operator}"), format!("op{operator}"): 1, "left": left, "right": right});
            if let (0, Some(members)) = (change, value.as_object_mut()) {
                members.remove("left");
            }
            value
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tests::cases(150), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_on_expressions_equal_those_of_jsonschema(
        value in expression(), operators in 2..6_usize, one: bool, overlap: bool,
    ) {
        let document = expressions(operators, if one { "oneOf" } else { "anyOf" }, overlap);
        let oracle = jsonschema::validator_for(&document).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let schema = InputSchema::parse(&document).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let arguments = json!({"expression": value});
        let issues = schema.check(&arguments.to_string().as_str().into());
        prop_assert!(issues.iter().all(|issue| issue.constraint.code() != "NOT_CHECKED"));
        prop_assert_eq!(issues.is_empty(), oracle.is_valid(&arguments), "{} under {}: {:?}", arguments, document, issues);
    }
}
