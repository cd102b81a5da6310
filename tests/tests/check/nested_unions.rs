//! Nested unions: the variant is identified by the tag of the inner enum, and only its issues are reported, each at its own path, also in
//! lists, in maps and for flattened fields.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;

use crate::check::table;

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[serde(tag = "kind", deny_unknown_fields)]
#[allow(dead_code)]
enum Figure {
    Circle { radius: f64 },
    Square { side: f64, colour: Option<String> },
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[serde(tag = "type")]
#[allow(dead_code)]
enum Point {
    Flat { x: u8, y: u8 },
    Line { z: u8 },
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code)]
enum Beside {
    Number(u8),
    Word { text: String },
}

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Labelled {
    label: String,
    #[serde(flatten)]
    at: Spot,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
struct Spot {
    row: u8,
    column: u8,
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Either {
    Figure(Figure),
    Point(Point),
    Beside(Beside),
    Labelled(Labelled),
    Many(Vec<Figure>),
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Outer {
    Either(Either),
    Count(u8),
}

/// The beginning of the list of all forms.
const FORMS: &str = "one of: object with kind one of \"Circle\", \"Square\"";

#[test]
fn an_inner_tag_identifies_the_variant() {
    for shape in [Either::SHAPE, Outer::SHAPE] {
        table(
            shape,
            &[
                (r#"{"kind": "Circle"}"#, "radius is required"),
                (
                    r#"{"kind": "Square", "side": "a", "colour": 5}"#,
                    "side must be a number; colour must be a string or null",
                ),
                (r#"{"kind": "circle", "radius": 1}"#, "kind must be one of \"Circle\", \"Square\""),
                (r#"{"type": "Flat", "x": 300, "y": "s"}"#, "x must be at most 255; y must be an integer"),
                (r#"{"type": "flat", "x": 1, "y": 2}"#, "type must be one of \"Flat\", \"Line\""),
                (r#"{"type": 5}"#, "type must be a string"),
                (r#"{"t": "Word", "c": {"text": 5}}"#, "c.text must be a string"),
                (r#"{"t": "Number"}"#, "c is required"),
                (r#"{"row": 1, "column": 2}"#, "label is required"),
                (r#"{"label": "a", "row": 1}"#, "column is required"),
                (
                    r#"[{"kind": "Circle", "radius": "x"}, {"kind": "Square"}]"#,
                    "[0].radius must be a number; [1].side is required",
                ),
            ],
        );
    }
}

#[test]
fn two_tags_identify_no_variant() {
    for text in [r#"{"type": "Line", "kind": "Circle"}"#, r#"{"radius": 1}"#, "{}"] {
        let said = crate::check::messages(Either::SHAPE, text);
        assert!(matches!(&said[..], [only] if only.contains(FORMS)), "{text}: {said:?}");
    }
}

#[test]
fn issues_in_lists_and_maps_have_their_own_paths() {
    let lists = <Vec<Outer>>::SHAPE;
    table(
        lists,
        &[(
            r#"[{"kind": "Circle"}, {"type": "Flat", "x": 1, "y": -1}, 300, {"t": "Number", "c": 256}]"#,
            "[0].radius is required; [1].y must be at least 0; [2] must be at most 255; [3].c must be at most 255",
        )],
    );
    let maps = <BTreeMap<String, Either>>::SHAPE;
    table(
        maps,
        &[(
            r#"{"a": {"kind": "Square"}, "b": {"type": "Flat", "x": "1"}, "c": [{"kind": "Oval"}]}"#,
            "a.side is required; b.x must be an integer; b.y is required; c[0].kind must be one of \"Circle\", \"Square\"",
        )],
    );
}

#[test]
fn the_search_in_a_recursive_enum_is_bounded() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Again {
        Left(Box<Again>),
        Right(Box<Again>),
        Named { name: String, age: u8 },
        Aged { age: u8, year: u16 },
    }
    let said = crate::check::messages(Again::SHAPE, r#"{"name": 1}"#);
    assert_eq!(said, ["name must be a string", "age is required"]);
}
