//! Descriptions that only the compiler knows, and silence that says so.
use tool_runtime::{TypedTool, tool};

const WAITS: &str = "Waits.";

#[tool(description = WAITS, type = Pause)]
fn wait() {}

#[tool(description = concat!("Wai", "ts."))]
fn wait_more() {}

#[tool(undocumented)]
fn wait_silently(seconds: u8) {
    let _ = seconds;
}

/// Waits, for as long as it likes.
#[tool]
fn wait_freely(#[tool(undocumented)] seconds: u8) {
    let _ = seconds;
}

#[test]
fn a_description_may_be_a_constant() {
    assert_eq!(Pause::SPEC.description, "Waits.");
    assert_eq!(WaitMoreTool::SPEC.description, "Waits.");
    assert_eq!(WaitSilentlyTool::SPEC.description, "");
    assert!(WaitFreelyTool::decode(r#"{"seconds": 3}"#).is_ok());
}
