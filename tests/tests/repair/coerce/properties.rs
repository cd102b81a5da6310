//! Properties for every type of the agreement and nearly valid values: coercion never changes a valid value, never adds issues, is
//! idempotent, and its ledger reproduces the result.

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tests::generate::{Choices, near_valid, numbers, valid};
use tests::private::repair::{RepairedArguments, coerce, repair_arguments};
use tests::replay::{replay_arguments, replay_values};
use tests::rows::{Row, rows};
use tool_runtime::RepairPolicy;
use tool_schema::check::check;
use tool_schema::json::{Json, Node};
use tool_schema::shape::Ref;

/// Tests values of every type, and reports the simplest wrong one of each type.
fn each(cases: u32, nearly: bool, judge: impl Fn(&Row, &str, Json<'_>) -> Result<(), String>) {
    let mut wrong = Vec::new();
    let rows = rows();
    assert!(rows.len() > 160);
    for row in rows {
        let config = Config {
            cases: tests::cases(cases),
            failure_persistence: None,
            max_shrink_iters: 4_000,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]));
        let outcome = runner.run(&numbers(), |numbers| {
            let mut choices = Choices::new(&numbers);
            let tree = if nearly { near_valid(row.shape, &mut choices) } else { valid(row.shape, &mut choices).tree };
            let text = tree.to_string();
            let json = Json::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
            judge(&row, &text, json).map_err(|what| TestCaseError::fail(format!("{what} on {text}")))
        });
        if let Err(error) = outcome {
            wrong.push(format!("{}: {}", row.name, error.to_string().lines().next().unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{} types:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn valid_values_are_not_changed() {
    for nearly in [false, true] {
        each(20, nearly, |row, text, json| {
            if !check(row.shape, &json).is_empty() {
                return Ok(());
            }
            let coerced = coerce(row.shape, json, RepairPolicy::Assisted);
            let is_same = coerced.value.to_text() == Json::parse(text).map(|json| json.to_text()).unwrap_or_default();
            if is_same && coerced.repairs.is_empty() && coerced.issues.is_empty() {
                Ok(())
            } else {
                Err(format!("{:?}", coerced.repairs))
            }
        });
    }
}

#[test]
fn remaining_issues_are_those_of_the_checker() {
    each(20, true, |row, _, json| {
        let sent = check(row.shape, &json).len();
        let coerced = coerce(row.shape, json, RepairPolicy::Lossless);
        let left = check(row.shape, &coerced.value);
        let words = |issues: &[tool_runtime::Issue]| {
            issues.iter().map(|issue| (issue.path.clone(), issue.message())).collect::<Vec<_>>()
        };
        if words(&left) != words(&coerced.issues) || coerced.sent.len() != sent {
            return Err(format!("{left:?}"));
        }
        // serde and the typed rules accept every repaired value.
        let text = coerced.value.to_text();
        // A number outside the range of floats in an ignored key is a row of `docs/agreement.md`.
        let is_known = text.contains("1e400");
        if left.is_empty()
            && !coerced.repairs.is_empty()
            && !is_known
            && !(row.typed)(&text)
            && (row.decode)(&text).is_err()
        {
            return Err(format!("{text} is rejected"));
        }
        Ok(())
    });
}

#[test]
fn coercion_is_idempotent() {
    each(20, true, |row, _, json| {
        let first = coerce(row.shape, json, RepairPolicy::Assisted);
        let second = coerce(row.shape, first.value.clone(), RepairPolicy::Assisted);
        if second.repairs.is_empty() && second.value == first.value {
            Ok(())
        } else {
            Err(format!("{} became {}", first.value.to_text(), second.value.to_text()))
        }
    });
}

#[test]
fn replaying_the_ledger_gives_the_result() {
    each(20, true, |row, _, json| {
        let coerced = coerce(row.shape, json.clone(), RepairPolicy::Assisted);
        match replay_values(json, &coerced.repairs) {
            Some(replayed) if replayed == coerced.value => Ok(()),
            replayed => Err(format!("{replayed:?} is not {}", coerced.value.to_text())),
        }
    });
}

#[test]
fn the_strict_policy_never_changes_a_value() {
    each(17, true, |row, text, json| {
        let coerced = coerce(row.shape, json, RepairPolicy::Strict);
        let same = Json::parse(text).is_ok_and(|json| json == coerced.value);
        if same && coerced.repairs.is_empty() { Ok(()) } else { Err(format!("{:?}", coerced.repairs)) }
    });
}

#[test]
fn every_number_keeps_its_value() {
    each(20, true, |row, _, json| {
        let coerced = coerce(row.shape, json.clone(), RepairPolicy::Lossless);
        let mut sent = Vec::new();
        values(&json, &mut sent);
        let mut read = Vec::new();
        values(&coerced.value, &mut read);
        // Each number of the result was sent as a number or in a text.
        let lost = read.iter().find(|number| !sent.iter().any(|other| other.same_value(number)));
        lost.map_or(Ok(()), |number| Err(format!("{} comes from nowhere", number.to_text())))
    });
}

/// Collects the numbers of a tree, including those in its texts.
fn values(json: &Json<'_>, found: &mut Vec<Json<'static>>) {
    match &json.node {
        Node::Number(_) => found.push(json.clone().into_owned()),
        Node::String(text) => {
            if let Ok(inner) = Json::parse(text) {
                values(&inner, found);
            }
        }
        _ => {
            json.items().iter().for_each(|item| values(item, found));
            json.members().iter().for_each(|member| values(&member.value, found));
        }
    }
}

/// Returns a value in a typical form of models: with other words, in a string, in a wrapper, in a fence.
fn respelt(text: &str, how: usize) -> String {
    let other = || text.replace("true", "True").replace("null", "None").replace('}', ",}").replace(':', " /* c */ :");
    match how % 6 {
        0 => text.to_owned(),
        1 => other(),
        2 => format!("{{\"arguments\": {text}}}"),
        3 => serde_json::to_string(text).unwrap_or_default(),
        4 => format!("```json\n{{'parameters': {}}}\n```", serde_json::to_string(&other()).unwrap_or_default()),
        _ => format!("Here you are: {text}"),
    }
}

#[test]
fn replaying_the_ledger_of_a_call_gives_its_arguments() {
    let judged = std::cell::Cell::new(0);
    each(4, true, |row, text, _| {
        for how in 0..6 {
            let sent = respelt(text, how);
            let arguments = sent.as_str().into();
            let mended = repair_arguments("tool", &Ref::Static(row.shape), &arguments, RepairPolicy::Assisted);
            let (RepairedArguments::Repaired { arguments: read, repairs, .. }
            | RepairedArguments::Rejected { arguments: read, repairs, .. }) = mended
            else {
                continue;
            };
            judged.set(judged.get() + 1);
            match replay_arguments(&sent, &repairs) {
                Some(replayed) if replayed == read => {}
                replayed => return Err(format!("{replayed:?} is not {read:?} of {sent}")),
            }
        }
        Ok(())
    });
    assert!(judged.get() > 1_600, "only {} ledgers were judged", judged.get());
}
