//! Issues of a tool: the model reads all of them, without the messages of the tool if the call contained a secret.

use tool_runtime::{Issue, Outcome, ToolError, Toolbox, tool};

/// Books a flight.
#[tool]
fn book(
    /// Day of departure.
    day: String,
    /// Airport of departure.
    from: Option<String>,
    /// Number of seats.
    seats: u8,
    /// Code of the customer.
    #[tool(sensitive)]
    code: Option<String>,
) -> Result<String, ToolError> {
    let (code, from) = (code.unwrap_or_default(), from.unwrap_or_default());
    let error = ToolError::retry(format!("There is no such flight on {day} from {from}{code}."))
        .with_issue(
            Issue::custom("day", format!("must be in the future{code}"))
                .with_expected(format!("a day after today{code}")),
        )
        .with_issue(
            Issue::missing("from").with_field_description("Airport of departure").with_example(format!("CDG{code}")),
        );
    Err(if seats > 9 { error.with_issue(Issue::custom("seats", format!("must be at most 9{code}"))) } else { error })
}

fn call(arguments: &str) -> Outcome {
    let session = Toolbox::builder().tool(BookTool).build().expect("the toolbox is valid").session();
    pollster::block_on(session.call("call_1", "book", arguments))
}

#[test]
fn every_issue_of_a_tool_is_reported_with_the_sent_value() {
    let outcome = call(r#"{"day": "2020-02-02", "seats": 12}"#);
    let failure = outcome.failure().expect("there is no such flight");
    let told: Vec<_> = failure.issues().iter().map(|issue| (issue.message(), issue.got.preview.to_string())).collect();
    assert_eq!(
        told,
        [
            ("day must be in the future".to_owned(), r#""2020-02-02""#.to_owned()),
            ("from is required".to_owned(), "nothing".to_owned()),
            ("seats must be at most 9".to_owned(), "12".to_owned()),
        ],
    );
    let hint = failure.retry_hint().expect("the call can be corrected");
    assert_eq!(hint.missing_fields().collect::<Vec<_>>(), ["from"]);
    assert_eq!(hint.clarifying_question(), Some("Which from (Airport of departure) should book use?"));
    assert_eq!(hint.example_input(), Some(serde_json::json!({"from": "CDG"})));
    assert!(hint.constraints().any(|constraint| constraint == ("day", "a day after today")));
}

#[test]
fn no_message_of_the_tool_is_shown_if_a_secret_was_sent() {
    let outcome = call(r#"{"day": "2020-02-02", "seats": 12, "code": "hunter2"}"#);
    let text = outcome.to_text();
    assert!(!text.contains("hunter2") && !text.contains("in the future") && !text.contains("CDG"), "{text}");
    let failure = outcome.failure().expect("there is no such flight");
    let told: Vec<_> = failure.issues().iter().map(Issue::message).collect();
    assert_eq!(told, ["day was rejected", "from is required", "seats was rejected"]);
    assert!(
        failure.observer_details().is_some_and(|details| details.contains("hunter2")),
        "the observer may read the message"
    );
}

#[test]
fn a_thousand_issues_are_kept() {
    let issues = (0..1_500).map(|index| Issue::custom("day", format!("is wrong {index}")));
    let error = issues.fold(ToolError::retry("No."), ToolError::with_issue);
    let failure = tool_runtime::Failure::tool_error("book", &error);
    assert_eq!(failure.issues().len(), 1_000);
    assert!(failure.to_json().len() <= 4_096);
}
