//! Unions: with a tag, only the issues of that variant; without one, the forms and the nearest of them.

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::check::check;
use tool_schema::feedback::{annotated_arguments, markdown};
use tool_schema::json::Json;
use tool_schema::shape::Shape;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)]
struct CreateUser {
    name: String,
    email: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "type", rename_all = "snake_case")]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
enum Internal {
    Create(CreateUser),
    Delete { id: u32 },
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "type", content = "of", rename_all = "snake_case")]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
enum Adjacent {
    Create(CreateUser),
    Delete { id: u32 },
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
enum External {
    Create(CreateUser),
    Delete { id: u32 },
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
enum Many {
    A { a: u8 },
    B { b: u8 },
    C { c: u8 },
    D { d: u8 },
    E { e: u8 },
    F { f: u8, g: u8 },
}

fn marked(shape: &Shape, sent: &str) -> String {
    let json = Json::parse(sent).expect("it is JSON");
    annotated_arguments(shape, &json, &check(shape, &json))
}

fn told(shape: &Shape, sent: &str) -> String {
    let json = Json::parse(sent).expect("it is JSON");
    markdown("change", shape, &json, &check(shape, &json))
}

#[test]
fn a_known_tag_names_its_variant_and_the_missing_fields() {
    let says = r#"`type`: "create" means CreateUser; it lacks `email`"#;
    let sent = r#"{"type": "create", "name": "ada"}"#;
    let shown = marked(Internal::SHAPE, sent);
    assert!(shown.starts_with(&format!("{{ // {says}\n")) && !shown.contains("id"), "{shown}");
    let shown = told(Internal::SHAPE, sent);
    assert!(shown.contains(&format!("- **Issue**: {says}\n")) && !shown.contains("`id`"), "{shown}");

    let sent = r#"{"type": "create", "of": {"name": "ada"}}"#;
    let shown = marked(Adjacent::SHAPE, sent);
    assert!(shown.starts_with(&format!("{{ // {says}\n")) && !shown.contains("id"), "{shown}");
    let shown = marked(External::SHAPE, r#"{"create": {"name": "ada"}}"#);
    assert!(shown.contains(r#""email": undefined // ❌ required: string"#) && !shown.contains("id"), "{shown}");
}

#[test]
fn a_variant_without_a_name_is_described_by_its_tag() {
    let shown = marked(Internal::SHAPE, r#"{"type": "delete"}"#);
    assert!(shown.starts_with("{ // `type`: \"delete\" lacks `id`\n"), "{shown}");
}

#[test]
fn the_mark_of_a_missing_tag_lists_the_variants() {
    let shown = marked(Internal::SHAPE, r#"{"name": "ada"}"#);
    assert!(shown.contains(r#""type": undefined // ❌ required: one of "create", "delete""#), "{shown}");
}

#[test]
fn a_corrected_tag_adds_the_fields_of_its_variant() {
    let shown = told(Internal::SHAPE, r#"{"type": "craete", "name": "ada"}"#);
    assert!(shown.contains("\"type\": \"create\",\n  \"name\": \"ada\",\n  \"email\": \"<string>\"\n}"), "{shown}");
}

#[test]
fn a_key_that_names_no_variant_is_renamed() {
    let sent = r#"{"crate": {"name": "ada", "email": "a@example.org"}}"#;
    let shown = marked(External::SHAPE, sent);
    assert!(shown.contains(r#""crate": { // ❌ named one of "create", "delete" (did you mean "create"?)"#), "{shown}");
    let shown = told(External::SHAPE, sent);
    assert!(shown.contains("rename `crate` to `create`") && shown.contains("{\n  \"create\": {\n"), "{shown}");
}

#[test]
fn at_most_five_variants_and_the_nearest_one_are_shown() {
    let shown = marked(Many::SHAPE, r#"{"f": 1}"#);
    let forms = "{ // one of: object with a; object with b; object with c; object with d; object with e; … and 1 more \
                 (nearest: object with f, g)\n";
    assert!(shown.starts_with(forms) && shown.contains(r#""g": undefined // ❌ required"#), "{shown}");
    let shown = marked(Many::SHAPE, "{}");
    assert!(
        shown.starts_with("{} // ❌ one of: object with a; ") && shown.contains("(nearest: object with a)"),
        "{shown}"
    );
}

#[test]
fn a_value_that_resembles_no_variant_has_no_nearest_one() {
    let shown = marked(Many::SHAPE, "3");
    assert!(shown.starts_with("3 // ❌ ") && !shown.contains("nearest"), "{shown}");
}
