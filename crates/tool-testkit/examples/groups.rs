//! Nested groups of calls, and a report that shows the nearest alternative: `cargo run -p tool-testkit --example groups`.

use tool_chat::conversation::Conversation;
use tool_chat::model::ScriptedModel;
use tool_runtime::{Toolbox, tool};
use tool_testkit::{Scenario, any_of, calls, calls_in_any_order, calls_in_order};

/// Searches all notes.
#[tool]
fn search(
    /// A word.
    word: String,
) -> Vec<String> {
    vec![format!("{word}.txt")]
}

/// Reads a note.
#[tool]
fn read_note(
    /// Its path.
    path: String,
) -> String {
    format!("The note {path}.")
}

/// Sends a mail.
#[tool]
fn send_mail(
    /// The text of the mail.
    text: String,
) {
    drop(text);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().tool(SearchTool).tool(ReadNoteTool).tool(SendMailTool).build()?;
    let model = ScriptedModel::new()
        .call("search", r#"{"word": "rain"}"#)
        .calls([("read_note", r#"{"path": "rain.txt"}"#), ("read_note", r#"{"path": "snow.txt"}"#)])
        .call("send_mail", r#"{"text": "It rains."}"#)
        .text("I sent it.");
    let read = |path: &str| calls("read_note").at("path", path);
    let rain =
        calls_in_order(["search".into(), calls_in_any_order([read("rain.txt"), read("wind.txt")]), "send_mail".into()]);
    let snow = calls_in_order([any_of([calls("search").at("word", "snow"), read("index.txt")]), "send_mail".into()]);
    let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
        .prompt("Mail me the weather notes.")
        .expect(any_of([snow, rain]));
    if let Err(report) = pollster::block_on(scenario.run()) {
        println!("{report}");
    }
    Ok(())
}
