//! Prints the recording of three calls, and the counts of their tool.

use std::sync::{Arc, Mutex};

use tool_report::{CallRecorder, CallReport};
use tool_runtime::{Toolbox, tool};

/// Sends a message.
#[tool]
fn send(
    /// The receiver.
    to: String,
    /// The key of the account.
    #[tool(sensitive)]
    key: String,
) -> String {
    format!("sent to {to} with a key of {} bytes", key.len())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = Arc::new(Mutex::new(CallReport::new()));
    let counted = Arc::clone(&report);
    let recorder = CallRecorder::new(move |line| {
        println!("{line}");
        if let (Ok(line), Ok(mut report)) = (line.parse(), counted.lock()) {
            report.add_line(line);
        }
    });
    let toolbox = Toolbox::builder().tool(SendTool).observer(recorder.clone()).build()?;
    recorder.record_toolbox(&toolbox);
    let session = toolbox.session();
    for (id, arguments) in
        [("call_1", r#"{"to": "Ada"}"#), ("call_2", r#"{"to": "Ada", "key": "k-123"}"#), ("call_3", "{'to': 'Bob'")]
    {
        let _ = pollster::block_on(session.call(id, "send", arguments));
    }
    for (tool, counts) in report.lock().map_err(|_| "a panic")?.tools() {
        println!("{tool}: {} calls, {} rejected, {} corrected", counts.calls, counts.rejected, counts.corrected);
    }
    Ok(())
}
