//! Checks that the tables of `tool-runtime/docs/coercion.md` are true. Its examples are compiled with the documentation.

use std::collections::BTreeMap;

use serde::Deserialize;
use tests::private::repair::coerce;
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;
use tool_schema::json::Json;
use tool_schema::shape::Shape;

const GUIDE: &str = include_str!("../../../../tool-runtime/docs/coercion.md");

#[derive(Deserialize, ToolInput)]
enum Count {
    #[serde(rename = "5")]
    Five,
    #[serde(rename = "10")]
    Ten,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Scale {
    DegreesCelsius,
    Kelvin,
}

#[derive(Deserialize, ToolInput)]
enum Power {
    W,
    #[serde(rename = "MW")]
    Megawatt,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Counted {
    count: Option<i64>,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Order {
    Ascending,
    None,
}

fn shapes() -> BTreeMap<&'static str, &'static Shape> {
    BTreeMap::from([
        ("an integer", i64::SHAPE),
        ("a boolean", bool::SHAPE),
        ("a string", String::SHAPE),
        ("a number", f64::SHAPE),
        ("an array of integers", <Vec<i64>>::SHAPE),
        ("an array of strings", <Vec<String>>::SHAPE),
        ("an array of arrays of integers", <Vec<Vec<i64>>>::SHAPE),
        ("one of `\"5\"`, `\"10\"`", Count::SHAPE),
        ("one of `\"degrees_celsius\"`, `\"kelvin\"`", Scale::SHAPE),
        ("an object with an optional integer `count`", Counted::SHAPE),
        ("one of `\"W\"`, `\"MW\"`", Power::SHAPE),
        ("an integer or `null`", <Option<i64>>::SHAPE),
        ("one of `\"ascending\"`, `\"none\"`, or `null`", <Option<Order>>::SHAPE),
    ])
}

/// Returns the rows below a heading, cell by cell.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = GUIDE.split_once(heading).expect("the guide has the section");
    let lines = section.lines().skip_while(|line| !line.starts_with("| --- ")).skip(1);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

fn code(cell: &'static str) -> &'static str {
    cell.trim_matches('`')
}

#[test]
fn each_row_of_the_guide_is_repaired_by_its_rule() {
    let rows = rows("## What is repaired");
    for row in &rows {
        let [rule, sent, wanted, expected] = row[..] else { panic!("a row has four cells: {row:?}") };
        let sent = Json::parse(code(sent)).unwrap_or_else(|error| panic!("{sent}: {error}"));
        let coerced = coerce(shapes()[wanted], sent, RepairPolicy::Lossless);
        assert_eq!(coerced.value.to_text(), code(expected), "{row:?}");
        assert_eq!(coerced.repairs[0].rule.name(), code(rule), "{row:?}");
        assert!(coerced.issues.is_empty(), "{row:?}");
    }
    assert!(rows.len() >= 8, "{} rows were read", rows.len());
}

#[test]
fn each_value_that_the_guide_calls_unrepairable_stays_unchanged() {
    let rows = rows("## What is never repaired");
    for row in &rows {
        let [sent, wanted, _] = row[..] else { panic!("a row has three cells: {row:?}") };
        let sent = Json::parse(code(sent)).unwrap_or_else(|error| panic!("{sent}: {error}"));
        // Words for booleans are repaired under the policy of this name.
        let policy = if wanted == "a boolean" { RepairPolicy::default() } else { RepairPolicy::Assisted };
        let coerced = coerce(shapes()[wanted], sent.clone(), policy);
        assert!(coerced.repairs.is_empty() && coerced.value == sent, "{row:?}");
    }
    assert!(rows.len() >= 7, "{} rows were read", rows.len());
}
