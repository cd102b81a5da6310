//! Large calls: the text stays within its budget, is cut between characters, and the work is linear.

use std::collections::BTreeMap;

use tool_runtime::ToolInput;
use tool_schema::check::check;
use tool_schema::feedback::{annotated_arguments, annotated_invalid_json, markdown};
use tool_schema::json::Json;
use tool_schema::shape::Shape;

const BUDGET: usize = 4_096;

fn told(shape: &Shape, text: &str) -> [String; 2] {
    let json = Json::parse(text).expect("the text is JSON");
    let issues = check(shape, &json);
    assert!(!issues.is_empty(), "it should be rejected");
    let told = [annotated_arguments(shape, &json, &issues), markdown("store", shape, &json, &issues)];
    for told in &told {
        assert!(told.len() <= BUDGET, "{} bytes", told.len());
    }
    told
}

type Stock = BTreeMap<String, Vec<u8>>;

#[test]
fn one_fault_in_a_megabyte_is_shown_in_a_bounded_text() {
    let items = vec!["7"; 250_000].join(",");
    let [marked, told] = told(Stock::SHAPE, &format!(r#"{{"before": [{items}], "here": [{items}, 300, {items}]}}"#));
    assert!(marked.contains("300, // ❌ integer from 0 to 255"), "{marked}");
    assert!(told.contains("`here[250000]`") && told.contains("**Received**: `300`"), "{told}");
    let text = "ä".repeat(500_000);
    let [marked, _] = self::told(Stock::SHAPE, &format!(r#"{{"a": "{text}", "b": [300]}}"#));
    assert!(marked.contains("ää…\", // ❌ array of integers") && marked.contains("300 // ❌"), "{marked}");
}

#[test]
fn a_thousand_faults_are_shown_in_a_bounded_text() {
    let members: Vec<_> = (0..1_000).map(|key| format!(r#""key{key}": [1, {}]"#, 300 + key)).collect();
    let [marked, told] = told(Stock::SHAPE, &format!("{{{}}}", members.join(",")));
    let shown = marked.lines().filter(|line| line.contains("// ❌")).count();
    assert!(marked.starts_with("{\n  \"key0\": [\n    …\n    300 // ❌ integer from 0 to 255\n  ],\n"), "{marked}");
    assert!(shown > 30 && marked.ends_with(&format!("\n// … and {} more issues", 1_000 - shown)), "{shown}: {marked}");
    assert!(told.contains("1000 issues") && told.contains("… and 995 more issues."), "{told}");
}

#[test]
fn a_fault_at_the_bottom_of_the_deepest_value_is_shown() {
    struct Nest;
    impl Nest {
        fn text(depth: usize) -> String {
            format!("{}300{}", "{\"a\": ".repeat(depth), "}".repeat(depth))
        }
    }
    #[derive(serde::Deserialize, ToolInput)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Deep {
        Here(u8),
        Below(BTreeMap<String, Box<Deep>>),
    }
    #[derive(serde::Deserialize, ToolInput)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    #[tool(undocumented)]
    struct Chain {
        a: Option<Box<Chain>>,
    }

    let [marked, _] = told(Chain::SHAPE, &Nest::text(126));
    assert!(marked.contains("300 // ❌ object with any of a"), "{marked}");
    let [marked, _] = told(Deep::SHAPE, &Nest::text(126));
    assert!(marked.contains("❌"), "{marked}");
}

#[test]
fn long_keys_and_long_lists_of_fields_are_truncated() {
    let key = "ключ".repeat(100_000);
    let [marked, _] = told(Stock::SHAPE, &format!(r#"{{"{key}": [300]}}"#));
    assert!(marked.contains("ключклю…\": [") && marked.contains("300 // ❌"), "{marked}");
    let number = "9".repeat(1_000_000);
    let [marked, _] = told(Stock::SHAPE, &format!(r#"{{"a": [{number}]}}"#));
    assert!(marked.contains("999… // ❌ integer from 0 to 255"), "{marked}");
}

/// No time is measured: a quadratic algorithm would practically not end.
#[test]
fn repeated_keys_are_cheap() {
    let members = vec![r#""a": [300]"#; 100_000].join(",");
    told(Stock::SHAPE, &format!("{{{members}}}"));
}

#[test]
fn a_broken_text_is_shown_around_the_fault() {
    let text = format!("[{}'x'{}]", "\"ä\",".repeat(100_000), ",\"ö\"".repeat(100_000));
    let error = Json::parse(&text).expect_err("quotes are double");
    let rejected = tool_schema::decode::decode::<Stock>(&text.as_str().into()).expect_err("it is not valid JSON");
    let marked = annotated_invalid_json(Stock::SHAPE, &text, rejected.issues());
    assert!(marked.len() < 500 && marked.starts_with('…') && marked.contains(",❌'x',"), "{error}: {marked}");
}
