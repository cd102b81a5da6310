//! Expectations about the final answer of the model.

use serde::Deserialize;
use tool_testkit::{TextExpectation, last_answer};

use crate::testkit::kit::{TIME, held};

#[track_caller]
fn passes(said: &str, expected: TextExpectation) {
    held(&[]).said(said).passes(expected);
}

#[track_caller]
fn fails(said: &str, expected: TextExpectation, words: &str) {
    held(&[]).said(said).fails(expected, &format!("Expected the text {words}."));
}

#[test]
fn a_part_of_the_text_can_be_expected() {
    passes("Sun in Paris.", last_answer().contains("Paris"));
    fails("Sun in Paris.", last_answer().contains("London"), r#"to contain "London", but it was "Sun in Paris.""#);
    fails("Sun in Paris.", last_answer().contains("paris"), r#"to contain "paris", but it was "Sun in Paris.""#);
}

#[test]
fn the_text_is_compared_without_surrounding_whitespace() {
    passes(" Done.\n", last_answer().equals("Done. "));
    fails("Done", last_answer().equals("Done."), r#"to be "Done.", but it was "Done""#);
}

#[test]
fn a_pattern_can_be_expected() {
    passes("22 °C", last_answer().matches_regex(r"^\d+ °C$"));
    fails("22 °F", last_answer().matches_regex(r"^\d+ °C$"), r#"to match /^\d+ °C$/, but it was "22 °F""#);
}

#[test]
fn all_any_or_no_parts_can_be_expected() {
    passes("a b", last_answer().contains_all(["a", "b"]));
    passes("a b", last_answer().contains_any(["c", "b"]));
    passes("a b", last_answer().contains_none(["c", "d"]));
    fails("a b", last_answer().contains_all(["a", "c"]), r#"to contain all of "a", "c", but it was "a b""#);
    fails("a b", last_answer().contains_any(["c", "d"]), r#"to contain any of "c", "d", but it was "a b""#);
    fails("a b", last_answer().contains_none(["c", "b"]), r#"to contain none of "c", "b", but it was "a b""#);
}

#[test]
fn conditions_must_all_hold_and_the_method_or_starts_an_alternative() {
    let expected = || last_answer().contains("a").contains("b").or().contains("c");
    passes("a b", expected());
    passes("c", expected());
    fails("a", expected(), r#"to contain "a" and to contain "b" or to contain "c", but it was "a""#);
    fails("b", expected(), r#"to contain "a" and to contain "b" or to contain "c", but it was "b""#);
}

#[derive(Deserialize)]
struct Report {
    degrees: f64,
}

#[test]
fn json_of_a_type_can_be_expected() {
    let warm = || last_answer().json::<Report>(|report| report.degrees > 20.0);
    passes(r#"{"degrees": 22}"#, warm());
    passes("```json\n{\"degrees\": 22}\n```", warm());
    for said in [r#"{"degrees": 2}"#, "{}", "warm"] {
        let sentences = held(&[]).said(said).sentences(warm());
        assert!(
            sentences[0].starts_with("Expected the text to be JSON of ")
                && sentences[0].contains("Report that the test accepts")
        );
    }
}

#[test]
fn a_missing_answer_matches_no_expectation() {
    held(&[]).fails(
        last_answer().contains_none(["error"]),
        r#"Expected the text to contain none of "error", but there was none."#,
    );
}

#[test]
fn only_the_answer_to_the_last_prompt_counts() {
    let held = held(&[]).said("Sun, I think.").step(&[TIME]);
    held.fails(last_answer().contains("Sun"), "Expected the text to contain \"Sun\", but there was none.");
    held.said("Rain.").passes(last_answer().contains("Rain"));
}

#[test]
fn json_of_the_wrong_type_is_reported_with_the_reason() {
    let warm = || last_answer().json::<Report>(|report| report.degrees > 20.0);
    let sentence = |said: &str| held(&[]).said(said).sentences(warm()).remove(0);
    for (said, why) in [
        (r#"{"degrees": 2}"#, "It was parsed, but the test does not accept the value."),
        ("{}", "Reading it failed: missing field `degrees` at line 1 column 2, at \"{}\"."),
        ("warm", "Reading it failed: expected value at line 1 column 1, at \"warm\"."),
    ] {
        let sentence = sentence(said);
        assert!(sentence.ends_with(why), "{sentence}");
    }
    // Shows the part around the error of a long text with several lines.
    let said = format!("```json\n{{\n{} \"degrees\": tüv{}\n}}\n```", " ".repeat(5_000), "ü".repeat(5_000));
    let sentence = sentence(&said);
    assert!(sentence.contains("at line 2 column 50") && sentence.contains("\"degrees\\\": tüv"), "{sentence}");
    assert!(sentence.len() < 1_500, "{}", sentence.len());
    // Other alternatives do not repeat the reason.
    let report =
        held(&[]).said("warm").sentences(last_answer().contains("cold").or().json::<Report>(|_| true)).remove(0);
    assert_eq!(report.matches("Reading it failed").count(), 1, "{report}");
}
