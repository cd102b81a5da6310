//! Completeness: k independent defects give k issues, each with its own path and code.
//!
//! Defects are planted into valid values of the types of the agreement, so the expected issues are known. `COMPLETENESS_CASES` sets the
//! number of values for each type.

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tests::deep::Stage;
use tests::generate::{Choices, numbers, planted};
use tests::rows::rows;
use tests::tree::path_text;
use tool_runtime::ToolInput;
use tool_schema::check::check;
use tool_schema::json::Json;
use tool_schema::shape::Shape;

#[test]
fn every_defect_is_an_issue_with_its_path_and_code() {
    let cases = std::env::var("COMPLETENESS_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    // The generator does not know the values that the foreign types of this row accept.
    let rows = rows().into_iter().filter(|row| row.name != "ForeignOptions");
    let types = rows.map(|row| (row.name, row.shape)).chain([("Stage", Stage::SHAPE)]);
    let mut planted = [0; 7];
    let wrong: Vec<String> = types.filter_map(|(name, shape)| incomplete(name, shape, cases, &mut planted)).collect();
    println!("values by their number of defects: {planted:?}");
    assert!(wrong.is_empty(), "{} types:\n{}", wrong.len(), wrong.join("\n"));
    assert!(planted[1..].iter().all(|count| *count > 0), "values by their number of defects: {planted:?}");
}

/// Returns the simplest value of a type whose issues differ from its defects.
fn incomplete(name: &str, shape: &'static Shape, cases: u32, planted: &mut [usize; 7]) -> Option<String> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]));
    let counts = std::cell::RefCell::new(planted);
    let outcome = runner.run(&numbers(), |numbers| {
        let (text, expected) = defective(shape, &numbers);
        counts.borrow_mut()[expected.len()] += 1;
        let found = issues(shape, &text);
        if found == expected {
            Ok(())
        } else {
            Err(TestCaseError::fail(format!("{found:?} is not {expected:?} on {text}")))
        }
    });
    outcome.err().map(|error| format!("{name}: {}", error.to_string().lines().next().unwrap_or_default()))
}

/// Returns a value with up to six defects, and the path and code of each.
fn defective(shape: &'static Shape, numbers: &[u32]) -> (String, Vec<(String, &'static str)>) {
    let mut choices = Choices::new(numbers);
    let count = 1 + choices.below(6);
    let Some(planted) = planted(shape, count, |_| true, &mut choices) else { return ("{".to_owned(), Vec::new()) };
    let mut expected: Vec<_> = planted.defects.iter().map(|defect| (path_text(&defect.path), defect.code)).collect();
    expected.sort();
    (planted.tree.to_string(), expected)
}

fn issues(shape: &'static Shape, text: &str) -> Vec<(String, &'static str)> {
    // If nothing can be broken, the text is empty and there is nothing to check.
    let Ok(json) = Json::parse(text) else { return Vec::new() };
    let issues = check(shape, &json);
    let mut found: Vec<_> = issues.iter().map(|issue| (issue.path.to_string(), issue.constraint.code())).collect();
    found.sort();
    found
}
