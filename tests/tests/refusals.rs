//! What a tool's own refusal shows of the field that it names: the value that was sent, or that it is a secret.

use tool_runtime::{ToolError, Toolbox, tool};

/// A stop of a journey.
#[derive(serde::Deserialize, tool_runtime::ToolInput)]
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
    /// Which field to refuse.
    refuse: String,
) -> Result<usize, ToolError> {
    let seen = stops.iter().map(|stop| stop.city.len() + stop.code.len()).sum();
    if refuse.is_empty() { Ok(seen) } else { Err(ToolError::retry("Nobody lets rooms there.").field(&refuse)) }
}

fn refused(field: &str) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    let session = Toolbox::builder().tool(BookTool).build()?.session();
    let arguments = serde_json::json!({"stops": [{"city": "Atlantis", "code": "hunter2"}], "refuse": field});
    let told = pollster::block_on(session.call("call_1", "book", arguments)).to_text().into_owned();
    assert!(!told.contains("hunter2"), "{told}");
    Ok(serde_json::from_str(&told)?)
}

#[test]
fn the_value_is_shown_as_it_was_sent() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(refused("stops[0].city")?["errors"][0]["attempted_value"], "Atlantis");
    Ok(())
}

#[test]
fn a_secret_is_not() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(refused("stops[0].code")?["errors"][0]["attempted_value"], "<redacted>");
    Ok(())
}

#[test]
fn what_was_not_sent_is_null() -> Result<(), Box<dyn std::error::Error>> {
    assert!(refused("stops[1].city")?["errors"][0]["attempted_value"].is_null());
    Ok(())
}
