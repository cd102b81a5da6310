//! A run over all types: generated values, minimal differences, and the number of uses of each row.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::OnceLock;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tests::generate::{Choices, near_valid, numbers};
use tests::rows::{Row, rows};
use tests::tree::Tree;
use tool_schema::json::{Json, Node};

use crate::agreement::filter::{Filter, Predicate};
use crate::agreement::judges::Judges;
use crate::agreement::predicates::{AGAINST_SCHEMARS, AGREEMENT, asks_the_checker};

/// Values that use rows which few generated values use.
const WITNESSES: &[(&str, &str)] = &[
    ("TuplesAdjacent", r#"{"t": "Maybe"}"#),
    ("TuplesAdjacent", r#"{"t": "Wrapped"}"#),
    ("ClosedInternal", r#"{"kind": "Unit", "other": 1}"#),
    ("OtherExternal", r#"{"nobody": null}"#),
    ("TuplesAdjacent", r#"{"c": {}, "t": "Nothing"}"#),
    ("OfExternal", r#"{"z": 1, "Wrapped": 1, "Wrapped": null}"#),
    ("ClosedAdjacent", r#"{"kind": "Unit", "content": null}"#),
    ("OfExternal", r#"{"z": 1, "Wrapped": 1, "Unit": null}"#),
    ("OfExternal", r#"{"z": 1, "Wrapped": "", "Unit": null}"#),
    ("OfInternal", r#"{"z": 1, "kind": 2}"#),
    ("OfAdjacent", r#"{"z": 1, "kind": 2}"#),
    ("OfOptionalWidths", r#"{"z": 1, "a": 300, "b": ""}"#),
    ("OfOption", r#"{"z": 1, "x": 1, "y": 1, "why": 1}"#),
    ("FlattensOptionalEnum", r#"{"z": 0, "u": "X", "a": -1}"#),
    ("RulesOfSets", r#"{"a": [], "b": [], "c": [], "d": ["a", null, "a"]}"#),
    ("RulesOfSets", r#"{"a": ["b"], "b": [{"y": null, "x": 0}, {"x": 0, "y": null}], "c": [], "d": []}"#),
    ("UniqueStructs", r#"{"a": [{"x": 1}, {"x": 1, "y": null}], "b": []}"#),
    ("UniqueStructs", r#"{"a": [], "b": [1, 1.0]}"#),
    ("NewtypesInternal", r#"{"kind": "C", "Z": 0, "W": [1, 2]}"#),
    ("NewtypesInternal", r#"{"kind": "C", "Z": 0, "zz": 0}"#),
    ("Skips", r#"{"t": "C", "c": 7.5}"#),
    ("Keys", r#"{"z": {}, "y": {"ab": []}}"#),
    ("Held < BTreeMap<u64, bool> >", r#"{"value": {"18446744073709551616": true}}"#),
    ("Held < i128 >", r#"{"value": -0}"#),
    ("Names", r#"{"a": "Ada <a@b.c>", "b": "b.c"}"#),
    ("Names", r#"{"a": "\"a\tb\"@c.d", "b": "b.c"}"#),
    ("Names", r#"{"a": "\"a\\ b\"@c.d", "b": "b.c"}"#),
    ("Names", r#"{"a": "a@xn--a", "b": "xn--a"}"#),
    ("Boundaries", r#"{"a": "éab", "b": "ab"}"#),
    ("Boundaries", r#"{"a": "ab", "b": "aé"}"#),
    ("DateTimes", r#"{"a": "2024-02-29T12:00:00Z", "b": ".900-02-28"}"#),
    ("Lengths", r#"{"a": "a", "b": [0, 0], "c": {"k": 0, "l": 0, "k": 0}}"#),
];

/// The result of a run.
pub(crate) struct Run {
    /// For each type with differences, one that no row explains.
    pub(crate) differences: Vec<String>,
    /// The percentage of values that the checker accepts, by type. The checker does not depend on features of `serde_json`.
    pub(crate) shares: Vec<(&'static str, u32)>,
    /// The number of times that each row was the whole explanation.
    pub(crate) seen: BTreeMap<String, usize>,
}

/// Compares the typed path, the checker and our schema, once per process.
pub(crate) fn agreement() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| {
        let judge = |judges: &Judges, text: &str| Some(judges.verdict(text).to_vec());
        run("Typed path, checker, schema", AGREEMENT, judge)
    })
}

/// Compares our schema with that of `schemars`, once per process.
pub(crate) fn against_schemars() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| {
        let judge = |judges: &Judges, text: &str| judges.schemas(text).map(|schemas| schemas.to_vec());
        run("Our schema and that of schemars", AGAINST_SCHEMARS, judge)
    })
}

/// Applies `judge` to values of every type. Its verdicts must be equal or explained.
fn run(heading: &str, predicates: &[(&str, Predicate)], judge: impl Fn(&Judges, &str) -> Option<Vec<bool>>) -> Run {
    let filter = Filter::new(heading, predicates);
    let seen = RefCell::new(filter.counters());
    let mut differences = Vec::new();
    let mut shares = Vec::new();
    for (name, _) in WITNESSES {
        assert!(rows().iter().any(|row| row.name == *name), "no row is called {name}");
    }
    for row in rows() {
        let judges = Judges::new(row);
        let (accepted, values) = (Cell::new(0), Cell::new(0));
        let unexplained = |tree: &Tree, text: &str| {
            let verdict = judge(&judges, text)?;
            values.set(values.get() + 1);
            accepted.set(accepted.get() + u32::from(verdict[1]));
            if verdict.iter().all(|other| *other == verdict[0]) {
                return None;
            }
            let (explained, alone) = filter.explain(row.shape, tree, &verdict);
            if let Some(id) = alone {
                *seen.borrow_mut().entry(id.to_owned()).or_default() += 1;
            }
            (!explained).then(|| format!("{verdict:?}"))
        };
        match each_value(&judges, &unexplained) {
            Some(difference) => differences.push(difference),
            None if values.get() > 0 => shares.push((row.name, accepted.get() * 100 / values.get())),
            None => {}
        }
        for (_, text) in WITNESSES.iter().filter(|(name, _)| *name == row.name) {
            let tree = Json::parse(text).map(|json| written(&json)).expect("a witness is JSON");
            differences.extend(unexplained(&tree, text).map(|verdict| format!("{}: {verdict} on {text}", row.name)));
        }
    }
    let seen = seen.into_inner();
    println!("{heading}: {} types, {} values each, rows seen: {seen:?}", shares.len() + differences.len(), cases());
    Run { differences, shares, seen }
}

/// Returns calls on which the decoder and the typed path disagree, at most one for each type.
pub(crate) fn decode_differences() -> Vec<String> {
    let different = |row: Row| {
        let judges = Judges::new(row);
        each_value(&judges, &|tree, text| {
            let agrees = judges.decode_agrees(text, asks_the_checker(row.shape, tree));
            (!agrees).then(|| "decode".to_owned())
        })
    };
    rows().into_iter().filter_map(different).collect()
}

/// Returns the simplest value of a type for which `wrong` reports something, with the report.
fn each_value(judges: &Judges, wrong: &dyn Fn(&Tree, &str) -> Option<String>) -> Option<String> {
    let value = |numbers: &[u32]| near_valid(judges.row.shape, &mut Choices::new(numbers));
    let outcome = runner().run(&numbers(), |numbers| {
        let tree = value(&numbers);
        wrong(&tree, &tree.to_string()).map_or(Ok(()), |what| Err(TestCaseError::fail(what)))
    });
    match outcome {
        Ok(()) => None,
        Err(TestError::Fail(what, numbers)) => Some(format!("{}: {what} on {}", judges.row.name, value(&numbers))),
        Err(error) => Some(format!("{}: {error}", judges.row.name)),
    }
}

fn cases() -> u32 {
    setting("AGREEMENT_CASES", tests::cases(200))
}

fn setting(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn runner() -> TestRunner {
    let seed = setting("AGREEMENT_SEED", 0).to_le_bytes().repeat(8);
    let config = Config { cases: cases(), failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

/// Converts parsed JSON to a [`Tree`] for the predicates.
fn written(json: &Json<'_>) -> Tree {
    match &json.node {
        Node::Null => Tree::Null,
        Node::Bool(value) => Tree::Bool(*value),
        Node::Number(text) => Tree::Number(text.to_string()),
        Node::String(text) => Tree::String(text.to_string()),
        Node::Array(items) => Tree::Array(items.iter().map(written).collect()),
        Node::Object(members) => {
            Tree::Object(members.iter().map(|member| (member.key.to_string(), written(&member.value))).collect())
        }
    }
}
