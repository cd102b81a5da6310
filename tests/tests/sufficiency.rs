//! Sufficiency: a program that reads nothing but the JSON of the hint reaches a valid call within ⌈k/3⌉ + 1 rounds.
//!
//! The tests insert up to four defects of one code at one depth into valid arguments. A cell of the table is a code and a depth, and has at
//! least `SUFFICIENCY_CASES` cases. The table does not include `custom`, which only the author of the rule can satisfy.
//!
//! A text that is not valid JSON is cut or broken at the depth. The hint contains no values then, so the next attempt repeats the intended
//! arguments: the round shows that such a rejection is answered and costs one more call, not that the hint contains the correction.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use tests::deep::Stage;
use tests::fixer::fix;
use tests::generate::{Choices, planted, valid};
use tests::tree::Tree;
use tool_runtime::Arguments;
use tool_runtime::RetryHint;
use tool_runtime::ToolInput;
use tool_schema::decode::decode;

const CODES: [&str; 10] = [
    "REQUIRED_FIELD",
    "UNKNOWN_FIELD",
    "REPEATED_FIELD",
    "INVALID_TYPE",
    "INVALID_ENUM_VALUE",
    "INVALID_FORMAT",
    "INVALID_PATTERN",
    "INVALID_RANGE",
    "INVALID_LENGTH",
    "NO_MATCHING_VARIANT",
];

fn cases() -> usize {
    let usual = std::env::var("SUFFICIENCY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    tests::cases(usual) as usize
}

/// Returns the hint for a call, or `None` if the call is valid.
fn hint(text: &str) -> Option<String> {
    let error = decode::<Stage>(&Arguments::from(text)).err()?;
    Some(RetryHint::from_issues("plan", error.issues()).to_json())
}

/// Returns the number of rounds until the call is valid, and their texts.
fn rounds(mut text: String, most: usize, next: impl Fn(&str, &str) -> String) -> (usize, Vec<String>) {
    let mut said = Vec::new();
    for round in 0..=most {
        let Some(hint) = hint(&text) else { return (round, said) };
        let fixed = next(&hint, &text);
        said.push(format!("{text}\n    {hint}"));
        text = fixed;
    }
    said.push(text);
    (most + 1, said)
}

fn numbers(source: &mut TestRng) -> Vec<u32> {
    (0..400).map(|_| source.next_u32()).collect()
}

/// The number of cases, and the texts of those that took too many rounds.
#[derive(Default)]
struct Cell {
    cases: usize,
    failed: Vec<String>,
}

fn cell(code: &str, depth: usize, source: &mut TestRng) -> Cell {
    let mut cell = Cell::default();
    for attempt in 0..cases() * 20 {
        if cell.cases >= cases() {
            break;
        }
        let numbers = numbers(source);
        let count = 1 + attempt % 4;
        let wanted = |defect: &tests::generate::Defect| defect.code == code && defect.path.len() == depth;
        let Some(planted) = planted(Stage::SHAPE, count, wanted, &mut Choices::new(&numbers)) else { continue };
        let most = planted.defects.len().div_ceil(3) + 1;
        let (needed, said) = rounds(planted.tree.to_string(), most, fix);
        cell.cases += 1;
        if needed > most {
            cell.failed.push(said.join("\n  "));
        }
    }
    cell
}

/// Returns the text of valid arguments, broken at the beginning of a value of this depth.
fn broken(tree: &Tree, depth: usize, way: usize) -> Option<String> {
    let text = tree.to_string();
    let (mut level, mut quoted, mut escaped) = (0, false, false);
    let place = text.char_indices().find(|(_, character)| {
        match character {
            '"' if !escaped => quoted = !quoted,
            '{' | '[' if !quoted => level += 1,
            '}' | ']' if !quoted => level -= 1,
            _ => {}
        }
        escaped = *character == '\\' && !escaped;
        !quoted && *character == ':' && level == depth
    });
    let (place, _) = place?;
    let (before, after) = text.split_at(place + 1);
    Some(match way % 4 {
        0 => before.to_owned(),
        1 => format!("{before}{before}"),
        2 => format!("{before},{after}"),
        _ => format!("{before}'{after}"),
    })
}

fn syntax_cell(depth: usize, source: &mut TestRng) -> Cell {
    let mut cell = Cell::default();
    for way in 0..cases() * 20 {
        if cell.cases >= cases() {
            break;
        }
        let numbers = numbers(source);
        let tree = valid(Stage::SHAPE, &mut Choices::new(&numbers)).tree;
        let Some(text) = broken(&tree, depth, way) else { continue };
        let (needed, said) = rounds(text, 2, |_, _| tree.to_string());
        cell.cases += 1;
        if needed != 1 {
            cell.failed.push(said.join("\n  "));
        }
    }
    cell
}

#[test]
fn a_fixer_that_reads_only_hints_reaches_a_valid_call() {
    let mut source = TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]);
    let mut short = Vec::new();
    println!("{:<22} depth 1        2        3        4", "cases (failed)");
    for code in CODES.into_iter().chain(["INVALID_JSON"]) {
        let cells: Vec<Cell> =
            (1..=4)
                .map(|depth| {
                    if code == "INVALID_JSON" {
                        syntax_cell(depth, &mut source)
                    } else {
                        cell(code, depth, &mut source)
                    }
                })
                .collect();
        let shown: Vec<_> = cells.iter().map(|cell| format!("{:>4} ({})", cell.cases, cell.failed.len())).collect();
        println!("{code:<22}{}", shown.join(" "));
        for (depth, cell) in (1..).zip(&cells) {
            if cell.cases < cases() {
                short.push(format!("{code} at depth {depth}: only {} cases", cell.cases));
            }
            short.extend(
                cell.failed
                    .iter()
                    .min_by_key(|said| said.len())
                    .map(|said| format!("{code} at depth {depth}:\n  {said}")),
            );
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
}
