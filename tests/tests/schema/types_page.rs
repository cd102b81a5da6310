//! The table of the page "Types": each type with its schema, and what becomes of values that models send. `UPDATE_GOLDEN=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::IpAddr;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;
use tests::source::root;
use tool_runtime::tool_schema::input::{Milliseconds, Seconds};
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::{RepairPolicy, RepairedArguments, repair_arguments};
use tool_runtime::tool_schema::schema::schema_text;
use tool_runtime::tool_schema::shape::Ref;
use tool_runtime::{Arguments, ToolInput};

const PAGE: &str = "tool-runtime/docs/types.md";

#[derive(Deserialize, ToolInput)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
struct Held<T> {
    value: T,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
enum Level {
    Low,
    VeryHigh,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
enum Figure {
    Circle { radius: f64 },
    Square { side: f64 },
}

/// Returns the row of a type, with what becomes of some values that models send.
fn row<T>(name: &str, sent: &[&str]) -> String
where
    Held<T>: ToolInput,
{
    // In our own tree, which keeps the order of the keys whatever features serde_json has.
    let schema = schema_text(<Held<T>>::SHAPE);
    let schema = Json::parse(&schema).expect("a schema is JSON");
    let schema = schema.get("properties").and_then(|all| all.get("value")).expect("the field").to_text();
    let (mut accepted, mut repaired, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
    for value in sent {
        let text = format!("{{\"value\": {value}}}");
        let arguments = Arguments::from(&*text);
        match repair_arguments("tool", &Ref::Static(<Held<T>>::SHAPE), &arguments, RepairPolicy::Lossless) {
            RepairedArguments::Clean(_) => accepted.push(format!("`{value}`")),
            RepairedArguments::Repaired { arguments, .. } => {
                let read =
                    arguments.get("value").map_or_else(|| "absent".to_owned(), |read| format!("`{}`", read.to_text()));
                repaired.push(format!("`{value}` as {read}"));
            }
            _ => rejected.push(format!("`{value}`")),
        }
    }
    let cell = |values: Vec<String>| if values.is_empty() { "–".to_owned() } else { values.join(", ") };
    let escaped = |text: String| text.replace('|', "\\|");
    let cells = [format!("`{name}`"), format!("`{schema}`"), cell(accepted), cell(repaired), cell(rejected)];
    format!("| {} |\n", cells.map(escaped).join(" | "))
}

fn table() -> String {
    let rows = [
        row::<bool>("bool", &["true", "\"true\"", "1", "\"yes\""]),
        row::<u8>("u8", &["5", "5.0", "\"5\"", "300", "-1", "5.5", "\"five\""]),
        row::<i64>("i64", &["-5", "\"-5\"", "1e3", "\"5 items\""]),
        row::<f64>("f64", &["1.5", "2", "\"1.5\"", "\"1,5\""]),
        row::<String>("String", &["\"Paris\"", "5", "true", "[\"a\"]", "null"]),
        row::<char>("char", &["\"€\"", "\"ab\""]),
        row::<Option<u8>>("Option<u8>", &["5", "null", "\"5\"", "\"null\""]),
        row::<Option<String>>("Option<String>", &["\"Paris\"", "null", "\"null\""]),
        row::<Vec<u8>>("Vec<u8>", &["[1, 2]", "[]", "\"[1, 2]\"", "7", "[1, \"2\"]", "\"1, 2\""]),
        row::<[u8; 2]>("[u8; 2]", &["[1, 2]", "[1]"]),
        row::<(String, u8)>("(String, u8)", &["[\"a\", 1]", "[\"a\", \"1\"]", "[\"a\"]"]),
        row::<BTreeSet<String>>("BTreeSet<String>", &["[\"a\", \"b\"]", "\"a\"", "[\"a\", \"a\"]"]),
        row::<BTreeMap<String, u8>>("BTreeMap<String, u8>", &["{\"a\": 1}", "\"{\\\"a\\\": 1}\"", "[]"]),
        row::<Level>("enum Level { Low, VeryHigh }", &["\"low\"", "\"Very High\"", "\"high\""]),
        row::<Point>(
            "struct Point { x: i32, y: i32 }",
            &["{\"x\": 1, \"y\": 2}", "{\"X\": 1, \"y\": \"2\"}", "{\"x\": 1}", "[1, 2]"],
        ),
        row::<Figure>(
            "enum Figure with tag \"kind\"",
            &["{\"kind\": \"circle\", \"radius\": 1}", "{\"kind\": \"Circle\", \"radius\": \"1\"}", "{\"radius\": 1}"],
        ),
        row::<Seconds>("Seconds", &["90", "\"90\"", "\"1m30s\""]),
        row::<Milliseconds>("Milliseconds", &["250", "0.5"]),
        row::<IpAddr>("IpAddr", &["\"127.0.0.1\"", "\"::1\"", "\"localhost\""]),
        row::<PathBuf>("PathBuf", &["\"src/lib.rs\"", "5"]),
        row::<Value>("serde_json::Value", &["{\"any\": 1}", "null"]),
    ];
    let head = "| Rust | JSON Schema | accepted | repaired | rejected |\n| --- | --- | --- | --- | --- |\n";
    head.to_owned() + &rows.concat()
}

#[test]
fn the_page_of_types_shows_what_happens() {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).expect("the page can be read");
    let begin = page.find("| Rust |").expect("there is a table");
    let end = begin + page[begin..].find("\n\n").expect("a table ends") + 1;
    let expected = format!("{}{}{}", &page[..begin], table(), &page[end..]);
    if page != expected && std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &expected).expect("the page can be written");
        return;
    }
    assert_eq!(page, expected, "UPDATE_GOLDEN=1 writes the table of {PAGE}");
}
