//! The number of tools in one request: more than the provider accepts are an error of `build`, and nothing is left out.

use serde_json::json;
use tool_dynamic::DynamicTool;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Container, ToolError, Toolbox};

use crate::dialects::dialect;

fn tool(index: usize) -> DynamicTool {
    let tool = DynamicTool::builder(format!("tool_{index}"), "Does it.", json!({"type": "object"}));
    tool.sync_handler(|_, _| Ok::<_, ToolError>("")).expect("a schema")
}

fn with(count: usize) -> ToolboxBuilder {
    (0..count).fold(Toolbox::builder(), |builder, index| builder.tool(tool(index)))
}

#[test]
fn more_visible_tools_than_the_provider_accepts_are_an_error() {
    for name in ["openai", "openai-strict", "openai-responses", "moonshot"] {
        let error =
            |builder: ToolboxBuilder| builder.for_provider(dialect(name)).build().err().map(|error| error.to_string());
        assert_eq!(error(with(128)), None, "{name}");
        let words = format!(
            "129 tools are visible from the beginning, and `{name}` accepts 128 in one request: group them in containers"
        );
        assert!(error(with(129)).is_some_and(|error| error.contains(&words)), "{name}");
        let group = (128..200).fold(Container::new("More", "More tools."), |group, index| group.tool(tool(index)));
        assert_eq!(error(with(127).container(group)), None, "{name}");
    }
    assert!(with(129).for_provider(dialect("anthropic")).build().is_ok());
    assert!(with(129).build().is_ok());
}
