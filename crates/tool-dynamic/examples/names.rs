//! Tools of a server whose names some providers reject: `cargo run -p tool-dynamic --example names`.

use tool_dynamic::DynamicTool;
use tool_runtime::tool::portable_name;
use tool_runtime::{Dialect, Toolbox};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = Toolbox::builder();
    for name in ["files.read", "files/list directory", "get_weather"] {
        println!("{name} is advertised as {}", portable_name(name));
        // The handler calls the tool by the server's own name for it.
        let tool = DynamicTool::builder(name, "Comes from a server.", "{}").alias(format!("server.{name}"));
        builder = builder.tool(tool.sync_handler(move |_, _| Ok::<_, String>(format!("The server ran {name}.")))?);
    }
    let session = builder.build()?.session();
    println!("{}", session.definitions_in(Dialect::GEMINI));
    for name in [&*portable_name("files.read"), "files.read", "server.get_weather", "functions.get_weather"] {
        let outcome = pollster::block_on(session.call("call_1", name, "{}"));
        println!("{name}: {}", outcome.to_text());
        outcome.repairs().iter().for_each(|repair| println!("  {repair}"));
    }
    Ok(())
}
