//! Tools with random schemas.

use tests::cases;
use tests::dialects::called::{Advertised, Judged};
use tests::dialects::schemas::tool;
use tests::dialects::values::Dice;
use tests::providers::DIALECTS;

use crate::dialects::judge::Judge;
use crate::dialects::{dialect, render};

#[test]
fn every_value_of_a_random_schema_is_restored() {
    let (mut all, mut judged, mut strict) = (Vec::new(), 0, 0);
    for seed in 0..cases(9).into() {
        let tool = tool(seed);
        let judge = Judge::of(&tool);
        for name in DIALECTS {
            let dialect = dialect(name);
            let rendition = render(dialect, &tool.name, &tool.schema);
            strict += usize::from(rendition.form() == tool_schema::dialect::ToolForm::Strict);
            judged += judge.faults(dialect, &rendition, &mut all);
        }
    }
    let number = all.len();
    all.truncate(30);
    assert!(all.is_empty(), "{number} faults:\n{}", all.join("\n"));
    assert!(judged > 500 && strict > 5, "only {judged} values were tested, {strict} forms are strict");
}

/// The body of the fuzz target `inverse`, with generated calls.
#[test]
fn calls_under_a_rewritten_form_are_restored_or_refused_in_that_form() {
    let (mut ran, mut refused, mut faults) = (0, 0, Vec::new());
    for seed in 0..cases(10).into() {
        let tool = tool(seed);
        for name in DIALECTS {
            let Some(advertised) = Advertised::of(dialect(name), &tool) else { continue };
            let mut dice = Dice::new(seed + 1);
            for _ in 0..12 {
                let text = advertised.text(&mut dice);
                match advertised.judge(&text) {
                    Ok(Judged::Ran) => ran += 1,
                    Ok(Judged::Refused) => refused += 1,
                    Err(fault) => faults.push(format!("{name} {seed}: {text}: {fault}")),
                }
            }
        }
    }
    let number = faults.len();
    faults.truncate(20);
    assert!(faults.is_empty(), "{number} faults in {} calls:\n{}", ran + refused, faults.join("\n"));
    assert!(ran > 150 && refused > 150, "{ran} calls ran, {refused} were refused");
}

/// The fuzz target `inverse` found it. The model writes the tool's own keys `~1` and `$ref`, which it has not seen. The
/// first is shown as `_1`; the tag belongs to a branch without the second, which keeps the spelling of the model.
#[test]
fn a_key_that_the_named_branch_does_not_have_keeps_its_spelling() {
    let advertised = Advertised::of(dialect("anthropic-strict"), &tool(97)).expect("a rewritten form");
    let text =
        r#"{"$ref": {"filter[id]": [], "properties": {}}, "properties": "x", "~1": {"$ref": [], "kind": "two"}}"#;
    assert_eq!(advertised.judge(text), Ok(Judged::Refused));
}
