//! Checks schemas of real MCP servers: each loads or is rejected with its name.

use serde_json::json;

use super::{Bench, Outcome};

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("schemas of MCP servers");
    let rows = bench.rows("mcp_tools.jsonl")?;
    // Servers share tool names, so a ref distinguishes their tools.
    let tools = rows.iter().enumerate().map(|(index, row)| {
        json!({"ref": index.to_string(), "name": row["name"], "description": row["description"], "parameters": row["parameters"]})
    });
    let tools = bench.command.file("mcp.jsonl", tools)?;
    let (definitions, complaints) = bench.command.lines(&["schema", "--tools", &tools, "--json"])?;
    for complaint in &complaints {
        println!("      {complaint}");
    }
    let answered = definitions.len() + complaints.len();
    bench.figure(
        answered == rows.len(),
        &format!("{} of {} load, {} are rejected with their name", definitions.len(), rows.len(), complaints.len()),
    );
    Ok(())
}
