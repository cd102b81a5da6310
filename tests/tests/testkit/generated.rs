//! Arguments generated from the shape of a tool, and the contract of tools.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde::Deserialize;
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::{CustomRuleError, ToolInput, tool};
use tool_testkit::assert_tool_contract;
use tool_testkit::{check_contract, invalid_arguments, valid_arguments};

use crate::testkit::kit::{DeleteTool, GetTimeTool, GetWeatherTool, SearchTool, SignInTool};

/// The means of payment.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Payment {
    Cash,
    Card {
        /// Its digits.
        #[tool(length(min = 4, max = 8))]
        digits: String,
    },
}

/// A folder.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
pub(crate) struct Folder {
    name: String,
    folders: Vec<Folder>,
}

/// Places an order.
#[tool(undocumented)]
#[allow(clippy::too_many_arguments, reason = "each is of another type")]
pub(crate) fn order(
    #[tool(range(min = 3, max = 9))] count: u8,
    #[tool(multiple_of = 5)] step: i32,
    #[tool(pattern = "^[a-z]{3}-[0-9]+$", example = "abc-1")] code: String,
    #[tool(format = "date")] day: String,
    #[tool(inner(length(min = 2)))] tags: BTreeSet<String>,
    prices: BTreeMap<String, f64>,
    pair: (bool, Option<u8>),
    payment: Payment,
    folder: Option<Folder>,
) -> usize {
    let _ = (code, day, payment, folder, pair);
    usize::from(count) + tags.len() + prices.len() + usize::from(step > 0)
}

/// Whose pattern says what matches it.
#[tool(undocumented)]
pub(crate) fn count(#[tool(pattern = "^[a-z]{3}-[0-9]+$")] code: String) -> usize {
    code.len()
}

fn is_known(code: &String) -> Result<(), CustomRuleError> {
    if code == "swordfish" { Ok(()) } else { Err("is unknown".into()) }
}

/// Whose rule nobody can guess.
#[tool(undocumented)]
pub(crate) fn guess(#[tool(custom = is_known)] code: String) -> usize {
    code.len()
}

proptest! {
    #[test]
    fn valid_arguments_are_decoded(arguments in valid_arguments(&OrderTool)) {
        prop_assert!(OrderTool::decode(arguments.as_str()).is_ok(), "{}", arguments);
    }

    #[test]
    fn generated_faults_are_found_at_their_paths((faults, faulty) in (1_usize..=3).prop_flat_map(|faults| (Just(faults), invalid_arguments(&OrderTool, faults)))) {
        let issues = OrderTool::decode(faulty.arguments.as_str()).err().map(tool_runtime::ValidationError::into_issues).unwrap_or_default();
        let mut found: Vec<_> = issues.iter().map(|issue| issue.path.clone()).collect();
        let mut planted = faulty.paths.clone();
        found.sort();
        planted.sort();
        prop_assert_eq!(planted.len(), faults);
        prop_assert_eq!(found, planted, "{}", faulty.arguments);
    }
}

#[test]
fn tools_keep_their_contract() {
    assert_tool_contract!(OrderTool);
    assert_tool_contract!(GetWeatherTool);
    assert_tool_contract!(GetTimeTool);
    assert_tool_contract!(SearchTool);
    assert_tool_contract!(DeleteTool);
    assert_tool_contract!(SignInTool);
    assert_tool_contract!(CountTool);
}

#[test]
fn a_rule_without_an_example_is_reported() {
    let fault = check_contract(&GuessTool).err().unwrap_or_default();
    assert!(fault.starts_with("guess: ") && fault.contains("give an `example`"), "{fault}");
}

/// A type that only `schemars` describes.
#[derive(Deserialize, schemars::JsonSchema)]
pub(crate) struct Level(u8);

/// Sets a level.
#[tool(undocumented)]
pub(crate) fn set(#[tool(schemars, example = 3)] level: Level) -> u8 {
    level.0
}

/// Sets a level that nobody can guess.
#[tool(undocumented)]
pub(crate) fn set_unknown(#[tool(schemars)] level: Level) -> u8 {
    level.0
}

#[test]
fn a_foreign_type_needs_an_example() {
    assert_tool_contract!(SetTool);
    let fault = check_contract(&SetUnknownTool).err().unwrap_or_default();
    assert!(fault.starts_with("set_unknown: ") && fault.contains("give an `example`"), "{fault}");
}

/// A tool whose decoding is stricter than its schema.
struct Stricter(ToolSpec);

impl Tool for Stricter {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn check(&self, arguments: &tool_runtime::Arguments<'_>) -> Result<(), tool_runtime::ValidationError> {
        OrderTool.check(arguments)
    }

    fn call<'a>(&'a self, _: tool_runtime::Arguments<'a>, _: &'a tool_runtime::CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Ok(Payload::Done))
    }
}

#[test]
fn a_broken_contract_is_reported_with_the_arguments() {
    let stricter = Stricter(GetWeatherTool.spec().clone());
    let fault = check_contract(&stricter).err().unwrap_or_default();
    assert!(fault.starts_with("get_weather: the tool rejects {\"location\":"), "{fault}");
}

/// Whose numbers and lengths go to the ends.
#[tool(undocumented)]
pub(crate) fn far(
    #[tool(multiple_of = 1_000_000_000_000_000_000)] steps: u64,
    #[tool(range(min = -9_223_372_036_854_775_808, max = -9_223_372_036_854_775_800))] low: i64,
    #[tool(range(min = 18_446_744_073_709_551_610))] high: u64,
    #[tool(multiple_of = 7)] down: i128,
    #[tool(range(max = -1), multiple_of = 3)] below: i32,
    #[tool(range(exclusive_min = 0.5, exclusive_max = 2.5))] between: f64,
    #[tool(length(min = 300, max = 300))] long: String,
) -> usize {
    let _ = (low, high, down, below, between, long);
    usize::from(steps > 0)
}

#[test]
fn generated_values_include_the_limits_of_their_types() {
    assert_tool_contract!(FarTool);
}

/// Validity is not enough: the values must differ and cover the possible arguments of a tool.
#[test]
fn generated_values_vary() {
    let config = proptest::test_runner::Config::default();
    let rng = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
    let strategy = valid_arguments(&OrderTool);
    let values: Vec<serde_json::Value> = (0..400)
        .filter_map(|_| strategy.new_tree(&mut runner).ok())
        .filter_map(|tree| serde_json::from_str(&tree.current()).ok())
        .collect();
    assert_eq!(values.len(), 400);
    let reached = |pointer: &str| -> BTreeSet<String> {
        values.iter().map(|value| value.pointer(pointer).map_or("absent".to_owned(), ToString::to_string)).collect()
    };
    assert_eq!(reached("/count").len(), 7);
    assert_eq!(reached("/pair/0").len(), 2);
    assert!(reached("/pair/1").len() > 2 && reached("/pair/1").contains("null"));
    assert_eq!(reached("/payment/kind").len(), 2);
    assert!(reached("/step").len() > 20 && reached("/prices").len() > 20 && reached("/tags").len() > 20);
    assert!(reached("/folder").contains("absent") && reached("/folder").contains("null"));
    assert!(reached("/folder/folders/0/name").len() > 2);
    let most = |pointer: &str| {
        let sizes = values.iter().filter_map(|value| match value.pointer(pointer) {
            Some(serde_json::Value::Array(items)) => Some(items.len()),
            Some(serde_json::Value::Object(members)) => Some(members.len()),
            _ => None,
        });
        sizes.max()
    };
    assert_eq!((most("/tags"), most("/prices"), most("/folder/folders")), (Some(4), Some(4), Some(4)));
    let lengths: BTreeSet<usize> =
        values.iter().filter_map(|value| Some(value.pointer("/payment/digits")?.as_str()?.chars().count())).collect();
    assert_eq!(lengths, BTreeSet::from([4, 5, 6, 7, 8]));
    let is_decimal = |value: &serde_json::Value| value["prices"].to_string().contains(".5");
    assert!(values.iter().any(is_decimal) && !values.iter().all(is_decimal));
}
