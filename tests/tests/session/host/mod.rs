//! Parameters that the host supplies: the model neither sees nor sends them, and nothing that it reads contains their values.

mod hidden;
mod supplied;
mod ways;

use serde::Deserialize;
use serde_json::json;
use tool_runtime::hook::{BeforeCall, HostArguments, ProposedCall, Verdict};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{CustomRuleError, Session, ToolInput, Toolbox, tool};

/// A file of the user's.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Upload {
    /// Name of the file.
    #[tool(length(min = 1, max = 20))]
    title: String,
    /// Its size.
    #[tool(range(max = 100))]
    size: u32,
}

fn is_free(folder: &String) -> Result<(), CustomRuleError> {
    if folder == "taken" { Err("must be free".into()) } else { Ok(()) }
}

/// Stores a file of the user's.
#[tool]
fn store(
    /// Name of the folder.
    #[tool(custom = is_free)]
    folder: String,
    /// The file.
    #[tool(host)]
    upload: Upload,
    /// Stores it again.
    #[tool(default = false)]
    overwrite: bool,
    #[tool(host, default = "nobody", length(min = 2))] owner: String,
    #[tool(host)] note: Option<String>,
) -> String {
    format!("{folder}/{} {} {overwrite} {owner} {note:?}", upload.title, upload.size)
}

fn upload() -> HostArguments {
    HostArguments::new().with("upload", json!({"title": "cat.png", "size": 3}))
}

fn supplying(supplied: HostArguments) -> impl BeforeCall {
    move |_: &ProposedCall<'_>| Verdict::RunWith(supplied.clone())
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is sound").session()
}

fn storing(supplied: HostArguments) -> Session {
    built(Toolbox::builder().no_throttle().tool(StoreTool).before_call(supplying(supplied)))
}

const STORE: &str = r#"{"folder": "a"}"#;
