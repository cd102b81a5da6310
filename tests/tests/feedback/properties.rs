//! Properties of marked-up arguments and Markdown, for the types of the agreement with planted defects.

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tests::deep::Stage;
use tests::generate::{Choices, numbers, planted};
use tests::private::check::{accepts, check};
use tests::rows::rows;
use tool_runtime::Issue;
use tool_runtime::RetryHint;
use tool_runtime::ToolInput;
use tool_schema::feedback::{annotated_arguments, example, markdown};
use tool_schema::json::{Json, Node};
use tool_schema::shape::Shape;

const BUDGET: usize = 4_096;

fn types() -> impl Iterator<Item = (&'static str, &'static Shape)> {
    rows().into_iter().map(|row| (row.name, row.shape)).chain([("Stage", Stage::SHAPE)])
}

/// Tests rejected calls of every type, and reports the simplest one that fails.
fn for_rejected(cases: u32, judge: impl Fn(&'static Shape, &Json<'_>, &[Issue]) -> Result<(), String>) {
    let judged = std::cell::Cell::new(0);
    let one = |(name, shape): (&str, &'static Shape)| {
        let config = Config {
            cases: tests::cases(cases),
            failure_persistence: None,
            max_shrink_iters: 2_000,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]));
        let outcome = runner.run(&numbers(), |numbers| {
            let mut choices = Choices::new(&numbers);
            let count = 1 + choices.below(6);
            let Some(planted) = planted(shape, count, |_| true, &mut choices) else { return Ok(()) };
            let text = planted.tree.to_string();
            let json = Json::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let issues = check(shape, &json);
            judged.set(judged.get() + 1);
            judge(shape, &json, &issues).map_err(|fault| TestCaseError::fail(format!("{fault}\n  sent {text}")))
        });
        outcome.err().map(|error| format!("{name}: {error}"))
    };
    let wrong: Vec<String> = types().filter_map(one).collect();
    assert!(wrong.is_empty(), "{} types:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged.get() > 1_000, "only {} calls were tested", judged.get());
}

/// Returns the fields that the hint names first, as it spells them.
fn most_important(issues: &[Issue]) -> String {
    let hint = RetryHint::from_issues("plan", issues);
    let first = hint.missing_fields().chain(hint.constrained_fields()).next();
    first.unwrap_or_default().to_owned()
}

/// Returns `true` if a marked-up text contains the issue.
fn is_marked(text: &str, issue: &Issue) -> bool {
    let key = issue.path.last_key().map(|key| serde_json::to_string(key).unwrap_or_default());
    text.lines().any(|line| line.contains("❌") && key.as_ref().is_none_or(|key| line.contains(&key[..key.len() - 1])))
}

#[test]
fn every_rendering_fits_and_contains_the_most_important_fault() {
    for_rejected(20, |shape, json, issues| {
        let (marked, told) = (annotated_arguments(shape, json, issues), markdown("plan", shape, json, issues));
        if marked.len() > BUDGET || told.len() > BUDGET {
            return Err(format!("{} and {} bytes", marked.len(), told.len()));
        }
        let field = most_important(issues);
        if !told.contains(&field) {
            return Err(format!("the markdown does not name {field}: {told}"));
        }
        let of_field = issues.iter().find(|issue| issue.path.to_string() == field);
        if of_field.is_some_and(|issue| !is_marked(&marked, issue)) {
            return Err(format!("{field} is not marked: {marked}"));
        }
        Ok(())
    });
}

/// Returns the text without remarks, without `undefined`, and without the lines after the arguments, and without the commas before them.
fn without_remarks(marked: &str) -> String {
    let lines = marked.lines().take_while(|line| *line != "Elsewhere:" && !line.starts_with("// …"));
    let kept: Vec<&str> = lines.map(code).filter(|line| !is_undefined(line)).collect();
    let mut text = String::new();
    for (index, line) in kept.iter().enumerate() {
        let closes = kept.get(index + 1).is_none_or(|next| next.trim_start().starts_with(['}', ']']));
        text += if closes { line.trim_end_matches(',') } else { line };
        text.push('\n');
    }
    text
}

/// Returns a line without its remark. A remark is never inside a string.
fn code(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (at, character) in line.char_indices() {
        match character {
            '"' if !escaped => quoted = !quoted,
            '/' if !quoted && line[at..].starts_with("//") => return line[..at].trim_end(),
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    line
}

fn is_undefined(line: &str) -> bool {
    let line = line.trim_end_matches(',');
    line.trim() == "undefined" || line.ends_with(": undefined")
}

/// Returns `true` if two trees are equal in value, in the text of numbers and in the order of keys, including repeated keys.
fn is_as_sent(left: &Json<'_>, right: &Json<'_>) -> bool {
    left.same_value(right) && left == right
}

#[test]
fn marked_up_text_without_its_marks_equals_the_arguments() {
    let pruned = std::cell::Cell::new(0);
    for_rejected(20, |shape, json, issues| {
        let marked = annotated_arguments(shape, json, issues);
        let text = without_remarks(&marked);
        if marked.contains("<redacted>") || text.contains('…') {
            pruned.set(pruned.get() + 1);
            return Ok(());
        }
        match Json::parse(&text) {
            Ok(read) if is_as_sent(&read, json) => Ok(()),
            Ok(_) => Err(format!("something else is shown:\n{marked}")),
            Err(error) => Err(format!("{error}:\n{marked}")),
        }
    });
    assert!(pruned.get() < tests::cases(140), "{} texts were pruned or redacted", pruned.get());
}

#[test]
fn every_fault_is_marked_if_there_is_room() {
    for_rejected(20, |shape, json, issues| {
        let marked = annotated_arguments(shape, json, issues);
        if marked.contains("<redacted>") || marked.contains("// …") {
            return Ok(());
        }
        match issues.iter().find(|issue| !is_marked(&marked, issue)) {
            Some(issue) => Err(format!("{} is not marked:\n{marked}", issue.path)),
            None => Ok(()),
        }
    });
}

/// Returns the block after **Corrected parameters**.
fn corrected(markdown: &str) -> &str {
    let (_, rest) = markdown.split_once("```json\n").expect("there is a block");
    rest.rsplit_once("\n```\n").expect("the block ends").0
}

#[test]
fn corrected_parameters_are_json_and_valid_if_they_are_complete() {
    let (open, valid) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_rejected(20, |shape, json, issues| {
        let told = markdown("plan", shape, json, issues);
        let block = corrected(&told);
        if block.contains('…') {
            return Ok(());
        }
        let read = Json::parse(block).map_err(|error| format!("{error}: {block}"))?;
        if block.contains("\"<") || issues.iter().any(|issue| issue.constraint.keyword() == "custom") {
            open.set(open.get() + 1);
            return Ok(());
        }
        valid.set(valid.get() + 1);
        match check(shape, &read).first() {
            None => Ok(()),
            Some(issue) => Err(format!("{issue}: {block}")),
        }
    });
    assert!(open.get() > 100 && valid.get() > 80, "{} open, {} valid", open.get(), valid.get());
}

#[test]
fn an_example_is_accepted() {
    let (mut made, mut none) = (0, Vec::new());
    for (name, shape) in types() {
        let Some(text) = example(shape) else {
            none.push(name);
            continue;
        };
        let json = Json::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
        assert!(accepts(shape, &json), "{name} does not accept {text}: {:?}", check(shape, &json));
        assert!(!matches!(json.node, Node::String(ref text) if text.starts_with('<')), "{name}: {text}");
        made += 1;
    }
    println!("{made} types have an example, {} have none: {none:?}", none.len());
    assert!(made >= 9 * none.len(), "{made} examples, none for {none:?}");
}
