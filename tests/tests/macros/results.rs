//! Every result that a tool may give.
use std::borrow::Cow;
use std::convert::Infallible;

use tool_runtime::{ToolError, tool};

type Alias<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Nothing.
#[tool]
fn nothing() {}

/// A text.
#[tool]
fn text() -> &'static str {
    "text"
}

/// A text, or not.
#[tool]
async fn perhaps() -> Result<Cow<'static, str>, Infallible> {
    Ok(Cow::Borrowed("text"))
}

/// Behind an alias.
#[tool(output_schema)]
#[allow(clippy::unnecessary_wraps)]
fn alias() -> Alias<Option<u8>> {
    Ok(None)
}

/// An error on purpose.
#[tool(output_schema)]
fn rejected() -> Result<Vec<bool>, ToolError> {
    Err(ToolError::new("no"))
}

/// A text as an error.
#[tool]
fn said() -> Result<(), &'static str> {
    Err("no")
}

#[test]
fn every_result_becomes_the_text_of_an_answer() {
    let toolbox = tool_runtime::Toolbox::builder().tool(NothingTool).tool(TextTool).tool(PerhapsTool).tool(AliasTool);
    let session = toolbox.tool(RejectedTool).tool(SaidTool).build().expect("the names differ").session();
    let answer = |tool| pollster::block_on(session.call("call_1", tool, "{}")).to_text().into_owned();
    assert_eq!(["nothing", "text", "perhaps", "alias"].map(answer), ["done", "text", "text", "null"]);
    assert!(["rejected", "said"].map(answer).iter().all(|answer| answer.contains("no")));
}
