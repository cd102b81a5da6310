//! Recursive types, and different types with the same name.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolInput;

use crate::schema::{judge, judge_both, schema};

/// A folder.
#[derive(Deserialize, ToolInput, JsonSchema)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
struct Folder {
    /// Its name.
    name: String,
    /// The inner folders.
    #[serde(default)]
    folders: Vec<Folder>,
    /// Where it lies.
    parent: Option<Box<Folder>>,
}

#[test]
fn a_recursive_root_has_the_type_object() {
    judge_both::<Folder>(
        &[r#"{"name": "a"}"#, r#"{"name": "a", "folders": [{"name": "b"}], "parent": {"name": "c", "parent": null}}"#],
        &[r#"{"name": "a", "folders": [{}]}"#, r#"{"name": "a", "parent": {"name": 1}}"#],
    );
    let schema = schema(Folder::SHAPE);
    assert_eq!((&schema["type"], &schema["properties"]["name"]["type"]), (&"object".into(), &"string".into()));
    assert_eq!(schema["properties"]["folders"]["items"]["$ref"], "#/$defs/Folder");
}

#[test]
fn a_reference_has_no_sibling_keywords() {
    let schema = schema(Folder::SHAPE);
    let parent = &schema["$defs"]["Folder"]["properties"]["parent"];
    assert_eq!(
        *parent,
        serde_json::json!({"description": "Where it lies.", "anyOf": [{"$ref": "#/$defs/Folder"}, {"type": "null"}]})
    );
}

#[test]
fn mutually_recursive_types_are_references() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Person {
        name: String,
        owns: Vec<Dog>,
    }
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Dog {
        owner: Option<Box<Person>>,
    }
    judge_both::<Dog>(
        &["{}", r#"{"owner": {"name": "a", "owns": [{"owner": null}]}}"#],
        &[r#"{"owner": {"name": "a", "owns": [{"owner": 1}]}}"#],
    );
}

#[test]
fn a_recursive_union_is_a_reference() {
    #[derive(Deserialize, ToolInput, JsonSchema)]
    #[serde(tag = "op", rename_all = "lowercase")]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    enum Filter {
        And { all: Vec<Filter> },
        Not { of: Box<Filter> },
        Is { value: bool },
    }
    judge_both::<Filter>(
        &[r#"{"op": "not", "of": {"op": "and", "all": [{"op": "is", "value": true}]}}"#],
        &[r#"{"op": "not", "of": {"op": "and", "all": [{"op": "is"}]}}"#],
    );
    assert_eq!(schema(Filter::SHAPE)["type"], "object");
}

#[test]
fn types_with_the_same_name_are_numbered() {
    mod first {
        #[derive(serde::Deserialize, tool_runtime::ToolInput)]
        #[tool(ignore_unknown, undocumented)]
        #[allow(dead_code)]
        pub(super) struct Node<T> {
            value: T,
            next: Option<Box<Node<T>>>,
        }
    }
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)]
    struct Lists {
        numbers: first::Node<u8>,
        words: first::Node<String>,
    }
    judge::<Lists>(
        &[r#"{"numbers": {"value": 1, "next": {"value": 2}}, "words": {"value": "a", "next": {"value": "b"}}}"#],
        &[r#"{"numbers": {"value": 1, "next": {"value": "b"}}, "words": {"value": "a"}}"#],
    );
    let schema = schema(Lists::SHAPE);
    let names: Vec<_> = schema["$defs"].as_object().into_iter().flat_map(|definitions| definitions.keys()).collect();
    assert_eq!(names, ["Node", "Node2"]);
}
