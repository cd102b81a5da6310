use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_runtime::shape::{Kind, Rule};

/// A place to sleep.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Room {
    /// Number of beds.
    ///
    /// Not more.
    #[tool(range(min = 1, max = 4), default = 2, example = 3)]
    #[serde(default = "two")]
    beds: u8,
    /// Name
    #[serde(rename = "title", alias = "label")]
    #[tool(length(min = 1, max = 5), pattern = "^[a-z]+$", sensitive)]
    name: Option<String>,
    /// Tags
    #[tool(inner(length(max = 3)), unique_items, custom = few)]
    tags: Vec<String>,
    /// Where
    place: Option<Box<Room>>,
}
fn two() -> u8 { 2 }
fn few(tags: &Vec<String>) -> Result<(), tool_runtime::Rejection> {
    if tags.len() < 3 { Ok(()) } else { Err("too many".into()) }
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit { Celsius, #[serde(alias = "f")] Fahrenheit }

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
enum Shapes<T> {
    Round { /// r
        #[tool(range(exclusive_min = 0.0))] the_radius: f64 },
    Other(Inner<T>),
}
#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
struct Inner<T> { value: T, next: Option<Box<Inner<T>>> }

#[test]
fn smoke() {
    let Kind::Object(object) = &Room::SHAPE.kind else { panic!() };
    assert_eq!(object.fields[0].doc, "Number of beds.\n\nNot more.");
    assert!(!object.fields[0].required);
    assert!(!object.fields[1].required);
    assert!(object.fields[2].required);
    assert!(matches!(object.fields[0].rules[0], Rule::Range(_)));
    assert!(serde_json::from_str::<Room>(r#"{"tags": ["a"], "title": "abc"}"#).unwrap().guard());
    assert!(!serde_json::from_str::<Room>(r#"{"tags": ["a"], "title": "ABC"}"#).unwrap().guard());
    assert!(!Unit::GUARDED);
    let shapes: Shapes<u8> = serde_json::from_str(r#"{"kind": "Round", "theRadius": 0}"#).unwrap();
    assert!(!shapes.guard());
    let _ = Shapes::<u8>::SHAPE;
}
