//! Titles, icons and data for programs, on tools and containers.

use serde_json::{Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::Dialect;
use tool_runtime::container::PluginContainer;
use tool_runtime::tool::{DisplayMetadata, Icon, ToolSpec};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Container, Session, Toolbox, TypedTool, plugin_container, tool};

/// Current weather.
#[tool(
    title = "Weather \"now\"",
    icons("https://example.com/sun.png", "data:image/svg+xml;base64,PHN2Zy8+"),
    meta = {"com.example/b": [1, {"x": null}], "com.example/a": "é"}
)]
fn weather() {}

/// Says nothing of itself.
#[tool]
fn plain() {}

struct Clock;

/// Answers questions about time.
#[plugin_container(title = "The clock", meta = {"com.example/tier": 2})]
impl Clock {
    /// The time.
    #[tool(title = "Time")]
    fn now(&self) -> u8 {
        12
    }
}

fn session() -> Session {
    builder().build().expect("a toolbox").session()
}

fn builder() -> ToolboxBuilder {
    let mut icon = Icon::new("https://example.com/moon.png");
    (icon.mime_type, icon.sizes, icon.theme) =
        (Some("image/png".into()), vec!["48x48".into(), "any".into()].into(), Some("dark".into()));
    let meta = json!({"com.example/z": 1, "com.example/a": 2});
    let presentation = DisplayMetadata::with_title("Moon").icon(icon).with_meta(meta.as_object().expect("an object"));
    let moon = DynamicTool::builder("moon", "The moon.", "{}").display_metadata(presentation);
    let moon = moon.sync_handler(|_, _| Ok::<_, String>("full")).expect("a schema");
    let files = Container::new("Files", "Files.").display_metadata(DisplayMetadata::with_title("My files"));
    Toolbox::builder().tool(WeatherTool).tool(PlainTool).tool(moon).container(Clock).container(files)
}

#[test]
fn mcp_clients_see_titles_icons_and_meta() {
    let session = session();
    let tools = session.definitions_in(Dialect::MCP).to_value();
    let shown = |at: usize| {
        let tool: &Value = &tools[at];
        (tool["title"].clone(), tool["icons"].clone(), tool["_meta"].clone())
    };
    let icons = json!([{"src": "https://example.com/sun.png"}, {"src": "data:image/svg+xml;base64,PHN2Zy8+"}]);
    let meta = json!({"com.example/b": [1, {"x": null}], "com.example/a": "é"});
    assert_eq!(shown(0), (json!("Weather \"now\""), icons, meta));
    assert_eq!(shown(1), (Value::Null, Value::Null, Value::Null));
    assert_eq!(shown(3), (json!("The clock"), Value::Null, json!({"com.example/tier": 2})));
    assert_eq!(shown(4).0, "My files");
    // Byte for byte, whatever the features of `serde_json`.
    let text = session.definitions_in(Dialect::MCP)[2].to_string();
    let expect = concat!(
        r#""title":"Moon","icons":[{"src":"https://example.com/moon.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}],"#,
        r#""_meta":{"com.example/a":2,"com.example/z":1}}"#
    );
    assert!(text.ends_with(expect), "{text}");
}

#[test]
fn no_model_sees_the_presentation() {
    for dialect in [Dialect::OPENAI, Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC, Dialect::GEMINI] {
        let text = session().definitions_in(dialect).to_string();
        for hidden in ["title", "icons", "_meta", "example.com", "My files"] {
            assert!(!text.contains(hidden), "{dialect:?} shows {hidden}: {text}");
        }
    }
}

#[test]
fn only_the_dialect_of_mcp_has_titles_icons_and_meta() {
    for dialect in Dialect::all() {
        let session = builder().for_provider(dialect).build().expect("a toolbox").session();
        let text = session.definitions().to_string();
        if dialect == Dialect::MCP {
            assert_eq!(text, builder().build().expect("a toolbox").session().definitions_in(dialect).to_string());
            let specs = [("weather".into(), WeatherTool::SPEC), ("plain".into(), PlainTool::SPEC)];
            assert_eq!(ToolSpec::definitions_of_tools(&specs, dialect)[..], session.definitions()[..2]);
            continue;
        }
        for hidden in ["title", "icons", "_meta", "example.com", "My files"] {
            assert!(!text.contains(hidden), "{dialect:?} shows {hidden}: {text}");
        }
    }
}

#[test]
fn hosts_can_read_the_presentation() {
    let weather = &WeatherTool::SPEC.display_metadata;
    assert_eq!((weather.title.as_deref(), weather.icons.len()), (Some("Weather \"now\""), 2));
    assert_eq!(weather.meta().and_then(|meta| meta.get("com.example/a").cloned()), Some(json!("é")));
    assert_eq!(PlainTool::SPEC.display_metadata, DisplayMetadata::NONE);
    assert_eq!(Clock::SPEC.display_metadata.title.as_deref(), Some("The clock"));
    assert_eq!(ClockNowTool::SPEC.display_metadata.title.as_deref(), Some("Time"));
}
