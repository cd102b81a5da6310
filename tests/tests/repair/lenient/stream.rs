//! Streams with a shape: a text is rejected as soon as no continuation is valid, and never if the checker would accept it.

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde::Deserialize;
use tests::generate::{Choices, near_valid, numbers};
use tests::private::check::accepts;
use tests::rows::rows;
use tool_runtime::ToolInput;
use tool_schema::repair::{Progress, Stream, repair_text};
use tool_schema::shape::{Ref, Shape};

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)] // The decoded values are not read.
struct Trip {
    city: String,
    days: Option<u8>,
    #[serde(alias = "stop")]
    stops: Vec<Stop>,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)] // The decoded values are not read.
struct Stop {
    name: String,
    at: (f64, f64),
}

/// Returns the length of the text up to the rejection, and the issue.
fn rejected(text: &str) -> Option<(usize, String)> {
    let mut stream = Stream::for_shape(Ref::Static(Trip::SHAPE));
    for (at, next) in text.char_indices() {
        if stream.push(next.encode_utf8(&mut [0; 4])) == Progress::Rejected {
            return Some((at + next.len_utf8(), stream.issues()[0].message()));
        }
    }
    None
}

#[test]
fn an_invalid_text_is_rejected_at_the_first_fault() {
    let rejected_at = |text: &str, taken: &str, message: &str| {
        assert_eq!(rejected(text), Some((taken.len(), message.to_owned())), "{text}");
    };
    rejected_at("[1]", "[", "the arguments must be an object");
    rejected_at(r#"{"town": "Paris"}"#, r#"{"town""#, "town is not a known field (known: city, days, stops)");
    rejected_at("{town: 'Paris'}", "{town:", "town is not a known field (known: city, days, stops)");
    rejected_at(r#"{"city": 5, "days": 3}"#, r#"{"city": 5,"#, "city must be a string");
    rejected_at(r#"{"city": {"#, r#"{"city": {"#, "city must be a string");
    rejected_at(r#"{"days": "three"}"#, r#"{"days": ""#, "days must be an integer or null");
    rejected_at(
        r#"{"stop": [{"name": "a"}, {"name": [1"#,
        r#"{"stop": [{"name": "a"}, {"name": ["#,
        "stop[1].name must be a string",
    );
    rejected_at(r#"{"stops": [{"at": [1, "2"]}]}"#, r#"{"stops": [{"at": [1, ""#, "stops[0].at[1] must be a number");
}

#[test]
fn a_text_with_a_valid_continuation_is_not_rejected() {
    for text in [
        r#"{"city": "Paris", "days": null, "stops": []}"#,
        "Here:\n```json\n{'city': 'Paris', stops: [{name: 'a', 'at': [1, .5], more: True}],}\n```",
        r#"{"days": 300, "city": "", "stops": [{"at": [1]}]}"#, // only visible in the whole value
    ] {
        assert_eq!(rejected(text), None, "{text}");
    }
}

#[test]
fn acceptable_arguments_are_never_rejected() {
    let (mut accepted, mut rejected) = (0, 0);
    let wrong: Vec<String> =
        rows().into_iter().filter_map(|row| disagreement(row.name, row.shape, &mut accepted, &mut rejected)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(accepted > 1_000 && rejected > 300, "{accepted} accepted, {rejected} rejected");
}

/// Returns a text that the checker accepts and the stream rejects.
fn disagreement(name: &str, shape: &'static Shape, accepted: &mut u32, rejected: &mut u32) -> Option<String> {
    let config =
        Config { cases: tests::cases(14), failure_persistence: None, max_shrink_iters: 1_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]));
    let counts = std::cell::RefCell::new((accepted, rejected));
    let outcome = runner.run(&numbers(), |numbers| {
        let strict = near_valid(shape, &mut Choices::new(&numbers)).to_string();
        let lenient =
            strict.replace("true", "True").replace("null", "None").replace('}', ",}").replace(':', " /* c */ :");
        for text in [strict, lenient] {
            let reading = repair_text(&text);
            let mut stream = Stream::for_shape(Ref::Static(shape));
            // ThrottledCall is checked after every prefix, because it is final.
            for piece in text.split_inclusive(|_: char| true) {
                stream.push(piece);
            }
            let is_rejected = stream.progress() == Progress::Rejected;
            let is_accepted = reading.value().is_some_and(|value| accepts(shape, value));
            let mut counts = counts.borrow_mut();
            *counts.0 += u32::from(is_accepted);
            *counts.1 += u32::from(is_rejected);
            if is_accepted && is_rejected {
                return Err(TestCaseError::fail(format!("{:?} on {text}", stream.issues())));
            }
            // A stream only rejects unknown keys and values of a wrong type.
            if let Some(issue) = stream
                .issues()
                .iter()
                .find(|issue| !["type", "additionalProperties"].contains(&issue.constraint.keyword()))
            {
                return Err(TestCaseError::fail(format!("{issue} on {text}")));
            }
        }
        Ok(())
    });
    outcome.err().map(|error| format!("{name}: {error}"))
}
