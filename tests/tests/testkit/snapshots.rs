//! Comparison of the schema of a tool with the recorded one.

use std::fs;
use std::path::Path;

use tool_runtime::Arguments;
use tool_runtime::CallContext;
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_testkit::assert_schema_snapshot;
use tool_testkit::check_snapshot;

use crate::testkit::kit::{DeleteTool, GetTimeTool};

#[test]
fn a_schema_equals_the_file_next_to_the_test() {
    assert_schema_snapshot!(DeleteTool);
}

#[test]
fn the_error_for_a_missing_schema_file_says_how_to_write_it() {
    let fault = check_snapshot(&GetTimeTool, Path::new("no/such/folder")).err().unwrap_or_default();
    assert!(fault.starts_with("no/such/folder/get_time.schema.json cannot be read: "), "{fault}");
    assert!(fault.ends_with("\nRun the test with BLESS_SCHEMAS=1 to write it."), "{fault}");
}

/// A tool whose schema file can be neither read nor written.
struct Nowhere(ToolSpec);

impl Tool for Nowhere {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Ok(Payload::Done))
    }
}

#[test]
#[should_panic(expected = "snapshots/delete.schema.json/inside.schema.json cannot be ")]
fn the_macro_panics_with_the_fault() {
    let nowhere = ToolSpec::new("delete.schema.json/inside", "Nothing.", GetTimeTool.spec().input.clone());
    assert_schema_snapshot!(Nowhere(nowhere));
}

#[test]
fn a_changed_schema_is_reported_line_by_line() -> std::io::Result<()> {
    let folder = std::env::temp_dir().join(format!("testkit-snapshots-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let known =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testkit/snapshots/delete.schema.json"))?;
    let file = folder.join("delete.schema.json");
    // Line ends as in a checkout on Windows.
    fs::write(&file, known.replace('\n', "\r\n"))?;
    assert_eq!(check_snapshot(&DeleteTool, &folder), Ok(()));
    fs::write(&file, known.replace("Which.", "Whose."))?;
    assert_eq!(
        check_snapshot(&DeleteTool, &folder),
        Err(format!(
            "The schema differs from {}.\n\
             -       \"description\": \"Whose.\"\n\
             +       \"description\": \"Which.\"\n\
             Run the test with BLESS_SCHEMAS=1 if the change is intended.",
            file.display()
        )),
    );
    fs::remove_dir_all(&folder)
}
