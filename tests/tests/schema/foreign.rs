//! Types that `schemars` describes, used inside types with `ToolInput`.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolInput;

use crate::schema::{judge, schema};

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Pair {
    left: Node,
    right: Node,
}

#[test]
fn definitions_move_to_the_root_under_unique_names() {
    mod ours {
        #[derive(serde::Deserialize, tool_runtime::ToolInput)]
        #[tool(ignore_unknown, undocumented)]
        #[allow(dead_code)]
        pub(super) struct Node {
            name: String,
            next: Option<Box<Node>>,
        }
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Input {
        own: ours::Node,
        #[tool(schemars)]
        pair: Pair,
        #[tool(schemars)]
        other: Pair,
        #[tool(schemars)]
        node: Node,
    }
    let own = r#"{"name": "a", "next": {"name": "b"}}"#;
    let node = r#"{"value": 1, "next": {"value": 2}}"#;
    let pair = &format!(r#"{{"left": {node}, "right": {node}}}"#);
    let input = |own: &str, pair: &str, node: &str| {
        format!(r#"{{"own": {own}, "pair": {pair}, "other": {pair}, "node": {node}}}"#)
    };
    judge::<Input>(
        &[&input(own, pair, node)],
        &[&input(node, pair, node), &input(own, pair, own), &input(own, &pair.replace("\"value\": 2", ""), node)],
    );
    let schema = schema(Input::SHAPE);
    assert_eq!(schema["properties"]["pair"], schema["properties"]["other"], "a document is moved once");
    assert!(!schema.to_string().contains("$schema"));
}

#[test]
fn a_flattened_foreign_type_allows_the_other_keys() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Closed {
        size: u8,
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(undocumented)]
    #[allow(dead_code)]
    struct Input {
        name: String,
        #[serde(flatten)]
        #[tool(schemars)]
        closed: Closed,
    }
    judge::<Input>(&[r#"{"name": "a", "size": 1}"#], &[r#"{"name": "a"}"#, r#"{"size": 1}"#]);
}
