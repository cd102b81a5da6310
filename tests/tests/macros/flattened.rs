//! A tool whose arguments are the fields of one struct, compared with the same tool with a parameter for each field.

use std::sync::Mutex;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use tool_runtime::{CallContext, Dialect, Session, ToolInput, Toolbox, plugin_container, tool};
use tool_testkit::{check_contracts, invalid_arguments, valid_arguments};

/// The place of a guest.
#[derive(Clone, Debug, PartialEq, Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Table {
    /// At a window.
    Window,
    /// At the bar.
    Bar,
}

#[derive(Clone, Debug, PartialEq, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Booking {
    /// Name of the guest.
    #[tool(length(min = 1, max = 40))]
    #[serde(alias = "name")]
    guest: String,
    /// Number of people.
    #[tool(range(min = 1, max = 8))]
    seats: u8,
    /// Table.
    table: Option<Table>,
    /// Word for the door.
    #[tool(sensitive)]
    word: Option<String>,
}

/// Books a table.
#[tool(name = "book")]
fn book_flat(#[tool(flatten)] booking: Booking) -> String {
    format!("{booking:?}")
}

/// Books a table.
#[tool]
fn book(
    /// Name of the guest.
    #[tool(length(min = 1, max = 40), alias = "name")]
    guest: String,
    /// Number of people.
    #[tool(range(min = 1, max = 8))]
    seats: u8,
    /// Table.
    table: Option<Table>,
    /// Word for the door.
    #[tool(sensitive)]
    word: Option<String>,
) -> String {
    format!("{:?}", Booking { guest, seats, table, word })
}

fn both() -> [Session; 2] {
    [Toolbox::builder().tool(BookFlatTool), Toolbox::builder().tool(BookTool)]
        .map(|builder| builder.build().expect("the tool is valid").session())
}

fn answers(arguments: &str) -> [(String, Vec<String>); 2] {
    both().map(|session| {
        let outcome = pollster::block_on(session.call("call_1", "book", arguments));
        (outcome.to_text().into_owned(), outcome.repairs().iter().map(ToString::to_string).collect())
    })
}

#[test]
fn a_struct_and_separate_parameters_have_the_same_definition_in_every_dialect() {
    for dialect in Dialect::all() {
        let [flat, separate] = both().map(|session| session.definitions_in(dialect));
        let [flat, separate] = [flat, separate].map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(flat, separate, "{dialect}");
    }
}

#[test]
fn calls_get_the_same_answers() {
    for arguments in [
        r#"{"guest": "Ada", "seats": 4}"#,
        r#"{"guest": "Ada", "seats": "4",}"#,
        r#"{"guest": "Ada", "seats": 4, "table": "Window"}"#,
        r#"{"name": "Ada", "seats": 4, "word": "pea"}"#,
        r#"{"gest": "Ada", "seats": 40, "table": "roof"}"#,
        r#"{"booking": {"guest": "Ada", "seats": 4}}"#,
        r#"{"guest": "", "word": 7}"#,
        "{}",
        "[]",
        "null",
        "",
        r#"{"guest": "Ada", "seats": 4"#,
    ] {
        let [flat, separate] = answers(arguments);
        assert_eq!(flat, separate, "{arguments}");
    }
}

proptest! {
    #[test]
    fn generated_calls_get_the_same_answers(
        valid in valid_arguments(&BookTool),
        faulty in invalid_arguments(&BookTool, 2),
    ) {
        for arguments in [valid, faulty.arguments] {
            let [flat, separate] = answers(&arguments);
            prop_assert_eq!(flat, separate, "{}", arguments);
        }
    }
}

#[test]
fn decoded_arguments_contain_the_struct() {
    let arguments = BookFlatTool::decode(r#"{"guest": "Ada", "seats": 4}"#).expect("the arguments are valid");
    assert_eq!(arguments.booking, Booking { guest: "Ada".into(), seats: 4, table: None, word: None });
    let error = BookFlatTool::decode(r#"{"guest": "Ada", "seats": 9, "x": 1}"#).err().expect("there are two issues");
    let paths: Vec<_> = error.issues().iter().map(|issue| issue.path.to_string()).collect();
    // The name of the unknown key is hidden, because it may be a misplaced secret.
    assert_eq!(paths, ["seats", r#"["<redacted>"]"#]);
}

/// A type as it was before, in a server of rmcp: unknown keys are ignored.
#[derive(Deserialize, ToolInput, schemars::JsonSchema)]
struct Search {
    /// Words to look for.
    query: String,
    /// Number of results.
    #[serde(default = "ten")]
    limit: u32,
    #[serde(flatten)]
    page: Page,
}

#[derive(Deserialize, ToolInput, schemars::JsonSchema)]
#[tool(ignore_unknown)]
struct Page {
    /// Page, from 0.
    #[serde(default)]
    page: u32,
}

const fn ten() -> u32 {
    10
}

struct Index<T>(Mutex<Vec<String>>, T);

/// An index of texts.
#[plugin_container]
impl<T: Send + Sync + 'static> Index<T> {
    /// Searches the index.
    #[tool]
    async fn search(&self, #[tool(context)] cx: &CallContext, #[tool(flatten)] search: Search) -> String {
        self.0.lock().expect("no test panics").push(search.query.clone());
        format!("{} {} {} {}", cx.call_id(), search.query, search.limit, search.page.page)
    }
}

#[test]
fn a_method_with_a_context_takes_a_struct_and_keeps_its_rules_about_unknown_keys() {
    let toolbox = Toolbox::builder().tools(Index(Mutex::default(), 1)).build().expect("the tool is valid");
    let session = toolbox.session();
    let call = |arguments| pollster::block_on(session.call("call_1", "search", arguments)).to_text().into_owned();
    assert_eq!(call(r#"{"query": "tea", "verbose": true}"#), "call_1 tea 10 0");
    assert_eq!(call(r#"{"query": "tea", "limit": "3", "page": 2}"#), "call_1 tea 3 2");
    assert!(call(r#"{"limit": -1}"#).starts_with("search was not run: query is required; limit must be at least 0"));
}

#[test]
fn the_schema_of_a_struct_accepts_what_the_schema_of_schemars_accepts() {
    let toolbox = Toolbox::builder().tools(Index(Mutex::default(), 1)).build().expect("the tool is valid");
    let definition: Value = toolbox.session().definitions_in(Dialect::MCP)[0].to_value();
    let ours = jsonschema::validator_for(&definition["inputSchema"]).expect("the schema is valid");
    let theirs = jsonschema::validator_for(schemars::schema_for!(Search).as_value()).expect("the schema is valid");
    for arguments in [
        serde_json::json!({"query": "tea"}),
        serde_json::json!({"query": "tea", "limit": 3, "page": 1, "verbose": true}),
        serde_json::json!({"query": 1}),
        serde_json::json!({"limit": 3}),
        serde_json::json!({"query": "tea", "page": -1}),
    ] {
        assert_eq!(ours.is_valid(&arguments), theirs.is_valid(&arguments), "{arguments}");
    }
}

#[test]
fn the_contract_holds() {
    let builder = Toolbox::builder().tool(BookFlatTool).tools(Index(Mutex::default(), 1));
    assert_eq!(check_contracts(&builder.build().expect("the tools are valid")), Ok(()));
}
