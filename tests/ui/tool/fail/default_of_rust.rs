use serde::Deserialize;
use tool_runtime::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
enum Priority {
    Low,
    High,
}

/// Files an issue.
#[tool]
fn file(
    /// How urgent it is.
    #[tool(default = Priority::Low)]
    //~ Priority::Low ~ write the name of the variant in JSON: `"Low"`
    priority: Priority,
    /// Labels.
    #[tool(default = vec![])]
    //~ vec![] ~ write a JSON value
    labels: Vec<String>,
    /// Number of the project.
    #[tool(default)]
    //~ default ~ `default` takes a value: write `default = …`
    project: u8,
) {
    let _ = (priority, labels, project);
}

fn main() {}
