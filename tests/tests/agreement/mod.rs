//! Agreement: the typed path, the checker, an independent validator with our schema, and the schema of `schemars` accept the same values.
//!
//! The types are those of `tests::rows`, and the values are generated. Every difference must be a row of `docs/agreement.md`, and every row
//! must occur. `AGREEMENT_CASES` sets the number of values for each type, and `AGREEMENT_SEED` the random seed.

mod coverage;
mod filter;
mod judges;
mod predicates;
mod run;

use run::{Run, against_schemars, agreement, decode_differences};

#[test]
fn the_typed_path_the_checker_and_the_schema_agree() {
    assert_none(&agreement().differences);
}

#[test]
fn our_schema_and_that_of_schemars_agree() {
    assert_none(&against_schemars().differences);
}

#[test]
fn a_call_is_rejected_exactly_if_the_typed_path_rejects_it() {
    assert_none(&decode_differences());
}

#[test]
fn at_least_a_fifth_of_the_values_of_each_type_is_valid_and_a_fifth_invalid() {
    let lopsided: Vec<_> = agreement().shares.iter().filter(|(_, percent)| !(20..=80).contains(percent)).collect();
    assert!(lopsided.is_empty(), "percent acceptable: {lopsided:?}");
}

#[test]
fn every_exception_on_the_agreement_page_is_used() {
    let unseen = |run: &'static Run| run.seen.iter().filter(|(_, seen)| **seen == 0).map(|(id, _)| id);
    let unseen: Vec<_> = unseen(agreement()).chain(unseen(against_schemars())).collect();
    assert!(unseen.is_empty(), "unused rows: {unseen:?}");
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{} types with a difference:\n{}", differences.len(), differences.join("\n"));
}
