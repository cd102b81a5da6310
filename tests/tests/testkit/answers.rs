//! Expectations about typed answers, and about the answers that were rejected before.

use serde::Deserialize;
use std::collections::BTreeMap;
use tool_chat::conversation::Conversation;
use tool_chat::model::{Response, ScriptedModel, StopReason};
use tool_runtime::{Dialect, ToolInput, Toolbox, tool};
use tool_testkit::{AnswerExpectation, Expectations, Scenario, SetupError, calls, last_answer, typed_answer};

#[derive(Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Invoice {
    /// The person or company that is billed.
    customer: String,
    /// Amount in cents.
    #[tool(range(min = 1))]
    cents: u32,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Account {
    /// The owner.
    owner: String,
    /// The PIN.
    #[tool(sensitive)]
    pin: String,
}

/// The price of an article.
#[tool]
fn price(
    /// The article.
    article: String,
) -> String {
    format!("{article}: 1250 cents")
}

const RIGHT: &str = r#"{"customer": "Ada", "cents": 1250}"#;
const WRONG: &str = r#"{"customer": "Ada", "cents": 0}"#;

fn scenario(model: &ScriptedModel) -> Scenario {
    let (model, toolbox) = (model.clone(), Toolbox::builder().tool(PriceTool).build().expect("a tool"));
    Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
}

/// Returns the findings about a conversation in which the model sends these texts.
fn findings<T: ToolInput>(model: &ScriptedModel, expected: AnswerExpectation<T>) -> Vec<String> {
    match pollster::block_on(scenario(model).typed_prompt::<T>("What did Ada buy?").expect(expected).run()) {
        Ok(_) => Vec::new(),
        Err(tool_testkit::ScenarioError::Failed(failed)) => failed
            .expectation_report()
            .failed_expectations()
            .iter()
            .map(|finding| finding.message().to_owned())
            .collect(),
        Err(error) => panic!("{error}"),
    }
}

fn says(texts: &[&str]) -> ScriptedModel {
    texts.iter().fold(ScriptedModel::new(), |model, text| model.text(*text))
}

#[test]
fn a_value_that_the_test_accepts() {
    let accepted = || typed_answer::<Invoice>().satisfies(|invoice| invoice.cents == 1250).corrections(0);
    assert_eq!(findings(&says(&[RIGHT]), accepted()), Vec::<String>::new());
    let fenced = format!("There:\n```json\n{RIGHT}\n```");
    assert_eq!(findings(&says(&[&fenced]), accepted()), Vec::<String>::new());
    let other = typed_answer::<Invoice>().satisfies(|invoice| invoice.customer == "Bob");
    let found = findings(&says(&[RIGHT]), other);
    assert!(
        found[0].starts_with("Expected an answer of the type ")
            && found[0].contains("Invoice that the test accepts, but it was")
    );
    assert!(found[0].ends_with(r#""{\"customer\": \"Ada\", \"cents\": 1250}"."#), "{found:?}");
}

#[test]
fn rejected_answers_and_their_issues() {
    let twice = || says(&[WRONG, r#"{"cents": 0}"#, RIGHT]);
    assert_eq!(
        findings(&twice(), typed_answer::<Invoice>().corrections(2).rejected("cents").rejected("customer")),
        Vec::<String>::new()
    );
    assert_eq!(
        findings(&twice(), typed_answer::<Invoice>().corrected_within(2).rejected("/cents")),
        Vec::<String>::new()
    );
    let found = findings(&twice(), typed_answer::<Invoice>().corrections(0).rejected("items[0]"));
    assert_eq!(
        found,
        [
            "Expected 0 rejected answers, but there were 2.",
            "Expected an answer to be rejected because of 'items[0]', but the issues were at 'cents', 'customer'.",
        ]
    );
    let found = findings(&twice(), typed_answer::<Invoice>().corrected_within(1));
    assert_eq!(found, ["Expected at most 1 rejected answer, but there were 2."]);
    let found = findings(&says(&[RIGHT]), typed_answer::<Invoice>().rejected("cents").corrections(1));
    assert_eq!(
        found,
        [
            "Expected 1 rejected answer, but there were 0.",
            "Expected an answer to be rejected because of 'cents', but no answer was rejected.",
        ]
    );
    let empty = says(&["", RIGHT]);
    assert_eq!(findings(&empty, typed_answer::<Invoice>().corrections(1)), Vec::<String>::new());
    let cut = ScriptedModel::new().answer(Response::from_text(RIGHT).with_stop(StopReason::Length)).text(RIGHT);
    let found = findings(&cut, typed_answer::<Invoice>().corrections(1).rejected("cents"));
    assert_eq!(
        found,
        ["Expected an answer to be rejected because of 'cents', but the rejected answers were not read."]
    );
}

#[test]
fn calls_come_before_the_answer_and_the_form_is_that_of_the_conversation() {
    for (dialect, is_native) in [(Dialect::OPENAI, true), (Dialect::ANTHROPIC, false), (Dialect::BEDROCK, true)] {
        let model = ScriptedModel::new()
            .in_dialect(dialect)
            .with_answer_forms(is_native)
            .call("price", r#"{"article": "Lamp"}"#);
        // Strict forms have entries in place of maps.
        let entries = r#"{"value": [{"key": "lamp", "value": 1250}]}"#;
        let model = if is_native && dialect == Dialect::OPENAI {
            model.text(entries)
        } else {
            model.call("final_answer", entries)
        };
        let expected =
            typed_answer::<BTreeMap<String, u32>>().satisfies(|prices| prices["lamp"] == 1250).corrections(0);
        let scenario = scenario(&model).typed_prompt::<BTreeMap<String, u32>>("Prices?").expect(expected);
        pollster::block_on(scenario.expect(calls("price")).expect(last_answer().contains("1250")).assert());
    }
    // The value of a list is below the wrapper.
    let model = says(&[r#"{"value": [1, 300]}"#, r#"{"value": [1, 3]}"#]);
    assert_eq!(
        findings(&model, typed_answer::<Vec<u8>>().rejected("value[1]").satisfies(|list| list == &[1, 3])),
        Vec::<String>::new()
    );
}

#[test]
fn no_answer_and_no_value() {
    let model = ScriptedModel::new().answer(Response::from_text(RIGHT).with_stop(StopReason::Filtered));
    let found = findings(&model, typed_answer::<Invoice>());
    assert!(found[0].contains("but the provider withheld the answer, or the model refused to give it."), "{found:?}");
    let found = findings(&says(&["No."; 4]), typed_answer::<Invoice>());
    assert_eq!(found[0], "Expected an answer, but 4 answers were rejected.");
    assert!(found[1].contains("Invoice, but"), "{found:?}");
    let rejected = scenario(&says(&["No."; 4])).typed_prompt::<Invoice>("What?").ends_with_rejected_answer();
    pollster::block_on(rejected.assert());
    let accepted = scenario(&says(&[RIGHT])).typed_prompt::<Invoice>("What?").ends_with_rejected_answer();
    let error = pollster::block_on(accepted.run()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        error.contains("Expected the turn to end because the answers are rejected, but the model answered."),
        "{error}"
    );
}

#[test]
fn sensitive_values_are_not_shown() {
    let secret = r#"{"owner": "Ada", "pin": "0815-4711"}"#;
    let model = says(&[r#"{"pin": "0815-4711"}"#, secret]);
    let found = findings(&model, typed_answer::<Account>().satisfies(|account| account.owner == "Bob").rejected("pin"));
    assert!(found.len() == 2 && found.iter().all(|sentence| !sentence.contains("0815")), "{found:?}");
    assert!(found[0].ends_with("but it was <redacted>."), "{found:?}");
}

#[test]
fn mistakes_are_found_before_the_model_is_asked() {
    let errors =
        |scenario: Scenario| scenario.validate().err().map(|misused| misused.errors().to_vec()).unwrap_or_default();
    let model = ScriptedModel::new();
    let text_prompt = scenario(&model).prompt("What?").expect(typed_answer::<Invoice>());
    assert_eq!(errors(text_prompt), [SetupError::NoTypedPrompt]);
    let twice = scenario(&model)
        .typed_prompt::<Invoice>("What?")
        .expect(typed_answer::<Invoice>().corrections(1).corrected_within(2));
    assert_eq!(errors(twice), [SetupError::TwoCorrections]);
    let path = scenario(&model).typed_prompt::<Invoice>(" ").expect(typed_answer::<Invoice>().rejected("a..b"));
    assert!(matches!(&*errors(path), [SetupError::Empty(_), SetupError::Path { .. }]));
    let typed_first =
        scenario(&model).typed_prompt::<Invoice>("What?").prompt("Thanks.").expect(typed_answer::<Invoice>());
    assert_eq!(errors(typed_first), [SetupError::NoTypedPrompt]);
}

#[test]
fn a_stored_transcript_is_judged_in_the_dialect_of_the_toolbox() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().for_provider(Dialect::GEMINI).build()?;
    let mut conversation = Conversation::new(toolbox.session(), says(&[WRONG, RIGHT]).in_dialect(Dialect::GEMINI));
    pollster::block_on(conversation.answer::<Invoice>("What did Ada buy?"))?;
    let stored = serde_json::to_string(conversation.transcript())?;
    let expected = Expectations::new().expect(typed_answer::<Invoice>().corrections(1).rejected("cents")).build()?;
    let report = expected.check(&serde_json::from_str(&stored)?, &toolbox.session());
    assert!(report.is_ok(), "{report}");
    Ok(())
}
