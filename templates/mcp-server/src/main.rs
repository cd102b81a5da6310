//! An MCP server over stdio. A host starts this program; `RUST_BACKTRACE=1 cargo run` waits for its messages on the standard input.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Mutex;

use tool_mcp::Server;
use tool_runtime::{BuildError, ToolError, Toolbox, plugin_container, tool};

/// The notes by title.
#[derive(Default)]
struct Notes(Mutex<BTreeMap<String, String>>);

#[plugin_container(undocumented)]
impl Notes {
    /// Saves a note, or replaces it.
    #[tool(idempotent)]
    fn save_note(
        &self,
        /// Title of the note.
        #[tool(length(min = 1, max = 80))]
        title: String,
        /// Text of the note.
        text: String,
    ) -> &'static str {
        self.0.lock().unwrap().insert(title, text);
        "saved"
    }

    /// Returns the text of a note.
    #[tool(read_only)]
    fn read_note(
        &self,
        /// Title of the note.
        title: String,
    ) -> Result<String, ToolError> {
        let notes = self.0.lock().unwrap();
        notes.get(&title).cloned().ok_or_else(|| ToolError::retry("there is no such note").field("title"))
    }
}

fn toolbox() -> Result<Toolbox, BuildError> {
    Toolbox::builder().tools(Notes::default()).build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    Server::new(toolbox()?).named(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).stdio().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tool_testkit::check_contracts;

    #[test]
    fn the_tools_keep_their_contract() {
        assert_eq!(check_contracts(&toolbox().unwrap()), Ok(()));
    }

    #[test]
    fn a_note_can_be_read_again() {
        let session = toolbox().unwrap().session();
        let call = |tool, arguments| pollster::block_on(session.call("call_1", tool, arguments)).to_text().into_owned();
        assert_eq!(call("save_note", r#"{"title": "Ada", "text": "May 4"}"#), "saved");
        assert_eq!(call("read_note", r#"{"title": "Ada",}"#), "May 4");
        assert!(call("read_note", r#"{"title": "Bob"}"#).contains("there is no such note"));
    }
}
