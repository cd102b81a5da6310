//! Agreement (DESIGN §7.1): the typed path, the checker, an independent validator on our schema, and the schema of `schemars` accept the
//! same values.
//!
//! In come the types of `tests::rows` and generated JSON; every difference has to be a row of `docs/agreement.md`, and every row of
//! that document has to be seen. `AGREEMENT_CASES` sets how many values a type gets, `AGREEMENT_SEED` which.

mod coverage;
mod filter;
mod judges;
mod predicates;
mod run;

use run::{Run, against_schemars, agreement, decode_differences};

#[test]
fn typed_path_checker_and_schema_agree() {
    assert_none(&agreement().differences);
}

#[test]
fn our_schema_and_that_of_schemars_agree() {
    assert_none(&against_schemars().differences);
}

#[test]
fn a_call_is_refused_with_issues_exactly_where_the_typed_path_refuses() {
    assert_none(&decode_differences());
}

#[test]
fn of_every_type_a_fifth_to_four_fifths_of_the_values_are_acceptable() {
    let lopsided: Vec<_> = agreement().shares.iter().filter(|(_, percent)| !(20..=80).contains(percent)).collect();
    assert!(lopsided.is_empty(), "percent acceptable: {lopsided:?}");
}

#[test]
fn every_row_of_the_document_is_seen() {
    let unseen = |run: &'static Run| run.seen.iter().filter(|(_, seen)| **seen == 0).map(|(id, _)| id);
    let unseen: Vec<_> = unseen(agreement()).chain(unseen(against_schemars())).collect();
    assert!(unseen.is_empty(), "rows that nothing needs: {unseen:?}");
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{} types with a difference:\n{}", differences.len(), differences.join("\n"));
}
