//! Contents of a rejection: the value of the field that a tool names, whether to keep the other arguments, and the bounds of a range.

use tool_runtime::{ToolError, Toolbox, tool};

/// A stop of a journey.
#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[tool(ignore_unknown)]
struct Stop {
    /// City and country.
    city: String,
    /// Code of the door.
    #[tool(sensitive)]
    code: String,
}

/// Book a room at a stop.
#[tool]
fn book(
    /// The stops, in order.
    stops: Vec<Stop>,
    /// Which field to reject.
    reject: String,
) -> Result<usize, ToolError> {
    let seen = stops.iter().map(|stop| stop.city.len() + stop.code.len()).sum();
    if reject.is_empty() { Ok(seen) } else { Err(ToolError::retry("Nobody lets rooms there.").field(&reject)) }
}

fn rejected(field: &str) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(BookTool).build()?.session();
    let arguments = serde_json::json!({"stops": [{"city": "Atlantis", "code": "hunter2"}], "reject": field});
    let told = pollster::block_on(session.call("call_1", "book", arguments)).to_text().into_owned();
    assert!(!told.contains("hunter2"), "{told}");
    Ok(serde_json::from_str(&told)?)
}

#[test]
fn a_rejection_shows_the_value_as_it_was_sent() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(rejected("stops[0].city")?["errors"][0]["attempted_value"], "Atlantis");
    Ok(())
}

#[test]
fn a_rejection_does_not_show_a_sensitive_value() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(rejected("stops[0].code")?["errors"][0]["attempted_value"], "<redacted>");
    Ok(())
}

#[test]
fn a_rejection_shows_null_for_a_missing_value() -> Result<(), Box<dyn std::error::Error>> {
    assert!(rejected("stops[1].city")?["errors"][0]["attempted_value"].is_null());
    Ok(())
}

/// Seats people.
#[tool]
fn seat(
    /// Number of people.
    people: u8,
    /// In which row.
    #[tool(range(min = 0, max = 99))]
    row: u8,
    /// By how much to shift.
    #[tool(range(max = 5))]
    shift: Option<i8>,
    /// Where.
    stop: Option<Stop>,
) -> Result<u8, ToolError> {
    let _ = (row, shift, stop);
    Err(ToolError::retry("There are too many.").field(if people == 0 { "row" } else { "people" }))
}

fn rejection(arguments: &str) -> serde_json::Value {
    let session = Toolbox::builder().tool(SeatTool).build().expect("it is the only tool").session();
    let outcome = pollster::block_on(session.call("call_1", "seat", arguments));
    outcome.failure().expect("the call was rejected").to_value()
}

#[test]
fn the_model_is_asked_to_keep_other_arguments_only_if_it_sent_any() {
    const KEEP: &str = " Keep the other arguments as they were.";
    for (arguments, keeps) in [
        ("{}", false),
        ("", false),
        ("null", false),
        (r#"{"people": "x"}"#, true),
        (r#"{"colour": "red"}"#, true),
        // The tool itself rejects this call.
        (r#"{"people": 3, "row": 1}"#, true),
    ] {
        let guidance = rejection(arguments)["retry_guidance"].to_string();
        assert_eq!(guidance.contains(KEEP), keeps, "{arguments}: {guidance}");
        assert!(guidance.ends_with(".\""), "{guidance}");
    }
}

#[test]
fn a_hint_has_the_declared_bounds() {
    let bounds = |arguments: &str| -> Vec<String> {
        let told = rejection(arguments);
        let constraints = told["retry_hint"]["constraints"].as_array().cloned().unwrap_or_default();
        constraints.iter().map(|entry| format!("{} {} {}", entry["field"], entry["min"], entry["max"])).collect()
    };
    assert_eq!(
        bounds(r#"{"people": true, "row": true, "shift": true}"#),
        [r#""people" null null"#, r#""row" 0 99"#, r#""shift" null 5"#]
    );
    // A hint without the violated bound would not suffice to correct the value.
    assert_eq!(bounds(r#"{"people": 300, "row": 1, "shift": -200}"#), [r#""people" null 255"#, r#""shift" -128 5"#]);
}

#[test]
fn equal_repairs_share_one_line() {
    let text = "{'people': 3, 'row': '1', 'stop': {'city': 'Oslo', 'code': 'x'}, 'shift': 2}";
    let session = Toolbox::builder().tool(SeatTool).build().expect("it is the only tool").session();
    let outcome = pollster::block_on(session.call("call_1", "seat", text));
    let told = outcome.to_text_with_notes().into_owned();
    let lines: Vec<&str> = told.lines().skip(1).collect();
    assert_eq!(lines, ["Read `'` as `\"` (18×).", "Read row \"1\" as 1."]);
    assert_eq!(outcome.repairs().len(), 19, "the outcome lists every repair");
}
