//! Problems in the arguments of tools that `build()` finds where the compiler cannot: behind heap allocations, in generic types, and in
//! rules that need a value.

// The tools are only registered; the compiler cannot look into a box.
#![allow(dead_code, clippy::needless_pass_by_value, clippy::box_collection)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use tests::private::{self as init, FieldInit};
use tool_runtime::tool::Tool;
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{ToolInput, Toolbox, tool};
use tool_schema::shape::{Kind, Ref, Shape, UnknownKeys};

use super::tools::named;

/// Returns the problems of a registration, one line each.
fn errors(builder: ToolboxBuilder) -> Vec<String> {
    builder
        .build()
        .err()
        .map_or_else(Vec::new, |error| error.errors().iter().map(RegistrationError::to_string).collect())
}

fn check(tool: impl Tool, expect: &[&str]) {
    assert_eq!(errors(Toolbox::builder().tool(tool)), expect);
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Flight {
    /// Airline and number.
    #[tool(pattern = "^[A-Z]{2}[0-9]+$", example = "lh 400")]
    number: String,
    /// Day of departure.
    #[serde(default)]
    #[tool(format = "date", default = "tomorrow")]
    day: String,
}

/// Books a trip.
#[tool]
fn book(
    /// The legs of the trip.
    _legs: Vec<BTreeMap<String, Flight>>,
) {
}

#[test]
fn nested_literals_are_checked_against_rules_that_need_a_value() {
    check(
        BookTool,
        &[
            r#"`book`: the example of _legs[].*.number: "lh 400" must match the pattern ^[A-Z]{2}[0-9]+$"#,
            r#"`book`: the default of _legs[].*.day: "tomorrow" must be a date (YYYY-MM-DD)"#,
        ],
    );
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Page<T> {
    /// The first items.
    #[tool(example = [300])]
    items: Vec<T>,
}

/// Shows a page of bytes.
#[tool]
fn show_bytes(
    /// The page.
    _page: Page<u8>,
) {
}

/// Shows a page of words.
#[tool]
fn show_words(
    /// The page.
    _page: Page<u16>,
) {
}

#[test]
fn literals_of_a_generic_type_are_checked_for_each_type_argument() {
    check(ShowBytesTool, &["`show_bytes`: the example of _page.items: in [300], [0] must be at most 255"]);
    check(ShowWordsTool, &[]);
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Tree {
    /// The names at this level.
    #[tool(inner(pattern = "^[a-z]$"), example = ["long"])]
    names: Vec<String>,
    /// The trees below.
    trees: Vec<Tree>,
}

/// Plants a tree.
#[tool]
fn plant(
    /// The tree.
    _tree: (u8, Tree),
) {
}

/// Fells a tree.
#[tool]
fn fell(
    /// The tree.
    _tree: Option<Tree>,
) {
}

#[test]
fn a_type_is_inspected_once_for_all_tools_that_use_it() {
    let found = errors(Toolbox::builder().tool(PlantTool).tool(FellTool));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("`plant`: the example of _tree[1].names"), "{found:?}");
}

#[derive(Deserialize, ToolInput)]
struct Around<A, B> {
    #[serde(flatten)]
    first: A,
    #[serde(flatten)]
    second: B,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Closed<T> {
    #[serde(flatten)]
    rest: T,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Bed {
    /// Width in centimetres.
    #[serde(alias = "breadth")]
    width: u8,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Desk {
    /// Width in centimetres.
    breadth: u8,
}

/// Furnishes a room.
#[tool]
fn furnish(
    /// The furniture of the room.
    _room: Around<Box<Bed>, Option<Desk>>,
    /// Everything else in the room.
    _rest: Closed<Box<BTreeMap<String, u8>>>,
    /// Nothing is wrong with this one.
    _bed: Closed<Bed>,
) {
}

#[test]
fn flattened_types_that_lose_keys_are_found_in_generic_types_and_behind_boxes() {
    check(
        FurnishTool,
        &[
            "`furnish`: the flattened `_room.second` and `_room.first` have a key in common, which only one of them would get: rename it in \
             one of them",
            "`furnish`: `deny_unknown_fields` rejects every key of the flattened `_rest.rest`: remove `deny_unknown_fields` or `flatten`",
        ],
    );
}

#[derive(Deserialize, ToolInput)]
struct Short(#[tool(length(max = 3))] String);

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Either<A, B> {
    Left(A),
    Right(B),
}

/// Greets somebody.
#[tool]
fn greet(
    /// Whom.
    _name: Either<Vec<Short>, Vec<String>>,
    /// Nothing can be mistaken here.
    _other: Either<Short, u8>,
) {
}

#[test]
fn ambiguous_variants_are_found_in_generic_types_and_behind_boxes() {
    let [problem] = &errors(Toolbox::builder().tool(GreetTool))[..] else { panic!("one pair is ambiguous") };
    assert!(
        problem
            .starts_with("`greet`: serde may decode a value that breaks a rule of `_name.Left` as `_name.Right`: give"),
        "{problem}"
    );
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(clippy::type_complexity)]
enum Knot {
    Pair(Box<Knot>, Box<Knot>),
    Triple(Box<Knot>, Box<Knot>, Box<Knot>),
    End(bool),
}

/// Unties a knot.
#[tool]
fn untie(
    /// The knot.
    _knot: Knot,
) {
}

#[test]
fn recursive_types_are_checked_in_bounded_time() {
    check(UntieTool, &[]);
}

static LOOKED: AtomicUsize = AtomicUsize::new(0);

fn look(text: &str) -> bool {
    LOOKED.fetch_add(1, Ordering::Relaxed);
    text == "a"
}

#[test]
fn a_pattern_is_evaluated_only_if_a_literal_must_match_it() {
    const RULES: &[init::Rule] = &[init::pattern(<String as init::AcceptsPattern>::matches, "^a$", look, "a")];
    const FIELD: FieldInit = FieldInit { name: "a", shape: String::SHAPE, rules: RULES, ..FieldInit::DEFAULT };
    let tool = |name, field: FieldInit| {
        let mut tool = named(name);
        tool.spec.input =
            Ref::Shared(Shape::new(init::object(vec![field.field()].leak(), UnknownKeys::Rejected)).into());
        tool
    };
    assert!(matches!(tool("plain", FIELD).spec.input.shape().kind, Kind::Object(_)));
    check(tool("plain", FIELD), &[]);
    assert_eq!(LOOKED.load(Ordering::Relaxed), 0);
    check(tool("told", FieldInit { example: Some("\"a\""), ..FIELD }), &[]);
    assert_eq!(LOOKED.load(Ordering::Relaxed), 1);
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind")]
enum Ledger<T> {
    Pages {
        /// Sums by page.
        sums: Vec<T>,
    },
    Closed,
}

#[derive(Deserialize, ToolInput)]
struct Chest<T> {
    /// The name on it.
    name: String,
    #[serde(flatten)]
    content: T,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Sums {
    /// Sums by year.
    by_year: Box<BTreeMap<u16, i64>>,
    /// The sums of others.
    others: Option<Box<Sums>>,
}

/// Keeps books.
#[tool]
fn keep_books(
    /// By page.
    _pages: Ledger<BTreeMap<i64, u8>>,
    /// All in one.
    _chest: Chest<Sums>,
    /// The largest.
    _wide: Vec<Ledger<(u8, i128)>>,
) {
}

/// Keeps books in order.
#[tool]
fn keep_order(
    /// By page.
    _pages: Ledger<BTreeMap<String, u64>>,
    /// A ledger in a chest.
    _chest: Chest<Ledger<std::num::NonZero<i64>>>,
    /// Types that are not buffered.
    _sums: (Sums, i128, std::num::NonZero<u128>, std::num::NonZero<i128>),
) {
}

#[test]
fn types_that_serde_cannot_read_from_its_buffer_are_rejected() {
    let keys = "from a buffer, in which map keys are strings and never numbers: use `String` keys, or a `Vec` of key and value";
    let wide = "from a buffer, which cannot contain integers of 128 bits: use `i64` or `u64`, or a `String` of digits";
    check(
        KeepBooksTool,
        &[
            &format!("`keep_books`: serde decodes `_pages.Pages.sums[]` {keys}"),
            &format!("`keep_books`: serde decodes `_chest.content.by_year` {keys}"),
            &format!("`keep_books`: serde decodes `_wide[].Pages.sums[][1]` {wide}"),
        ],
    );
    check(KeepOrderTool, &[]);
}

/// serde itself gives the reason for the rejection.
#[test]
fn serde_rejects_numeric_map_keys_and_128_bit_integers_from_its_buffer() {
    let read = |text| serde_json::from_str::<Ledger<BTreeMap<i64, u8>>>(text).is_ok();
    assert!(!read(r#"{"kind": "Pages", "sums": [{"1": 1}]}"#) && read(r#"{"kind": "Pages", "sums": [{}]}"#));
    assert!(serde_json::from_str::<Ledger<i128>>(r#"{"kind": "Pages", "sums": [1]}"#).is_err());
    assert!(serde_json::from_str::<Chest<Sums>>(r#"{"name": "a", "by_year": {"2024": 1}}"#).is_err());
    assert!(serde_json::from_str::<Sums>(r#"{"by_year": {"2024": 1}}"#).is_ok());
}
