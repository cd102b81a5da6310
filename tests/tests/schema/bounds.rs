//! Infinite shapes: the schema is finite, is JSON that a parser reads, and accepts the values that it does not describe.

use tests::private::{FieldInit, ShapeInit, object};
use tool_runtime::ToolInput;
use tool_schema::schema::schema_text;
use tool_schema::shape::{Identity, Kind, Ref, Shape, UnknownKeys};

use crate::schema::judge_schema;

fn endless_list() -> &'static Shape {
    static LIST: Shape = Shape::new(Kind::Array(Ref::Lazy(endless_list)));
    &LIST
}

fn endless_tree() -> &'static Shape {
    static PAIR: [Ref; 2] = [Ref::Lazy(endless_tree), Ref::Lazy(endless_tree)];
    static TREE: Shape = Shape::new(Kind::Tuple(tool_schema::shape::SharedSlice::Static(&PAIR)));
    &TREE
}

fn endless_alias() -> &'static Shape {
    static ALIAS: Shape = Shape::new(Kind::Alias(Ref::Lazy(endless_alias)));
    &ALIAS
}

#[test]
fn the_schema_of_a_recursive_shape_without_identity_is_finite() {
    for (shape, most) in [(endless_list(), 10_000), (endless_tree(), 4_000_000), (endless_alias(), 200)] {
        let text = schema_text(shape);
        assert!(text.len() < most, "{} bytes", text.len());
        assert!(text.contains("Too deep to be described here"));
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "nested too deeply for a parser");
    }
}

#[test]
fn an_infinite_flattened_shape_leaves_the_object_open() {
    fn endless() -> &'static Shape {
        static ENDLESS: Shape = Shape::new(Kind::Alias(Ref::Lazy(endless)));
        &ENDLESS
    }
    let field = FieldInit { name: "rest", shape: endless(), flatten: true, ..FieldInit::DEFAULT }.field();
    let shape = ShapeInit::DEFAULT.shape(object(Vec::leak(vec![field]), UnknownKeys::Rejected));
    let schema = serde_json::from_str(&schema_text(&shape)).expect("a schema is JSON");
    judge_schema(&schema, &[r#"{"a": 1}"#], &["1"]);
}

#[test]
fn the_schema_of_an_infinite_family_of_types_is_finite() {
    /// Each use is a different type, as in `Pair<Pair<…>>`.
    fn family(number: u64) -> Shape {
        let next = if number == 0 { Ref::Static(bool::SHAPE) } else { Ref::Shared(family(number - 1).into()) };
        let mut shape = Shape::new(Kind::Array(next));
        shape.identity = Some(Identity::Definition(number));
        shape
    }
    let text = schema_text(&family(1_000));
    assert!(text.contains("Too deep to be described here"));
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
}

#[test]
fn a_type_that_is_used_often_is_defined_once() {
    /// Each level uses the next one twice: a million copies if the definitions were inlined.
    fn level(number: u64) -> Ref {
        if number == 0 {
            return Ref::Static(bool::SHAPE);
        }
        let next = level(number - 1);
        let mut shape = Shape::new(Kind::Tuple(vec![next.clone(), next].into()));
        shape.identity = Some(Identity::Definition(number));
        shape.name = format!("Level{number}").into();
        Ref::Shared(shape.into())
    }
    let text = schema_text(&level(20).shape());
    assert!(text.len() < 500_000, "{} bytes", text.len());
    assert!(!text.contains("Too deep"), "everything is described");
    let schema: serde_json::Value = serde_json::from_str(&text).expect("a schema is JSON");
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
}
