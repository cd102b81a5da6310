use tool_runtime::tool;

struct Fault;

/// Reports.
#[tool]
fn report() -> Result<String, Fault> {
    //~ Fault ~ a tool cannot fail with `Fault`
    Err(Fault)
}

fn main() {}
