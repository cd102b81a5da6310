//! Calls whose rejection is expensive, up to the text for the model, and streams that receive single characters.

use std::hint::black_box;

use serde::Deserialize;
use tool_runtime::tool_schema::repair::Stream;
use tool_runtime::{Session, ToolInput, Toolbox, tool};

macro_rules! wide {
    ($($field:ident)*) => {
        /// A row of thirty required columns.
        #[derive(Deserialize, ToolInput)]
        #[tool(ignore_unknown)]
        #[allow(dead_code)]
        struct Wide { $(
            /// A column.
            #[tool(length(max = 80))]
            $field: String,
        )* }

        const COLUMNS: &[&str] = &[$(stringify!($field)),*];
    };
}
wide!(a00 a01 a02 a03 a04 a05 a06 a07 a08 a09 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29);

/// Stores rows.
#[tool]
fn store(
    /// The rows.
    list: Vec<Wide>,
) -> usize {
    list.len()
}

/// The names of the shapes, each with the initial number of units. A unit is a byte that is sent, or a value of an `enum`.
pub const SHAPES: &[(&str, usize)] = &[
    ("rows", 100_000),
    ("rows from a schema", 100_000),
    ("one of many values", 5_000),
    ("stream of `", 5_000),
    ("stream of ~", 5_000),
    ("stream of { and `", 5_000),
];

/// Returns a job with one call of a shape, or one stream.
pub fn job(shape: &str, units: usize) -> Box<dyn Fn()> {
    let rows = || format!("{{\"list\":[{}]}}", vec!["{}"; units / 3].join(","));
    match shape {
        "rows" => call(Toolbox::builder().tool(StoreTool), "store", rows()),
        "rows from a schema" => {
            let row = serde_json::json!({"type": "object", "required": COLUMNS});
            let list = serde_json::json!({"type": "array", "items": row});
            call(dynamic(&serde_json::json!({"properties": {"list": list}})), "tool", rows())
        }
        "one of many values" => {
            let values: Vec<_> = (0..units).map(|value| format!("value number {value}")).collect();
            let schema = serde_json::json!({"properties": {"word": {"enum": values}}});
            call(dynamic(&schema), "tool", r#"{"word":"valve number 12"}"#.to_owned())
        }
        _ => {
            let (begin, mark) = if shape.contains('{') { ("{}", "`") } else { ("", &shape[shape.len() - 1..]) };
            let (begin, mark) = (begin.to_owned(), mark.to_owned());
            Box::new(move || {
                let mut stream = Stream::new();
                stream.push(&begin);
                for _ in 0..units {
                    black_box(stream.push(&mark));
                }
                black_box(stream.finish());
            })
        }
    }
}

fn dynamic(schema: &serde_json::Value) -> tool_runtime::toolbox::ToolboxBuilder {
    let builder = tool_dynamic::DynamicTool::builder("tool", "A tool from a schema.", schema);
    let tool = builder.sync_handler(|arguments, _| Ok::<_, String>(arguments.len()));
    Toolbox::builder().tool(tool.expect("the schema can be read"))
}

fn call(builder: tool_runtime::toolbox::ToolboxBuilder, tool: &'static str, arguments: String) -> Box<dyn Fn()> {
    let toolbox = builder.build().expect("one tool has no clashes");
    let call = move |session: &Session| {
        let outcome = pollster::block_on(session.call("call_1", tool, black_box(arguments.as_str())));
        assert!(!outcome.is_ok());
        black_box(outcome.to_text());
    };
    Box::new(move || call(&toolbox.session()))
}
